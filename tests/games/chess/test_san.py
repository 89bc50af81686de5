"""Moves of chess in standard algebraic notation."""

from __future__ import annotations

import pytest

from arena.errors import MoveError
from arena.fights.replays import PlayedGame, report_of
from arena.games.chess.rules import CHESS
from arena.reports.tables import plain
from tests.games.chess.test_fen import after
from tests.golden import Wording

ROOKS = "3k4/8/8/R7/8/8/8/R2K4 w - - 0 1"
QUEENS = "8/8/8/k7/4Q2Q/8/K7/7Q w - - 0 1"


@pytest.mark.parametrize(
    ("position", "move", "san"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "O-O-O"),
        ("3k4/8/8/3pP3/8/8/8/3K4 w - d6 0 1", "e5d6", "exd6"),
        ("2rk4/1P6/8/8/8/8/8/3K4 w - - 0 1", "b7c8n", "bxc8=N"),
        ("3k4/1P6/8/8/8/8/8/3K4 w - - 0 1", "b7b8q", "b8=Q+"),
        ("k7/8/1K6/8/8/8/8/7R w - - 0 1", "h1h8", "Rh8#"),
        (ROOKS, "a1a3", "R1a3"),
        (ROOKS, "a5d5", "Rd5+"),
        (QUEENS, "h4e1", "Qh4e1+"),
        (QUEENS, "e4e1", "Qee1+"),
        (QUEENS, "h1e1", "Q1e1+"),
        # The other knight is pinned, so that the move is clear without more.
        ("3k4/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"),
    ],
)
def test_write_and_read_moves(position: str, move: str, san: str) -> None:
    result = CHESS.parse(position)
    number = CHESS.parse_move(move)
    assert CHESS.format_move(number) == move
    assert result.write_move(number) == san
    assert result.read_move(san) == result.read_move(move) == number


@pytest.mark.parametrize("text", ["Nf3", "Ngf3", "Ng1f3", "Ng1-f3", "Nf3!?", "g1f3", "G1F3"])
def test_read_what_other_programs_write(text: str) -> None:
    assert after(text) == after("g1f3")


@pytest.mark.parametrize(
    ("position", "text"),
    [
        (ROOKS, "Ra3"),
        (ROOKS, "Rb9"),
        (ROOKS, "Bb5"),
        (ROOKS, "O-O"),
        (ROOKS, ""),
        ("3k4/1P6/8/8/8/8/8/3K4 w - - 0 1", "b8"),
    ],
)
def test_refuse_other_texts(position: str, text: str, wording: Wording) -> None:
    with wording.raises(MoveError):
        CHESS.parse(position).read_move(text)


def test_show_a_game_in_algebraic_notation() -> None:
    moves = [CHESS.parse_move(text) for text in ("f2f3", "e7e5", "g2g4", "d8h4")]
    played = PlayedGame(moves, after("f3", "e5", "g4", "Qh4").outcome())
    shown = plain(report_of(CHESS, ("a", "b"), played, game_id=None, seed=None))
    assert "4. b plays Qh4#" in shown
    assert shown.endswith("b wins")


def test_the_reader_that_has_no_position_names_the_one_that_has() -> None:
    with pytest.raises(MoveError, match=r"'Nf3' .*position\.read_move\(\)"):
        CHESS.parse_move("Nf3")
    assert CHESS.start().read_move("Nf3") == CHESS.parse_move("g1f3")
