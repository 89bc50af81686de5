"""Short ids: the games of the last result that was shown in a folder."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena.cli import last
from tests.golden import Wording
from tests.samples import few

if TYPE_CHECKING:
    from tests.conftest import Ran, Run

BOT = """
def choose(position, rng):
    if position.ply == 4:
        return 99
    return position.legal_moves()[-1]
"""
PLUGIN = """
import arena


def choose(position, rng):
    return position.legal_moves()[0]


@arena.hookimpl
def arena_register_players(register):
    register("mine", choose)
"""


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of one's own, with a bot, and the place where results are remembered."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    Path("bot.py").write_text(BOT)
    return tmp_path / "state" / "arena" / "last.json"


def fight(run: Run, *options: str) -> Ran:
    return run(
        "fight", "./bot.py", "monkey", "-n", "3", "--seed", "1", "--isolation", "none", *options
    )


def game_of(ran: Ran) -> str:
    assert (ran.code, ran.err) == (0, "")
    return str(json.loads(ran.out)["game_id"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("word", "game"), few([("1", "1.1"), ("4", "2.2"), ("last", "3.2"), ("006", "3.2")], 2)
)
def test_a_number_is_a_game_of_the_last_fight(run: Run, word: str, game: str) -> None:
    fight(run)
    games = game_of(run("replay", word, "--format", "json"))
    assert games == f"tictactoe/.%2Fbot.py/monkey/1/{game}"


@pytest.mark.slow
def test_lost_and_forfeited_games_are_those_that_the_result_names(run: Run) -> None:
    record = json.loads(fight(run, "--format", "json").out)
    [forfeit] = record["forfeited"]
    assert game_of(run("explain", "last-forfeit", "--format", "json")) == forfeit["game_id"]
    assert (
        game_of(run("replay", "last-loss", "--format", "json")) == record["first_lost"]["./bot.py"]
    )


def test_the_debugger_takes_a_player_by_its_short_name(run: Run, wording: Wording) -> None:
    fight(run)
    assert run("debug", "bot", "last-forfeit") == run("debug", "./bot.py", "last-forfeit")
    ran = run("debug", "./bot", "last-forfeit")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    wording(ran.err, "'./bot.py'")


@pytest.mark.slow
def test_the_debugger_takes_the_loss_of_its_player(run: Run) -> None:
    run("fight", "monkey", "./bot.py", "-n", "3", "--seed", "1", "--isolation", "none")
    ran = run("debug", "./bot.py", "last-forfeit")
    assert ran.code == 0
    assert "./bot.py forfeits" in ran.out


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["calls", "table"])
def test_every_number_is_a_game_of_the_tournament(run: Run, engine: str) -> None:
    players = ("monkey", "triples", "tictactoe1")
    pairs = "202" if engine == "table" else "2"
    ran = run("tournament", *players, "-n", pairs, "--seed", "1", "--engine", engine)
    assert ran.code == 0
    fights = [("monkey", "triples"), ("monkey", "tictactoe1"), ("triples", "tictactoe1")]
    start = 2 * int(pairs)
    for number, (a, b) in enumerate(fights):
        pair = f"table/{pairs}" if engine == "table" else pairs
        games = game_of(run("replay", str((number + 1) * start), "--format", "json"))
        assert games == f"tictactoe/{a}/{b}/1/{pair}.2"


@pytest.mark.slow
def test_openings_and_plugins_in_files_come_back(run: Run) -> None:
    Path("arenafile.py").write_text(PLUGIN)
    options = ("-n", "3", "--seed", "1", "--openings", "random:2")
    ran = run("-p", "./arenafile.py", "fight", "mine", "mine", *options)
    commands = [line.split("arena ")[1] for line in ran.out.splitlines() if "arena -p" in line]
    assert commands, "the command of a lost game has the plugin that it takes"
    shown = run("replay", "last-loss")
    assert shown.out in [run(*command.split()).out for command in commands]


@pytest.mark.slow
def test_the_games_of_a_store_are_numbered_as_they_are_listed(run: Run) -> None:
    fight(run, "--store", "s.db")
    chosen = ("--player", "./bot.py", "--lost")
    rows = json.loads(run("browse", "--store", "s.db", *chosen, "--format", "json").out)
    games = rows["games"]
    assert [row["n"] for row in games] == list(range(1, len(games) + 1))
    assert game_of(run("replay", "last", "--format", "json")) == games[-1]["game"]
    assert game_of(run("replay", "last-loss", "--format", "json")) == games[0]["game"]
    run("show", "--store", "s.db")
    assert game_of(run("replay", "1", "--format", "json")).endswith("/1.1")


@pytest.mark.parametrize(
    "word",
    few(
        [
            "7",
            "0",
            "9" * 30,
            "last-los",
            "tictactoe/./bot.py/monkey/1/1.1",
        ],
        2,
    ),
)
def test_a_wrong_id_is_one_line(run: Run, word: str, wording: Wording) -> None:
    fight(run)
    ran = run("replay", word)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    wording(ran.err)


def test_nobody_lost_and_nothing_shown_are_said(run: Run, state: Path, wording: Wording) -> None:
    wording(run("replay", "last").err)
    run("fight", "minimax", "minimax", "-n", "1", "--seed", "1")
    wording(run("replay", "last-loss").err)
    state.write_text("{}")
    assert (ran := run("replay", "1")).code == 2
    assert ran.err.count("\n") == 1
    fight(run)  # a broken file is written anew
    assert run("replay", "1").code == 0


@pytest.mark.parametrize(
    "entry", [{}, {"plugins": 1}, {"plugins": [], "isolation": {"players": {}}}, 7]
)
def test_a_broken_entry_is_one_line(run: Run, state: Path, entry: object) -> None:
    state.parent.mkdir(parents=True)
    state.write_text(
        json.dumps({"schema": last.LastResults.SCHEMA, "folders": {str(Path.cwd()): entry}})
    )
    ran = run("replay", "1")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)


def test_a_fight_succeeds_where_nothing_can_be_remembered(
    run: Run, state: Path, wording: Wording
) -> None:
    state.parent.parent.write_text("not a folder")
    ran = fight(run)
    assert (ran.code, ran.err.count("\n")) == (0, 1)
    wording(ran.err)


@pytest.mark.slow
def test_no_more_than_so_many_folders_are_kept(
    run: Run, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(last, "MAX_FOLDERS", 2)
    for name in ("a", "b", "a", "c"):
        Path(name).mkdir(exist_ok=True)
        with monkeypatch.context() as patch:
            patch.chdir(name)
            run("fight", "monkey", "triples", "-n", "1", "--seed", "1")
    folders = [Path(folder).name for folder in json.loads(state.read_text())["folders"]]
    assert folders == ["a", "c"]


@pytest.mark.slow
def test_commands_at_the_same_time_all_remember(state: Path) -> None:
    code = (
        "import os, sys; os.makedirs(sys.argv[1]); os.chdir(sys.argv[1]); import arena.main as c;"
    )
    code += "c.main(['fight', 'monkey', 'triples', '-n', '1', '-j', '1'])"
    started = [
        subprocess.Popen([sys.executable, "-c", code, str(n)], stdout=subprocess.DEVNULL)
        for n in range(4)
    ]
    assert [process.wait() for process in started] == [0] * 4
    assert {Path(folder).name for folder in json.loads(state.read_text())["folders"]} == set("0123")
