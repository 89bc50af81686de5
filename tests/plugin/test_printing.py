"""A plugin's own record prints as arena's own do."""

from __future__ import annotations

import csv
import json
from argparse import ArgumentParser, Namespace
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.records import base
from arena.reports import page as pages
from tests.golden import Wording


@dataclass(frozen=True)
class Census(arena.records.Record):
    """A record that arena does not know."""

    SCHEMA = "census/1"

    title: str
    rows: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True)
class Plan(arena.records.Record):
    """The same with a name that one of arena's records has, and without a page."""

    SCHEMA = "plan/1"


@dataclass(frozen=True)
class Note(arena.records.Record):
    """A record whose page has no table."""

    text: str


@arena.plugin.page.register
def census_page(census: Census) -> pages.Page:
    return [census.title, arena.plugin.table(["player", "share", "best"], census.rows)]


@arena.plugin.page.register
def note_page(note: Note) -> pages.Page:
    return [arena.plugin.Block(note.text)]


CENSUS = Census(
    "All\x1b[2J players:",
    (("monkey", Fraction(1, 3), False), ("=tree", 2 / 3, True), ("a|b,c", None, None)),
)


def written(record: arena.records.Record, name: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Return what a plugin's command prints of a record."""
    parser = ArgumentParser()
    arena.plugin.add_output(parser)
    arguments = parser.parse_args(["--format", name])
    arena.plugin.Output(arguments, arena.plugin.load_catalogue()).write(record)
    return capsys.readouterr().out


def test_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert written(CENSUS, "table", capsys).splitlines() == [
        r"All\x1b[2J players:",
        "",
        "player       share  best",
        "--------  --------  ------",
        "monkey         1/3  no",
        "=tree     0.666667  yes",
        "a|b,c            -  -",
    ]


def test_as_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    lines = written(CENSUS, "markdown", capsys).splitlines()
    assert lines[2].split() == ["|", "player", "|", "share", "|", "best", "|"]
    assert len(lines) == 7
    assert r"a\|b,c" in lines[-1]


def test_as_csv(capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.reader(written(CENSUS, "csv", capsys).splitlines()))
    assert rows[0] == ["player", "share", "best"]
    assert rows[1] == ["monkey", "1/3", "no"]
    assert rows[2][0] != "=tree"  # a spreadsheet would calculate it
    assert len(rows) == 4


def test_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(written(CENSUS, "json", capsys)) == {
        "schema": "census/1",
        "title": "All\x1b[2J players:",
        "rows": [["monkey", "1/3", False], ["=tree", 2 / 3, True], ["a|b,c", None, None]],
    }


def test_into_a_file(tmp_path: Path) -> None:
    target = tmp_path / "census.json"
    arguments = Namespace(format="json", output=str(target))
    arena.plugin.Output(arguments, arena.plugin.load_catalogue()).write(CENSUS)
    assert json.loads(target.read_text())["schema"] == "census/1"


@pytest.mark.parametrize("record", [Plan()], ids=["a name of arena's"])
@pytest.mark.parametrize("name", ["table", "markdown", "csv"])
def test_a_record_without_a_page_is_told_how_to_get_one(
    record: Any, name: str, wording: Wording
) -> None:
    output = arena.plugin.Output(Namespace(format=name, output=None), arena.plugin.load_catalogue())
    with pytest.raises(arena.PluginError) as caught:
        output.write(record)
    wording(str(caught.value), "TypeError", f"{name!r}")


def test_a_page_without_a_table_has_no_csv(
    capsys: pytest.CaptureFixture[str], wording: Wording
) -> None:
    assert written(Note("one\ntwo"), "table", capsys) == "one\ntwo\n"
    with wording.raises(arena.PluginError):
        written(Note("one"), "csv", capsys)


def test_a_table_has_a_cell_under_every_header(wording: Wording) -> None:
    with wording.raises(ValueError):
        arena.plugin.table(["player", "share"], [["monkey"]])
    assert arena.plugin.table(["player"], []).rows == []


def test_no_page_of_arenas_own_stands_for_another_record_of_arenas() -> None:
    """A page is looked up by a record's nearest known class, which may not be imported yet."""
    every = all_records(base.Record)
    records = {kind for kind in every if kind.__module__.startswith("arena.records.")}
    known = {kind for kind in records if kind.__name__ in pages.HOMES}
    assert {kind.__name__ for kind in known} == pages.HOMES.keys()
    for kind in known:
        assert not [other for other in known - {kind} if issubclass(kind, other)]


def all_records(kind: type[Any]) -> set[type[Any]]:
    """All classes below a class, once everything is imported."""
    for name in arena.records.__all__:
        getattr(arena.records, name)
    result = {kind}
    for below in kind.__subclasses__():
        result |= all_records(below)
    return result
