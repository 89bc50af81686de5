"""Hex, against a naive implementation that joins squares of a grid of letters."""

from __future__ import annotations

import random
from functools import cache
from math import isqrt

import pytest

from arena import testing
from arena.errors import IllegalMove, MoveError, PositionError, UsageError
from arena.game import Outcome, Side
from arena.games.hex import hex_game
from arena.games.search import Search
from arena.plugin.catalogue import Catalogue
from arena.proof.values import move_values
from tests.boards import every_position
from tests.golden import Wording
from tests.samples import few

NEAR = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))


def winner(n: int, text: str) -> str | None:
    """Return the mark that connects its edges, by union: x the rows, o the columns."""
    group = {(row, column): (row, column) for row in range(n) for column in range(n)}
    for _ in range(n * n):
        for (row, column), head in [*group.items()]:
            for down, right in NEAR:
                near = row + down, column + right
                if near in group and text[row * n + column] == text[near[0] * n + near[1]]:
                    group[near] = group[row, column] = min(group[near], head, group[row, column])
    for mark, at in (("x", 0), ("o", 1)):
        own = [place for place in group if text[place[0] * n + place[1]] == mark]
        begins = {group[place] for place in own if place[at] == 0}
        if begins & {group[place] for place in own if place[at] == n - 1}:
            return mark
    return None


WINNERS = {Outcome.FIRST_WINS: "x", Outcome.SECOND_WINS: "o", None: None}


@pytest.mark.parametrize("n", few([1, 2, 3], 2))
def test_every_position_has_the_winner_of_a_grid_of_letters(n: int) -> None:
    for position in every_position(hex_game(n).start())[:: 3 if n == 3 else 1]:
        text = str(position)
        assert WINNERS[position.outcome()] == winner(n, text)
        free = tuple(s for s in range(n * n) if text[s] == "_")
        assert position.legal_moves() == (() if winner(n, text) else free)


@pytest.mark.parametrize("n", [4, 7, 11, 19])
def test_a_full_board_has_exactly_one_winner(n: int) -> None:
    game, rng = hex_game(n), random.Random(n)
    for _ in range(10):
        marks = ["x", "o"] * (n * n // 2) + ["x"] * (n % 2)
        rng.shuffle(marks)
        bits = [
            sum(bit for bit, mark in zip(game.bits, marks, strict=True) if mark == letter)
            for letter in "xo"
        ]
        assert game.connects(0, bits[0]) != game.connects(1, bits[1])
        if n < 8:
            assert winner(n, "".join(marks)) == "xo"[game.connects(1, bits[1])]


@cache
def value(n: int, text: str) -> int:
    """1 if x wins with perfect play, else -1."""
    if result := winner(n, text):
        return 1 if result == "x" else -1
    mark = "o" if text.count("x") > text.count("o") else "x"
    results = (
        value(n, text[:square] + mark + text[square + 1 :])
        for square, letter in enumerate(text)
        if letter == "_"
    )
    return max(results) if mark == "x" else min(results)


@pytest.mark.parametrize("n", [1, 2, pytest.param(3, marks=pytest.mark.slow)])
def test_the_first_side_wins_from_the_squares_that_brute_force_finds(n: int) -> None:
    values = move_values(hex_game(n).start())
    empty = "_" * (n * n)
    for move, result in values.items():
        assert (result > 0) == (value(n, empty[:move] + "x" + empty[move + 1 :]) > 0)
    assert max(values.values()) > 0  # the argument of Nash: a strategy could be stolen


@pytest.mark.nightly
def test_the_short_diagonal_alone_wins_on_4_by_4_squares() -> None:
    game = hex_game(4)
    value, moves = Search(decay=False).best_moves(game.start(), 16)
    assert (value, [*map(game.format_move, moves)]) == (1, ["d1", "c2", "b3", "a4"])


def test_a_move_has_a_letter_and_a_number(wording: Wording) -> None:
    game = hex_game(11)
    assert game.format_move(game.parse_move("k11")) == "k11"
    for text in ("", "l1", "a12", "a0", "A1", "11", "a1 "):
        with wording.raises(MoveError, match="11"):
            game.parse_move(text)


def test_a_picture_is_a_rhombus() -> None:
    game = hex_game(3)
    position = game.start().play(game.parse_move("b1")).play(game.parse_move("a3"))
    assert position.picture().splitlines() == [
        "  a b c",
        " 1 . x .",
        "  2 . . .",
        "   3 o . .",
    ]


def test_after_the_end_and_outside_of_the_board_nothing_is_legal() -> None:
    game = hex_game(2)
    over = game.parse("x_xo")
    assert over.outcome() is Outcome.FIRST_WINS
    for move in range(-1, 5):
        with pytest.raises(IllegalMove):
            over.play(move)
    for move in (-1, 4, 2**64):
        with pytest.raises(IllegalMove):
            game.start().play(move)
    assert game.start().to_move is Side.FIRST


@pytest.mark.parametrize(
    "text",
    [
        "xxx_",
        "x_x",
        "x__x_oxoo",
        "xoox xoox xoox xo_x",
    ],
)
def test_a_refusal_names_what_is_wrong(text: str, wording: Wording) -> None:
    with wording.raises(PositionError):
        hex_game(max(2, isqrt(len(text.replace(" ", ""))))).parse(text)


def test_sizes_are_bounded(catalogue: Catalogue, wording: Wording) -> None:
    for n in (0, 20):
        with wording.raises(UsageError, match="19"):
            catalogue.game(f"hex-{n}")


@pytest.mark.parametrize("name", few(["hex-2", "hex-5"]))
def test_the_contract_is_kept(name: str) -> None:
    assert testing.check_game(name).conforms
