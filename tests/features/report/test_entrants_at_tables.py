"""Reports of games for more than two: the page of all, and what one entrant may see."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import arena
from arena.records.reports import EntrantResult
from arena.reports.html.report import html
from tests.conftest import Run
from tests.features.report.test_function import games_of
from tests.golden import Wording

GAME = "mnk-3-3-3-x3"
SECRET = "my secret plan"
FAILS = f"""
def choose(position, rng):
    if len(position.legal_moves()) < 4:
        raise ValueError("{SECRET}")
    return rng.choice(position.legal_moves())
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a store of one run of tables, at which a player fails."""
    path = tmp_path_factory.mktemp("tables")
    (path / "fails.py").write_text(FAILS)
    players = ["anna=monkey", f"fails={path / 'fails.py'}", "bert=monkey", "cleo=monkey"]
    arena.table_tournament(players, 1, game=GAME, seed=4711, store=path / "s.db", isolation="none")
    return path


@pytest.fixture
def store(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(folder)
    return "s.db"


@pytest.mark.slow
def test_the_page_of_tables_leads_to_the_games_of_each(store: str) -> None:
    report = arena.report(store)
    page = html(report)
    assert f"<h1>Tournament at {GAME}</h1>" in page
    [run] = games_of(page)
    assert [len(fight["games"]) for fight in run["fights"]] == [3, 3, 3, 3]
    assert all(f'href="#g/1/{number}"' in page for number in (1, 2, 3, 4))
    [result] = (part.result for part in report.parts)
    assert isinstance(result, arena.records.TablesResult)
    assert sum(row.forfeits for row in result.standings) > 0
    assert SECRET in page, "the page of all is the organiser's"


@pytest.mark.slow
def test_an_entrant_sees_its_tables_and_nothing_that_others_said(store: str) -> None:
    by_name = {own.player: own for own in arena.entrant_reports(arena.report(store))}
    assert {*by_name} == {"anna", "bert", "cleo", "fails"}
    for name, own in by_name.items():
        [part] = own.parts
        assert isinstance(part.result, EntrantResult)
        assert len(part.result.tables) == 3, "of four, each without one player"
        assert all(name in table.players for table in part.result.tables)
        page, text = html(own), json.dumps(own.as_json())
        [run] = games_of(page)
        assert sum(len(fight["games"]) for fight in run["fights"]) == 9
        seen = page + text + json.dumps(run)
        assert (SECRET in seen) is (name == "fails")
        assert "4711" not in page, "the seed tells all draws"


def test_an_entrant_may_watch_its_tables(store: str, wording: Wording) -> None:
    by_all = {own.player: own for own in arena.entrant_reports(arena.report(store))}["anna"]
    report = arena.entrant_report(store, "anna")
    [now], [seen] = by_all.parts, report.parts
    assert isinstance(now.result, EntrantResult)
    assert isinstance(seen.result, EntrantResult)
    assert seen.fights == now.fights
    for alone, among in zip(seen.result.tables, now.result.tables, strict=True):
        assert (alone.row.interval, among.row.interval) == ("anytime", "fixed n")
        assert (alone.row.payoff, alone.row.places) == (among.row.payoff, among.row.places)
        assert alone.row.low is not None
        assert among.row.low is not None
        assert alone.row.low <= among.row.low, "one that may be watched is wider"
    wording(str(report))


def test_each_entrant_has_a_page(store: str, run: Run, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    assert run("report", store, "--per-entrant", str(pages)).code == 0
    assert sorted(page.stem for page in pages.iterdir()) == ["anna", "bert", "cleo", "fails"]
    text = (pages / "fails.html").read_text()
    assert SECRET in text
    assert ">points " in text


def test_pseudonyms_stand_for_all_names_of_tables(store: str) -> None:
    page = html(arena.report(store, pseudonyms=True))
    assert not any(name in page for name in ("anna", "bert", "cleo", "fails"))
