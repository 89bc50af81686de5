"""A run that is watched: each look has exactly the games that are in the store by then."""

from __future__ import annotations

import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import arena
from arena.records.base import Tally
from tests.golden import Wording

PLAYERS = ["monkey", "tictactoe1", "tictactoe2"]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    played = tmp_path_factory.mktemp("watching") / "s.db"
    arena.tournament(PLAYERS, n=12, seed=3, store=played, engine="calls")
    return played


@pytest.fixture
def store(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(played, tmp_path))


def totals(connection: sqlite3.Connection) -> dict[str, Tally]:
    """Count the games of the store anew, by SQL."""
    result = dict.fromkeys(PLAYERS, Tally())
    query = """
        SELECT a.name, b.name, half, outcome FROM games
        JOIN fights ON fights.run = games.run AND fights.number = games.fight
        JOIN players a ON a.run = games.run AND a.place = fights.a
        JOIN players b ON b.run = games.run AND b.place = fights.b
    """
    for *names, half, outcome in connection.execute(query):
        first, second = names if half == 1 else names[::-1]
        own = {"first": Tally(1, 0, 0), "draw": Tally(0, 1, 0), "second": Tally(0, 0, 1)}[outcome]
        result[first] += own
        result[second] += own.reversed()
    return result


def seen(watched: arena.records.Watched) -> dict[str, Tally]:
    return {row.player: row.total for row in watched.standings}


def test_a_look_has_what_the_result_has(store: Path) -> None:
    watched, result = arena.plugin.watch(store)(), arena.show(store)
    assert isinstance(result, arena.records.TournamentResult)
    rows = result.as_json()["standings"]
    expected = {r["player"]: Tally(r["wins"], r["draws"], r["losses"]) for r in rows}
    assert seen(watched) == expected
    assert (watched.is_complete, watched.played, watched.planned) == (True, 72, 72)
    scores = [float(row.total.points) for row in watched.standings]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("seed", range(3))
def test_pairs_that_come_in_any_order_are_counted_once(store: Path, seed: int) -> None:
    rng = random.Random(seed)
    with closing(sqlite3.connect(store)) as connection, connection:
        rows = connection.execute("SELECT * FROM games").fetchall()
        connection.execute("DELETE FROM games")
    pairs = sorted({row[:3] for row in rows})
    rng.shuffle(pairs)
    look = arena.plugin.watch(store)
    while pairs:
        now = {pairs.pop() for _ in range(min(len(pairs), rng.randint(1, 6)))}
        with closing(sqlite3.connect(store)) as connection, connection:
            new = [row for row in rows if row[:3] in now]
            connection.executemany(f"INSERT INTO games VALUES ({','.join('?' * len(new[0]))})", new)
            expected = totals(connection)
        watched = look()
        assert seen(watched) == expected
        assert all(game.position is not None for game in watched.games)
        latest = {(game.game, frozenset(game.players)) for game in watched.games}
        assert len(latest) == min(6, watched.played)
    assert look().played == 72


def test_games_that_are_played_anew_are_counted_anew(store: Path) -> None:
    look = arena.plugin.watch(store)
    look()
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("DELETE FROM games WHERE fight = 1 AND pair > 2")
        expected = totals(connection)
    assert seen(look()) == expected


def test_the_latest_games_end_as_they_did(store: Path) -> None:
    for game in arena.plugin.watch(store)().games:
        assert game.position is not None
        outcome = game.position.outcome()
        assert outcome is not None
        assert outcome.value == game.outcome


@pytest.mark.slow
def test_forfeits_are_counted_for_who_forfeits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text("def choose(position, rng):\n    return -1\n")
    arena.fight("./bot.py", "monkey", n=3, seed=1, store="s.db", isolation="none")
    rows = {row.player: row.forfeits for row in arena.plugin.watch("s.db")().standings}
    assert rows == {"./bot.py": 6, "monkey": 0}


def test_a_run_that_is_not_there_is_named(store: Path, wording: Wording) -> None:
    with wording.raises(arena.UsageError):
        arena.plugin.watch(store, 7)


def test_a_file_and_a_server_tell_the_same(backend: str) -> None:
    arena.fight("monkey", "tictactoe1", n=5, seed=1, store=backend, engine="calls")
    watched = arena.plugin.watch(backend)()
    assert (watched.is_complete, watched.played, len(watched.games)) == (True, 10, 6)
    result = arena.show(backend)
    assert isinstance(result, arena.records.FightResult)
    assert seen(watched)["monkey"] == result.total
