"""Rate players by their results; see what results leave open."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.stats import bradley_terry
from arena.stats.bradley_terry import TOO_MANY_PLAYERS, Parameter, rate
from arena.stats.pairings import PairingCounts, PairingGame
from benchmarks.coverage.laws import chances
from tests.golden import Wording
from tests.samples import few
from tests.stats.pairings import GAMES, OFTEN, by_games, ends, names, values

Joint = list[list[int]]

WON, LOST, LEVEL, FIRST_MOVER = ([[0] * 3 for _ in range(3)] for _ in range(4))
WON[2][2] = LOST[0][0] = LEVEL[1][1] = FIRST_MOVER[2][0] = 9


def sampled(ratings: Sequence[float], pairs: int, seed: int) -> list[PairingCounts]:
    """Return a round robin with an advantage of 52 Elo and nu 0.6, games independent."""
    rng = random.Random(seed)
    pairings = []
    for a, b in itertools.combinations(range(len(ratings)), 2):
        joint = [[0] * 3 for _ in range(3)]
        y = ratings[a] - ratings[b]
        first = rng.choices(range(3), chances(y + 52, 0.6), k=pairs)
        second = rng.choices(range(3), chances(y - 52, 0.6), k=pairs)
        for i, j in zip(first, second, strict=True):
            joint[i][j] += 1
        pairings.append(PairingCounts.of_pairs(a, b, joint))
    return pairings


@pytest.mark.slow
@given(st.tuples(*[st.integers(0, 50)] * 3).filter(any))
def test_add_half_a_game_of_every_result_between_two_players(
    counts: tuple[int, int, int],
) -> None:
    """The three chances are then free, and Jeffreys' prior of logits adds 1/2 to every count."""
    lost, drawn, won = (count + 0.5 for count in counts)
    table = rate("ab", [PairingCounts.of_games(0, 1, counts)])
    assert values(table)[0] == pytest.approx(200 * math.log10(won / lost), abs=1e-3)
    assert table.draws.value == pytest.approx(drawn / math.sqrt(won * lost), rel=1e-5)


def half_width(pairing: PairingCounts) -> float:
    low, high = ends(rate("ab", [pairing]).ratings[0])
    return (high - low) / 2


def test_widen_intervals_by_pairs_and_never_narrow_them() -> None:
    """Of the same games, won and lost half and half, pairs may say less than games but not more.

    A level pair has no spread: Kent's factor would be 0 and is 1. Of two games won or lost
    together the variance is twice the model's.
    """
    independent = half_width(PairingCounts.of_games(0, 1, (200, 0, 200)))
    apart = half_width(PairingCounts.of_pairs(0, 1, [[1, 0, 99], [0, 0, 0], [99, 0, 1]]))
    alike = half_width(PairingCounts.of_pairs(0, 1, [[100, 0, 0], [0, 0, 0], [0, 0, 100]]))
    assert apart == pytest.approx(independent, rel=0.02)
    assert alike == pytest.approx(math.sqrt(2) * independent, rel=0.03)


def test_give_walds_intervals_to_many_players_and_nearly_the_same_ones(
    monkeypatch: pytest.MonkeyPatch,
    wording: Wording,
) -> None:
    most = 40
    monkeypatch.setattr(bradley_terry, "MAX_PROFILED", most)
    circle = [
        PairingCounts.of_games(a, (a + step) % most, (12, 9, 15 + (a * step) % 7), moved=1)
        for a in range(most)
        for step in (1, 7, 13)
    ]
    few = rate(names(most), circle)
    more = rate(names(most + 1), circle)
    assert (few.method, more.method) == ("profile", "wald")
    wording(more.statements, f"p{most} ")
    for one, other in zip(few.ratings, more.ratings, strict=False):
        assert one.value == pytest.approx(other.value, abs=1e-3)
        assert ends(one) == pytest.approx(ends(other), abs=3)


@pytest.mark.slow
def test_rate_a_chain_of_three_hundred_players() -> None:
    chain = [PairingCounts.of_games(player, player + 1, (1, 0, 2)) for player in range(299)]
    table = rate(names(300), chain)
    steps = np.diff(values(table))
    assert steps == pytest.approx([steps[0]] * 299, abs=5)
    assert steps[0] < 0


def test_say_that_too_many_players_are_not_rated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bradley_terry, "MAX_PLAYERS", 2)
    table = rate("abc", by_games({(0, 1): (2, 1, 3), (1, 2): (2, 1, 3)}))
    assert table.statements == (TOO_MANY_PLAYERS,)
    assert table.ratings[0] == Parameter(None, reason=TOO_MANY_PLAYERS)


@pytest.mark.parametrize(
    ("truth", "pairs"),
    few([([420.0, -120.0, -140.0, -160.0], 5), ([70.0, 20.0, -30.0, -60.0], 30)], 0),
)
def test_cover_the_truth_as_often_as_promised(truth: list[float], pairs: int) -> None:
    covered = 0
    for seed in range(100):
        table = rate(names(4), sampled(truth, pairs, seed))
        results = [*table.ratings, table.advantage, table.draws]
        for parameter, true in zip(results, [*truth, 52.0, 0.6], strict=True):
            low, high = ends(parameter)
            covered += low <= true <= high
    assert 555 <= covered <= 594  # of 600: 95 % are 570, with a standard deviation of 5.3 or more


@pytest.mark.slow
def test_cover_players_that_mostly_draw() -> None:
    """Most pairs are level, as between good players: a bootstrap once made all of this fail."""
    truth, covered, rng = [300.0, 250.0, 100.0, -650.0], 0, random.Random(3)
    for _ in range(60):
        pairings = []
        for a, b in itertools.combinations(range(4), 2):
            joint = [[0] * 3 for _ in range(3)]
            for _ in range(20):
                first, second = (
                    rng.choices(range(3), chances(truth[a] - truth[b] + side, 30))[0]
                    for side in (100, -100)
                )
                joint[first][second] += 1
            pairings.append(PairingCounts.of_pairs(a, b, joint))
        table = rate(names(4), pairings)
        for rating, true in zip(table.ratings, truth, strict=True):
            low, high = ends(rating)
            assert low < (rating.value or 0) < high
            covered += low <= true <= high
    assert 220 <= covered <= 238  # of 240


def test_rate_alike_however_results_are_split_and_ordered() -> None:
    pairings = sampled([50.0, 0.0, -50.0], 40, seed=2)
    table = rate(names(3), pairings)
    halves = [
        PairingCounts(m.a, m.b, ((cell, part),))
        for m in pairings
        for cell, times in m.cells
        for part in (times / 2, times / 2)
    ]
    mirrored = [pairing.mirrored() for pairing in reversed(halves)]
    assert rate(names(3), mirrored) == table


def test_ignore_names_and_keep_the_order_of_players() -> None:
    ratings = values(rate(names(4), by_games(GAMES)))
    swapped = {(3 - a, 3 - b): counts for (a, b), counts in GAMES.items()}
    assert values(rate("wxyz", by_games(swapped))) == pytest.approx(ratings[::-1], abs=1e-6)
    assert sum(ratings) == pytest.approx(0, abs=1e-9)


def test_rate_a_player_that_won_every_game(wording: Wording) -> None:
    best = [PairingCounts.of_pairs(3, b, WON) for b in range(3)]
    rest = sampled([50.0, 0.0, -50.0], 40, seed=2)
    table = rate(["x", "y", "z", "tictactoe3"], best + rest)
    assert table.groups == ((0, 1, 2, 3),)
    wording(table.statements, "tictactoe3")
    wording(table.ratings[3].reason)
    assert table.ratings[0].reason == ""
    assert ends(table.ratings[3])[0] > max(ends(table.ratings[player])[1] for player in range(3))


def test_rank_strong_players_above_weak_ones_that_they_always_beat(wording: Wording) -> None:
    even = [PairingCounts.of_pairs(*two, FIRST_MOVER) for two in ((0, 1), (2, 3))]
    across = [PairingCounts.of_pairs(a, b, WON) for a in (0, 1) for b in (2, 3)]
    table = rate(["strong1", "strong2", "weak1", "weak2"], even + across)
    strong, weak = values(table)[:2], values(table)[2:]
    assert min(strong) > max(weak)
    assert table.groups == ((0, 1, 2, 3),)
    wording(table.statements, "strong1 and strong2 ")


def test_put_players_that_never_met_into_groups_of_their_own(wording: Wording) -> None:
    left, right = (1, 0, 2), (3, 0, 5)
    table = rate("abcde", [PairingCounts.of_games(0, 1, left), PairingCounts.of_games(2, 3, right)])
    assert table.groups == ((0, 1), (2, 3), (4,))
    wording(table.statements, " 2 ", "e ")
    wording(table.ratings[0].reason)
    assert table.ratings[4].value is None
    wording(table.ratings[4].reason)
    assert table.ratings[0].value == pytest.approx(-(table.ratings[1].value or 0))
    assert rate("", []).ratings == ()


def test_describe_a_chain_of_perfect_scores_in_three_sentences(wording: Wording) -> None:
    chain = [PairingCounts.of_games(player, player + 1, (0, 0, 3)) for player in range(20)]
    wording(rate(names(21), chain).statements, "p0 ", "p1, p2, p3, p4, p5 and 14 ", "p20 ")


def test_say_that_all_results_were_alike(wording: Wording) -> None:
    mover = rate("ab", [PairingCounts.of_pairs(0, 1, FIRST_MOVER)])
    wording(mover.advantage.reason)
    assert values(mover) == pytest.approx([0, 0], abs=1e-6)
    assert ends(mover.ratings[0]) == pytest.approx([-x for x in ends(mover.ratings[0])[::-1]])
    drawn = rate("ab", [PairingCounts.of_pairs(0, 1, LEVEL)])
    wording(drawn.draws.reason)
    assert drawn.draws.high is None
    assert values(drawn) == pytest.approx([0, 0], abs=1e-6)


def test_leave_out_an_advantage_that_looks_like_strength(wording: Wording) -> None:
    always_first = [PairingCounts.of_games(0, 1, (3, 3, 9), moved=1)]
    wording(rate("ab", always_first).advantage.reason)
    assert "not known" in rate("ab", by_games({(0, 1): (3, 3, 9)})).advantage.reason
    circle = [
        PairingCounts.of_games(a, b, (3 * OFTEN, 3 * OFTEN, 9 * OFTEN), moved=1)
        for a, b in ((0, 1), (1, 2), (2, 0))
    ]
    assert rate("abc", circle).advantage.value == pytest.approx(400 * math.log10(3), abs=1e-3)


def check(players: int, pairings: list[PairingCounts]) -> None:
    table = rate(names(players), pairings)
    assert sorted(itertools.chain(*table.groups)) == list(range(players))
    for parameter in (*table.ratings, table.advantage, table.draws):
        numbers = (parameter.value, parameter.low, parameter.high)
        assert all(number is None or math.isfinite(number) for number in numbers)
        assert parameter.reason or None not in numbers
        if parameter.value is not None:
            assert parameter.low is None or parameter.low < parameter.value
            assert parameter.high is None or parameter.value < parameter.high
    for group in table.groups:
        rated = [table.ratings[player].value for player in group]
        assert sum(value or 0 for value in rated) == pytest.approx(0, abs=1e-5)


@pytest.mark.slow
def test_answer_every_small_table_of_two_players() -> None:
    for cells in itertools.product((0, 1), repeat=9):
        check(2, [PairingCounts.of_pairs(0, 1, [cells[:3], cells[3:6], cells[6:]])])
    for counts in itertools.product(range(4), repeat=3):
        check(2, [PairingCounts.of_games(0, 1, counts)])


@pytest.mark.slow
def test_answer_every_way_that_three_players_can_beat_each_other() -> None:
    for joints in itertools.product((None, WON, LOST, LEVEL, FIRST_MOVER), repeat=3):
        pairs = zip(itertools.combinations(range(3), 2), joints, strict=True)
        check(3, [PairingCounts.of_pairs(*pair, joint) for pair, joint in pairs if joint])


counts = st.sampled_from([0, 0, 0, 1, 1, 2, 0.5, 1000, 10**9, 10**15, 1e99])
games = st.builds(PairingGame, st.sampled_from([-1, 0, 1]), st.sampled_from([0, 1, 2]))
cells = st.tuples(st.lists(games, max_size=2).map(tuple), counts)
pairings = st.sampled_from(list(itertools.permutations(range(4), 2)))


@pytest.mark.slow
@given(st.lists(st.tuples(pairings, st.lists(cells, max_size=5)), max_size=7))
@settings(max_examples=200)
def test_answer_every_table(
    table: list[tuple[tuple[int, int], list[tuple[tuple[PairingGame, ...], int]]]],
) -> None:
    check(4, [PairingCounts(a, b, tuple(seen)) for (a, b), seen in table])


@pytest.mark.parametrize(
    "pairing",
    [
        PairingCounts(0, 0, ()),
        PairingCounts(0, 2, ()),
        PairingCounts(0, 1, (((PairingGame(0, 3),), 1),)),
        PairingCounts(0, 1, (((PairingGame(0, 1),), -1),)),
        PairingCounts(0, 1, (((PairingGame(0, 1),), math.nan),)),
    ],
)
def test_refuse_impossible_results(pairing: PairingCounts) -> None:
    with pytest.raises(UsageError):
        rate("ab", [pairing])
