"""Draw rates of games and of pairs, as published, and the laws between their counts."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.stats.draws import broken_law, drawn_games, level_pairs, pairs_ratio

#: Wins, losses, draws and pairs that fastchess printed, with its DrawRatio and PairsRatio:
#: brunocodutra/cinder, pull requests 879, 890 and 938.
FASTCHESS = [
    ((2740, 2611, 4825), (115, 1156, 2443, 1233, 141), 48.01, 1.08),
    ((1844, 1644, 3502), (45, 745, 1737, 901, 67), 49.70, 1.23),
    ((5028, 4802, 9280), (134, 2096, 4899, 2262, 164), 51.27, 1.09),
]


@pytest.mark.parametrize(("games", "pairs", "level", "ratio"), FASTCHESS)
def test_what_fastchess_prints_as_the_draw_ratio_is_the_rate_of_level_pairs(
    games: tuple[int, int, int], pairs: tuple[int, ...], level: float, ratio: float
) -> None:
    wins, losses, draws = games
    assert 100 * (level_pairs(pairs) or 0) == pytest.approx(level, abs=0.0051)
    assert pairs_ratio(pairs).value == pytest.approx(ratio, abs=0.0051)
    drawn = drawn_games([losses, draws, wins])
    assert drawn == draws / sum(games)
    assert abs(100 * (drawn or 0) - level) > 0.3
    assert broken_law([losses, draws, wins], pairs) is None


joints = st.lists(st.integers(0, 99), min_size=9, max_size=9)


def counted(joint: list[int]) -> tuple[list[int], list[int]]:
    games, pairs = [0] * 3, [0] * 5
    for (i, j), n in zip(itertools.product(range(3), repeat=2), joint, strict=True):
        games[i] += n
        games[j] += n
        pairs[i + j] += n
    return games, pairs


@given(joints)
def test_counts_of_real_pairs_break_no_law(joint: list[int]) -> None:
    assert broken_law(*counted(joint)) is None


def test_every_small_table_that_breaks_no_law_comes_from_pairs() -> None:
    """All tables of three pairs."""
    joints = [joint for joint in itertools.product(range(4), repeat=9) if sum(joint) == 3]
    real = {tuple(map(tuple, counted(list(joint)))) for joint in joints}
    lawful = {
        (games, pairs)
        for games in itertools.product(range(7), repeat=3)
        for pairs in itertools.product(range(4), repeat=5)
        if sum(pairs) == 3 and broken_law(games, pairs) is None
    }
    assert lawful == real


@pytest.mark.parametrize(
    ("games", "pairs", "law"),
    [
        ((0, 0, 5), (0, 0, 0, 0, 2), "5 games are not two for each of 2 pairs"),
        ((1, 0, 3), (0, 0, 0, 0, 2), "wins less losses are 2 in games and 4 in pairs"),
        ((2, 0, 2), (0, 1, 0, 1, 0), "0 draws are not from 2 to 2, as the pairs have it"),
    ],
)
def test_the_broken_law_is_named(games: tuple[int, ...], pairs: tuple[int, ...], law: str) -> None:
    assert broken_law(games, pairs) == law


def test_what_is_undefined_is_none() -> None:
    assert drawn_games([0, 0, 0]) is None
    assert level_pairs([0] * 5) is None
    assert pairs_ratio([0, 0, 4, 1, 0]).reason == "no pair was lost"
    assert pairs_ratio([0, 0, 4, 0, 0]).reason == "no pair was won or lost"
    with pytest.raises(UsageError, match="must be 5"):
        level_pairs([1, 2, 3])
    with pytest.raises(UsageError, match="none negative"):
        drawn_games([1, -2, 3])
