"""Read and write FEN, and refuse what is not a position."""

from __future__ import annotations

import pickle

import pytest

from arena.errors import PositionError
from arena.games.chess.rules import CHESS, ChessPosition
from tests.games.chess.test_moves import PERFT, START


def after(*moves: str, start: str = START) -> ChessPosition:
    position = CHESS.parse(start)
    for move in moves:
        position = position.play(position.read_move(move))
    return position


@pytest.mark.parametrize("text", PERFT)
def test_write_fen_as_it_was_read(text: str) -> None:
    assert str(CHESS.parse(text)) == text


def test_take_the_four_fields_of_epd() -> None:
    assert str(CHESS.parse("8/8/8/8/8/k7/p7/K7 w - -")) == "8/8/8/8/8/k7/p7/K7 w - - 0 1"


@pytest.mark.parametrize("given", ["e3", "-"])
def test_note_a_square_en_passant_only_if_a_pawn_can_take_there(given: str) -> None:
    board = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq"
    assert str(CHESS.parse(f"{board} {given} 0 1")) == f"{board} - 0 1"
    assert str(after("e4")) == f"{board} - 0 1"


def test_write_the_moves_that_lead_to_a_position_which_may_come_again() -> None:
    position = after("e4", "e5", "Nf3", "Nf6", "Ng1")
    assert str(position) == (
        "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 3 3 after g1f3 g8f6 f3g1"
    )
    assert CHESS.parse(str(position)) == position
    assert pickle.loads(pickle.dumps(position)) == position
    assert position != CHESS.parse(position.fen())


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "has 0 fields"),
        ("x" * 100_000, "has 1 field;"),
        (START.replace("w", "x"), "the side to move is 'x'"),
        (START.replace("/8/", "/", 1), "it has 7 ranks of 8"),
        (START.replace("/8/", "/9/", 1), "'9' is not a chessman"),
        (START.replace("/8/", "/44p/", 1), "does not have 8 squares"),
        (START.replace("/8/", "/" + "1" * 10_000 + "/", 1), "does not have 8 squares"),
        (START.replace("Q", "K", 1), "white has 2 kings"),
        (START.replace("k", "q", 1), "black has 0 kings"),
        (START.replace("/8/", "/p7/", 1), "black has 9 pawns"),
        (START.replace("/8/", "/q7/", 1), "black has 1 promoted piece, but lacks only 0 pawns"),
        (START.replace("/PPPPPPPP/RN", "/1PPPPPPP/PN"), "a pawn is on rank 1 or 8"),
        (START.replace("KQkq", "KK"), "castling 'KK' is not of the letters KQkq"),
        (START.replace("KQkq", "HAha"), "castling 'HAha' is not of the letters KQkq"),
        ("4k3/8/8/8/8/8/8/R3K3 w K - 0 1", "castling K needs the king on e1 and a rook on h1"),
        ("k3R3/8/8/8/8/8/8/4K3 w - - 0 1", "black is in check, but white is to move"),
        ("4k3/3P4/5N2/8/8/8/4R3/4K3 b - - 0 1", "black is in check by more than two men"),
        (START.replace("- 0", "e3 0"), "no pawn has just passed over e3"),
        (START.replace("- 0", "i3 0"), "the square en passant is 'i3'"),
        ("4k3/3p4/8/3pP3/8/8/8/4K3 w - d6 0 1", "did not have a free way"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 3 1", "but the half-move clock is 3"),
        (START.replace("0 1", "101 1"), "the half-move clock is '101', not 0 to 100"),
        (START.replace("0 1", "-1 1"), "the half-move clock is '-1'"),
        (START.replace("0 1", "0 0"), "the number of the move is '0', not 1 to 6000"),
        (START.replace("0 1", "0 " + "9" * 5000), "the number of the move is '9"),
        (f"{START} after g1f3", "more than have been played"),
        ("4k3/8/8/8/8/8/8/4K2R w - - 9 9 after h1g1", "move h1g1 is not legal in"),
        ("4k3/8/8/8/8/8/8/R3K3 b - - 0 9 after e1e1", "more than have been played"),
        ("4k3/8/8/8/4P3/8/8/4K3 b - - 9 9 after e2e4", "the moves do not lead there"),
        ("4k3/8/8/8/8/8/8/4K2N w - - 9 9 after h1", "'h1' is not long algebraic text"),
    ],
    ids=lambda text: text[:40],
)
def test_refuse_what_is_not_a_position(text: str, problem: str) -> None:
    with pytest.raises(PositionError) as caught:
        CHESS.parse(text)
    assert problem in str(caught.value)
    assert len(str(caught.value)) < 400
