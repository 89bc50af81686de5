"""Declared columns: every format has each of them where it is declared."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Sequence
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.features.certify.page import CERTIFIED, WALKED
from arena.features.check.page import FINDING
from arena.features.explain.page import EXPLAINED_MOVE
from arena.features.plan.page import AIM
from arena.features.regress.page import CHECK
from arena.model.columns import NARROW, Column, visible
from arena.records.tournaments import TournamentResult
from arena.reports.columns.fights import BY_SIDE, PAIRING, paired_rows
from arena.reports.columns.games import PLAYED_GAME
from arena.reports.columns.proofs import EXACT_SIDE
from arena.reports.columns.ratings import RATING
from arena.reports.columns.standings import (
    STANDING,
    placed_rows,
    standing_columns,
    standing_tables,
)
from arena.reports.html.report import html
from arena.reports.page import Table, flat, page
from arena.runs.sheets import sheet_of
from tests.conftest import Run
from tests.reports.fixed import RECORDS

DECLARED: dict[str, Sequence[Column[Any]]] = {
    "by side": BY_SIDE,
    "checks": CHECK,
    "certificates": CERTIFIED,
    "exact": EXACT_SIDE,
    "explained moves": EXPLAINED_MOVE,
    "findings": FINDING,
    "games": PLAYED_GAME,
    "pairings": PAIRING,
    "plans": AIM,
    "ratings": RATING,
    "standings": STANDING,
    "walks": WALKED,
}

TOURNAMENTS = [record for record in RECORDS.values() if isinstance(record, TournamentResult)]

PLUGIN = """
import arena

class Koya:
    def __call__(self, known):
        return [] if known.rounds else [("monkey", "lines")]

    def standings(self, known):
        marks = {"monkey": {"koya": 7, "score": 99}, "lines": {"koya": 6, "score": 98}}
        return [arena.plugin.Place(rank, name, marks[name]) for rank, name in enumerate(marks, 1)]

@arena.hookimpl
def arena_register_schedules(register):
    register("koya", lambda text: Koya())
"""

PLAY = ("tournament", "monkey", "lines", "-n", "2", "--seed", "1")


@pytest.mark.parametrize("kind", DECLARED)
def test_keys_and_headers_of_a_kind_are_unique_in_each_format(kind: str) -> None:
    for fmt in ("page", "csv", "html", "sheet", "data"):
        columns = [column for column in DECLARED[kind] if fmt in column.formats]
        names = [column.header if fmt in NARROW else column.key for column in columns]
        texts = [name for name, c in zip(names, columns, strict=True) if not c.picture]
        assert len({*texts}) == len(texts)
    assert all(column.formats for column in DECLARED[kind])


@pytest.mark.parametrize("tournament", TOURNAMENTS)
def test_every_format_has_each_column_of_a_tournament(tournament: TournamentResult) -> None:
    rows = placed_rows(tournament)
    for name, columns in (("standings", standing_columns(rows)), ("pairings", [*PAIRING])):
        sheet = sheet_of(tournament, name)
        keys = [column.key for column in columns if "data" in column.formats]
        assert [[*row] for row in sheet.rows] == [keys] * len(sheet.rows)
        assert [*sheet.columns] == [column.key for column in columns if "sheet" in column.formats]
    assert flat(tournament)[0] == [column.key for column in PAIRING if "csv" in column.formats]
    if tournament.until is None:
        shown = [part for part in page(tournament) if isinstance(part, Table)]
        tables = standing_tables(tournament)
        for part, table in zip(shown, tables, strict=False):
            headers = [column.header for column in visible(table.columns, "page", table.rows)]
            assert part.headers == headers


@pytest.mark.parametrize("tournament", TOURNAMENTS)
def test_a_page_for_a_browser_has_each_column(tournament: TournamentResult) -> None:
    paired = paired_rows(tournament.fights)
    standings = [visible(t.columns, "html", t.rows) for t in standing_tables(tournament)]
    in_html: Sequence[tuple[str, Sequence[Sequence[Column[Any]]]]] = (
        ("standings", standings),
        ("pairings", [visible(PAIRING, "html", paired)]),
    )
    for label, columns_of_tables in in_html:
        _, *tables = html(tournament).split(f'aria-label="{label}"')
        for table, columns in zip(tables, columns_of_tables, strict=True):
            first = table.partition("</table>")[0]
            headers = map(unescape, re.findall(r'<th scope="col"[^>]*>([^<]*)', first))
            assert [*headers] == [column.header for column in columns if not column.picture]


@pytest.mark.slow
@pytest.mark.parametrize("schedule", ["round-robin", "gauntlet:monkey"])
def test_terminal_and_browser_show_the_same_facts_in_spite_of_forfeits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, schedule: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("broken.py").write_text("def choose(position, rng):\n    return 99\n")
    players = ("monkey", "triples", "tictactoe2", "broken=./broken.py")
    options: Any = {"seed": 1, "executor": "serial", "schedule": schedule}
    tournament = arena.tournament(players, 20, **options)
    shown = [part for part in page(tournament) if isinstance(part, Table)]
    _, *tables = html(tournament).split('aria-label="standings"')
    assert len(tables) == len(standing_tables(tournament))
    for part, table in zip(shown, tables, strict=False):
        names = re.findall(r'<th scope="row"[^>]*>([^<]*)', table.partition("</table>")[0])
        place = [*part.headers].index("player")
        assert [str(row[place]) for row in part.rows] == names
        headers = re.findall(r'<th scope="col"[^>]*>([^<]*)', table.partition("</table>")[0])
        assert [name for name in headers if not re.search("games|Elo|interval", name)] == [
            *part.headers
        ]
    assert "ranks" in shown[len(tables) - 1].headers


@pytest.mark.slow
def test_every_format_has_the_marks_of_a_plugin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own.py").write_text(PLUGIN)
    play = ("-p", "./own.py", *PLAY, "--schedule", "koya")
    text = run(*play).out.splitlines()
    assert text[0].split()[:4] == ["rank", "player", "koya", "score"]
    assert text[2].split()[:4] == ["1", "monkey", "7", "99"]
    first, _ = json.loads(run(*play, "--format", "json").out)["standings"]
    assert first["marks"] == {"koya": 7, "score": 99}
    assert 0 <= first["score"] <= 1
    rows = [*csv.DictReader(run(*play, "--table", "standings", "--format", "csv").out.splitlines())]
    assert [float(rows[0][key]) for key in ("koya", "marks.score")] == [7, 99]
    run(*play, "--output", "page.html")
    page = Path("page.html").read_text(encoding="utf-8")
    assert {">koya<", ">7<", ">99<"} <= {*re.findall(r">\w+<", page)}


@pytest.mark.slow
@pytest.mark.parametrize(("schedule", "rank"), [("swiss:2", 3), ("round-robin", None)])
def test_a_broken_player_has_the_same_rank_in_every_format(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run, schedule: str, rank: int | None
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("broken.py").write_text("import nowhere\n")
    play = ("tournament", "./broken.py", *PLAY[1:], "--schedule", schedule)
    cell = "-" if rank is None else str(rank)
    assert re.search(rf"^\W*{cell} +broken ", run(*play).out, re.MULTILINE)
    json_rows = json.loads(run(*play, "--format", "json").out)["standings"]
    assert [row["rank"] for row in json_rows if row["player"] == "./broken.py"] == [rank]
    sheet = run(*play, "--table", "standings", "--format", "csv").out.splitlines()
    ranks = {row["player"]: row["rank"] for row in csv.DictReader(sheet)}
    assert ranks["./broken.py"] == ("" if rank is None else cell)
    run(*play, "--output", "page.html")
    page = Path("page.html").read_text(encoding="utf-8")
    standings = page.partition('aria-label="standings"')[2].partition("</table>")[0]
    [html_row] = [row for row in standings.split("<tr") if ">broken<" in row]
    assert re.findall(r">([^<>]+)</td>", html_row)[0] == cell
