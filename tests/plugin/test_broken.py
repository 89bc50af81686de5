"""Plugins that fail: each is named with its error, and the rest works."""

from __future__ import annotations

import importlib
import json
from typing import Any

import pytest

from arena.errors import UnknownName
from arena.games.mnk import mnk_game
from arena.plugin.manager import create_plugin_manager, load_catalogue, load_plugins
from arena.plugin.registry import Registry
from tests.conftest import Run
from tests.golden import Wording
from tests.plugin.sites import Site, check_the_rest, names, offering, the_broken

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


@pytest.mark.slow
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
    assert [faults["plugin"] for faults in json.loads(ran.out)["broken"]] == ["faulty"]


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


def test_other_commands_warn_of_a_broken_plugin_on_one_line_and_go_on(
    site: Site, run: Run, wording: Wording
) -> None:
    site.install("faulty-dist", "faulty", faulty="1 / 0")
    ran = run("fight", "monkey", "first-of-all", "-n", "1")
    assert ran.code == 0
    wording(ran.err, "ZeroDivisionError")
