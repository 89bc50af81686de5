"""The twins of the rules of chess."""

from __future__ import annotations

import random

import pytest

from arena.games.chess import moves
from arena.games.chess.rules import CHESS, ChessPosition
from tests.core.test_lines import ended
from tests.core.twins import needs_compiled, positions, python_of

pytestmark = needs_compiled

#: Positions with pins, checks, captures en passant, castling and promotions.
FENS = (
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "8/8/8/KPp4r/8/8/8/7k w - c6 0 2",
    "4k3/8/8/8/8/8/8/R3K2R w KQ - 99 80",
    "8/8/4k3/8/8/3NK3/8/8 w - - 0 1",
)


def assert_equal(position: ChessPosition) -> None:
    for name in ("legal_moves", "outcome", "estimate"):
        twin = getattr(ChessPosition, name)
        assert ended(twin, position) == ended(python_of(twin), position), (str(position), name)
    for function in (moves.legal_moves, moves.checkers):
        assert function(position.men) == python_of(function)(position.men)


def test_random_games_go_as_in_python() -> None:
    rng = random.Random(1)
    for position in positions("chess", 6):
        assert isinstance(position, ChessPosition)
        assert_equal(position)
        for move in rng.sample(position.legal_moves(), min(3, len(position.legal_moves()))):
            twin = ChessPosition.play
            assert ended(twin, position, move) == ended(python_of(twin), position, move)
            played = moves.played(position.men, move)
            assert (played, type(played)) == (
                python_of(moves.played)(position.men, move),
                moves.Men,
            )


@pytest.mark.parametrize("fen", FENS)
def test_positions_of_every_rule_are_as_in_python(fen: str) -> None:
    position = CHESS.parse(fen)
    assert_equal(position)
    for move in (*range(5 << 12), -1, 2**70):
        if move in position.legal_moves() or move % 97 == 0 or move < 0:
            twin = ChessPosition.play
            after = ended(twin, position, move)
            assert after == ended(python_of(twin), position, move)
            if isinstance(after[0], ChessPosition):
                assert_equal(after[0])
