"""Screens: colours have the meaning of cells, and no line is longer than the screen."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.records.ratings import Estimated
from arena.reports.cells import Cell, Tone, TonedText
from arena.reports.page import CommandText, MarkBoard, Note, Page, Table
from arena.reports.screen import PIPE, Screen
from arena.reports.tables import plain, plain_in_full, text_of
from tests.golden import Wording, kept
from tests.reports.fixed import RECORDS
from tests.reports.played import RATINGS, a_fight
from tests.reports.test_reports import GOLDEN

_ANSI = re.compile(r"\x1b\[[0-9;]*m")


def stripped(text: str) -> str:
    return _ANSI.sub("", text)


@pytest.mark.parametrize("name", RECORDS)
def test_a_page_without_its_colours_is_the_plain_page(name: str) -> None:
    assert stripped(plain(RECORDS[name], Screen(has_colours=True))) == plain(RECORDS[name])


@pytest.mark.parametrize("name", ["fight", "regression", "checked"])
def test_a_coloured_page_is_what_it_was(name: str) -> None:
    shown = plain(RECORDS[name], Screen(has_colours=True)).replace("\x1b", "ESC") + "\n"
    assert shown == kept(GOLDEN.parent / "coloured" / f"{name}.txt", shown)


def test_stones_have_colours_and_rulers_have_none() -> None:
    board = "3 x o .\n  a b o"
    shown = text_of([MarkBoard(board)], Screen(has_colours=True))
    assert stripped(shown) == board
    assert shown.count("\x1b[0m") == 2


def test_a_line_that_decided_has_colours_too() -> None:
    shown = text_of([MarkBoard("3  X X(X).\n2  o o . .\n   a b c d")], Screen(has_colours=True))
    assert shown.count("\x1b[0m") == 5


@given(st.text(), st.sampled_from(Tone))
def test_foreign_escape_sequences_stay_escaped(name: str, tone: Tone) -> None:
    parts: Page = [
        TonedText(f"{name}\x1b[2J", tone),
        Table(["player"], [[TonedText(f"{name}\x1b[2J", tone)]]),
    ]
    shown = stripped(text_of(parts, Screen(has_colours=True)))
    assert all(c.isprintable() or c == "\n" for c in shown)


@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
@pytest.mark.parametrize("name", RECORDS)
def test_only_ids_and_commands_are_longer_than_the_screen(name: str, width: int) -> None:
    for line in plain(RECORDS[name], Screen(width, is_terminal=True)).splitlines():
        word_or_command = " " not in line.strip() or line.startswith("  arena ")
        assert len(line) <= width or word_or_command or "/" in line or name in DRAWN, line


NAMES = st.from_regex(r"[a-z]{1,12}(:[a-z]+=[0-9]{1,4}){0,2}", fullmatch=True)
HEADERS = st.text("abc de", min_size=1, max_size=24).map(lambda text: " ".join(text.split()))
CELLS = st.one_of(
    st.integers(-9999, 99999),
    st.sampled_from(["", "-", "97.50 %", "78.82 to 100.00 %", "see the page of it for more"]),
)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Return tables of players with numbers and words."""
    headers = draw(st.lists(HEADERS, min_size=1, max_size=9))
    row = st.lists(CELLS, min_size=len(headers), max_size=len(headers))
    names = draw(st.lists(NAMES, min_size=1, max_size=5, unique=True))
    rows = [[name, *draw(row)] for name in names]
    return Table(["player", *headers], rows, names=0, spare=headers[:1])


@pytest.mark.slow
@given(tables(), st.integers(40, 130))
def test_no_table_is_wider_than_its_screen(table: Table, width: int) -> None:
    lines = text_of([table], Screen(width)).splitlines()
    assert [line for line in lines if len(line) > width] == []


@pytest.mark.slow
@given(tables(), st.integers(40, 130))
def test_no_cell_is_lost_for_lack_of_width(table: Table, width: int) -> None:
    shown = text_of([table], Screen(width))
    flat = " ".join(shown.split())
    spared = table.spare if "(--format csv " in flat else ()
    for at, header in enumerate(table.headers):
        for row in table.rows if at and header not in spared else ():
            assert all(word in flat for word in str(row[at]).split()), (header, row)


def test_the_interval_of_a_fight_stands_below_a_narrow_table() -> None:
    shown = plain(a_fight("minimax:depth=2", "monkey"), Screen(60, is_terminal=True))
    table, below = shown.split("\n\n")[1:3]
    assert [line.split()[-1] for line in table.splitlines()[2:]] == ["%"] * 3
    assert len(table.splitlines()) == 5
    assert "minimax:depth=2 " in table
    assert below.startswith("95 %, fixed n, total: ")


def test_a_header_is_broken_before_a_table_is_split() -> None:
    rows: list[list[Cell]] = [[f"anna{n}", n, "1 to 2"] for n in range(2)]
    shown = text_of([Table(["player", "the number of games", "interval"], rows)], Screen(30))
    assert len(shown.split("\n\n")) == 1
    assert "number of" in shown
    assert "number of games" not in shown


#: Pages with drawings as wide as they are.
DRAWN = ("knockout",)


@pytest.mark.parametrize("width", [60, 80])
def test_long_names_are_shortened_and_stay_different(width: int) -> None:
    names = [f"minimax:budget={n}00000000,decay=off,depth={n}" for n in range(1, 5)]
    rows: list[list[Cell]] = [[n, name, 10, 20, 30, "50.00 %"] for n, name in enumerate(names)]
    table = Table(["rank", "player", "wins", "draws", "losses", "score"], rows, names=1)
    lines = text_of([table], Screen(width)).splitlines()
    assert all(len(line) <= width for line in lines)
    assert len({line.split()[1] for line in lines[2:]}) == 4


def test_words_are_broken_in_their_column_and_ids_are_not() -> None:
    words, identity = "one two three " * 20, "tictactoe/anna/bert/7/" + "4" * 70
    shown = text_of([Table(["game", "summary"], [["connect4", words]])])
    assert max(map(len, shown.splitlines())) <= 80
    assert shown.split("\n")[2].startswith("connect4")
    assert shown.count("three") == 20
    assert identity in text_of([Table(["id", "moves"], [[identity, "1 2 3"]])], Screen(60))


def test_a_command_is_whole_and_a_note_takes_the_width_there_is() -> None:
    command = "arena replay tictactoe/anna/bert/7/1.1 " + "--game tictactoe " * 4
    assert f"\n  {command}" in text_of([CommandText("see it with", command)])
    note = Note("one two " * 15)
    assert len(text_of([note]).splitlines()) == 2
    assert len(text_of([note], Screen(200)).splitlines()) == 1


def test_what_is_not_known_has_no_empty_parentheses(wording: Wording) -> None:
    for bound, shown in ((None, "0 Elo\n"), (0.0, "0 Elo (0 to 0)\n")):
        ratings = replace(RATINGS, advantage=Estimated(0.0, bound, bound))
        wording.line(plain(ratings), shown.strip())
    for name, record in RECORDS.items():
        assert "(-)" not in plain_in_full(record), name


def test_a_pipe_has_no_colours() -> None:
    assert "\x1b" not in plain(a_fight("anna", "bert"), PIPE)


def test_a_column_with_the_same_in_every_row_stands_once_below(wording: Wording) -> None:
    rows: list[list[Cell]] = [[f"anna{n}", "b" * 30, n, "fixed n", ""] for n in range(4)]
    table = Table(["a", "b", "games", "interval", "reason"], rows, keys=2)
    assert text_of([table], Screen(80)).count("fixed n") == 4
    shown = text_of([table], Screen(50))
    wording(shown)
    assert "reason" not in shown
    assert max(map(len, shown.splitlines())) <= 50


def test_what_a_page_can_spare_is_left_out_and_named_but_not_in_vain(wording: Wording) -> None:
    rows: list[list[Cell]] = [[f"anna{n}", 10 * n, n, "x" * (20 + n)] for n in range(3)]
    table = Table(["player", "games", "wins", "word"], rows, spare=["games"])
    assert "games" in text_of([table], Screen(80))
    narrow = text_of([table], Screen(37))
    wording(narrow)
    assert len(narrow.split("\n\n")[0].splitlines()) == 5
    assert "games" in text_of([table], Screen(20))


def test_a_table_of_pairings_is_split_below_both_players() -> None:
    rows: list[list[Cell]] = [[f"anna{n}", f"bert{n}", n, "x" * (28 + n), n + 1] for n in range(3)]
    shown = text_of([Table(["a", "b", "n", "x", "y"], rows, keys=2)], Screen(48))
    heads = [part.splitlines()[0].split() for part in shown.split("\n\n")]
    assert heads == [["a", "b", "n", "x"], ["a", "b", "y"]]


def test_a_name_is_not_shortened_where_the_table_is_split_all_the_same() -> None:
    name = "minimax:budget=200"
    rows: list[list[Cell]] = [[name, "x" * 30, "y" * 30]]
    parts = text_of([Table(["player", "x", "y"], rows, names=0)], Screen(55)).split("\n\n")
    assert [name in part for part in parts] == [True, True]


def test_a_percent_sign_stays_with_its_number() -> None:
    shown = text_of([Note("draws 34.40 % of games")], Screen(12))
    assert shown.splitlines() == ["draws", "34.40 % of", "games"]
