"""Openings: random, all, and from files; the same for everybody."""

from __future__ import annotations

import os
import random
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import arena
from arena.errors import UsageError
from arena.fights.openings import openings_of
from arena.game import Game, Outcome, Position, Side
from arena.games.connect4 import CONNECT4
from arena.games.mnk import mnk_game
from arena.match import play_game
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.proof.outcome import exact_ends
from arena.proof.policy import Policy
from arena.rng import Stream
from tests.boards import backward
from tests.fights.opened import TICTACTOE, texts
from tests.golden import Wording

RANDOM_1 = ["________x", "____x____", "_______x_", "__x______"]
RANDOM_4 = ["xo__o__x_", "_oxo__x__", "_x__o__ox"]
GAMES: list[Game] = [TICTACTOE, mnk_game(4, 3, 3), CONNECT4]


def test_random_openings_are_what_they_were() -> None:
    """Stored runs and ids rest on it."""
    assert texts("random:1", 7, 4) == RANDOM_1
    assert texts("random:4", 7, 3) == RANDOM_4
    assert texts("random:4", 8, 3) != RANDOM_4


@given(st.sampled_from(GAMES), st.integers(1, 6), st.integers(0, 2**63 - 1), st.integers(1, 99))
def test_a_random_opening_is_a_position_in_play(
    game: Game, plies: int, seed: int, pair: int
) -> None:
    position = openings_of(f"random:{plies}", game).of_pair(game, seed, pair)
    assert position.ply == plies
    assert position.outcome() is None
    assert game.parse(str(position)) == position


@pytest.mark.parametrize("plies", range(1, 6))
def test_all_openings_are_all(plies: int) -> None:
    """By going through every order of squares."""
    results = set()
    for squares in permutations(range(9), plies):
        position: Position = TICTACTOE.start()
        for square in squares:
            if position.outcome() is not None:
                break
            position = position.play(square)
        if position.ply == plies and position.outcome() is None:
            results.add(str(position))
    assert set(texts(f"all:{plies}", 0, len(results))) == results
    assert texts(f"all:{plies}", 5, 2 * len(results)) == 2 * sorted(results)


def test_a_file_has_positions_and_moves(tmp_path: Path) -> None:
    file = tmp_path / "openings.txt"
    file.write_text("# of all kinds\n\nxo_/_x_/__o\n 5 1 \n5\n_________\n", encoding="utf-8")
    expected = ["xo__x___o", "o___x____", "____x____", "_________"]
    played = texts(str(file), 1, 5)
    assert sorted(played[:4]) == sorted(expected)
    assert played[4] == played[0]
    openings = openings_of(file, TICTACTOE)
    stored = openings.for_pairs(TICTACTOE, 1, 9).openings(TICTACTOE)
    assert [str(stored.of_pair(TICTACTOE, 2, pair)) for pair in range(1, 6)] == played
    for name in ("random:3", "all:2"):
        openings = openings_of(name, TICTACTOE)
        assert openings.for_pairs(TICTACTOE, 1, 9).openings(TICTACTOE) == replace(
            openings, positions=tuple(openings.positions)
        )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# nothing\n\n",
        "5\n\nzzz",
        "5 1 5",
        "1 2 4 5 7",
        "xxxoo____",
        "xx_______",
        "1 2\n2\nxo_______",
        "10",
        b"\xff\xfe\x00",
        None,
    ],
)
def test_a_mistake_in_a_file_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: Any, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    if text is not None:
        Path("O").write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(UsageError) as caught:
        openings_of("O", TICTACTOE)
    message = str(caught.value)
    wording(message)
    assert "\n" not in message


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "game"),
    [
        ("random:0", TICTACTOE),
        ("all:9", TICTACTOE),
        ("random:", TICTACTOE),
        ("all:-1", TICTACTOE),
        ("all:" + "9" * 5000, TICTACTOE),
        ("all:5", mnk_game(20, 20, 5)),
        ("all:3", mnk_game(5, 1, 1)),
        ("random:3", mnk_game(5, 1, 1)),
    ],
)
def test_plies_that_cannot_be_are_refused(name: str, game: Game, wording: Wording) -> None:
    with pytest.raises(UsageError) as caught:
        openings_of(name, game)
    wording(str(caught.value))
    assert len(str(caught.value)) < 200


def test_a_folder_and_a_file_that_may_not_be_read(tmp_path: Path, wording: Wording) -> None:
    with wording.raises(UsageError):
        openings_of(tmp_path, TICTACTOE)
    file = tmp_path / "secret"
    file.touch(mode=0)
    if not os.access(file, os.R_OK):
        with wording.raises(UsageError):
            openings_of(file, TICTACTOE)


def test_the_side_whose_turn_it_is_begins() -> None:
    events: list[tuple[str, object]] = []

    class Hears:
        def __init__(self) -> None:
            self.said = ""

        def start(self, game: Game, side: Side, rng: random.Random) -> None:
            self.said = side.letter

        def choose(self, position: Position) -> int:
            events.append((self.said, str(position)))
            return position.legal_moves()[0]

        def observe(self, move: int) -> None:
            events.append((self.said, move))

        def finish(self, outcome: Outcome) -> None:
            pass

    player = PlayerInfo("hears", Hears, stateless=False)
    begin = TICTACTOE.parse("xo__x____")
    assert begin.to_move is Side.SECOND
    record = play_game(TICTACTOE, (player, player), "x", (Stream(), Stream()), begin)
    assert events[:4] == [
        ("o", "xo__x____"), ("x", 2), ("x", "xoo_x____"), ("o", 3),
    ]  # fmt: skip
    assert record.moves == (2, 3, 5, 6)
    assert record.outcome is Outcome.FIRST_WINS


@pytest.mark.slow
@pytest.mark.parametrize("name", ["all:1", "all:3", "random:2", "random:5"])
def test_exact_results_are_the_mean_over_the_openings(catalogue: Catalogue, name: str) -> None:
    first, second = (Policy(catalogue.player(n), TICTACTOE) for n in ("tictactoe2", "monkey"))
    chances = openings_of(name, TICTACTOE).chances(TICTACTOE, 10**6)
    assert sum(chances.values()) == 1
    result = exact_ends(first, second, openings=chances).outcomes
    each = [(chance, backward(first, second, start)) for start, chance in chances.items()]
    expected = tuple(sum((p * part[i] for p, part in each), Fraction(0)) for i in range(3))
    assert (
        result[Outcome.FIRST_WINS],
        result[Outcome.DRAW],
        result[Outcome.SECOND_WINS],
    ) == expected
    shown = arena.exact("tictactoe2", "monkey", openings=name)
    assert (shown.first.win, shown.openings) == (expected[0], name)


def test_a_random_opening_is_as_likely_as_is_said() -> None:
    """Of connect four, where not every position has as many orders: against many draws."""
    openings = openings_of("random:3", CONNECT4)
    chances = openings.chances(CONNECT4, 10**6)
    assert sum(chances.values()) == 1
    assert sorted(set(chances.values())) == [Fraction(1, 343), Fraction(2, 343)]
    pairs = 4000
    drawn = [openings.of_pair(CONNECT4, 3, pair) for pair in range(1, pairs + 1)]
    assert set(drawn) == set(chances)
    likely = {position for position, chance in chances.items() if chance == Fraction(2, 343)}
    share = sum(position in likely for position in drawn) / pairs
    assert abs(share - 2 * len(likely) / 343) < 0.04  # five standard deviations


@pytest.mark.slow
def test_on_a_larger_board_symmetries_change_nothing(catalogue: Catalogue) -> None:
    game = mnk_game(5, 2, 2)
    monkey = Policy(catalogue.player("monkey"), game)
    chances = openings_of("all:2", game).chances(game, 10**6)
    result = exact_ends(monkey, monkey, openings=chances).outcomes
    each = [backward(monkey, monkey, start) for start in chances]
    assert result[Outcome.FIRST_WINS] == sum((part[0] for part in each), Fraction(0)) / len(each)
