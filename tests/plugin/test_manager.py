"""Plugins: what one may be, how they are loaded, and how one is left out."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace

import pytest

import arena
from arena.errors import UnknownName
from arena.plugin.manager import DISABLE, create_plugin_manager, load_catalogue, load_plugins
from arena.plugin.registers import PlayerRegister
from tests.golden import Wording
from tests.plugin.registering import lowest
from tests.plugin.sites import Site, check_the_rest, names, offering


@arena.hookimpl
def arena_register_players(register: PlayerRegister) -> None:
    """Stand for the hook of the plugins that are made inline."""
    register("inline", lowest)


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
    """Return a module that is the plugin."""
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
    site: Site, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setenv(DISABLE, "monky")
    (broken,) = load_catalogue().broken
    wording(str(broken), "'monky'", "'monkey'")


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
            catalogue = load_catalogue()
            assert catalogue.broken == []
            assert catalogue.player("twin").package != package


def test_disabling_is_read_from_the_environment_at_each_call(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert DISABLE not in os.environ
    assert "first-of-all" in names(load_catalogue())
    monkeypatch.setenv(DISABLE, "aaa")
    assert "first-of-all" not in names(load_catalogue())
