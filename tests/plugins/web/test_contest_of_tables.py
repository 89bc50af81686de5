"""Contests at games for more than two, and at games with luck, secrets and payoffs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import arena
from arena.features.contest import hand_ins as stored
from arena.store.sql import Store
from benchmarks.contesting import FILE, RIGHT, TALKING, WRONG, Contest, contest, prepare
from tests.browsing import LONG_LOOKS, Shown
from tests.browsing import opened as opened  # a fixture
from tests.plugins.web.test_contest_browser import enter, shows

pytestmark = [pytest.mark.needs("starlette", "uvicorn", "locked"), pytest.mark.slow]

TABLES = FILE.replace("tictactoe", "mnk-3-3-3-x3").replace("pairs = 8", "pairs = 2")
POKER = FILE.replace("tictactoe", "leduc").replace(
    "pairs = 8", 'pairs = 8\nschedule = "round-robin"'
)


def rows_of(told: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {row["player"]: row for row in told["rows"]}


def seconds_used(served: Contest) -> dict[str, float]:
    """Return what the games of each entrant have used of its day."""
    store = Store(served.folder / "contest.db")
    used = {}
    with store.read() as connection:
        number = stored.last_contest(connection)
        for name in ("alice", "bob", "carol"):
            hand_ins = stored.read_hand_ins(connection, number, name, brief=True)
            day = hand_ins[0].received[:10]
            use = stored.use_of(connection, number, "contest.toml", name, day)
            used[name] = use.seconds - sum(each.seconds for each in hand_ins)
    return used


def seed_of(served: Contest) -> int:
    [run] = arena.stored_runs(served.folder / "contest.db").rows
    return int(str(run["seed"]))


@pytest.mark.nightly
def test_a_contest_of_tables_grows_and_is_the_tournament_of_its_last_hand_ins(
    tmp_path: Path,
) -> None:
    prepare(tmp_path, file=TABLES)
    with contest(tmp_path) as served:
        served.own("start")
        served.passes("alice", TALKING)
        assert "enough players" in served.ask("alice", "/me", headers={"Accept": "text/html"}).text
        served.passes("bob", RIGHT)
        status = served.over({"alice": 1, "bob": 1})
        assert status["games"] == 6
        served.passes("carol", RIGHT)
        assert served.over({"alice": 1, "bob": 1, "carol": 1})["games"] == 4 * 6
        served.passes("bob", TALKING)
        status = served.over({"alice": 1, "bob": 2, "carol": 1})
        served.hand_in("dave", WRONG)
        [refused] = served.settled("dave")
        assert refused["state"] == "refused"
        own = served.ask("bob", "/games/bob", headers={"Accept": "text/html"}).text
        others = served.ask("owner", "/games/bob", headers={"Accept": "text/html"}).text
        report = served.ask("owner", "/owner/report.html").text
        grades = served.ask("owner", "/owner/grades.csv").text
        shown = arena.show(served.folder / "contest.db")
        seed = seed_of(served)
        used = seconds_used(served)
        assert "my secret plan" in own
        assert "hand-in 1: " in own
        assert "my secret plan" not in others
        assert all(str(seed) not in page for page in (own, others, report, grades))
    assert isinstance(shown, arena.records.TablesResult)
    assert all(games > 0 for games in used.values()), "of who sits third, too"
    assert not status["is_watched"]
    for standing in shown.standings:
        row = rows_of(status)[standing.player]
        assert (row["rank"], row["low"], row["high"]) == (
            *(standing.rank, standing.rank_low, standing.rank_high),
        )
        assert (row["score"], row["value_low"]) == (standing.payoff, standing.low)
        assert (row["games"], row["place"]) == (standing.games, standing.place)
        assert row["wins"] is row["draws"] is None
    bots = {name: tmp_path / f"{name}.py" for name in ("alice", "bob", "carol")}
    for name, bot in bots.items():
        bot.write_text(RIGHT if name == "carol" else TALKING)
    players = ["monkey", *(f"{name}={bot}" for name, bot in bots.items())]
    fresh = arena.table_tournament(players, 2, game="mnk-3-3-3-x3", seed=seed)
    assert fresh.standings == shown.standings


def test_a_contest_of_poker_ranks_by_chips(tmp_path: Path) -> None:
    prepare(tmp_path, file=POKER)
    with contest(tmp_path) as served:
        served.own("start")
        served.passes("alice", RIGHT)
        served.passes("bob", TALKING)
        status = served.over({"alice": 1, "bob": 1})
        shown = arena.show(served.folder / "contest.db")
        page = served.ask("alice", "/games/alice", headers={"Accept": "text/html"}).text
    assert isinstance(shown, arena.records.TournamentResult)
    assert status["is_watched"]
    for standing in shown.standings:
        row = rows_of(status)[standing.player]
        assert standing.payoff is not None
        assert row["score"] == float(standing.payoff)
        assert row["value_low"] <= row["score"] <= row["value_high"]
        assert row["wins"] is None
    assert "chips per game" in page


@pytest.mark.needs("axe_playwright_python", "chromium", "playwright")
@LONG_LOOKS
def test_the_pages_of_tables_in_a_browser(tmp_path: Path, shown: Shown) -> None:
    prepare(tmp_path, file=TABLES)
    tab = shown.tab
    with contest(tmp_path) as served:
        served.own("start")
        served.passes("alice", RIGHT)
        served.passes("bob", RIGHT)
        served.over({"alice": 1, "bob": 1})
        enter(served, tab, "alice")
        shows(tab, "#fresh .facts", "of 3")
        assert "POINTS" in shown.text("#fresh .facts").upper()
        shown.require_good()
        tab.click("nav >> text=Standings")
        shows(tab, "#rows", "alice (you)")
        assert "place" in shown.text(".standings")
        assert "wins" not in shown.text(".standings")
        shown.require_good()
        tab.goto(f"{served.served.url}/games/alice#g/1/1/1.1")
        tab.wait_for_selector("#replay-board svg")
        assert "seat 3" in shown.text("#replay-name")
        shown.require_good()
        teacher = tab.context.browser.new_context().new_page()
        enter(served, teacher, "owner")
        shows(teacher, "#fresh", "points per game")
