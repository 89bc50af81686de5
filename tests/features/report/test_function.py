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
from arena.records.reports import ReportPart
from arena.reports.html.pages.entrants import MAX_PRINTED
from arena.reports.html.report import html
from arena.store.sql import Store
from tests.conftest import Run
from tests.golden import Wording


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a store of two runs, for all tests here."""
    path = tmp_path_factory.mktemp("reports")
    arena.tournament(["monkey", "triples", "heuristic"], n=2, seed=1, store=path / "s.db")
    arena.fight("monkey", "triples", n=3, seed=2, store=path / "s.db")
    return path


@pytest.fixture
def store(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(folder)
    return "s.db"


def games_of(page: str) -> list[dict[str, Any]]:
    [packed] = re.findall(r'<script id="games" type="text/plain">([^<]*)', page)
    record: list[dict[str, Any]] = json.loads(gzip.decompress(base64.b64decode(packed)))["runs"]
    return record


@pytest.mark.slow
def test_a_report_has_every_run_with_its_games(run: Run, store: str) -> None:
    assert run("report", store, "-o", "r.html") == (0, "", "")
    runs = games_of(Path("r.html").read_text())
    games = [[len(fight["games"]) for fight in result["fights"]] for result in runs]
    assert games == [[4, 4, 4], [6]]
    outcomes = [game[1] for game in runs[1]["fights"][0]["games"]]
    total = arena.fight("monkey", "triples", n=3, seed=2).total
    assert outcomes.count("draw") == total.draws


@pytest.mark.slow
def test_a_report_of_one_run_leads_to_its_games(run: Run, store: str) -> None:
    page = run("report", store, "--run", "1", "--format", "html").out
    assert "<h1>Tournament at tictactoe</h1>" in page
    links = set(re.findall(r'href="(#g[^"]*)"', page))
    assert links == {"#g/1/1", "#g/1/2", "#g/1/3"}


def test_a_player_that_plays_itself_has_its_games(tmp_path: Path) -> None:
    arena.fight("monkey", "monkey", n=1, seed=1, store=tmp_path / "self.db")
    [path] = games_of(html(arena.report(tmp_path / "self.db")))
    assert len(path["fights"][0]["games"]) == 2


@pytest.mark.slow
def test_files_and_stores_make_one_report(run: Run, store: str) -> None:
    run("show", store, "1", "--output", "t.json")
    run("show", store, "2", "--output", "f.json")
    report = arena.report(["t.json", "f.json", store])
    assert [part.name for part in report.parts] == [
        "t.json",
        "f.json",
        "s.db, run 1",
        "s.db, run 2",
    ]
    assert isinstance(report.parts[0].result, arena.records.TournamentResult)
    first, _, third, _ = (part.result.as_json() for part in report.parts)
    assert first == third
    assert json.loads(run("report", "t.json", "--format", "json").out)["results"][0]["from"]
    assert "monkey" in run("report", "t.json", "f.json").out


@pytest.mark.parametrize(
    "content",
    [
        "{}",
        "",
        "[1]",
        '{"schema":',
        '{"schema": "arena.fight/1"}',
    ],
)
def test_another_file_is_refused(run: Run, tmp_path: Path, content: str, wording: Wording) -> None:
    file = tmp_path / "x.json"
    file.write_text(content)
    code, out, err = run("report", str(file), "-o", str(tmp_path / "r.html"))
    assert (code, out, err.count("\n")) == (2, "", 1)
    wording(err)
    assert not (tmp_path / "r.html").exists()


@pytest.mark.slow
def test_any_value_of_a_file_may_be_wrong(run: Run, store: str) -> None:
    run("show", store, "1", "--output", "t.json")
    text, accepted = Path("t.json").read_text(), 0
    for *parents, last in list(places(json.loads(text))):
        values: tuple[Any, ...] = (None, "x", [])
        for wrong in values:
            record = spot = json.loads(text)
            for key in parents:
                spot = spot[key]
            spot[last] = wrong
            Path("wrong.json").write_text(json.dumps(record))
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


def test_a_report_needs_something_to_show(
    run: Run, tmp_path: Path, store: str, wording: Wording
) -> None:
    with wording.raises(UsageError):
        arena.report([])
    assert run("report").code == 2
    assert run("report", "none.db").code == 2
    code, _, err = run("report", store, "--run", "9")
    assert (code, err.count("\n")) == (2, 1)
    assert run("report", store, "-o", "r.csv", "--format", "html").code == 2


FAVOURITE = """
def choose(position, rng):
    return position.legal_moves()[{which}]
"""
BROKEN = """
def choose(position, rng):
    raise ValueError("kim here: kim.py is broken, said Ada")
"""


@pytest.fixture(scope="module")
def submitted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a store of a contest: ada and eve hand in the same program."""
    path = tmp_path_factory.mktemp("submitted")
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(path)
        for name, code in {
            "ada": FAVOURITE.format(which=0),
            "eve": FAVOURITE.format(which=0),
            "max": FAVOURITE.format(which=-1),
            "kim": BROKEN,
        }.items():
            Path(f"{name}.py").write_text(code)
        players = ["./ada.py", "zoe=./eve.py", "./max.py", "./kim.py", "monkey"]
        arena.tournament(players, n=5, seed=1, store="s.db", isolation="none")
    return path


@pytest.fixture
def contest(submitted: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(submitted)
    return "s.db"


def texts_in(page: str) -> str:
    """Return a page with the games that are packed in it."""
    return page + json.dumps(games_of(page))


@pytest.mark.slow
def test_entrants_that_play_alike_are_named_to_the_teacher(contest: str) -> None:
    report = arena.report(contest)
    [result] = report.parts[0].identical
    assert set(result.players) == {"./ada.py", "zoe"}
    assert result.positions >= 10
    assert report.as_json()["results"][0]["identical"] == [result.as_json()]
    assert re.search("ada, zoe: [0-9]+ shared", html(report))
    assert all("shared positions" not in html(own) for own in arena.entrant_reports(report))


@pytest.mark.slow
def test_pseudonyms_leave_no_name_anywhere(contest: str) -> None:
    report = arena.report(contest, pseudonyms=True)
    names = r"(?i)\b(ada|eve|max|kim|zoe|monkey)\b"
    assert re.search(names, texts_in(html(arena.report(contest))))
    pages = [html(report), *map(html, arena.entrant_reports(report))]
    style = r"<style>.*?</style>|<script>.*?</script>"
    for page in pages:
        assert re.findall(names, re.sub(style, "", texts_in(page), flags=re.DOTALL)) == []
    assert len(pages) == 1 + len(report.pseudonyms) == 6
    assert re.findall(names, json.dumps(report.as_json())) == []


@pytest.mark.slow
def test_a_pseudonym_is_the_same_everywhere(contest: str) -> None:
    report, named = arena.report(contest, pseudonyms=True), arena.report(contest)
    standings = [row["player"] for row in named.parts[0].result.as_json()["standings"]]
    assert list(report.pseudonyms) == standings
    there = [row["player"] for row in report.parts[0].result.as_json()["standings"]]
    assert there == [f"entrant-{place}" for place in range(1, 6)]
    for fight, other in zip(report.parts[0].fights, named.parts[0].fights, strict=True):
        assert fight.players == tuple(report.pseudonyms[name] for name in other.players)
        for game, own in zip(fight.games, other.games, strict=True):
            assert game.moves == own.moves
            assert tuple(game.game_id.split("/")[1:3]) == fight.players


@pytest.mark.slow
def test_an_entrant_sees_its_own_games_alone(contest: str) -> None:
    report = arena.report(contest)
    results = {own.player: own for own in arena.entrant_reports(report)}
    assert set(results) == {"ada", "zoe", "max", "kim", "monkey"}
    [part] = results["ada"].parts
    json_of = part.result.as_json()
    assert all("ada" in fight["players"] for fight in json_of["fights"])
    assert all("ada" in fight.players for fight in part.fights)
    assert sum(len(fight.games) for fight in part.fights) == json_of["standing"]["games"] == 40
    page = texts_in(html(results["ada"]))
    assert "kim.py is broken" not in page
    assert "kim.py is broken" in texts_in(html(results["kim"]))


@pytest.mark.slow
def test_pages_of_entrants_are_written_with_a_key(run: Run, contest: str, tmp_path: Path) -> None:
    key, pages = tmp_path / "key.csv", tmp_path / "pages"
    arguments = ("report", contest, "--per-entrant", str(pages), "--pseudonyms", "--key", str(key))
    assert run(*arguments) == (0, f"5 pages in {pages}\n", "")
    assert sorted(file.name for file in pages.iterdir()) == [
        f"entrant-{n}.html" for n in range(1, 6)
    ]
    rows = key.read_text().splitlines()
    assert rows[0] == "name,pseudonym"
    assert len(rows) == 6
    for wrong in (["--key", "k.csv"], ["--per-entrant", "p", "--format", "json"]):
        code, out, err = run("report", contest, *wrong)
        assert (code, out, err.count("\n")) == (2, "", 1)
    Path(tmp_path / "file").touch()
    assert run("report", contest, "--per-entrant", str(tmp_path / "file")).code == 2


def plain(part: ReportPart) -> list[dict[str, Any]]:
    """Return the fights of a part without their intervals: those of one entrant may be watched."""
    of_interval = ("interval", "score_low", "score_high")
    fights = part.result.as_json()["fights"]
    return [{key: fight[key] for key in fight if key not in of_interval} for fight in fights]


@pytest.mark.slow
def test_an_entrant_has_a_report_of_its_games_and_of_its_earlier_selves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    choose = (
        "def choose(position, rng):\n    print('hello')\n    return [*position.legal_moves()][0]\n"
    )
    Path("1.py").write_text(choose)
    Path("2.py").write_text(choose.replace("[0]", "[-1]"))
    players = ["anna=./1.py", "monkey", "triples"]
    arena.tournament(players, n=8, seed=4711, store="s.db", isolation="process")
    arena.resume("s.db", replace="anna=anna=./2.py")
    report = arena.entrant_report("s.db", "anna")
    assert [part.name for part in report.parts] == ["./2.py", "./1.py"]
    by_all = {own.player: own for own in arena.entrant_reports(arena.report("s.db"))}["anna"]
    [now] = by_all.parts
    assert report.parts[0].fights == now.fights
    assert plain(report.parts[0]) == plain(now)
    assert len(report.parts[1].fights) == 2
    assert report.parts[1].fights[0].games[0].printed[0].text == "hello\n"
    with wording.raises(arena.UnknownName, match="'anna'"):
        arena.entrant_report("s.db", "ana")
    text = html(report)
    assert text.count("hello") >= MAX_PRINTED
    assert f"the first {MAX_PRINTED} of " in text
    page = (Path(__file__).parents[3] / "docs/hand-in.md").read_text()
    assert f" {MAX_PRINTED} " in page
    assert "4711" not in text


@pytest.mark.slow
def test_a_report_of_nothing_leaves_no_folder(run: Run, contest: str, tmp_path: Path) -> None:
    empty, pages = tmp_path / "empty.db", tmp_path / "pages"
    Store(empty, create=True)
    for source in ([str(empty)], [contest, "--run", "99"]):
        code, out, err = run("report", *source, "--per-entrant", str(pages))
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert not pages.exists()


@pytest.mark.slow
def test_tournaments_at_several_games_have_a_leaderboard(run: Run, tmp_path: Path) -> None:
    stores = [str(tmp_path / f"{game}.db") for game in ("tictactoe", "nim")]
    for game, store in zip(("tictactoe", "nim"), stores, strict=True):
        words = ("monkey", "minimax", "-n", "5", "--seed", "1", "--game", game, "--store", store)
        assert run("tournament", *words).code == 0
    report = arena.report(stores)
    assert report.leaderboard is not None
    assert [row.player for row in report.leaderboard.rows] == ["minimax", "monkey"]
    shown = run("report", *stores, "--format", "table").out
    assert shown.startswith("All games:\n")
    assert "All games" in run("report", *stores, "--format", "html").out
    written = json.loads(run("report", *stores, "--format", "json").out)
    assert written["leaderboard"]["games"] == ["tictactoe", "nim"]
    assert "leaderboard" not in json.loads(run("report", stores[0], "--format", "json").out)
    hidden = arena.report(stores, pseudonyms=True).leaderboard
    assert hidden is not None
    assert {row.player for row in hidden.rows} == {"entrant-1", "entrant-2"}
