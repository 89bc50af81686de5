"""Write the pages of a league: what a browser finds there, and the standings by commit."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import arena
from arena.features.league.index import MAX_LISTED_COMMITS
from arena.features.league.publication import MAX_COMMITS, read_published
from tests.features.league.forge import LAST, write_entrant
from tests.golden import Wording


def links(page: Path) -> set[str]:
    return set(re.findall(r'href="([^"#]+)"', page.read_text()))


@pytest.mark.slow
def test_the_pages_lead_to_each_other(league: Path) -> None:
    write_entrant(league, "alice", LAST)
    arena.play_league("one.db")
    site = arena.write_league_site("one.db", "site", commit="abc")
    files = {
        path.relative_to("site").as_posix() for path in Path("site").rglob("*") if path.is_file()
    }
    assert {*site.files} == files
    assert links(Path("site/index.html")) <= files
    assert {"players/alice.html", "players/monkey.html", "report.html"} <= links(
        Path("site/index.html")
    )
    assert 'id="games"' in Path("site/players/alice.html").read_text()
    text = Path("site/index.html").read_text()
    assert "Be kind." in text
    assert "abc" in text
    assert arena.verify("site/league.db").holds


@pytest.mark.slow
def test_the_history_has_the_standings_of_every_commit(league: Path) -> None:
    arena.play_league("one.db")
    arena.write_league_site("one.db", "p1", commit="first")
    write_entrant(league, "alice", LAST)
    result = arena.play_league("two.db", "p1")
    arena.write_league_site("two.db", "p2", "p1", commit="second")
    arena.write_league_site("two.db", "p3", "p2", commit="second")
    history = json.loads(Path("p3/history.json").read_text())["history"]
    assert [entry["commit"] for entry in history] == ["first", "second"]
    assert isinstance(result, arena.records.TournamentResult)
    assert [(row["rank"], row["player"]) for row in history[-1]["standings"]] == [
        (row.rank, row.player) for row in result.standings
    ]
    text = Path("p3/index.html").read_text()
    assert 'class="trend"' in text
    assert re.findall(r'<th scope="row"[^>]*>(\w+)</th>', text) == ["second", "first"]
    assert 'class="trend"' not in Path("p1/index.html").read_text()


@pytest.mark.slow
def test_a_history_is_kept_in_bounds(league: Path) -> None:
    arena.play_league("one.db")
    arena.write_league_site("one.db", "p1", commit="0")
    file = Path("p1/history.json")
    (entry,) = json.loads(file.read_text())["history"]
    many = [{**entry, "commit": f"c{number}"} for number in range(2 * MAX_COMMITS)]
    file.write_text(json.dumps({"history": many}))
    arena.write_league_site("one.db", "p2", "p1", commit="last")
    assert len(read_published("p2").history) == MAX_COMMITS
    text = Path("p2/index.html").read_text()
    assert len(re.findall(r'<th scope="row"[^>]*>c?\w+</th>', text)) == MAX_LISTED_COMMITS


@pytest.mark.slow
def test_text_of_the_league_file_is_text(league: Path) -> None:
    file = league / "league.toml"
    text = file.read_text().replace('"Be kind."', '"<script>alert(1)</script>"')
    file.write_text(text.replace('"cup"', '"<b>cup</b>"'))
    arena.play_league("one.db")
    arena.write_league_site("one.db", "site", commit="<i>1</i>")
    page = Path("site/index.html").read_text()
    assert not any(tag in page for tag in ("<script>alert", "<b>cup", "<i>1"))


@pytest.mark.parametrize(
    "text", ["[]", "{}", '{"history": [1]}', '{"history": [{"season": 1}]}', "x"]
)
def test_a_history_that_is_not_one_is_refused(text: str, league: Path, wording: Wording) -> None:
    arena.play_league("one.db")
    arena.write_league_site("one.db", "p1", commit="1")
    Path("p1/history.json").write_text(text)
    with wording.raises(arena.UsageError, "history"):
        arena.write_league_site("one.db", "p2", "p1", commit="2")
    assert not Path("p2").exists()


@pytest.mark.slow
def test_pages_that_cannot_be_finished_leave_nothing(
    league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena.play_league("one.db")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "rename", full)
    with pytest.raises(OSError, match="No space"):
        arena.write_league_site("one.db", "site", commit="1")
    assert not [path for path in league.iterdir() if path.is_dir() and "site" in path.name]
    assert not [path for path in league.glob(".*") if path.name.startswith(".tmp")]
