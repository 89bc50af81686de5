"""Publish only a store that holds, is complete, and is of the league as it is."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest

import arena
from arena.errors import KeptForLater
from tests.conftest import Run
from tests.features.league.forge import FIRST, LAST, write_entrant
from tests.golden import Wording

ENTRANT = "example=./entrants/example/bot.py"


def changed(store: str, statement: str) -> str:
    """Return a copy of a store that somebody has changed."""
    copy = f"changed-{store}"
    shutil.copy(store, copy)
    with closing(sqlite3.connect(copy)) as connection, connection:
        assert connection.execute(statement).rowcount > 0
    return copy


def refused(store: str, published: str | None = None) -> tuple[str, ...]:
    """Return why a store is refused, by the pages and by the comparison alike."""
    site = arena.write_league_site(store, "site", published, commit="1")
    comparison = arena.compare_league(store, published)
    assert not site.written
    assert not comparison.holds
    assert not Path("site").exists()
    assert site.problems == comparison.problems
    assert all(problem.isprintable() for problem in site.problems)
    return site.problems


@pytest.mark.slow
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE games SET outcome = 'second' WHERE outcome = 'first'",
        "UPDATE games SET moves = '1 1'",
        "DELETE FROM games WHERE pair = 1",
        "UPDATE runs SET finished = NULL",
        "UPDATE runs SET seed = 5",
        "UPDATE runs SET contest_text = ''",
        "UPDATE players SET digest = '0' WHERE name = 'example'",
        "UPDATE players SET name = 'other' WHERE name = 'example'",
        "UPDATE players SET spec = './mine.py' WHERE name = 'example'",
        "DELETE FROM runs",
        "DROP TABLE games",
    ],
)
def test_a_changed_store_is_refused(statement: str, league: Path) -> None:
    arena.play_league("one.db")
    if statement.startswith("DROP"):
        shutil.copy("one.db", "changed-one.db")
        with closing(sqlite3.connect("changed-one.db")) as connection:
            connection.execute(statement)
        store = "changed-one.db"
    else:
        store = changed("one.db", statement)
    assert refused(store)


def test_what_is_not_a_store_is_refused(league: Path, wording: Wording) -> None:
    Path("text.db").write_text("no store")
    wording(refused("text.db"))
    wording(refused("nowhere.db"))


def test_a_run_that_is_not_complete_is_refused(league: Path, wording: Wording) -> None:
    with suppress(KeptForLater):
        arena.tournament(
            ["league.toml", ENTRANT], store="one.db", isolation="process", executor="later"
        )
    wording(refused("one.db"), "not complete")


def test_a_store_of_other_code_is_refused(league: Path, wording: Wording) -> None:
    """The job that played has other files than the one that publishes."""
    arena.play_league("one.db")
    write_entrant(league, "example", LAST)
    wording(refused("one.db"), "example")
    write_entrant(league, "alice", FIRST)
    wording(refused("one.db"), "alice")


def test_two_runs_are_not_one(league: Path, wording: Wording) -> None:
    arena.play_league("one.db")
    arena.fight("monkey", "triples", 1, store="one.db")
    wording(refused("one.db"))


@pytest.mark.slow
def test_a_published_game_may_not_change_while_its_players_do_not(
    league: Path, wording: Wording
) -> None:
    """A whole store that holds is refused, if it is not the one that was published, gone on."""
    arena.play_league("one.db")
    assert arena.write_league_site("one.db", "p1", commit="1").written
    write_entrant(league, "alice")
    arena.play_league("two.db", "p1")
    other = changed("two.db", "UPDATE games SET seconds = seconds + 1")
    assert arena.verify(other).holds
    wording(refused(other, "p1"), "published game")
    assert arena.write_league_site("two.db", "p2", "p1", commit="2").written


@pytest.mark.slow
def test_the_commands_say_it_by_their_codes(league: Path, run: Run, wording: Wording) -> None:
    assert run("league", "play", "one.db").code == 0
    words = ("--site", "site", "--commit", "1")
    shutil.copy("one.db", "good.db")
    changed("one.db", "UPDATE games SET moves = '1 1'")
    for store, code in (("changed-one.db", 1), ("good.db", 0)):
        compared = run("league", "compare", store)
        wording(compared.out.splitlines()[0])
        written = run("league", "site", store, *words)
        assert (compared.code, written.code) == (code, code)
        wording(written.out.splitlines()[0])
        assert Path("site").exists() == (not code)
    ran = run("league", "site", "good.db", *words)
    assert (ran.code, "'site'" in ran.err) == (2, True)
