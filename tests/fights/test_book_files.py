"""Books of openings in files: PGN, EPD, arena's own lines; shuffled, indexed, and taken in part."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

import arena
from arena.errors import UsageError
from arena.fights import books
from arena.fights.openings import openings_of
from arena.games.chess.rules import CHESS
from arena.games.mnk import mnk_game
from tests.games.chess.test_moves import START
from tests.golden import Wording

pytestmark = pytest.mark.usefixtures("in_a_folder_of_its_own")

TICTACTOE = mnk_game(3, 3, 3)

PGN = """[Event "One"]

1. e4 e5 2. Nf3 *

[Event "Two"]
[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]

1. O-O {castled} Ke7 1-0

[Event "Three"]

1. d4 1/2-1/2
"""


def texts(name: str, seed: int, pairs: int, game: arena.Game = CHESS) -> list[str]:
    openings = openings_of(name, game)
    return [str(openings.of_pair(game, seed, pair)) for pair in range(1, pairs + 1)]


def test_read_pgn_to_the_end_of_each_game() -> None:
    Path("book").write_text(PGN)
    assert set(texts("book", 1, 3)) == {
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2 after g1f3",
        "8/4k3/8/8/8/8/8/5RK1 w - - 2 2 after e8e7",
        "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1",
    }


def test_read_epd_and_moves() -> None:
    Path("book.epd").write_text(
        f'{START}\n4k3/8/8/8/8/8/8/4K2R w K - hmvc 4; fmvn 9; id "a; b";\n# no\ne2e4 e7e5\n'
    )
    assert set(texts("book.epd", 1, 3)) == {
        START,
        "4k3/8/8/8/8/8/8/4K2R w K - 4 9",
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
    }


def test_shuffle_by_the_seed_and_take_some() -> None:
    lines = [f"{first} {second}" for first in range(1, 10) for second in range(1, 10)]
    Path("book").write_text("\n".join(line for line in lines if line[0] != line[2]))
    Path("other-name").write_bytes(Path("book").read_bytes())
    every = texts("book", 1, 72, TICTACTOE)
    assert sorted(every) == texts("all:2", 1, 72, TICTACTOE)
    assert every != sorted(every)
    assert texts("book", 2, 72, TICTACTOE) != every
    assert texts("other-name", 1, 72, TICTACTOE) == every
    assert texts("book:7", 1, 14, TICTACTOE) == every[:7] * 2
    Path("book:7").write_text("5 1\n")
    assert texts("book:7", 1, 2, TICTACTOE) == ["o___x____"] * 2


@pytest.mark.parametrize("taken", ["0", "4", "9" * 5000])
def test_take_no_more_than_there_are(taken: str, wording: Wording) -> None:
    Path("book").write_text("1\n2\n3\n")
    with wording.raises(UsageError):
        openings_of(f"book:{taken}", TICTACTOE)


@pytest.mark.parametrize(
    "text",
    [
        PGN[:-9],
        PGN.replace("Nf3", "Nf4"),
        PGN.replace("K2R", "K2K"),
        PGN.replace("1. d4", "1. e4 e5 2. Nf3"),
        PGN.replace("1. d4", "1. f3 e5 2. g4 Qh4#"),
        '[Variant "atomic"]\n*\n',
        f"{START}\n{START.replace('k', 'q')}\n",
        f"{START} id x;\n",
    ],
)
def test_name_the_line_of_a_mistake(text: str, wording: Wording) -> None:
    Path("book").write_text(text)
    with pytest.raises(UsageError) as caught:
        openings_of("book", CHESS)
    wording(str(caught.value))


def test_find_openings_of_a_long_book_by_its_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(books, "MAX_MARKS", 8)
    monkeypatch.setattr(books, "MAX_CHECKED", 10)
    names = [f'[Event "{n}"]\n[FEN "{START[:-1]}{n}"]\n*\n' for n in range(1, 100)]
    Path("book").write_text("\n".join(names))
    book = books.Book("book", CHESS)
    assert [book[n].ply for n in range(99)] == [2 * n for n in range(99)]
    assert [position.ply for position in book] == [2 * n for n in range(99)]


def test_check_later_openings_of_a_long_book_before_they_are_played(
    monkeypatch: pytest.MonkeyPatch,
    wording: Wording,
) -> None:
    monkeypatch.setattr(books, "MAX_CHECKED", 2)
    Path("book").write_text("1\n2\n# the next is wrong\n5 5\n3\n")
    with wording.raises(UsageError, match="'book'"):
        arena.fight("monkey", "monkey", 4, seed=1, openings="book")


@pytest.mark.nightly
def test_index_a_million_lines_in_bounded_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(books, "MAX_CHECKED", 1000)
    with open("book", "w") as file:
        for number in range(1_000_000):
            file.write(f"{START[:-3]}{number % 100} {number // 100 % 5999 + 1}\n")
    tracemalloc.start()
    openings = openings_of("book:1000", CHESS)
    assert openings.of_pair(CHESS, 5, 1) == openings.of_pair(CHESS, 5, 1001)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50_000_000


@pytest.mark.slow
def test_play_resume_and_verify_a_book_with_any_number_of_workers(tmp_path: Path) -> None:
    Path("book").write_text("\n".join(f"{n} {n % 9 + 1}" for n in range(1, 10)))
    played = [
        arena.fight("monkey", "heuristic", 6, seed=4, openings="book:5", workers=workers, store=s)
        for workers, s in ((1, "one"), (2, "two"))
    ]
    assert played[0] == played[1]
    assert played[0].different_openings == 5
    Path("book").unlink()
    assert arena.verify("one").holds
    assert arena.show("one") == arena.resume("one", 1) == played[0]
    (run,) = arena.export("one").as_json()["runs"]
    expected = [game["opening"] for game in run["fights"][0]["games"]]
    assert expected[0] == expected[1]
    assert expected[:2] == expected[10:12]
