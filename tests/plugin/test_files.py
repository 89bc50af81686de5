"""Plugins in files, and plugins that one command leaves out: ``arena -p``."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent

import pytest

import arena
from arena.errors import AmbiguousName, UnknownName
from arena.plugin.manager import DISABLE
from tests.conftest import Run
from tests.golden import Wording
from tests.plugin.sites import Site, names, offering

#: A plugin with a player, a game whose class is its own, an executor and a command.
PLUGIN = """
import arena
from arena.executors.processes import ProcessExecutor

class Own(arena.plugin.MnkGame):
    def __init__(self):
        super().__init__("own", 3, 3, [[0, 1, 2], [3, 4, 5], [6, 7, 8]])

    def __reduce__(self):
        return Own, ()

def choose(position, rng, place=0):
    '''Plays low.'''
    legal = position.legal_moves()
    return legal[min(place, len(legal) - 1)]

def spawning(workers):
    return ProcessExecutor(workers, "spawn")

@arena.hookimpl
def arena_register_games(register):
    register("own", Own)

@arena.hookimpl
def arena_register_players(register):
    register("mine", choose, options={"place": arena.plugin.whole(0, 8)})

@arena.hookimpl
def arena_register_executors(register):
    register("spawning", spawning)

@arena.hookimpl
def arena_add_command(commands):
    commands.add("hello", "greet", lambda parser: None, lambda arguments, catalogue: print("hello"))
"""

FIGHT = ("fight", "mine", "monkey", "-n", "8", "--seed", "3", "--format", "json")


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the name of a plugin file in the current folder."""
    monkeypatch.delenv(DISABLE, raising=False)
    monkeypatch.chdir(tmp_path)
    Path("arenafile.py").write_text(PLUGIN)
    return "./arenafile.py"


def test_a_plugin_file_is_loaded_when_it_is_named_and_never_else(
    plugin: str, run: Run, wording: Wording
) -> None:
    assert run("-p", plugin, *FIGHT).code == 0
    wording(run(*FIGHT).err, "'mine'")
    assert run("-p", plugin, "hello").out == "hello\n"
    assert run("-parenafile.py", "hello").out == "hello\n"
    wording(run("hello").err, "'hello'")
    assert "greet" in run("-p", plugin, "--help").out
    assert {path.name for path in Path().iterdir()} == {"arenafile.py"}  # and no bytecode


def test_a_plugin_file_is_listed_under_its_name(plugin: str, run: Run) -> None:
    listed = json.loads(run("-p", plugin, "plugins", "--format", "json").out)["plugins"]
    [own] = [one for one in listed if one["name"] == plugin]
    assert own["file"] == str(Path("arenafile.py").resolve())
    players = json.loads(run("-p", plugin, "players", "--format", "json").out)["players"]
    [mine] = [player for player in players if player["name"] == "mine"]
    assert (mine["distribution"], mine["options"]) == (plugin, "place=0..8")


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [("-j", "2"), ("-j", "2", "--executor", "spawning"), ("--executor", "serial")],
    ids=" ".join,
)
def test_workers_in_other_processes_know_the_plugin(
    plugin: str, run: Run, options: tuple[str, ...]
) -> None:
    alone = run("-p", plugin, *FIGHT, "-j", "1")
    assert json.loads(alone.out)["forfeits"] == {"mine": {}, "monkey": {}}
    assert run("-p", plugin, *FIGHT, *options) == alone


@pytest.mark.slow
def test_players_in_processes_of_their_own_know_the_plugin(plugin: str, run: Run) -> None:
    Path("bot.py").write_text("def choose(position, rng): return position.legal_moves()[0]\n")
    ran = run("-p", plugin, *FIGHT, "--isolate")
    assert (ran.code, json.loads(ran.out)["forfeits"]) == (0, {"mine": {}, "monkey": {}})
    fight = ("fight", "./bot.py", "mine:place=1", "-n", "2", "--seed", "1", "--format", "json")
    ran = run("-p", plugin, *fight, "--game", "own")
    assert (ran.code, ran.err) == (0, "")
    assert json.loads(ran.out)["forfeits"] == {"./bot.py": {}, "mine:place=1": {}}


@pytest.mark.slow
def test_fresh_interpreters_know_the_plugin(plugin: str, run: Run) -> None:
    ran = run("-p", plugin, "check", "mine", "--positions", "20", "--format", "json")
    levels = {one["check"]: one["level"] for one in json.loads(ran.out)["findings"]}
    assert (levels["pickling"], levels["fresh process"]) == ("pass", "pass")


@pytest.mark.slow
def test_a_command_that_plays_for_real_knows_the_plugin(plugin: str, run: Run) -> None:
    Path("bot.py").write_text("def choose(position, rng): return position.legal_moves()[0]\n")
    ran = run("-p", plugin, "exact", "./bot.py", "mine", "--isolation", "none")
    assert (ran.code, ran.err) == (0, "")


def test_a_stored_run_says_which_plugin_its_player_came_from(
    plugin: str, run: Run, wording: Wording
) -> None:
    ran = run("-p", plugin, *FIGHT, "--store", "s.db")
    missing = run("resume", "s.db")
    assert (missing.code, missing.out) == (2, "")
    wording(missing.err, "'mine'", "./arenafile.py")
    assert run("-p", plugin, "resume", "s.db", "--format", "json").out == ran.out
    assert run("show", "--store", "s.db", "--format", "json").out == ran.out
    assert run("verify", "s.db").code == 0


def test_a_stored_run_says_which_distribution_its_player_came_from(
    site: Site,
    run: Run,
    tmp_path: Path,
    wording: Wording,
) -> None:
    store = str(tmp_path / "s.db")
    assert run("tournament", "first-of-all", "monkey", "-n", "2", "--store", store).code == 0
    missing = run("-p", "no:aaa", "resume", store)
    assert missing.code == 2
    wording(missing.err, "'first-of-all'", "1.0")


@pytest.mark.slow
def test_a_changed_plugin_file_is_other_code(plugin: str, run: Run, wording: Wording) -> None:
    """In a process that has not loaded it before, as each command is."""
    Path("other.py").write_text(PLUGIN.replace("'''Plays low.'''", "'''Plays as low.'''"))
    Path("third.py").write_text(PLUGIN)
    digests = []
    for file in (plugin, "./other.py"):
        assert run("-p", file, *FIGHT, "--store", f"{Path(file).stem}.db").code == 0
        Path("third.py").write_text(PLUGIN)
        digests.append(run("-p", "./third.py", "resume", f"{Path(file).stem}.db").err)
    wording(digests, "mine")


def test_a_catalogue_takes_the_same_words(plugin: str) -> None:
    catalogue = arena.plugin.load_catalogue([plugin, "no:lms"])
    assert {"mine", "monkey"} <= names(catalogue)
    assert "lms" not in names(catalogue)
    result = arena.fight("mine", "monkey", n=2, seed=1, catalogue=catalogue)
    assert result.total.games == 4


# -- files that cannot be used -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "exit_code"),
    [
        ("import arena\n\n1 / 0\n", 4),
        ("def broken(:\n", 4),
        ("import no_such_module\n", 4),
        ("raise SystemExit(0)\n", 4),
        (PLUGIN.replace("choose(position, rng, place=0)", "choose(position)"), 4),
        (
            "import arena\n@arena.hookimpl(wrapper=True)\n"
            "def arena_register_players(register): yield\n",
            4,
        ),
    ],
)
def test_a_plugin_file_that_does_not_work_ends_the_command(
    plugin: str, run: Run, code: str, exit_code: int, wording: Wording
) -> None:
    Path("bad.py").write_text(code)
    ran = run("-p", "./bad.py", "players")
    assert (ran.code, ran.out) == (exit_code, "")
    wording(ran.err)
    assert ran.err.count("\n") == 1


def test_a_plugin_file_without_a_hook_is_named(plugin: str, run: Run, wording: Wording) -> None:
    Path("empty.py").write_text("")
    ran = run("-p", "./empty.py", "players")
    assert ran.code == 0
    wording(ran.err, "./empty.py")


@pytest.mark.parametrize(
    "words",
    [
        ("-p",),
        ("-p", "./none.py", "players"),
        ("-p", "/", "players"),
        ("-p", "corner", "players"),
        ("-p", "", "players"),
        ("-p", "no:monky", "players"),
        ("-p", "no:", "players"),
        ("players", "-p", "no:monkey"),
    ],
)
def test_a_wrong_option_is_one_line(
    plugin: str, run: Run, words: tuple[str, ...], wording: Wording
) -> None:
    ran = run(*words)
    assert (ran.code, ran.out) == (2, "")
    wording(ran.err)
    assert ran.err.count("\n") == 1


# -- leaving plugins out -----------------------------------------------------------------------


def test_a_plugin_is_left_out_for_one_command(
    site: Site,
    run: Run,
) -> None:
    site.install("both", "one, two", one="1 / 0", two=offering("second"))
    ran = run("-p", "no:one", "-p", "no:monkey", "players")
    assert (ran.code, ran.err) == (0, "")
    assert "second" in ran.out
    assert "monkey" not in ran.out
    assert "monkey" in run("players").out
    assert run("-p", "no:one", "--help").code == 0


def test_leaving_one_of_two_out_gives_the_name_to_the_other(site: Site, wording: Wording) -> None:
    for name in ("twin_a", "twin_b"):
        site.install(name, name, **{name: offering("twin")})
    with wording.raises(AmbiguousName):
        arena.plugin.load_catalogue().player("twin")
    assert arena.plugin.load_catalogue(["no:twin_a"]).player("twin").package == "twin_b"
    with pytest.raises(UnknownName):
        arena.plugin.load_catalogue(["no:twin_a", "no:twin_b"]).player("twin")


@pytest.mark.slow
def test_a_file_with_an_installed_players_name_is_not_taken_for_it(plugin: str, run: Run) -> None:
    Path("thief.py").write_text(dedent(f"import arena\n{offering('monkey')}"))
    play = ("fight", "monkey", "triples", "-n", "4", "--seed", "1", "--format", "csv")
    assert run("-p", "./thief.py", *play) == run(*play)
    assert run("-p", "./thief.py", "-p", "no:monkey", "fight", "monkey", "triples").code == 0
