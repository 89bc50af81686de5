"""``arena fight A B C`` at one table: what it prints, and what becomes of a game with a forfeit."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.golden import Wording

GAME = ("--game", "mnk-4-4-3-x3")
#: Plays to square 0 only, which is legal once in each game.
STUBBORN = "def choose(position, rng):\n    return 0\n"


@pytest.fixture
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "bot.py").write_text(STUBBORN)
    monkeypatch.chdir(tmp_path)
    return "bot.py"


def test_three_players_have_standings_seats_and_ratings(run: Run, wording: Wording) -> None:
    ran = run("fight", "monkey", "a=monkey", "b=monkey", "-n", "4", "--seed", "1", *GAME)
    assert (ran.code, ran.err) == (0, "")
    wording(ran.out)


def test_the_tables_of_a_tournament_are_a_sheet(run: Run, wording: Wording) -> None:
    players = ("monkey", "a=monkey", "b=monkey", "c=monkey")
    ran = run("tournament", *players, "-n", "2", "--seed", "1", *GAME, "--table", "pairings")
    assert (ran.code, ran.err) == (0, "")
    wording(ran.out)


@pytest.mark.slow
def test_a_program_that_does_not_start_forfeits_and_the_others_play(
    run: Run, wording: Wording
) -> None:
    ran = run("fight", "cmd:true", "monkey", "a=monkey", "-n", "1", "--seed", "1", *GAME)
    assert (ran.code, ran.err) == (0, "")
    wording.line(ran.out, "true ", "(crash 3)")


def test_a_player_of_lines_for_two_is_refused(run: Run, wording: Wording) -> None:
    ran = run("fight", "lines", "monkey", "a=monkey", "-n", "1", *GAME)
    assert (ran.code, ran.out) == (2, "")
    wording(ran.err)


def test_a_file_of_pgn_is_refused_before_a_game_is_played(run: Run, bot: str) -> None:
    ran = run("fight", bot, "monkey", "a=monkey", "-n", "1", *GAME, "--pgn", "games.pgn")
    assert (ran.code, ran.out) == (2, "")
    assert not Path("games.pgn").exists()


@pytest.mark.slow
def test_a_game_with_a_forfeit_is_kept_verified_exported_and_shown(run: Run, bot: str) -> None:
    options = ("-n", "2", "--seed", "3", *GAME)
    fought = run("fight", bot, "monkey", "a=monkey", *options, "--store", "tables.db")
    assert fought.code == 0
    assert "bot forfeited 6 of 6 games (illegal 6)" in fought.out
    assert "6 games in 1 run agree" in run("verify", "tables.db").out
    exported = json.loads(run("export", "tables.db", "--format", "json").out)
    games = exported["runs"][0]["fights"][0]["games"]
    assert len(games) == 6
    for game in games:
        assert game["players"][game["forfeits"][0]["seat"]] == "./bot.py"
        assert sorted(game["payoffs"]) == ["0", "0", "1"]
        output = run("replay", game["game_id"], "--store", "tables.db").out
        assert "bot.py forfeits (illegal)" in output
        assert run("replay", game["game_id"], "--player", "a=monkey").out == output
    assert run("report", "tables.db", "--output", "report.html").code == 0
    assert "bot.py" in Path("report.html").read_text()


@pytest.fixture
def store(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a store with a tournament of tables."""
    monkeypatch.chdir(tmp_path)
    players = ("a=monkey", "b=monkey", "c=monkey", "d=monkey")
    ran = run("tournament", *players, "-n", "1", "--seed", "1", *GAME, "--store", "tables.db")
    assert ran.code == 0, ran.err
    return "tables.db"


def test_forfeits_of_tables_are_always_counted(store: str, run: Run, wording: Wording) -> None:
    before = run("show", store).out
    ran = run("show", "tables.db", "--count-forfeits", "none")
    assert (ran.code, ran.out) == (2, "")
    wording(ran.err)
    assert not Path("pages").exists()
    assert run("show", store).out == before
    assert "12 games in 1 run agree" in run("verify", store).out


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        "payoffs = 'x y z'",
        "payoffs = '1 0'",
        "payoffs = NULL",
        "forfeit_side = 9, reason = 'timeout', message = 'x'",
        "reason = 'timeout'",
        "outcome = 'x'",
        "moves = '1 1'",
        """note = '{"forfeits": [{"seat": -1, "ply": 0, "reason": "x", "message": "x"}]}'""",
    ],
)
def test_a_changed_row_is_found_and_nothing_shows_it_in_a_traceback(
    change: str, store: str, run: Run, wording: Wording
) -> None:
    with closing(sqlite3.connect(store)) as database:
        database.execute(f"UPDATE games SET {change} WHERE fight = 0 AND pair = 1 AND half = 1")
        database.commit()
    ran = run("verify", store)
    assert (ran.code, ran.err) == (1, ""), ran.err
    wording(ran.out)
    for words in (
        ("show", store),
        ("browse", store),
        ("export", store, "--format", "csv"),
        ("report", store, "--output", "page.html"),
        ("rate", store),
    ):
        ran = run(*words)
        assert ran.code in (0, 2, 4), words
        assert "Traceback" not in ran.err, words
        assert ran.err.count("\n") <= 1, words
