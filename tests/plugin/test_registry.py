"""What may be registered, and the names by which it is found."""

from __future__ import annotations

import inspect
import pickle
import random
import re
import traceback
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial, wraps
from typing import Any

import pytest

import arena
from arena import adapt
from arena.errors import PluginError, UnknownName, UsageError
from arena.games.lines import VARIANTS
from arena.games.mnk import mnk_game
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import PluginManager, load_plugins
from arena.plugin.registers import (
    ExecutorRegister,
    GameRegister,
    PlayerRegister,
    Register,
    ReportRegister,
)
from arena.plugin.registry import GameFamily, Registry
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
    assert "is not a name" in refusal(PlayerRegister("my-plugin", "d"), name, lambda: None)


@pytest.mark.parametrize("kind", REGISTERS)
def test_every_register_refuses_what_is_no_name(kind: str) -> None:
    assert "is not a name" in refusal(REGISTERS[kind]("my-plugin", "d"), "a b", lambda: None)


@pytest.mark.parametrize("kind", REGISTERS)
@pytest.mark.parametrize("name", ["Z9", "a.b_c+d-e", "x" * 64])
def test_a_register_takes_any_other_name(kind: str, name: str) -> None:
    register: Any = REGISTERS[kind]("my-plugin", "d")
    register(name, lambda *arguments: None)
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
    class Move(int):
        def __new__(cls, position: arena.Position, rng: random.Random) -> Move:
            return super().__new__(cls, position.legal_moves()[0])

    assert not registered(Stateful).stateless
    assert registered(Move, stateless=True).stateless
    assert not registered(lambda: Stateful(), stateless=False).stateless


def test_a_class_without_the_methods_of_a_stateful_player_is_refused() -> None:
    class Half:
        def choose(self, position: object) -> int:
            return 0

    with pytest.raises(PluginError, match=r"has no start: inherit arena\.StatefulPlayer"):
        registered(Half)


def test_a_player_without_a_docstring_has_no_summary() -> None:
    assert registered(lambda position, rng: 0).summary == ""


# -- signatures --------------------------------------------------------------------------------


def without_rng(position: arena.Position) -> int:
    """A function that is not a player."""
    return 0


def deep(position: arena.Position, rng: Any, depth: int = 2, side: str = "on") -> int:
    """The move of that number."""
    return position.legal_moves()[depth - 1]


class Deaf(Stateful):
    """A class that is not a player: it is not told which move its opponent made."""

    def observe(self) -> None: ...  # type: ignore[override]


class Demanding(Stateful):
    """A class that is not a player: nobody gives it what it is made with."""

    def __init__(self, depth: int) -> None: ...


class Caller:
    """An object that is not a player."""

    def __call__(self, position: object) -> int:
        return 0


MISFITS: list[tuple[Callable[..., Any], str, str]] = [
    (without_rng, "without_rng(position) in line N", "(position, rng): too many positional"),
    (lambda p, rng, depth: 0, "<lambda>(p, rng, depth) in line N", "missing a required argument"),
    (lambda p, *, rng: 0, "<lambda>(p, *, rng) in line N", "(position, rng): "),
    (Caller(), "Caller(position)", "(position, rng): too many positional"),
    (
        partial(deep, rng=None),
        "deep(position, *, rng=None, depth=2, side='on') in line N",
        "too many",
    ),
    (Deaf, "observe(self) in line N", "(self, move): too many positional"),
    (Demanding, "Demanding(depth)", "(): missing a required argument: 'depth'"),
]


@pytest.mark.parametrize(("player", "shown", "problem"), MISFITS, ids=[m[1] for m in MISFITS])
def test_a_player_that_cannot_be_called_is_refused_at_the_door_with_its_line(
    player: Callable[..., Any], shown: str, problem: str
) -> None:
    message = refusal(PlayerRegister("my-plugin", "d"), "high", player)
    assert re.sub(r"in line \d+", "in line N", message).startswith(f"player 'high': {shown}")
    assert "cannot be called with" in message
    assert problem in message
    with pytest.raises(UsageError) as caught:
        arena.fight(player, "monkey", n=1)
    assert str(caught.value).endswith(message.removeprefix("player 'high'"))
    stateless = not isinstance(player, type)
    with pytest.raises(UsageError, match=r"^player 'low': .*cannot be called with"):
        arena.fight(arena.PlayerInfo("low", player, stateless=stateless), "monkey", n=1)


def test_the_line_is_that_of_the_function() -> None:
    line = inspect.getsourcelines(without_rng)[1]
    assert f" in line {line} " in refusal(PlayerRegister("my-plugin", "d"), "high", without_rng)


def wrapped(function: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator that has a function of a position alone play."""

    @wraps(function)
    def choose(position: arena.Position, rng: random.Random) -> Any:
        return function(position)

    return choose


@pytest.mark.parametrize(
    "player",
    [
        lambda *arguments: 0,
        lambda position, rng, depth=2, **more: 0,
        partial(lambda depth, position, rng: 0, 3),
        partial(lambda position, rng, depth: 0, depth=3),
        wrapped(without_rng),
        adapt.rows(lambda board: (0, 0)),
        Stateful,
        max,
    ],
)
def test_a_player_that_can_be_called_is_taken(player: Callable[..., Any]) -> None:
    assert registered(player).player is player


def test_a_class_may_have_static_methods_and_one_for_all_instances() -> None:
    class Loose(Stateful):
        observe = staticmethod(lambda move: None)

        @classmethod
        def finish(cls, outcome: object) -> None: ...

    assert registered(Loose).player is Loose


@pytest.mark.parametrize("thing", [lambda position, rng: {}, lambda position, move: {}])
def test_a_distribution_that_cannot_be_called_is_refused(thing: Callable[..., Any]) -> None:
    message = refusal(PlayerRegister("my-plugin", "d"), "high", lowest, distribution=thing)
    assert message.startswith("the distribution of 'high': <lambda>(")


@pytest.mark.parametrize("kind", sorted(REGISTERS.keys() - {"players"}))
def test_other_things_that_cannot_be_called_are_refused_as_well(kind: str) -> None:
    assert "cannot be called with (" in refusal(REGISTERS[kind]("my-plugin", "d"), "high", lowest)


# -- options -----------------------------------------------------------------------------------


DEPTH_ALONE = {"depth": arena.whole(1, 9)}
DEPTH = {"depth": arena.whole(1, 9), "side": arena.one_of("on", "off")}


def test_a_mapping_says_all_of_a_players_options() -> None:
    info = registered(deep, options=DEPTH)
    assert info.options is not None
    assert info.options.__doc__ == "depth=1..9, side=on|off"
    made = info.configured("depth=4,side=off")
    assert made.name == "name:depth=4,side=off"
    assert made.player(arena.get_game("tictactoe").start(), random.Random(0)) == 3
    assert pickle.loads(pickle.dumps(info)).configured("depth=4").player.keywords == {"depth": 4}
    with pytest.raises(UsageError, match="depth must be a whole number from 1 to 9, not '10'"):
        info.configured("depth=10")
    with pytest.raises(UsageError, match="no option 'dept', did you mean 'depth'"):
        info.configured("dept=1")


def test_a_class_takes_options_too() -> None:
    class Counting(Stateful):
        def __init__(self, first: int = 0) -> None:
            self.first = first

    made = registered(Counting, options={"first": arena.whole(0, 8)}).configured("first=5")
    assert not made.stateless
    assert made.player().first == 5


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"depht": arena.whole(1, 9)}, "cannot be called with (position, rng, depht=...)"),
        ({"depth": 3}, "what reads option 'depth' of 'deep' must be callable, not '3'"),
        ({"depth": lambda: 3}, "what reads option 'depth' of 'deep': <lambda>()"),
        ({"a b": arena.whole(1, 9)}, "option 'a b' of 'deep' must be a parameter's name"),
        ({3: arena.whole(1, 9)}, "option '3' of 'deep' must be a parameter's name"),
        (lambda text: None, "the options of 'deep': <lambda>(text)"),
    ],
)
def test_options_that_the_player_does_not_take_are_refused(options: Any, problem: str) -> None:
    assert problem in refusal(PlayerRegister("my-plugin", "d"), "deep", deep, options=options)


def test_an_option_without_a_default_is_refused() -> None:
    def choose(position: arena.Position, rng: random.Random, depth: int) -> int:
        return depth

    said = refusal(PlayerRegister("my-plugin", "d"), "deep", choose, options=DEPTH_ALONE)
    assert "missing a required argument: 'depth'" in said


def test_what_options_make_is_a_player_or_the_plugins_fault() -> None:
    info = registered(lowest, options=lambda info, text: replace(info, player=without_rng))
    with pytest.raises(PluginError, match=r"player 'name:x': without_rng\(position\) in line"):
        info.configured("x")


# -- names -------------------------------------------------------------------------------------


def test_a_registry_is_in_the_order_of_its_names_and_leaves_out_what_is_offered_twice() -> None:
    registry: Registry[int] = Registry("number")
    for name, number in [("two", 2), ("one", 1), ("three", 3), ("one", 11)]:
        registry.add(name, number, f"source of {number}")
    assert list(registry) == [("three", 3), ("two", 2)]
    assert registry.get("two") == 2
    assert [str(clash) for clash in registry.clashes()] == [
        "number 'one' is offered by source of 1 and by source of 11;"
        " leave one out with -p no:PLUGIN or ARENA_DISABLE_PLUGINS"
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
def test_a_template_takes_a_number_in_place_of_all_braces(
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
        ("mnk-3-3", "mnk-{m}-{n}-{k}"),
        ("mnk-3-3-3-3", "mnk-{m}-{n}-{k}"),
        ("tictactoe-x", "tictactoe-{n}"),
        ("conect4", "connect4"),
    ],
)
def test_an_unknown_game_gets_the_nearest_template(
    built_in: Catalogue, name: str, nearest: str
) -> None:
    with pytest.raises(UnknownName) as caught:
        built_in.game(name)
    assert str(caught.value).startswith(f"unknown game {name!r}, did you mean {nearest!r}?")
    known = sorted(family.template for family, _ in built_in.families.offers())
    assert {"connect4", "lines:FILE", "mnk-{m}-{n}-{k}", "tictactoe", *VARIANTS} <= {*known}
    listed = f"(known: {', '.join(known[:8])} and {len(known) - 8} more: arena games)"
    assert str(caught.value).endswith(listed)


@pytest.mark.parametrize(
    "name", ["draughts", "", "mnk-\uff13-3-3", "mnk--3-3-3", "mnk- 3-3-3", "*"]
)
def test_a_name_that_no_template_matches_is_unknown(built_in: Catalogue, name: str) -> None:
    with pytest.raises(UnknownName):
        built_in.game(name)


@pytest.mark.parametrize("name", ["tictactoe\n", "xtictactoe", "mnk-3-3-3 ", "mnk-3-3-3x"])
def test_a_template_matches_whole_names_only(built_in: Catalogue, name: str) -> None:
    with pytest.raises(UnknownName):
        built_in.game(name)


@pytest.mark.parametrize("template", ["mnk-{m}-{n}-{k}", "tictactoe-{n}"])
def test_a_template_itself_is_no_game(built_in: Catalogue, template: str) -> None:
    with pytest.raises(UsageError, match=rf"^game '{re.escape(template)}' needs values for [kmn]"):
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


@pytest.mark.parametrize(
    ("template", "problem"),
    [
        ("{n}-in-a-row", "is not a name"),
        ("mnk-{M}", "is not a name"),
        ("mnk-{}", "is not a name"),
        ("mnk-{m", "is not a name"),
        ("mnk-{m}{n}", "two numbers with nothing between them"),
        ("mnk-{n}-{n}", "two numbers of one name"),
        ("chess:", "needs a word in capitals after the colon"),
        ("chess:{n}", "needs a word in capitals after the colon"),
        ("9chess:FILE", "is not a name"),
    ],
)
def test_a_template_that_cannot_be_read_back_is_refused(template: str, problem: str) -> None:
    register = GameRegister("my-plugin", "d")
    assert problem in refusal(register, template, lambda *numbers: mnk_game(1, 1, 1))


@pytest.mark.parametrize(
    ("template", "make", "wanted"),
    [
        ("wide-{n}", lambda: mnk_game(3, 3, 3), "(n): too many positional arguments"),
        ("wide", lambda n: mnk_game(n, 3, 3), "(): missing a required argument: 'n'"),
        ("wide-{m}-{n}", lambda n: mnk_game(n, 3, 3), "(m, n): too many positional arguments"),
    ],
)
def test_a_maker_that_does_not_take_the_numbers_of_its_template_is_refused(
    template: str, make: Callable[..., arena.Game], wanted: str
) -> None:
    problem = refusal(GameRegister("my-plugin", "d"), template, make)
    assert problem.startswith(f"the maker of {template!r}: <lambda>(")
    assert problem.endswith(wanted)


def test_capital_letters_are_letters() -> None:
    family = GameFamily("Othello", lambda: mnk_game(3, 3, 3), "")
    assert family.game("Othello") == mnk_game(3, 3, 3)
    assert family.game("1thello") is None


@pytest.mark.parametrize("template", ["go+", "a.b", "a.b+-{n}", "x++", "y+++"])
def test_a_template_is_no_pattern_but_for_its_braces(template: str) -> None:
    family = GameFamily(template, lambda *numbers: mnk_game(1, 1, 1), "")
    name = template.replace("{n}", "12")
    assert family.game(name) == mnk_game(1, 1, 1)
    for wrong in (name.replace(".", "x"), name.replace("+", ""), name + "+"):
        if wrong != name:
            assert family.game(wrong) is None


def test_a_maker_gets_its_numbers_in_the_order_of_the_name() -> None:
    given: list[tuple[int, ...]] = []

    def make(*numbers: int) -> arena.Game:
        given.append(numbers)
        return mnk_game(1, 1, 1)

    GameFamily("a-{b}-c{d}-{e}", make, "").game("a-1-c20-0003")
    assert given == [(1, 20, 3)]


# -- executors with an argument ------------------------------------------------------------------


def make_named(workers: int, address: str) -> tuple[int, str]:
    return workers, address


def offered(name: str, make: Any, argument: str = "") -> Any:
    register = ExecutorRegister("p", "p")
    register(name, make, argument=argument)
    [(_, offer)] = register.things
    return offer


@pytest.mark.parametrize(("text", "address"), [("far", ""), ("far:tcp://host:1", "tcp://host:1")])
def test_an_executor_gets_what_stands_after_its_colon(text: str, address: str) -> None:
    offer = offered("far", make_named, "ADDRESS")
    assert offer.maker(*text.partition(":"))(3) == (3, address)


@pytest.mark.parametrize(
    ("executor", "problem"),
    [
        ("serial:x", "executor 'serial:x': serial takes nothing after a colon"),
        ("serial:", "executor 'serial:': serial takes nothing after a colon"),
        ("dask:", "executor 'dask:': it lacks its ADDRESS after the colon"),
        ("nothing:x", "unknown executor 'nothing'"),
    ],
)
def test_what_stands_after_a_colon_is_refused_on_one_line(executor: str, problem: str) -> None:
    with pytest.raises(UsageError, match=re.escape(problem)) as refused:
        arena.fight("monkey", "triples", 1, executor=executor)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("argument", ["address", "AN ADDRESS", "1"])
def test_the_argument_of_an_executor_is_a_word_in_capitals(argument: str) -> None:
    with pytest.raises(PluginError, match="must be a word in capitals"):
        offered("far", make_named, argument)


def test_a_maker_that_does_not_take_its_argument_is_refused() -> None:
    with pytest.raises(PluginError, match="the maker of executor 'far'"):
        offered("far", lambda workers: None, "ADDRESS")
