"""The names by which things are found: in order, offered once, templates, arguments."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import arena
from arena.errors import AmbiguousName, PluginError, UnknownName, UsageError, did_you_mean
from arena.games.lines import VARIANTS
from arena.games.mnk import mnk_game
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import PluginManager, load_plugins
from arena.plugin.registers import ExecutorRegister, GameRegister
from arena.plugin.registry import PACKAGE, GameFamily, Registry
from arena.plugins import games
from tests.golden import Wording
from tests.plugin.registering import refusal


def test_a_registry_is_in_order_and_leaves_out_what_is_offered_twice(wording: Wording) -> None:
    registry: Registry[int] = Registry("number")
    for name, number in [("two", 2), ("one", 1), ("three", 3), ("one", 11)]:
        registry.add(name, number, f"source of {number}")
    assert list(registry) == [("three", 3), ("two", 2)]
    assert registry.get("two") == 2
    (clash,) = registry.clashes()
    wording(clash, "'one'", "source of 1 ", "source of 11")


@given(st.lists(st.sampled_from([PACKAGE, "boxes", "twins", "./a.py", "./b.py"]), min_size=1))
def test_a_name_belongs_to_arena_then_to_a_distribution_then_to_a_file(packages: list[str]) -> None:
    registry: Registry[int] = Registry("number")
    for number, package in enumerate(packages):
        registry.add("one", number, package)
    claims = [[PACKAGE], ["boxes", "twins"], ["./a.py", "./b.py"]]
    strongest = next(claim for claim in claims if not {*claim}.isdisjoint(packages))
    owners = [number for number, package in enumerate(packages) if package in strongest]
    clashes = list(registry.clashes())
    if len(owners) == 1:
        assert registry.get("one") == owners[0]
        assert len(clashes) == len(packages) - 1
    else:
        with pytest.raises(AmbiguousName):
            registry.get("one")
        assert len(clashes) == 1
    for package in packages:
        assert registry.of_package(package, "one") == packages.index(package)


def test_an_unknown_name_gets_all_that_are_known_and_the_nearest(wording: Wording) -> None:
    registry: Registry[int] = Registry("number")
    registry.add("seven", 7, "")
    registry.add("eleven", 11, "")
    with pytest.raises(UnknownName) as caught:
        registry.get("sevenn")
    wording(caught.value, "'sevenn'", "'seven'", "eleven, seven")


@pytest.fixture(scope="module")
def built_in() -> Catalogue:
    """Return the games that come with arena, and nothing else."""
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
    ("name", "words"),
    [
        ("lines-3-3", ["tictactoe, "]),
        ("lines-*", ["lines-*, ", "tictactoe, "]),
        ("chess-x", ["chess-*, ", "uci: ", "arena games"]),
    ],
)
def test_a_kind_of_game_that_messages_name_is_said_to_be_one(
    catalogue: Catalogue, name: str, words: list[str], wording: Wording
) -> None:
    """The message "it plays: tictactoe, lines-3-3" has such names."""
    with pytest.raises(UsageError) as caught:
        catalogue.game(name)
    wording(caught.value, f"game {name!r}: ", *words)


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("tictacto", "tictactoe"),
        ("TicTacToe", "tictactoe"),
        ("mnk-3-3", "mnk-{m}-{n}-{k}"),
        ("mnk-3-3-3-3", "mnk-{m}-{n}-{k}-x{seats}"),
        ("tictactoe-x", "tictactoe-{n}"),
        ("conect4", "connect4"),
    ],
)
def test_an_unknown_game_gets_the_nearest_template(
    built_in: Catalogue, name: str, nearest: str
) -> None:
    with pytest.raises(UnknownName) as caught:
        built_in.game(name)
    assert f" {name!r}{did_you_mean(name, [nearest])} " in str(caught.value)
    known = sorted(offer.item.template for offer in built_in.families.offers())
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
    with pytest.raises(UsageError, match=rf"^game '{re.escape(template)}' .* [kmn]"):
        built_in.game(template)


@pytest.mark.parametrize(
    "name",
    ["mnk-0-3-3", "mnk-3-3-0", "tictactoe-0", "mnk-21-3-3", "mnk-3-3-4", "mnk-9999-9999-9999"],
)
def test_numbers_that_make_no_board_are_refused(built_in: Catalogue, name: str) -> None:
    with pytest.raises(UsageError, match=" 1 to ") as caught:
        built_in.game(name)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("digits", [5, 30, 5000, 100_000])
def test_a_huge_number_is_refused_in_a_short_line(built_in: Catalogue, digits: int) -> None:
    with pytest.raises(UsageError) as caught:
        built_in.game(f"mnk-{'9' * digits}-3-3")
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "template",
    [
        *("{n}-in-a-row", "mnk-{M}", "mnk-{}", "mnk-{m", "mnk-{m}{n}", "mnk-{n}-{n}"),
        *("chess:", "chess:{n}", "9chess:FILE"),
    ],
)
def test_a_template_that_cannot_be_read_back_is_refused(template: str, wording: Wording) -> None:
    register = GameRegister("my-plugin", "d")
    wording(refusal(register, template, lambda *numbers: mnk_game(1, 1, 1)))


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
    assert f" {template!r}: <lambda>(" in problem
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


def make_named(workers: int, address: str) -> tuple[int, str]:
    return workers, address


def offered(name: str, make: Any, argument: str = "") -> Any:
    register = ExecutorRegister("p", "p")
    register(name, make, argument=argument)
    [(_, offer)] = register.offers
    return offer


@pytest.mark.parametrize(("text", "address"), [("far", ""), ("far:tcp://host:1", "tcp://host:1")])
def test_an_executor_gets_what_stands_after_its_colon(text: str, address: str) -> None:
    offer = offered("far", make_named, "ADDRESS")
    assert offer.maker(*text.partition(":"))(3) == (3, address)


@pytest.mark.parametrize(
    ("executor", "problem"),
    [
        ("serial:x", "executor 'serial:x'"),
        ("serial:", "executor 'serial:'"),
        ("dask:", "executor 'dask:'.* ADDRESS "),
        ("nothing:x", "executor 'nothing'"),
    ],
)
def test_what_stands_after_a_colon_is_refused_on_one_line(
    executor: str, problem: str, wording: Wording
) -> None:
    with wording.raises(UsageError, match=problem) as refused:
        arena.fight("monkey", "triples", 1, executor=executor)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("argument", ["address", "AN ADDRESS", "1"])
def test_the_argument_of_an_executor_is_a_word_in_capitals(argument: str) -> None:
    with pytest.raises(PluginError, match="'far'"):
        offered("far", make_named, argument)


def test_a_maker_that_does_not_take_its_argument_is_refused() -> None:
    with pytest.raises(PluginError, match="'far'"):
        offered("far", lambda workers: None, "ADDRESS")
