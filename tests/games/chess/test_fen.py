"""Read and write FEN, and refuse what is not a position."""

from __future__ import annotations

import pickle

import pytest

from arena.errors import PositionError
from arena.games.chess.rules import CHESS, ChessPosition
from tests.games.chess.test_moves import PERFT, START
from tests.golden import Wording


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
    "text",
    [
        "",
        "x" * 100_000,
        START.replace("w", "x"),
        START.replace("/8/", "/", 1),
        START.replace("/8/", "/9/", 1),
        START.replace("/8/", "/44p/", 1),
        START.replace("/8/", "/" + "1" * 10_000 + "/", 1),
        START.replace("Q", "K", 1),
        START.replace("k", "q", 1),
        START.replace("/8/", "/p7/", 1),
        START.replace("/8/", "/q7/", 1),
        START.replace("/PPPPPPPP/RN", "/1PPPPPPP/PN"),
        START.replace("KQkq", "KK"),
        START.replace("KQkq", "HAha"),
        "4k3/8/8/8/8/8/8/R3K3 w K - 0 1",
        "k3R3/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/3P4/5N2/8/8/8/4R3/4K3 b - - 0 1",
        START.replace("- 0", "e3 0"),
        START.replace("- 0", "i3 0"),
        "4k3/3p4/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 3 1",
        START.replace("0 1", "101 1"),
        START.replace("0 1", "-1 1"),
        START.replace("0 1", "0 0"),
        START.replace("0 1", "0 " + "9" * 5000),
        f"{START} after g1f3",
        "4k3/8/8/8/8/8/8/4K2R w - - 9 9 after h1g1",
        "4k3/8/8/8/8/8/8/R3K3 b - - 0 9 after e1e1",
        "4k3/8/8/8/4P3/8/8/4K3 b - - 9 9 after e2e4",
        "4k3/8/8/8/8/8/8/4K2N w - - 9 9 after h1",
    ],
    ids=lambda text: text[:40],
)
def test_refuse_what_is_not_a_position(text: str, wording: Wording) -> None:
    with pytest.raises(PositionError) as caught:
        CHESS.parse(text)
    wording(str(caught.value))
    assert len(str(caught.value)) < 400
