"""Chess960: its starts, castling by king takes rook, and its texts."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator

import pytest

import arena
from arena.errors import PositionError, UsageError
from arena.fights.openings import openings_of
from arena.games.chess.chess960 import CHESS960, first_rank
from arena.games.chess.rules import CHESS
from tests.games.chess.test_moves import perft

#: Leaves of the tree of legal moves after 1, 2, 3, ... plies, for the first five positions of
#: https://www.chessprogramming.org/Chess960_Perft_Results.
PERFT = {
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9": [21, 528, 12189, 326672],
    "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9": [21, 807, 18002, 667366],
    "b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9": [20, 479, 10471, 273318],
    "qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9": [22, 593, 13440, 382958],
    "1nbbnrkr/p1p1ppp1/3p4/1p3P1p/3Pq2P/8/PPP1P1P1/QNBBNRKR w HFhf - 0 9": [28, 1120, 31058],
}


def castlings(text: str) -> list[str]:
    position = CHESS960.parse(text)
    moves = {position.write_move(move).rstrip("+"): move for move in position.legal_moves()}
    return [CHESS960.format_move(move) for san, move in moves.items() if san.startswith("O-O")]


@pytest.mark.parametrize("text", PERFT)
def test_count_the_legal_moves_of_public_positions(text: str) -> None:
    assert [perft(CHESS960.parse(text), plies) for plies in (1, 2)] == PERFT[text][:2]


@pytest.mark.slow
@pytest.mark.parametrize("text", PERFT)
def test_count_the_legal_moves_of_public_positions_deeper(text: str) -> None:
    plies = len(PERFT[text])
    assert perft(CHESS960.parse(text), plies) == PERFT[text][-1]


def test_the_starts_are_all_first_ranks_with_the_king_between_rooks_and_unequal_bishops() -> None:
    ranks = [first_rank(number) for number in range(960)]
    assert len(set(ranks)) == 960
    for rank in ranks:
        assert sorted(rank) == sorted("RNBQKBNR")
        assert rank.index("R") < rank.index("K") < rank.rindex("R")
        assert (rank.index("B") + rank.rindex("B")) % 2
    assert (ranks[0], ranks[518], ranks[959]) == ("BBQNNRKR", "RNBQKBNR", "RKRNNQBB")
    assert [str(start)[:8].upper() for start in CHESS960.starts()] == ranks


def test_the_start_of_chess_has_its_moves_under_other_texts_of_castling() -> None:
    line = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5"]
    there, here = CHESS.start(), CHESS960.parse("518")
    for move in line:
        there, here = (p.play(p.read_move(move)) for p in (there, here))
    assert CHESS.format_move(there.read_move("O-O")) == "e1g1"
    assert CHESS960.format_move(here.read_move("0-0")) == "e1h1"
    after = str(here.play(here.read_move("e1h1")))
    board, _, castling, *_, clock, number = after.split()
    assert (board, castling) == (str(there.play(there.read_move("O-O"))).split()[0], "ha")
    assert (clock, number) == ("5", "4")  # castling takes nothing


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("4k3/8/8/8/8/8/8/1RK4R w HB - 0 1", ["c1b1", "c1h1"]),
        ("4k3/8/8/8/8/8/8/1RKN3R w HB - 0 1", []),  # d1, to which both would go, is not free
        ("4k3/8/8/8/8/8/8/qRK4R w HB - 0 1", ["c1h1"]),  # the rook on b1 shields the king
        ("4k3/8/8/8/8/8/8/RK5R w HA - 0 1", ["b1a1", "b1h1"]),
        ("2r1k3/8/8/8/8/8/8/RK5R w HA - 0 1", []),  # c1 is on both ways
        ("r1k1r3/8/8/8/8/8/8/7K b ea - 0 1", ["c8a8", "c8e8"]),
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", ["f1g1"]),  # king and rook change places
        ("4k1r1/8/8/8/8/8/8/5K1R w H - 0 1", []),
    ],
)
def test_a_king_castles_by_taking_its_rook(text: str, moves: list[str]) -> None:
    assert sorted(castlings(text)) == moves


def test_king_and_rook_may_change_places() -> None:
    position = CHESS960.parse("4k3/8/8/8/8/8/8/5KR1 w G - 0 1")
    after = position.play(CHESS960.parse_move("f1g1"))
    assert str(after) == "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"
    assert CHESS960.parse(str(after)) == after


@pytest.mark.parametrize(
    ("text", "castling"),
    [
        ("1rk1r3/8/8/8/8/8/8/1RK1R3 w KQkq - 0 1", "EBeb"),
        ("4k3/8/8/8/8/8/8/RRK4R w Q - 0 1", "A"),  # the outermost one
        ("4k3/8/8/8/8/8/8/RRK4R w B - 0 1", "B"),
        ("4k3/8/8/8/8/8/8/RRK4R w - - 0 1", "-"),
    ],
)
def test_x_fen_and_shredder_fen_are_read(text: str, castling: str) -> None:
    position = CHESS960.parse(text)
    assert str(position).split()[2] == castling
    assert CHESS960.parse(str(position)) == position


@pytest.mark.parametrize(
    "text",
    [
        "4k3/8/8/8/8/8/8/RRK4R w AB - 0 1",
        "4k3/8/8/8/8/8/8/RRK4R w HHA - 0 1",
        "4k3/8/8/8/8/8/8/RRK4R w HAha - 0 1",
        "4k3/8/8/8/8/8/8/RRK4R w C - 0 1",
        "4k3/8/8/8/8/8/8/RRK4R w HAx - 0 1",
        "4k3/8/8/8/8/8/K7/R6R w HA - 0 1",
        "4k3/8/8/8/8/8/8/K6R w H - 0 1",
        "960",
        "9" * 5000,
        "-1",
        "\N{ARABIC-INDIC DIGIT FIVE}",
    ],
)
def test_refuse_rights_that_no_start_gives_and_other_numbers(text: str) -> None:
    with pytest.raises(PositionError) as error:
        CHESS960.parse(text)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 400


def test_openings_of_random_starts_come_from_the_seed() -> None:
    openings = openings_of("starts", CHESS960)
    drawn = [openings.of_pair(CHESS960, 7, pair) for pair in range(1, 961)]
    assert set(drawn) == set(CHESS960.starts())
    again = openings_of("starts", CHESS960)
    assert [again.of_pair(CHESS960, 7, pair) for pair in range(1, 20)] == drawn[:19]
    assert again.of_pair(CHESS960, 8, 1) != drawn[0]
    with pytest.raises(UsageError, match="tictactoe"):
        openings_of("starts", arena.get_game("tictactoe"))


@pytest.mark.slow
def test_a_fight_from_random_starts_is_the_same_whatever_the_workers() -> None:
    one, two = (
        arena.fight("monkey", "monkey", 3, game="chess960", openings="starts", seed=5, workers=n)
        for n in (1, 2)
    )
    assert one.as_json() == two.as_json()


@pytest.fixture
def stockfish() -> Iterator[subprocess.Popen[str]]:
    pipe = subprocess.PIPE
    with subprocess.Popen(["stockfish"], stdin=pipe, stdout=pipe, text=True) as engine:
        yield engine
        engine.kill()


def moves_of(engine: subprocess.Popen[str], fen: str) -> set[str]:
    assert engine.stdin
    assert engine.stdout
    engine.stdin.write(f"position fen {fen}\ngo perft 1\n")
    engine.stdin.flush()
    moves = set[str]()
    for line in engine.stdout:
        if line.startswith("Nodes searched"):
            break
        move, colon, _ = line.partition(": 1")
        moves |= {move} if colon else set()
    return moves


@pytest.mark.needs("stockfish")
def test_games_have_the_legal_moves_of_an_engine(stockfish: subprocess.Popen[str]) -> None:
    assert stockfish.stdin
    stockfish.stdin.write("setoption name UCI_Chess960 value true\n")
    rng, castled = random.Random(1), 0
    for start in rng.sample(CHESS960.starts(), 40):
        position = start
        while position.outcome() is None and position.ply < 60:
            texts = {CHESS960.format_move(m): m for m in position.legal_moves()}
            if rng.random() < 0.3:
                assert moves_of(stockfish, position.fen()) == set(texts), str(position)
            castling = [m for m in texts.values() if position.write_move(m).startswith("O-O")]
            castled += bool(castling)
            position = position.play(rng.choice(castling or [*texts.values()]))
    assert castled > 20
