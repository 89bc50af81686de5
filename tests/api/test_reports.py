"""Reports of stores and files: what they gather, and what they refuse."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.errors import UsageError
from arena.records.reports import ReadResult
from arena.reports.html.report import html
from tests.conftest import Run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a store of two runs, for all tests here."""
    found = tmp_path_factory.mktemp("reports")
    arena.tournament(["monkey", "triples", "heuristic"], n=2, seed=1, store=found / "s.db")
    arena.fight("monkey", "triples", n=3, seed=2, store=found / "s.db")
    return found


@pytest.fixture
def store(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(folder)
    return "s.db"


def games_of(page: str) -> list[dict[str, Any]]:
    [packed] = re.findall(r'<script id="games" type="text/plain">([^<]*)', page)
    found: list[dict[str, Any]] = json.loads(gzip.decompress(base64.b64decode(packed)))["runs"]
    return found


def test_a_report_has_every_run_with_its_games(run: Run, store: str) -> None:
    assert run("report", store, "-o", "r.html") == (0, "", "")
    runs = games_of(Path("r.html").read_text())
    games = [[len(fight["games"]) for fight in found["fights"]] for found in runs]
    assert games == [[4, 4, 4], [6]]
    outcomes = [game[1] for game in runs[1]["fights"][0]["games"]]
    total = arena.fight("monkey", "triples", n=3, seed=2).total
    assert outcomes.count("draw") == total.draws


def test_a_report_of_one_run_leads_to_its_games(run: Run, store: str) -> None:
    page = run("report", store, "--run", "1", "--format", "html").out
    assert "<h1>Tournament at tictactoe</h1>" in page
    links = set(re.findall(r'href="(#g[^"]*)"', page))
    assert links == {"#g/1/1", "#g/1/2", "#g/1/3"}


def test_a_player_that_plays_itself_has_its_games(tmp_path: Path) -> None:
    arena.fight("monkey", "monkey", n=1, seed=1, store=tmp_path / "self.db")
    [found] = games_of(html(arena.report(tmp_path / "self.db")))
    assert len(found["fights"][0]["games"]) == 2


def test_files_and_stores_make_one_report(run: Run, store: str) -> None:
    run("show", store, "1", "--output", "t.json")
    run("show", store, "2", "--output", "f.json")
    found = arena.report(["t.json", "f.json", store])
    assert [part.name for part in found.parts] == ["t.json", "f.json", "s.db, run 1", "s.db, run 2"]
    assert isinstance(found.parts[0].result, ReadResult)
    first, _, third, _ = (part.result.as_json() for part in found.parts)
    assert first == third
    assert json.loads(run("report", "t.json", "--format", "json").out)["results"][0]["from"]
    assert "monkey" in run("report", "t.json", "f.json").out


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{}", "its schema is 'None', not of a fight or a tournament"),
        ("", "is empty"),
        ("[1]", "its schema is 'None', not of a fight or a tournament"),
        ('{"schema":', "is not JSON"),
        ('{"schema": "arena.fight/1"}', "its 'game' is missing"),
    ],
)
def test_another_file_is_refused(run: Run, tmp_path: Path, content: str, said: str) -> None:
    file = tmp_path / "x.json"
    file.write_text(content)
    code, out, err = run("report", str(file), "-o", str(tmp_path / "r.html"))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
    assert not (tmp_path / "r.html").exists()


@pytest.mark.slow
def test_any_value_of_a_file_may_be_wrong(run: Run, store: str) -> None:
    run("show", store, "1", "--output", "t.json")
    text, accepted = Path("t.json").read_text(), 0
    for *parents, last in list(places(json.loads(text))):
        values: tuple[Any, ...] = (None, "x", [])
        for wrong in values:
            found = spot = json.loads(text)
            for key in parents:
                spot = spot[key]
            spot[last] = wrong
            Path("wrong.json").write_text(json.dumps(found))
            with suppress(UsageError):
                html(arena.report("wrong.json"))
                accepted += 1
    assert 0 < accepted < 500


def places(value: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the keys that lead to each value of a JSON value, for lists to their first alone."""
    items: Iterable[tuple[Any, Any]] = value.items() if isinstance(value, dict) else ()
    for key, item in enumerate(value[:1]) if isinstance(value, list) else items:
        yield (*above, key)
        yield from places(item, (*above, key))


def test_a_report_needs_something_to_show(run: Run, tmp_path: Path, store: str) -> None:
    with pytest.raises(UsageError, match="needs a store"):
        arena.report([])
    assert run("report").code == 2
    assert run("report", "none.db").code == 2
    code, _, err = run("report", store, "--run", "9")
    assert (code, err.count("\n")) == (2, 1)
    assert run("report", store, "-o", "r.csv", "--format", "html").code == 2
