"""Plugins: how they are loaded, what they may offer, and what becomes of those that fail."""

from __future__ import annotations

import importlib
import json
import os
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from textwrap import dedent
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import arena
from arena.errors import AmbiguousName, UnknownName, describe
from arena.games.mnk import mnk_game
from arena.plugin import hookspecs
from arena.plugin.catalogue import BrokenPlugin, Catalogue
from arena.plugin.manager import (
    DISABLE,
    PluginManager,
    create_plugin_manager,
    load_catalogue,
    load_plugins,
)
from arena.plugin.registers import PlayerRegister
from arena.plugin.registry import Registry
from tests.plugin import test_observers

#: Runs a command and returns (code, out, err).
Run = Callable[..., Any]

HOOKS = [name for name in vars(hookspecs) if name.startswith("arena_")]


class Site:
    """A folder on the path into which distributions are installed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def install(self, distribution: str, entries: str, version: str = "1.0", **code: str) -> None:
        """Install modules under ``arena_test_NAME``, and entry points ``NAME`` or ``NAME = VALUE``.

        An entry point without a value is the module of its name.
        """
        for name, text in code.items():
            path = self.folder / f"arena_test_{name}.py"
            path.write_text("import arena\n" + dedent(text), encoding="utf-8")
        info = self.folder / f"{distribution.replace('-', '_')}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n"
        )
        lines = [
            entry if "=" in entry else f"{entry} = arena_test_{entry}"
            for entry in entries.split(", ")
        ]
        (info / "entry_points.txt").write_text("\n".join(["[arena]", *lines, ""]))
        importlib.invalidate_caches()


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """Where to install; two plugins without a fault are there, loaded first and last of all."""
    monkeypatch.delenv(DISABLE, raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    site = Site(tmp_path)
    site.install("aaa", "aaa", aaa=offering("first-of-all"))
    site.install("zzz", "zzz", zzz=offering("last-of-all"))
    yield site
    for name in [name for name in sys.modules if name.startswith("arena_test_")]:
        del sys.modules[name]


def offering(*players: str) -> str:
    """The code of a plugin that offers players, each of which takes the lowest legal move."""
    return f"""
def choose(position, rng):
    return position.legal_moves()[0]

@arena.hookimpl
def arena_register_players(register):
    for name in {players!r}:
        register(name, choose)
"""


def names(catalogue: Catalogue) -> set[str]:
    """The players that are listed."""
    return {name for name, _ in catalogue.players}


def check_the_rest(catalogue: Catalogue) -> None:
    """The faultless plugins and arena's own have lost nothing."""
    built_in = {info.name for _, info in load_built_in().players}
    assert {"first-of-all", "last-of-all", "monkey"} <= names(catalogue)
    assert built_in <= names(catalogue)
    assert {"json", "table"} <= {name for name, _ in catalogue.reports}
    assert {"processes", "serial"} <= {name for name, _ in catalogue.executors}
    assert catalogue.game("tictactoe").name == "tictactoe"
    result = arena.fight("first-of-all", "last-of-all", n=1, executor="serial", catalogue=catalogue)
    assert (result.total.games, result.a.forfeits, result.b.forfeits) == (2, {}, {})


def load_built_in() -> Catalogue:
    """What arena's own plugins offer."""
    manager = PluginManager()
    for name in ("games", "executors", "reports"):
        manager.register(importlib.import_module(f"arena.plugins.{name}"), name)
    manager.register(importlib.import_module("arena.players.monkey"), "monkey")
    return load_plugins(manager).catalogue


def the_broken(catalogue: Catalogue) -> BrokenPlugin:
    """The only complaint there is, which must be one line."""
    (broken,) = catalogue.broken
    assert "\n" not in broken.error
    return broken


def lowest(position: arena.Position, rng: random.Random) -> int:
    """The lowest legal move.

    There is more to say about it.
    """
    return position.legal_moves()[0]


@arena.hookimpl
def arena_register_players(register: PlayerRegister) -> None:
    """The hook of the plugins that are made inline."""
    register("inline", lowest)


# -- every hook --------------------------------------------------------------------------------


def test_every_hook_has_a_test_and_is_described() -> None:
    assert len(HOOKS) >= 10
    tests = {**globals(), **vars(test_observers)}
    missing = [name for name in HOOKS if not callable(tests.get(f"test_hook_{name}"))]
    assert missing == []
    assert all(vars(hookspecs)[name].__doc__ for name in HOOKS)


def test_hook_arena_register_games(site: Site, run: Run) -> None:
    site.install(
        "wide",
        "wide",
        wide="""
        from arena.games.mnk import mnk_game

        @arena.hookimpl
        def arena_register_games(register):
            register("wide-{n}", lambda n: mnk_game(n, 2, 2), summary="n columns, two rows")
        """,
    )
    assert arena.get_game("wide-5") == mnk_game(5, 2, 2)
    assert run("fight", "monkey", "first-of-all", "-n", "2", "--game", "wide-4").code == 0
    games = json.loads(run("games", "--format", "json").out)["games"]
    assert {"name": "wide-{n}", "summary": "n columns, two rows"} in games


def test_hook_arena_register_players(site: Site, run: Run) -> None:
    site.install(
        "smart-players",
        "smart",
        "2.5",
        smart="""
        def choose(position, rng):
            '''The highest move.'''
            return position.legal_moves()[-1]

        @arena.hookimpl
        def arena_register_players(register):
            claims = ("never-loses:mnk-1-1-1",)
            register("high", choose, games="mnk-*", deterministic=True, claims=claims)
        """,
    )
    players = json.loads(run("players", "--format", "json").out)["players"]
    assert [player for player in players if player["name"] == "high"] == [
        {
            "name": "high",
            "version": "2.5",
            "distribution": "smart-players",
            "games": ["mnk-*"],
            "deterministic": True,
            "stateless": True,
            "claims": ["never-loses:mnk-1-1-1"],
            "summary": "The highest move.",
            "options": None,
        }
    ]
    start = arena.get_game("mnk-2-3-2").start()
    assert arena.distribution("high", start) == {5: Fraction(1)}


def test_hook_arena_register_protocols(
    site: Site, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    site.install(
        "echo",
        "echo",
        echo="""
        import arena

        class First(arena.Client):
            def __init__(self, options):
                self.options = options

            def choose(self, talk, turn):
                talk.say(turn.game.format_move(turn.position.legal_moves()[0]))
                return turn.game.parse_move(talk.hear())

        class Last:
            def __init__(self, path, apart):
                assert not apart
                self.name = open(path).read().strip()

            def start(self, game, side, rng):
                pass

            def choose(self, position):
                assert self.name == "last"
                return position.legal_moves()[-1]

        @arena.hookimpl
        def arena_register_protocols(register):
            register("first", client=First, summary="echoes")
            register("last", file=Last, games=("tictactoe",))
        """,
    )
    Path("last.txt").write_text("last")
    fight = ["fight", "first:cat", "last:./last.txt", "-n", "1", "--isolation", "none"]
    ran = run(*fight, "--format", "csv")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[-1] == "total,first:cat,last:./last.txt,2,1,0,1,0.5"
    assert run("fight", "last:./none.txt", "monkey").code == 2
    assert run("fight", "last:./last.txt", "monkey", "--game", "tictactoe-4").code == 2
    assert "takes no options" in run("fight", "last,a=b:./last.txt", "monkey").err


def test_hook_arena_register_executors(site: Site, run: Run, tmp_path: Path) -> None:
    log = tmp_path / "log"
    site.install(
        "crews",
        "crews",
        crews=f"""
        from arena.executors.serial import SerialExecutor

        class Logging(SerialExecutor):
            def __init__(self, workers):
                super().__init__(workers)
                with open({str(log)!r}, "a") as file:
                    file.write(f"{{workers}} ")

        @arena.hookimpl
        def arena_register_executors(register):
            register("logging", Logging)
        """,
    )
    fight = partial(run, "fight", "monkey", "monkey", "-n", "5", "--seed", "1")
    assert fight("--executor", "logging", "-j", "3") == fight()
    assert log.read_text() == "3 "


def test_hook_arena_register_schedules(site: Site, run: Run) -> None:
    site.install(
        "pairs",
        "pairs",
        pairs="""
        @arena.hookimpl
        def arena_register_schedules(register):
            register("first", first, argument="N", summary="the first N rounds")

        def first(text):
            if not text.isdigit():
                raise arena.UsageError(f"first:N takes a number, not {text}")
            names = lambda known: [known.entrants[:2]] if len(known.rounds) < int(text) else []
            return names
        """,
    )
    play = partial(run, "tournament", "monkey", "lines", "tree", "-n", "2", "--seed", "1")
    played = json.loads(play("--schedule", "first:2", "--format", "json").out)
    assert played["schedule"] == "first:2"
    assert [[one["players"] for one in each] for each in played["rounds"]] == 2 * [
        [["monkey", "lines"]]
    ]
    assert [fight["pairs"] for fight in played["fights"]] == [4]
    wrong = play("--schedule", "first:x")
    assert (wrong.code, wrong.err) == (2, "arena: first:N takes a number, not x\n")


def test_hook_arena_register_reports(site: Site, run: Run) -> None:
    site.install(
        "short",
        "short",
        short="""
        @arena.hookimpl
        def arena_register_reports(register):
            register("keys", lambda record: " ".join(record.as_json()))
        """,
    )
    assert run("players", "--format", "keys").out == "schema players broken\n"
    assert run("games", "--format", "keys").out == "schema games\n"


COMMAND = """
def configure(parser):
    parser.add_argument("--times", type=int, default=1)

def run(arguments, catalogue):
    print("hello " * arguments.times + catalogue.player("monkey").name)
    return 3

@arena.hookimpl
def arena_add_command(commands):
    commands.add("hello", "greet the monkey", configure, run)
"""


def test_hook_arena_add_command(site: Site, run: Run) -> None:
    site.install("polite", "polite", polite=COMMAND)
    assert run("hello", "--times", "2") == (3, "hello hello monkey\n", "")
    assert "greet the monkey" in run("--help").out


PERCENT = """
import arena

def configure(parser):
    parser.add_argument("--share", help="100 % or %(less)s")

@arena.hookimpl
def arena_add_command(commands):
    commands.add("percent", "plays 50 % of the games, %(or) more, %d", configure, lambda a, c: 0)
"""


def test_percent_signs_in_a_plugin_harm_its_own_help_alone(site: Site, run: Run) -> None:
    site.install("percent", "percent", percent=PERCENT)
    helped = run("--help")
    assert (helped.code, helped.err) == (0, "")
    assert "plays 50 % of the games, %(or) more, %d" in " ".join(helped.out.split())
    assert run("fight", "--help").code == 0
    own = run("percent", "--help")
    assert (own.code, own.err.count("\n")) == (4, 1)
    assert "percent" in own.err


# -- what a plugin may be ----------------------------------------------------------------------


class WithStatic:
    """A class, not instantiated."""

    arena_register_players = staticmethod(arena_register_players)


class WithMethod:
    """A class whose instance is the plugin."""

    @arena.hookimpl
    def arena_register_players(self, register: PlayerRegister) -> None:
        register("inline", lowest)


@dataclass
class Unhashable:
    """As any dataclass that can change."""

    player: str = "inline"

    @arena.hookimpl
    def arena_register_players(self, register: PlayerRegister) -> None:
        register(self.player, lowest)


def a_module() -> ModuleType:
    """A module that is the plugin."""
    module = ModuleType("arena_test_inline")
    vars(module)["arena_register_players"] = arena_register_players
    return module


@pytest.mark.parametrize(
    "plugin",
    [
        a_module(),
        WithStatic,
        WithMethod(),
        Unhashable(),
        SimpleNamespace(arena_register_players=arena_register_players),
    ],
    ids=["module", "class", "object", "dataclass", "namespace"],
)
def test_a_plugin_is_a_module_or_any_object_with_hooks(site: Site, plugin: object) -> None:
    manager = create_plugin_manager()
    manager.register(plugin, "mine")
    catalogue = load_plugins(manager).catalogue
    assert catalogue.broken == []
    assert catalogue.player("inline").player is lowest
    check_the_rest(catalogue)


def test_an_installed_object_that_cannot_be_hashed_is_a_plugin_too(site: Site) -> None:
    code = """
        from dataclasses import dataclass

        @dataclass
        class Plugin:
            name: str

            @arena.hookimpl
            def arena_register_players(self, register):
                register(self.name, lambda position, rng: position.legal_moves()[0])

        plugin = Plugin("unhashable")
        """
    site.install("objects", "thing = arena_test_objects:plugin", objects=code)
    catalogue = load_catalogue()
    assert catalogue.broken == []
    assert catalogue.player("unhashable").package == "objects"
    check_the_rest(catalogue)


def test_a_hook_may_have_any_name_if_it_says_whose_it_is(site: Site) -> None:
    code = """
        @arena.hookimpl(specname="arena_register_players")
        def my_players(register):
            register("renamed", lambda position, rng: position.legal_moves()[0])
        """
    site.install("renaming", "renaming", renaming=code)
    catalogue = load_catalogue()
    assert catalogue.broken == []
    assert catalogue.player("renamed").package == "renaming"
    check_the_rest(catalogue)


def test_a_loaded_plugin_is_listed_with_where_it_comes_from(site: Site) -> None:
    (info,) = [info for info in load_catalogue().plugins if info.name == "aaa"]
    assert (info.package, info.version) == ("aaa", "1.0")
    assert info.file == str(site.folder / "arena_test_aaa.py")
    assert info.hooks == ("arena_register_players",)


def test_one_distribution_may_have_several_plugins(site: Site) -> None:
    site.install("both", "one, two", one=offering("p1"), two=offering("p2", "p3"))
    catalogue = load_catalogue()
    assert {catalogue.player(name).package for name in ("p1", "p2", "p3")} == {"both"}
    assert catalogue.broken == []


def test_a_manager_is_made_anew_each_time_and_knows_nothing_of_others(site: Site) -> None:
    first, second = create_plugin_manager(), create_plugin_manager()
    first.register(a_module(), "mine")
    first.leave_out("aaa", ValueError("why not"))
    assert "inline" in names(load_plugins(first).catalogue)
    assert "inline" not in names(load_plugins(second).catalogue)
    assert second.broken == []
    check_the_rest(load_plugins(second).catalogue)


# -- plugins that fail -------------------------------------------------------------------------

#: Code after which a plugin cannot be loaded or used, and the error that must be told.
FAULTS = {
    "missing import": ("import arena_test_not_there", "ModuleNotFoundError: No module named "),
    "missing name": ("from arena import not_there", "ImportError: cannot import name 'not_there'"),
    "syntax": ("def broken(:", "SyntaxError: "),
    "exit": ("raise SystemExit('bye')", "SystemExit: bye"),
    "several lines": ("raise ValueError('one\\ntwo')", "ValueError: one"),
    "no message": ("raise KeyError", "KeyError"),
    "argument": (
        "@arena.hookimpl\ndef arena_register_games(games): pass",
        "PluginError: hook 'arena_register_games': hookimpl definition: arena_register_games",
    ),
    "hook raises": (
        "@arena.hookimpl\ndef arena_register_reports(register): 1 / 0",
        "ZeroDivisionError: division by zero",
    ),
    "hook exits": (
        "@arena.hookimpl\ndef arena_register_reports(register): raise SystemExit",
        "SystemExit",
    ),
    "hook misuses its register": (
        "@arena.hookimpl\ndef arena_register_reports(register): register('keys')",
        "TypeError: ",
    ),
    "registers nonsense": (
        "@arena.hookimpl\ndef arena_register_reports(register): register('a b', str)",
        "PluginError: plugin faulty: 'a b' is not a name",
    ),
    "a message that cannot be read": (
        "class Silent(Exception):\n    def __str__(self): return 1 / 0\nraise Silent",
        "Silent",
    ),
    "cancelled": ("import asyncio\nraise asyncio.CancelledError('stop')", "CancelledError: stop"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_plugin_that_fails_is_named_with_its_error_and_the_rest_works(
    site: Site, run: Run, fault: str
) -> None:
    code, error = FAULTS[fault]
    site.install("faulty-dist", "faulty", faulty=f"{offering('of-faulty')}\n{code}\n")
    catalogue = load_catalogue()
    broken = the_broken(catalogue)
    assert (broken.plugin, broken.package) == ("faulty", "faulty-dist")
    assert broken.error.startswith(error)
    check_the_rest(catalogue)
    # A plugin is left out as a whole.
    assert "of-faulty" not in names(catalogue)
    assert "faulty" not in {info.name for info in catalogue.plugins}
    ran = run("plugins", "--format", "json")
    assert (ran.code, ran.err) == (0, "")
    assert [told["plugin"] for told in json.loads(ran.out)["broken"]] == ["faulty"]


@pytest.mark.parametrize("value", ["arena_test_faulty:nothing", "arena_test_faulty:a.b", "not it"])
def test_an_entry_point_that_leads_nowhere_is_named(site: Site, value: str) -> None:
    site.install("faulty-dist", f"lost = {value}", faulty="")
    catalogue = load_catalogue()
    broken = the_broken(catalogue)
    assert (broken.plugin, broken.package) == ("lost", "faulty-dist")
    check_the_rest(catalogue)


def test_a_distribution_whose_metadata_is_lost_does_not_stop_the_rest(site: Site) -> None:
    """As an uninstallation that was interrupted leaves it."""
    site.install("torn", "torn", torn=offering("of-torn"))
    (site.folder / "torn-1.0.dist-info" / "METADATA").unlink()
    importlib.invalidate_caches()
    check_the_rest(load_catalogue())


EVERYTHING = """
from arena.games.mnk import mnk_game

@arena.hookimpl
def arena_register_games(register):
    register("left-over", lambda: mnk_game(2, 2, 2))

@arena.hookimpl
def arena_register_players(register):
    register("left-over", lambda position, rng: 0)

@arena.hookimpl
def arena_register_executors(register):
    register("left-over", lambda workers: None)
"""


@pytest.mark.parametrize(
    "last",
    [
        "def arena_register_reports(register): register('left-over', str); 1 / 0",
        "def arena_register_reports(register): register('left-over', str); register('', str)",
        "def arena_register_reports(no_such_argument): pass",
    ],
    ids=["raises", "refused", "argument"],
)
def test_a_plugin_that_fails_at_last_leaves_nothing_behind(site: Site, last: str) -> None:
    site.install("faulty-dist", "faulty", faulty=f"{EVERYTHING}\n@arena.hookimpl\n{last}\n")
    manager = create_plugin_manager()
    catalogue = load_plugins(manager).catalogue
    registries: list[Registry[Any]] = [
        catalogue.families,
        catalogue.players,
        catalogue.executors,
        catalogue.reports,
    ]
    for registry in registries:
        with pytest.raises(UnknownName):
            registry.get("left-over")
    assert the_broken(catalogue).plugin == "faulty"
    assert not manager.has_plugin("faulty")
    assert "arena_test_faulty" not in {info.name for info in catalogue.plugins}
    check_the_rest(catalogue)


def test_the_faultless_version_of_that_plugin_offers_all_of_it(site: Site) -> None:
    site.install("faulty-dist", "faulty", faulty=EVERYTHING)
    catalogue = load_catalogue()
    assert catalogue.broken == []
    assert catalogue.game("left-over") == mnk_game(2, 2, 2)
    assert catalogue.player("left-over").package == "faulty-dist"


def test_several_plugins_that_fail_are_all_named(site: Site) -> None:
    for number in range(3):
        site.install(f"bad{number}", f"bad{number}", **{f"bad{number}": f"1 / 0  # {number}"})
    site.install("worse", "worse", worse="@arena.hookimpl\ndef arena_register_games(x): ...")
    catalogue = load_catalogue()
    assert sorted(broken.plugin for broken in catalogue.broken) == ["bad0", "bad1", "bad2", "worse"]
    check_the_rest(catalogue)


def test_other_commands_warn_of_a_broken_plugin_on_one_line_and_go_on(site: Site, run: Run) -> None:
    site.install("faulty-dist", "faulty", faulty="1 / 0")
    ran = run("fight", "monkey", "first-of-all", "-n", "1")
    assert ran.code == 0
    assert ran.err == (
        "arena: warning: plugin faulty: ZeroDivisionError: division by zero (see: arena plugins)\n"
    )


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("one\ntwo"), "ValueError: one"),
        (ValueError("  \n one"), "ValueError: one"),
        (KeyError("k"), "KeyError: 'k'"),
        (SystemExit(), "SystemExit"),
        (SystemExit(3), "SystemExit: 3"),
    ],
)
def test_an_error_is_described_on_one_line(error: BaseException, text: str) -> None:
    assert describe(error) == text


# -- commands that fail ------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["hello", "games", "plugins"])
def test_a_command_that_two_plugins_add_is_refused_and_both_are_named(
    site: Site, run: Run, name: str
) -> None:
    """As any name offered twice; one of the two may be the arena itself."""
    code = COMMAND.replace('"hello"', repr(name))
    site.install("thief", "thief", thief=code)
    if name == "hello":
        site.install("rightful", "rightful", rightful=code)
    ran = run(name)
    assert (ran.code, ran.out) == (2, "")
    message = ran.err.splitlines()[-1]
    assert message.startswith(f"arena: command {name!r} is offered by ")
    assert "thief 1.0" in message
    assert ("rightful 1.0" if name == "hello" else "arena") in message
    ran = run("players")
    assert ran.code == 0
    assert f"warning: command {name!r} is offered by " in ran.err


def test_a_plugin_that_fails_to_add_its_command_is_left_out_as_a_whole(
    site: Site, run: Run
) -> None:
    site.install("half", "half", half=offering("of-half") + COMMAND + "    1 / 0\n")
    ran = run("hello")
    assert ran.code == 2
    assert "unknown command 'hello'" in ran.err
    listing = json.loads(run("players", "--format", "json").out)
    assert [broken["plugin"] for broken in listing["broken"]] == ["half"]
    assert "of-half" not in {player["name"] for player in listing["players"]}
    plugins = json.loads(run("plugins", "--format", "json").out)["plugins"]
    assert "half" not in {plugin["name"] for plugin in plugins}


def test_a_failing_command_hides_no_other_complaint(site: Site, run: Run) -> None:
    site.install("half", "half", half=COMMAND + "    1 / 0\n")
    site.install("twin-a", "twin_a", twin_a=offering("twin"))
    site.install("twin-b", "twin_b", twin_b=offering("twin"))
    site.install("odd", "odd", odd="@arena.hookimpl\ndef arena_unheard_of(): ...")
    broken = json.loads(run("plugins", "--format", "json").out)["broken"]
    assert {told["plugin"] for told in broken} == {"half", "odd", ""}


@pytest.mark.parametrize(
    "line",
    ["1 / 0", "raise SystemExit(7)", "parser.add_argument('-v')", "parser.add_argument('bad name'"],
    ids=["raises", "exits", "takes -v", "syntax"],
)
def test_a_command_that_cannot_be_configured_does_not_stop_the_others(
    site: Site, run: Run, line: str
) -> None:
    code = COMMAND.replace('parser.add_argument("--times", type=int, default=1)', line)
    site.install("half", "half", half=code)
    ran = run("games")
    assert (ran.code, "mnk-{m}-{n}-{k}" in ran.out) == (0, True)


@pytest.mark.parametrize("make", ["lambda n: 1 // n", "lambda n: n"])
def test_a_maker_that_breaks_its_contract_is_told_without_a_traceback(
    site: Site, run: Run, make: str
) -> None:
    code = f"@arena.hookimpl\ndef arena_register_games(register): register('odd-{{n}}', {make})\n"
    site.install("odd-dist", "odd", odd=code)
    ran = run("fight", "monkey", "monkey", "--game", "odd-0")
    assert ran.code in (2, 4)
    assert ran.err.startswith("arena: ")
    assert len(ran.err.splitlines()) == 1
    assert "odd-0" in ran.err


# -- names offered twice -----------------------------------------------------------------------


def test_a_player_of_two_distributions_is_refused_and_both_are_named(site: Site, run: Run) -> None:
    site.install("twin-a", "twin_a", "1.5", twin_a=offering("twin", "only-a"))
    site.install("twin-b", "twin_b", "2.5", twin_b=offering("twin", "only-b"))
    catalogue = load_catalogue()
    with pytest.raises(AmbiguousName) as caught:
        catalogue.player("twin")
    assert "twin-a 1.5" in str(caught.value)
    assert "twin-b 2.5" in str(caught.value)
    assert "twin" not in names(catalogue)
    assert {"only-a", "only-b"} <= names(catalogue)
    assert the_broken(catalogue).error == str(caught.value)
    check_the_rest(catalogue)
    ran = run("fight", "twin", "monkey")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.splitlines()[-1] == f"arena: {caught.value}"
    listed = json.loads(run("players", "--format", "json").out)["players"]
    assert "twin" not in {player["name"] for player in listed}


def test_a_plugin_cannot_pass_for_a_built_in_player(site: Site) -> None:
    site.install("impostor", "impostor", impostor=offering("monkey"))
    with pytest.raises(AmbiguousName, match=r"impostor 1\.0 and by proving-arena "):
        load_catalogue().player("monkey")


def test_leaving_one_of_two_out_gives_the_name_to_the_other(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.install("twin-a", "twin_a", twin_a=offering("twin"))
    site.install("twin-b", "twin_b", twin_b=offering("twin"))
    monkeypatch.setenv(DISABLE, "twin_a")
    assert load_catalogue().player("twin").package == "twin-b"
    monkeypatch.setenv(DISABLE, "twin_b")
    assert load_catalogue().player("twin").package == "twin-a"


@pytest.mark.parametrize(
    ("hook", "register", "option"),
    [
        ("arena_register_games", "lambda: None", "--game"),
        ("arena_register_executors", "lambda workers: None", "--executor"),
        ("arena_register_reports", "str", "--format"),
    ],
)
def test_other_names_that_two_offer_are_refused_as_well(
    site: Site, run: Run, hook: str, register: str, option: str
) -> None:
    code = f"@arena.hookimpl\ndef {hook}(register): register('twin', {register})\n"
    site.install("twin-a", "twin_a", twin_a=code)
    site.install("twin-b", "twin_b", twin_b=code)
    broken = the_broken(load_catalogue())
    assert "twin-a 1.0 and by twin-b 1.0" in broken.error
    if option != "--game":
        ran = run("fight", "monkey", "monkey", option, "twin")
        assert (ran.code, ran.err.splitlines()[-1]) == (2, f"arena: {broken.error}")
    check_the_rest(load_catalogue())


def test_a_game_that_two_distributions_offer_is_refused(site: Site) -> None:
    code = """
        from arena.games.mnk import mnk_game

        @arena.hookimpl
        def arena_register_games(register):
            register("twin-{n}", lambda n: mnk_game(n, n, n))
        """
    site.install("twin-a", "twin_a", twin_a=code)
    site.install("twin-b", "twin_b", twin_b=code)
    with pytest.raises(AmbiguousName, match="twin-a"):
        arena.get_game("twin-3")


def test_a_game_of_two_templates_is_refused(site: Site) -> None:
    code = """
        from arena.games.mnk import mnk_game

        @arena.hookimpl
        def arena_register_games(register):
            register("mnk-{a}-{b}-{c}", lambda *numbers: mnk_game(1, 1, 1))
        """
    site.install("impostor", "impostor", impostor=code)
    with pytest.raises(AmbiguousName, match=r"impostor 1\.0 and by proving-arena "):
        arena.get_game("mnk-5-4-4")


def test_two_distributions_with_one_plugin_name_are_both_loaded(site: Site) -> None:
    site.install("same-a", "same = arena_test_sa", sa=offering("from-a"))
    site.install("same-b", "same = arena_test_sb", sb=offering("from-b"))
    catalogue = load_catalogue()
    assert {"from-a", "from-b"} <= names(catalogue)
    assert catalogue.broken == []
    loaded = [info for info in catalogue.plugins if info.package.startswith("same-")]
    assert len({info.name for info in loaded}) == 2
    assert all("same" in info.name for info in loaded)


def test_two_distributions_with_one_plugin_name_are_told_apart_when_one_fails(site: Site) -> None:
    site.install("same-a", "same = arena_test_sa", sa=offering("from-a"))
    site.install("same-b", "same = arena_test_sb", sb="1 / 0")
    catalogue = load_catalogue()
    assert the_broken(catalogue).package == "same-b"
    assert "from-a" in names(catalogue)


def test_two_plugins_of_one_object_do_no_harm(site: Site) -> None:
    site.install("echo", "echo, echo2 = arena_test_echo", echo=offering("echo"))
    catalogue = load_catalogue()
    assert catalogue.player("echo").package == "echo"
    check_the_rest(catalogue)


# -- leaving plugins out -----------------------------------------------------------------------


@pytest.mark.parametrize("value", ["one,two", " one , two ", "two,one,", ",one,,two"])
def test_plugins_that_are_disabled_are_not_loaded(
    site: Site, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    site.install("both", "one, two, three", one="1 / 0", two="1 / 0", three=offering("third"))
    monkeypatch.setenv(DISABLE, value)
    catalogue = load_catalogue()
    assert catalogue.broken == []
    assert "third" in names(catalogue)
    assert not {"arena_test_one", "arena_test_two"} & set(sys.modules)
    check_the_rest(catalogue)


def test_disabling_what_is_not_there_is_reported(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(DISABLE, "monky")
    (broken,) = load_catalogue().broken
    assert "names no plugin 'monky', did you mean 'monkey'?" in str(broken)


def test_a_built_in_player_can_be_disabled_too(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DISABLE, "monkey")
    with pytest.raises(UnknownName):
        arena.get_player("monkey")
    assert arena.get_player("triples").name == "triples"


def test_every_plugin_can_be_disabled_by_the_name_it_is_listed_under(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two plugins with one name, too: the arena's advice for a clash is to leave one out."""
    site.install("same-a", "same = arena_test_sa", sa=offering("twin"))
    site.install("same-b", "same = arena_test_sb", sb=offering("twin"))
    listed = {info.name: info.package for info in load_catalogue().plugins}
    for name, package in listed.items():
        if package.startswith("same-"):
            monkeypatch.setenv(DISABLE, name)
            left = load_catalogue()
            assert left.broken == []
            assert left.player("twin").package != package


def test_disabling_is_read_from_the_environment_at_each_call(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert DISABLE not in os.environ
    assert "first-of-all" in names(load_catalogue())
    monkeypatch.setenv(DISABLE, "aaa")
    assert "first-of-all" not in names(load_catalogue())


# -- hooks that arena does not have ------------------------------------------------------------


def test_an_unknown_hook_is_told_with_the_nearest_one(site: Site, run: Run) -> None:
    code = offering("known") + "\n@arena.hookimpl\ndef arena_register_player(register): 1 / 0\n"
    site.install("odd-dist", "odd", odd=code)
    catalogue = load_catalogue()
    assert catalogue.broken == [
        BrokenPlugin(
            "odd",
            "odd-dist",
            "unknown hook 'arena_register_player', did you mean 'arena_register_players'?",
        )
    ]
    assert "known" in names(catalogue)
    check_the_rest(catalogue)
    assert "arena: warning: plugin odd: unknown hook" in run("players").err


def test_an_unknown_hook_that_is_near_to_none_is_told_without_advice(site: Site) -> None:
    site.install("odd", "odd", odd="@arena.hookimpl\ndef zzzzzzzz(): ...")
    assert the_broken(load_catalogue()).error == "unknown hook 'zzzzzzzz'"


def test_the_same_unknown_hook_of_two_plugins_is_told_of_both(site: Site) -> None:
    for name in ("odd1", "odd2"):
        site.install(name, name, **{name: "@arena.hookimpl\ndef arena_wrong(): ..."})
    assert {broken.plugin for broken in load_catalogue().broken} == {"odd1", "odd2"}
