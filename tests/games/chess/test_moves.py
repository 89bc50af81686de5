"""Legal moves of chess, counted against published numbers and compared with open_spiel."""

from __future__ import annotations

import random
from typing import Any

import pytest

from arena.errors import IllegalMove
from arena.game import Outcome
from arena.games.chess.rules import CHESS, ChessPosition
from tests.golden import Wording

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

#: Leaves of the tree of legal moves after 1, 2, 3, ... plies, for the six positions of
#: https://www.chessprogramming.org/Perft_Results.
PERFT = {
    START: [20, 400, 8902, 197281],
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1": [48, 2039, 97862],
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": [14, 191, 2812, 43238, 674624],
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": [6, 264, 9467, 422333],
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": [44, 1486, 62379],
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10": [46, 2079, 89890],
}


def perft(position: ChessPosition, plies: int) -> int:
    moves = position.legal_moves()
    return len(moves) if plies == 1 else sum(perft(position.play(m), plies - 1) for m in moves)


@pytest.mark.parametrize("text", PERFT)
def test_count_the_legal_moves_of_public_positions(text: str) -> None:
    position = CHESS.parse(text)
    assert [perft(position, plies) for plies in (1, 2, 3)] == PERFT[text][:3]


@pytest.mark.slow
@pytest.mark.parametrize("text", [text for text in PERFT if len(PERFT[text]) > 3])
def test_count_the_legal_moves_of_public_positions_deeper(text: str) -> None:
    plies = len(PERFT[text])
    assert perft(CHESS.parse(text), plies) == PERFT[text][-1]


@pytest.mark.parametrize(
    ("text", "move"),
    [
        (START, 0),
        (START, -1),
        (START, 65535),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0),
    ],
)
def test_refuse_other_moves(text: str, move: int, wording: Wording) -> None:
    with wording.raises(IllegalMove):
        CHESS.parse(text).play(move)


def test_refuse_to_take_en_passant_where_it_opens_the_rank_to_the_king() -> None:
    # Both pawns leave the rank at once, so that neither is pinned by itself.
    pinned = CHESS.parse("8/8/8/K2pP2r/8/8/8/7k w - d6 0 1")
    free = CHESS.parse("8/8/8/3pP2r/8/8/K7/7k w - d6 0 1")
    taking = CHESS.parse_move("e5d6")
    assert taking not in pinned.legal_moves()
    assert taking in free.legal_moves()
    assert str(free.play(taking)) == "8/8/3P4/7r/8/8/K7/7k b - - 0 1"


def test_lose_the_right_to_castle_with_a_rook_that_is_taken() -> None:
    before = CHESS.parse("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    assert str(before.play(CHESS.parse_move("a1a8"))).split()[2] == "Kk"
    castled = before.play(CHESS.parse_move("e1c1"))
    assert str(castled) == "r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1"


def open_spiel_game(spiel: Any, rng: random.Random) -> Outcome | None:
    """Play at random here and there at once; quiet moves for a while lead to repetitions."""
    state, position = spiel.load_game("chess").new_initial_state(), CHESS.start()
    is_quiet = rng.random() < 0.7
    while not state.is_terminal():
        theirs = {state.action_to_string(a).rstrip("+#"): a for a in state.legal_actions()}
        ours = {position.write_move(m).rstrip("+#"): m for m in position.legal_moves()}
        assert set(theirs) == set(ours), str(position)
        assert CHESS.parse(str(position)) == position
        quiet = sorted(text for text in ours if text[0] in "NBRQK" and "x" not in text)
        text = rng.choice(quiet if is_quiet and quiet else sorted(ours))
        assert position.read_move(text) == ours[text]
        state.apply_action(theirs[text])
        position = position.play(ours[text])
    white = {1.0: Outcome.FIRST_WINS, 0.0: Outcome.DRAW, -1.0: Outcome.SECOND_WINS}
    # The first player of open_spiel's chess is the one that has the black men.
    assert position.outcome() is white[state.returns()[1]], str(position)
    return position.outcome()


@pytest.mark.outside
def test_agree_with_open_spiel_on_moves_notation_and_ends() -> None:
    spiel = pytest.importorskip("pyspiel", reason="needs open_spiel: pip install open_spiel")
    rng = random.Random(20)
    ends = [open_spiel_game(spiel, rng) for _ in range(30)]
    assert Outcome.DRAW in ends
