"""What may be registered, and the names by which it is found."""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

import arena
from arena.errors import PluginError, UnknownName, UsageError
from arena.games.lines import VARIANTS
from arena.games.mnk import mnk_game
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import PluginManager, load_plugins
from arena.plugin.registry import (
    ExecutorRegister,
    GameFamily,
    GameRegister,
    PlayerRegister,
    Register,
    Registry,
    ReportRegister,
)
from arena.plugins import games


def lowest(position: arena.Position, rng: random.Random) -> int:
    """The lowest legal move.

    There is more to say about it.
    """
    return position.legal_moves()[0]


class Stateful:
    """A player that keeps state, and does nothing."""

    def start(self, game: object, side: object, rng: object) -> None: ...
    def choose(self, position: object) -> int:
        return 0

    def observe(self, move: int) -> None: ...
    def finish(self, outcome: object) -> None: ...


# -- what can be registered --------------------------------------------------------------------

REGISTERS: dict[str, Callable[[str, str], Register[Any]]] = {
    "games": GameRegister,
    "players": PlayerRegister,
    "executors": ExecutorRegister,
    "reports": ReportRegister,
}


def refusal(register: Register[Any], *arguments: Any, **options: Any) -> str:
    """Why a register refuses something; its traceback must lead to the plugin, its message too."""

    def a_hook_of_the_plugin() -> None:
        call: Any = register
        call(*arguments, **options)

    with pytest.raises(PluginError) as caught:
        a_hook_of_the_plugin()
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert "a_hook_of_the_plugin" in [frame.name for frame in frames]
    message = str(caught.value)
    assert message.startswith("plugin my-plugin: ")
    assert "\n" not in message
    assert register.things == []
    return message.removeprefix("plugin my-plugin: ")


@pytest.mark.parametrize(
    "name", ["", " ", "1st", "-x", "a b", "a/b", "a:b", "a,b", "é", "x\n", "x" * 65, None, 3, b"x"]
)
def test_a_register_refuses_what_is_no_name(name: object) -> None:
    assert "is no name" in refusal(PlayerRegister("my-plugin", "d"), name, lambda: None)


@pytest.mark.parametrize("kind", REGISTERS)
def test_every_register_refuses_what_is_no_name(kind: str) -> None:
    assert "is no name" in refusal(REGISTERS[kind]("my-plugin", "d"), "a b", lambda: None)


@pytest.mark.parametrize("kind", REGISTERS)
@pytest.mark.parametrize("name", ["Z9", "a.b_c+d-e", "x" * 64])
def test_a_register_takes_any_other_name(kind: str, name: str) -> None:
    register: Any = REGISTERS[kind]("my-plugin", "d")
    register(name, lowest)
    assert [offered for offered, _ in register.things] == [name]


@pytest.mark.parametrize("kind", REGISTERS)
@pytest.mark.parametrize("thing", [None, 3, "monkey", {}])
def test_a_register_refuses_what_cannot_be_called(kind: str, thing: object) -> None:
    message = refusal(REGISTERS[kind]("my-plugin", "d"), "some-name", thing)
    assert "'some-name' must be callable, not " in message or "must be callable" in message
    assert "some-name" in message


def test_a_player_cannot_have_a_name_that_means_a_file() -> None:
    refusal(PlayerRegister("my-plugin", "d"), "bot.py", lowest)


@pytest.mark.parametrize(
    "claims",
    [
        ("never-loses",),
        ("never-loses:",),
        ("wins:tictactoe",),
        ("never-loses:tic tac toe",),
        (3,),
        ("never-loses:tictactoe", ""),
        "never-loses:tictactoe",
    ],
)
def test_a_claim_is_never_loses_on_some_game(claims: object) -> None:
    message = refusal(PlayerRegister("my-plugin", "d"), "hopeful", lowest, claims=claims)
    assert "'hopeful'" in message


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("distribution", {0: 1}),
        ("games", 3),
        ("games", None),
        ("games", (mnk_game(3, 3, 3),)),
        ("claims", None),
    ],
)
def test_other_traits_of_a_player_are_checked_at_the_call_too(field: str, value: object) -> None:
    message = refusal(PlayerRegister("my-plugin", "d"), "odd", lowest, **{field: value})
    assert "'odd'" in message


def registered(player: Callable[..., Any], **traits: Any) -> arena.PlayerInfo:
    """A player as a plugin of version 7 of the distribution ``dist`` registers it."""
    register = PlayerRegister("my-plugin", "dist", "7")
    register("name", player, **traits)
    ((name, info),) = register.things
    assert (name, info.name, info.package, info.version) == ("name", "name", "dist", "7")
    return info


def test_a_player_of_which_nothing_is_said_plays_everything_and_promises_nothing() -> None:
    info = registered(lowest)
    assert info.player is lowest
    assert info.games == ("*",)
    assert (info.deterministic, info.stateless, info.claims) == (False, True, ())
    assert info.distribution is None
    assert info.summary == "The lowest legal move."


def test_what_is_said_of_a_player_is_kept() -> None:
    claims = ("never-loses:tictactoe", "never-loses:mnk-4-3-3")
    info = registered(
        lowest,
        games=("tictactoe", "mnk-*"),
        deterministic=True,
        claims=claims,
        distribution=lambda position: {position.legal_moves()[0]: Fraction(1)},
        summary="Low.",
    )
    assert info.games == ("tictactoe", "mnk-*")
    assert info.deterministic
    assert info.claims == claims
    assert info.distribution is not None
    assert info.summary == "Low."


def test_games_may_be_one_text() -> None:
    assert registered(lowest, games="connect4").games == ("connect4",)


def test_a_class_is_a_factory_of_stateful_players_unless_it_says_otherwise() -> None:
    assert not registered(Stateful).stateless
    assert registered(Stateful, stateless=True).stateless
    assert not registered(lowest, stateless=False).stateless


def test_a_class_without_the_methods_of_a_stateful_player_is_refused() -> None:
    class Half:
        def choose(self, position: object) -> int:
            return 0

    with pytest.raises(PluginError, match="has no start, observe, finish"):
        registered(Half)


def test_a_player_without_a_docstring_has_no_summary() -> None:
    assert registered(lambda position, rng: 0).summary == ""


# -- names -------------------------------------------------------------------------------------


def test_a_registry_is_in_the_order_of_its_names_and_leaves_out_what_is_offered_twice() -> None:
    registry: Registry[int] = Registry("number")
    for name, number in [("two", 2), ("one", 1), ("three", 3), ("one", 11)]:
        registry.add(name, number, f"source of {number}")
    assert list(registry) == [("three", 3), ("two", 2)]
    assert registry.get("two") == 2
    assert [str(clash) for clash in registry.clashes()] == [
        "number 'one' is offered by source of 1 and by source of 11;"
        " leave one out with ARENA_DISABLE_PLUGINS"
    ]


def test_an_unknown_name_gets_all_that_are_known_and_the_nearest() -> None:
    registry: Registry[int] = Registry("number")
    registry.add("seven", 7, "")
    registry.add("eleven", 11, "")
    with pytest.raises(UnknownName) as caught:
        registry.get("sevenn")
    assert str(caught.value) == (
        "unknown number 'sevenn', did you mean 'seven'? (known: eleven, seven)"
    )


@pytest.fixture(scope="module")
def built_in() -> Catalogue:
    """The games that come with arena, and nothing else."""
    manager = PluginManager()
    manager.register(games)
    return load_plugins(manager).catalogue


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("mnk-3-3-3", (3, 3, 3)),
        ("tictactoe", (3, 3, 3)),
        ("tictactoe-3", (3, 3, 3)),
        ("tictactoe-4", (4, 4, 4)),
        ("mnk-5-4-3", (5, 4, 3)),
        ("mnk-1-1-1", (1, 1, 1)),
        ("mnk-20-20-20", (20, 20, 20)),
    ],
)
def test_a_template_takes_a_number_for_every_capital_letter(
    built_in: Catalogue, name: str, numbers: tuple[int, int, int]
) -> None:
    game: Any = built_in.game(name)
    assert (game.columns, game.rows, game.k) == numbers
    assert built_in.game(game.name) == game


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("tictacto", "tictactoe"),
        ("TicTacToe", "tictactoe"),
        ("mnk-3-3", "mnk-M-N-K"),
        ("mnk-3-3-3-3", "mnk-M-N-K"),
        ("tictactoe-x", "tictactoe-N"),
        ("conect4", "connect4"),
    ],
)
def test_an_unknown_game_gets_the_nearest_template(
    built_in: Catalogue, name: str, nearest: str
) -> None:
    with pytest.raises(UnknownName) as caught:
        built_in.game(name)
    assert str(caught.value).startswith(f"unknown game {name!r}, did you mean {nearest!r}?")
    known = ["connect4", "mnk-M-N-K", "tictactoe", "tictactoe-N", *sorted(VARIANTS)]
    assert str(caught.value).endswith(f"(known: {', '.join(known)})")


@pytest.mark.parametrize("name", ["chess", "", "mnk-\uff13-3-3", "mnk--3-3-3", "mnk- 3-3-3", "*"])
def test_a_name_that_no_template_matches_is_unknown(built_in: Catalogue, name: str) -> None:
    with pytest.raises(UnknownName):
        built_in.game(name)


@pytest.mark.parametrize("name", ["tictactoe\n", "xtictactoe", "mnk-3-3-3 ", "mnk-3-3-3x"])
def test_a_template_matches_whole_names_only(built_in: Catalogue, name: str) -> None:
    with pytest.raises(UnknownName):
        built_in.game(name)


@pytest.mark.parametrize("template", ["mnk-M-N-K", "tictactoe-N"])
def test_a_template_itself_is_no_game(built_in: Catalogue, template: str) -> None:
    with pytest.raises(UsageError, match=f"^game '{template}' needs numbers"):
        built_in.game(template)


@pytest.mark.parametrize(
    "name",
    ["mnk-0-3-3", "mnk-3-3-0", "tictactoe-0", "mnk-21-3-3", "mnk-3-3-4", "mnk-9999-9999-9999"],
)
def test_numbers_that_make_no_board_are_refused(built_in: Catalogue, name: str) -> None:
    with pytest.raises(UsageError, match="must be 1 to") as caught:
        built_in.game(name)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("digits", [5, 30, 5000, 100_000])
def test_a_huge_number_is_refused_in_a_short_line(built_in: Catalogue, digits: int) -> None:
    with pytest.raises(UsageError) as caught:
        built_in.game(f"mnk-{'9' * digits}-3-3")
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("template", ["go+", "a.b", "a.b+-N", "x++", "y+++"])
def test_a_template_is_no_pattern_but_for_its_capitals(template: str) -> None:
    family = GameFamily(template, lambda *numbers: mnk_game(1, 1, 1), "")
    name = template.replace("N", "12")
    assert family.game(name) == mnk_game(1, 1, 1)
    for wrong in (name.replace(".", "x"), name.replace("+", ""), name + "+"):
        if wrong != name:
            assert family.game(wrong) is None


def test_a_maker_gets_its_numbers_in_the_order_of_the_name() -> None:
    given: list[tuple[int, ...]] = []

    def make(*numbers: int) -> arena.Game:
        given.append(numbers)
        return mnk_game(1, 1, 1)

    GameFamily("a-B-cD-E", make, "").game("a-1-c20-0003")
    assert given == [(1, 20, 3)]
