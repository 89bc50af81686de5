"""Reports of what is damaged, half written, empty, too large, or named to do harm."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

import arena
from arena.errors import UsageError
from arena.model.codec import decode
from arena.records.reports import Report, ReportPart
from arena.records.tournaments import TournamentResult
from arena.reports.html.pages import reports
from arena.reports.html.report import html
from tests.conftest import Run
from tests.features.report.test_function import games_of
from tests.golden import Wording
from tests.reports.html.markup import Page

#: Names that a page, a file system and a terminal must not obey.
HOSTILE = ("<script>alert(1)</script>", "\"'><img src=x>", "../../evil\u202egnp.\x07")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Return a store with a tournament of three players."""
    path = tmp_path / "s.db"
    arena.tournament(["monkey", "triples", "tictactoe1"], n=3, seed=1, store=path)
    return path


def change(store: Path, *statements: str) -> None:
    connection = sqlite3.connect(store)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def newer(store: Path) -> None:
    change(store, "UPDATE arena_store SET version = 99")


def corrupt(store: Path) -> None:
    change(store, "PRAGMA wal_checkpoint(TRUNCATE)")
    store.write_bytes(store.read_bytes()[:6000])


def without_a_run(store: Path) -> None:
    tables = ("games", "fights", "players", "runs")
    change(store, *(f"DELETE FROM {table}" for table in tables))


@pytest.mark.slow
@pytest.mark.parametrize("spoil", [newer, corrupt, without_a_run])
def test_a_spoilt_store_is_one_clear_line(
    run: Run, store: Path, spoil: Callable[[Path], None]
) -> None:
    spoil(store)
    page = store.parent / "r.html"
    code, out, err = run("report", str(store), "-o", str(page))
    assert code in (2, 4)
    assert (out, err.count("\n")) == ("", 1)
    assert not page.exists()


def test_a_run_without_games_has_a_page(store: Path) -> None:
    change(store, "DELETE FROM games")
    report = arena.report(store)
    assert " 0 of 18 games " in re.sub(r"\s+", " ", html(report))
    assert "id=games" not in html(report)
    for own in arena.entrant_reports(report):
        assert html(own).startswith("<!doctype html>")


@pytest.mark.slow
def test_a_run_that_is_being_played_shows_what_was_committed(store: Path) -> None:
    change(store, "DELETE FROM games WHERE pair > 1", "UPDATE runs SET finished = NULL")
    writer = sqlite3.connect(store, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("DELETE FROM games WHERE fight = 0")  # not committed, and the store is locked
    try:
        [game] = games_of(html(arena.report(store)))
    finally:
        writer.execute("ROLLBACK")
        writer.close()
    assert [len(fight["games"]) for fight in game["fights"]] == [2, 2, 2]


@pytest.mark.slow
def test_more_games_than_fit_leave_those_that_nobody_lost(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = arena.report(store)
    total = [game for fight in report.parts[0].fights for game in fight.games]
    drawn = sum(game.outcome == "draw" for game in total)
    room = len(total) - drawn
    monkeypatch.setattr(reports, "MAX_PAGE_GAMES", room)
    page = html(report)
    assert re.search(rf"\b{len(total)} games .* {room}, ", page)
    [result] = games_of(page)
    outcomes = [game[1] for fight in result["fights"] for game in fight["games"]]
    assert len(outcomes) == room
    assert "draw" not in outcomes
    monkeypatch.setattr(reports, "MAX_PAGE_GAMES", 1)
    assert re.search(r"\b12 games .* 1\b", html(next(iter(arena.entrant_reports(report)))))


def hostile(store: Path) -> Report:
    """Return the report of a tournament whose players have hostile names."""
    text = json.dumps(arena.report(store).parts[0].result.as_json())
    for name, other in zip(("monkey", "triples", "tictactoe1"), HOSTILE, strict=True):
        text = re.sub(rf'"{name}"(?!:)', lambda _: json.dumps(other), text)  # noqa: B023
    return Report((ReportPart("f.json", decode(TournamentResult, json.loads(text))),))


@pytest.mark.slow
def test_hostile_names_stay_texts_on_the_pages_of_entrants(store: Path) -> None:
    pages = [html(own) for own in arena.entrant_reports(hostile(store))]
    assert len(pages) == 3
    for text in pages:
        page = Page(text)
        assert page.elements["img"] == 0
        assert page.elements["script"] == 1
        assert not re.search("[\u202e\x07]", text)


@pytest.mark.slow
def test_hostile_names_leave_no_folder(run: Run, store: Path, tmp_path: Path) -> None:
    result = tmp_path / "f.json"
    result.write_text(json.dumps(hostile(store).parts[0].result.as_json()))
    pages = tmp_path / "deep" / "pages"
    pages.parent.mkdir()
    before = {*tmp_path.rglob("*")} | {pages}
    assert run("report", str(result), "--per-entrant", str(pages)).code == 0
    new = {*tmp_path.rglob("*")} - before
    assert len(new) == 3
    assert {file.parent for file in new} == {pages}
    assert all(file.name.isascii() and file.name.isprintable() for file in new)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("fights", 1, "a", "name"), 3),
        (("fights", 1, "a", "name"), "triples"),
        (("fights",), []),
        (("fights", 0, "forfeited_joint", 0, 0), 99),
        (("fights", 0, "by_opening"), [[[[0] * 3] * 3, 1]]),
    ],
)
def test_a_result_that_makes_no_sense_is_refused(
    store: Path, tmp_path: Path, path: tuple[str | int, ...], value: object, wording: Wording
) -> None:
    record = spot = json.loads(json.dumps(arena.report(store).parts[0].result.as_json()))
    record["fights"][1]["b"]["name"] = "triples"
    for key in path[:-1]:
        spot = spot[key]
    spot[path[-1]] = value
    (tmp_path / "f.json").write_text(json.dumps(record))
    with pytest.raises(UsageError) as error:
        arena.report(tmp_path / "f.json")
    wording(str(error.value))
