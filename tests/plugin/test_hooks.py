"""How hooks are called: in pluggy's order, one plugin at a time, and never half."""

from __future__ import annotations

import json

import pytest

import arena
from arena.plugin.manager import PluginManager, load_catalogue, load_plugins
from tests.conftest import Run
from tests.golden import Wording
from tests.plugin.sites import Site, check_the_rest, names, offering, the_broken


class Noting:
    """A plugin that notes when its hooks are called."""

    def __init__(self, name: str, notes: list[str]) -> None:
        self.name, self.notes = name, notes

    @arena.hookimpl
    def arena_register_games(self, register: arena.plugin.GameRegister) -> None:
        self.notes.append(f"games of {self.name}")

    @arena.hookimpl
    def arena_register_players(self, register: arena.plugin.PlayerRegister) -> None:
        self.notes.append(self.name)


class First(Noting):
    """The same, asked before the others."""

    @arena.hookimpl(tryfirst=True)
    def arena_register_players(self, register: arena.plugin.PlayerRegister) -> None:
        self.notes.append(self.name)


class Last(Noting):
    """The same, asked after the others."""

    @arena.hookimpl(trylast=True)
    def arena_register_players(self, register: arena.plugin.PlayerRegister) -> None:
        self.notes.append(self.name)


@pytest.mark.parametrize("order", [(First, Noting, Last), (Last, First, Noting), (Noting, Last)])
def test_plugins_are_asked_in_the_order_of_pluggy(order: tuple[type[Noting], ...]) -> None:
    notes: list[str] = []
    manager, pluggys = PluginManager(), PluginManager()
    for kind in order:
        manager.register(kind(kind.__name__, notes))
        pluggys.register(kind(kind.__name__, []))
    load_plugins(manager)
    called = [note for note in notes if not note.startswith("games of ")]
    results = [
        getattr(impl.plugin, "name", "")
        for impl in pluggys.hook.arena_register_players.get_hookimpls()
    ]
    assert called == results[::-1]
    assert called == sorted(called, key=["First", "Noting", "Last"].index)
    # One hook after the other, as hookspecs.py lists them.
    assert [note.startswith("games of ") for note in notes] == [True] * len(order) + [False] * len(
        order
    )


#: Implementations that pluggy would not call as functions, and what is said of them.
NOT_CALLED = {
    "wrapper": (
        "@arena.hookimpl(wrapper=True)\n"
        "def arena_register_players(register):\n"
        "    register('lost', choose)\n"
        "    return (yield)\n",
        "cannot have a wrapper",
    ),
    "old wrapper": (
        "@arena.hookimpl(hookwrapper=True)\ndef arena_register_players(register): yield\n",
        "cannot have a wrapper",
    ),
    "generator": (
        "@arena.hookimpl\ndef arena_register_players(register): yield register('lost', choose)\n",
        "is a generator function, whose body pluggy does not run",
    ),
    "coroutine": (
        "@arena.hookimpl\nasync def arena_register_players(register): register('lost', choose)\n",
        "is an async function, which pluggy does not await",
    ),
    "asynchronous generator": (
        "@arena.hookimpl\nasync def arena_register_players(register): yield 1\n",
        "is an async function, which pluggy does not await",
    ),
}


@pytest.mark.parametrize("kind", NOT_CALLED)
def test_a_hook_that_is_never_called_is_refused_with_the_reason(
    site: Site,
    run: Run,
    kind: str,
) -> None:
    code, reason = NOT_CALLED[kind]
    games = "@arena.hookimpl\ndef arena_register_games(register): register('lost', lambda: 0)\n"
    site.install("odd-dist", "odd", odd=f"def choose(position, rng): ...\n{games}{code}")
    catalogue = load_catalogue()
    broken = the_broken(catalogue)
    assert (broken.plugin, broken.package) == ("odd", "odd-dist")
    assert broken.error.startswith(f"PluginError: hook 'arena_register_players' {reason}")
    assert "lost" not in names(catalogue) | {name for name, _ in catalogue.families}
    check_the_rest(catalogue)
    faults = json.loads(run("plugins", "--format", "json").out)["broken"]
    assert [one["plugin"] for one in faults] == ["odd"]


def test_a_refused_plugin_is_not_registered(wording: Wording) -> None:
    class Wrapping:
        @arena.hookimpl(wrapper=True)
        def arena_register_players(self, register: object) -> object:
            return (yield)

    manager = PluginManager()
    with wording.raises(arena.PluginError):
        manager.register(Wrapping(), "wrapping")
    assert not manager.has_plugin("wrapping")


def test_a_plugin_that_failed_is_not_asked_again(site: Site) -> None:
    code = """
        asked = []

        @arena.hookimpl
        def arena_register_games(register):
            asked.append("games")
            1 / 0

        @arena.hookimpl
        def arena_register_players(register):
            asked.append("players")
        """
    site.install("half", "half", half=code)
    assert the_broken(load_catalogue()).plugin == "half"
    import arena_test_half  # type: ignore[import-not-found]

    assert arena_test_half.asked == ["games"]


@pytest.mark.parametrize("hook", ["arena_finish_it_all", "arena_add_colour", "arena_random"])
def test_an_unknown_hook_that_shares_little_but_the_prefix_gets_no_advice(
    site: Site,
    hook: str,
) -> None:
    site.install("odd", "odd", odd=f"{offering('known')}\n@arena.hookimpl\ndef {hook}(): ...\n")
    assert the_broken(load_catalogue()).error == f"unknown hook {hook!r}"


def test_a_game_with_capital_letters_is_played(site: Site, run: Run, wording: Wording) -> None:
    code = """
        from arena.plugin import mnk_game

        @arena.hookimpl
        def arena_register_games(register):
            register("Othello", lambda: mnk_game(3, 3, 3), summary="not the real one")
            register("Reversi-{n}", lambda n: mnk_game(n, n, n))
        """
    site.install("boards", "boards", boards=code)
    assert load_catalogue().broken == []
    assert run("fight", "monkey", "first-of-all", "-n", "2", "--game", "Othello").code == 0
    assert arena.get_game("Reversi-4") == arena.get_game("tictactoe-4")
    listed = run("games").out
    assert "Othello" in listed
    assert "Reversi-{n}" in listed
    assert "mnk-{m}-{n}-{k}" in listed
    wording(run("move", "monkey", "_" * 9, "--game", "Otello").err, "'Othello'")


def test_a_player_that_cannot_be_called_is_refused_before_it_forfeits(
    site: Site,
    run: Run,
    wording: Wording,
) -> None:
    code = """
        def choose(position):
            return 0

        @arena.hookimpl
        def arena_register_players(register):
            register("deaf", choose)
        """
    site.install("deaf-dist", "deaf", deaf=code)
    broken = the_broken(load_catalogue())
    wording(broken.error, "PluginError", "'deaf'")
    ran = run("fight", "deaf", "monkey", "-n", "1000")
    assert ran.code == 2
    wording(ran.err)


def test_an_unknown_hook_is_told_with_the_nearest_one(
    site: Site, run: Run, wording: Wording
) -> None:
    code = offering("known") + "\n@arena.hookimpl\ndef arena_register_player(register): 1 / 0\n"
    site.install("odd-dist", "odd", odd=code)
    catalogue = load_catalogue()
    [broken] = catalogue.broken
    assert (broken.plugin, broken.package) == ("odd", "odd-dist")
    wording(broken.error, "'arena_register_player'", "'arena_register_players'")
    assert "known" in names(catalogue)
    check_the_rest(catalogue)
    wording(run("players").err)


def test_an_unknown_hook_that_is_near_to_none_is_told_without_advice(site: Site) -> None:
    site.install("odd", "odd", odd="@arena.hookimpl\ndef zzzzzzzz(): ...")
    assert the_broken(load_catalogue()).error == "unknown hook 'zzzzzzzz'"


def test_the_same_unknown_hook_of_two_plugins_is_told_of_both(site: Site) -> None:
    for name in ("odd1", "odd2"):
        site.install(name, name, **{name: "@arena.hookimpl\ndef arena_wrong(): ..."})
    assert {broken.plugin for broken in load_catalogue().broken} == {"odd1", "odd2"}
