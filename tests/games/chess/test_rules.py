"""The ends of games of chess, and when two positions are equal."""

from __future__ import annotations

import pytest

import arena
from arena.game import Outcome
from arena.games.chess.rules import CHESS
from arena.testing import check_game
from tests.games.chess.test_fen import after

KNIGHTS_OUT_AND_HOME = ("Nf3", "Nf6", "Ng1", "Ng8")


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", Outcome.FIRST_WINS),
        ("8/8/8/8/8/6k1/6q1/7K w - - 0 1", Outcome.SECOND_WINS),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Outcome.DRAW),  # stalemate
        ("7k/8/8/8/8/8/8/K5R1 w - - 99 90", None),
        ("7k/8/8/8/8/8/8/K5R1 w - - 100 90", Outcome.DRAW),  # fifty moves
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 100 90", Outcome.FIRST_WINS),  # the mate comes first
        ("7k/8/8/8/8/8/8/K6N w - - 0 1", Outcome.DRAW),
        ("7k/8/8/8/8/8/8/KN5N w - - 0 1", None),
        ("7k/8/8/8/8/8/8/KB5n w - - 0 1", None),
        ("5b1k/8/8/8/8/8/8/KB6 w - - 0 1", None),  # bishops on squares of both colours
        ("6bk/8/8/8/8/8/8/KB6 w - - 0 1", Outcome.DRAW),  # both on light squares
        ("7k/8/8/8/8/8/P7/K7 w - - 0 1", None),
    ],
)
def test_end_games(text: str, outcome: Outcome | None) -> None:
    position = CHESS.parse(text)
    assert position.outcome() is outcome
    assert bool(position.legal_moves()) is (outcome is None)


def test_draw_by_the_third_occurrence_of_a_position() -> None:
    twice = after(*KNIGHTS_OUT_AND_HOME)
    assert twice.outcome() is None
    thrice = after(*KNIGHTS_OUT_AND_HOME * 2)
    assert thrice.outcome() is Outcome.DRAW
    assert thrice.legal_moves() == ()
    assert CHESS.parse(str(thrice)).outcome() is Outcome.DRAW


def test_count_a_position_with_a_capture_en_passant_as_another() -> None:
    # Black may take on e3 once; without that capture the position is a new one.
    start = "4k1n1/8/8/8/3p4/8/4P3/4K1N1 w - - 0 1"
    once = after("e4", *("Nf6", "Nf3", "Ng8", "Ng1") * 2, start=start)
    assert once.outcome() is None
    assert after("Nf6", "Nf3", "Ng8", "Ng1", start=once.fen()) != once


def test_count_a_position_with_more_rights_to_castle_as_another() -> None:
    start = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    moves = ("Ke2", "Ke7", "Ke1", "Ke8")
    assert after(*moves * 2, start=start).outcome() is None
    assert after(*moves * 2, "Ke2", start=start).outcome() is Outcome.DRAW


@pytest.mark.slow
def test_keep_the_contract_of_a_game() -> None:
    assert arena.get_game("chess") is CHESS
    assert check_game("chess").conforms


def test_draw_the_board() -> None:
    drawn = after("e4").picture().splitlines()
    assert drawn[0] == "8 r n b q k b n r"
    assert drawn[4] == "4 . . . . P . . ."
    assert drawn[-1] == "  a b c d e f g h"
