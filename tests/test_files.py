"""Files of others: whatever is named, one line says what is wrong with it, at once."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import arena
from arena import files
from arena.errors import UsageError
from arena.fights.books import MAX_MARKS, Book
from arena.fights.openings import openings_of
from arena.fights.pairing import Pairing
from arena.games.mnk import mnk_game
from arena.player import PlayerInfo
from tests.golden import Wording

TICTACTOE = mnk_game(3, 3, 3)

#: Commands that read the file X.
READERS = {
    "certificate": ("certify", "--check", "X"),
    "results": ("rate", "X"),
    "openings": ("fight", "monkey", "monkey", "-n", "1", "--openings", "X"),
    "weights": ("fight", "lms:X", "monkey", "-n", "1"),
    "baseline": ("regress", "monkey", "--baseline", "X"),
    "saved game": ("replay", "./X"),
    "lines": ("fight", "monkey", "monkey", "-n", "1", "--game", "lines:X"),
    "player": ("fight", "./X", "monkey", "-n", "1"),
    "trusted player": ("fight", "./X", "monkey", "-n", "1", "--isolation", "none"),
    "checked player": ("check", "./X"),
    "store": ("runs", "--store", "X"),
}


def device(path: Path) -> str:
    path.symlink_to("/dev/zero")
    return "is not a file"


def pipe(path: Path) -> str:
    os.mkfifo(path)
    return "is not a file"


def folder(path: Path) -> str:
    path.mkdir()
    return "is a folder"


def loop(path: Path) -> str:
    path.symlink_to(path.name)
    return "too many levels of links"


@pytest.mark.parametrize("make", [device, pipe, folder, loop])
@pytest.mark.parametrize("reader", READERS)
def test_what_is_no_file_is_refused_by_all_that_read(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reader: str, make: Callable[..., str]
) -> None:
    monkeypatch.chdir(tmp_path)
    problem = make(Path("X"))
    ran = run(*READERS[reader])
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert problem in ran.err


@pytest.mark.parametrize("reader", sorted(READERS.keys() - {"openings", "store"}))
def test_a_huge_file_is_refused_by_all_that_read_it_whole(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reader: str, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    with Path("X").open("wb") as file:
        file.truncate(1 << 40)  # sparse: it takes no room
    ran = run(*READERS[reader])
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    wording(ran.err)


@pytest.mark.parametrize(
    "options",
    [
        ("fight", "monkey", "monkey", "-n", "1", "--output"),
        ("certify", "monkey", "--output"),
        ("regress", "monkey", "--baseline"),
        ("regress", "monkey", "--junit"),
        ("train", "lms", "--output"),
        ("fight", "monkey", "monkey", "-n", "1", "--store"),
    ],
)
def test_a_loop_of_links_cannot_be_written_to(
    run: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: tuple[str, ...],
    wording: Wording,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("L").symlink_to("M")
    Path("M").symlink_to("L")
    for named in ("L", "L/x"):
        ran = run(*options, named)
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
        wording(ran.err)


@pytest.mark.parametrize(
    "argv",
    [
        ("fight", "./bot.py", "monkey"),
        ("fight", "./bot.py", "monkey", "--isolation", "none"),
        ("check", "./bot.py"),
        ("regress", "monkey"),
        ("fight", "monkey", "monkey", "-n", "1", "--store", "s.db"),
        ("fight", "monkey", "monkey", "-n", "1", "--output", "x"),
        ("fight", "monkey", "monkey", "-n", "1", "--openings", "x"),
        ("rate", "x.csv"),
        ("certify", "--check", "x.json"),
    ],
)
def test_a_current_folder_that_is_gone_is_told(
    run: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    argv: tuple[str, ...],
    wording: Wording,
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    ran = run(*argv)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    wording(ran.err)


@pytest.mark.slow
def test_who_needs_no_folder_plays_without_one(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert run("fight", "monkey", "minimax", "-n", "2").code == 0


def test_an_endless_pipe_of_results_is_left_soon(
    monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    read = 0

    class Endless(io.StringIO):
        def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
            nonlocal read
            assert size is not None
            read += size
            return "a,b,1,2,3" * (size // 9 + 1) if read else ""

    monkeypatch.setattr(files, "MAX_FILE_BYTES", 1000)
    monkeypatch.setattr(sys, "stdin", Endless())
    with wording.raises(UsageError):
        arena.rate("-")
    assert read <= 2000


def test_results_in_a_pipe_are_rated(monkeypatch: pytest.MonkeyPatch, wording: Wording) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("a,b,wins,draws,losses\nx,y,1,2,3\n"))
    assert [row.player for row in arena.rate("-").players] == ["y", "x"]
    monkeypatch.setattr(sys, "stdin", None)
    with wording.raises(UsageError):
        arena.rate("-")


def test_a_name_in_results_that_cannot_be_printed_is_refused(
    tmp_path: Path, wording: Wording
) -> None:
    for name in ("\x1b[31mx", '"l1\nl2"', "a\u202eb", "a\x7fb"):
        (tmp_path / "r.csv").write_text(f"a,b,wins,draws,losses\n{name},y,1,2,3\n")
        with wording.raises(UsageError) as caught:
            arena.rate(tmp_path / "r.csv")
        assert str(caught.value).isprintable()


# -- books of openings -------------------------------------------------------------------------


BOARD = mnk_game(20, 20, 5)


def lines(count: int) -> list[str]:
    """Different openings of two plies."""
    return [f"{n // 399 + 1} {n % 399 + 1 + (n % 399 >= n // 399)}" for n in range(count)]


def test_a_book_has_the_openings_of_its_lines(tmp_path: Path) -> None:
    """With blanks, comments, ends of lines of all kinds and marks for one opening in four."""
    text = "\ufeff# a book\r\n" + "".join(
        f"  {line}\r\n\n" if number % 3 else f"{line}\n# {number}\n"
        for number, line in enumerate(lines(300))
    )
    (tmp_path / "B").write_bytes(text.encode().rstrip())
    expected = []
    for line in lines(300):
        position: arena.Position = BOARD.start()
        for word in line.split():
            position = position.play(BOARD.parse_move(word))
        expected.append(position)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("arena.fights.books.MAX_MARKS", 80)
        book = Book(str(tmp_path / "B"), BOARD)
    assert (len(book._marks), book._stride) == (75, 4)
    assert len(book) == 300
    assert list(book) == expected
    assert [book[number] for number in range(300)] == expected
    assert [book[number] for number in reversed(range(300))] == expected[::-1]
    assert (book[-1], list(book[3:5])) == (expected[-1], expected[3:5])
    with pytest.raises(IndexError):
        book[300]


@pytest.mark.slow
def test_a_book_takes_no_memory_for_its_length(tmp_path: Path) -> None:

    def memory(times: int) -> int:
        (tmp_path / "B").write_text("\n".join(lines(300) * times))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("arena.fights.books.MAX_CHECKED", 0)
            tracemalloc.start()
            book = openings_of(tmp_path / "B", BOARD)
            for pair in range(1, 100):
                book.of_pair(BOARD, 1, pair)
            _, peak = tracemalloc.get_traced_memory()
            tracemalloc.stop()
        assert len(book.positions) == 300 * times
        return peak

    few = memory(1)
    assert memory(20) < few + 16 * MAX_MARKS + 8 * 300 * 20


def test_a_book_that_changes_while_it_is_used_is_told(tmp_path: Path, wording: Wording) -> None:
    (tmp_path / "B").write_text("5\n1\n")
    openings = openings_of(tmp_path / "B", TICTACTOE)
    (tmp_path / "B").write_text("5\n1\n2\n")
    with wording.raises(UsageError):
        openings.of_pair(TICTACTOE, 1, 2)


def test_a_line_without_end_is_no_opening(tmp_path: Path, wording: Wording) -> None:
    with (tmp_path / "B").open("wb") as file:
        file.truncate(1 << 40)
    with wording.raises(UsageError, match="65536"):
        openings_of(tmp_path / "B", TICTACTOE)


def test_a_run_keeps_the_openings_that_its_pairs_need(tmp_path: Path) -> None:
    (tmp_path / "B").write_text("5\n1\n2\n3\n")
    openings = openings_of(tmp_path / "B", TICTACTOE)
    who = PlayerInfo("a", print), PlayerInfo("b", print)
    for pairs, count in ((2, 2), (9, 4)):
        pairing = Pairing(TICTACTOE, *who, pairs, 1, openings=openings)
        assert len(pairing.options["openings"]["positions"]) == count


@pytest.mark.slow
def test_a_run_from_a_book_is_gone_on_with_when_the_book_is_gone(tmp_path: Path) -> None:
    book, store = tmp_path / "B", tmp_path / "S"
    book.write_text("5\n1\n2\n3\n")
    played = arena.fight("monkey", "triples", 6, seed=1, openings=str(book), store=store)
    book.unlink()
    assert arena.resume(store) == played
    assert arena.verify(store).divergence is None


@pytest.mark.slow
def test_a_book_may_be_longer_than_any_list(tmp_path: Path) -> None:
    """With more openings than are remembered, in another process with little memory."""
    (tmp_path / "B").write_text("5\n1\n" * 75_000)
    script = (
        "import arena.fights.books; arena.fights.books.MAX_CHECKED = 0\n"
        "import arena; print(arena.fight('monkey', 'monkey', 3, openings='B', workers=1).openings)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout) == (0, "B\n"), ran.stderr


def test_endless_positions_are_left_soon(
    run: Any, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setattr(files, "MAX_FILE_BYTES", 1000)
    monkeypatch.setattr(sys, "stdin", io.StringIO("_" * 2000))
    ran = run("move", "monkey", "-")
    assert ran.code == 2
    wording(ran.err)


@pytest.mark.slow
def test_many_rows_of_results_take_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def peak(rows: int) -> int:
        text = "a,b,wins,draws,losses\n" + "x,y,1,2,3\n" * rows
        monkeypatch.setattr(sys, "stdin", io.StringIO(text))
        tracemalloc.start()
        assert arena.rate("-").players[0].tally.games == 6 * rows
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(10)  # imports take memory, too
    assert peak(3000) < peak(10) + 300_000
