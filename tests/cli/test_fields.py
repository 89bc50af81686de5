"""The table of options against the keywords of the API that they are."""

from __future__ import annotations

from argparse import ArgumentError, ArgumentParser
from collections.abc import Callable
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.cli.fields import add_fields, field, field_of, options_of, playing
from arena.inputs.contest_file import OPTION_KEYS
from arena.inputs.options import PARAMETER_OPTIONS, SHARED, TournamentOptions
from arena.model.defaults import STORE
from arena.signatures import declared

#: The functions that a command calls with the options that it reads back.
CALLS: dict[str, list[Callable[..., Any]]] = {
    "certify": [arena.certify],
    "check": [arena.check],
    "exact": [arena.exact, arena.exact_tournament],
    "fight": [arena.sprt_fight, arena.until_fight],
    "move": [arena.ask],
    "plan": [arena.plan],
    "regress": [arena.regress],
    "resume": [arena.resume],
    "sprt": [arena.sprt],
    "tournament": [arena.tournament],
    "train": [arena.train],
}


def fields_of(command: str) -> tuple[str, ...]:
    parser = ArgumentParser()
    import_module(f"arena.features.{command}.command").configure(parser)
    found: tuple[str, ...] = parser.get_default("fields")
    return found


@pytest.mark.parametrize("command", CALLS)
def test_every_option_is_a_keyword(command: str) -> None:
    known = {name for function in CALLS[command] for name in signature(function).parameters}
    assert set(fields_of(command)) <= known


@pytest.mark.parametrize("command", CALLS)
def test_a_default_is_the_usual_value_of_the_keyword(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(STORE, raising=False)
    parser = ArgumentParser()
    import_module(f"arena.features.{command}.command").configure(parser)
    for function in CALLS[command]:
        parameters = signature(function).parameters
        for name in parameters.keys() & {*fields_of(command)}:
            default, usual = parser.get_default(name), parameters[name].default
            assert default is None or default == usual or (default, usual) == ([], ())


def test_commands_that_play_offer_all_that_can_be_said_of_playing() -> None:
    elsewhere = {"isolation", "catalogue", "on_progress", "progress"}
    assert set(playing()) - {"n"} == set(arena.PlayOptions.__annotations__) - elsewhere


def test_what_is_not_given_is_left_to_the_function() -> None:
    parser = ArgumentParser()
    add_fields(parser, {"size": field("--size", type=int), "colour": field("-c", default="red")})
    add_fields(parser, {"is_round": field("--round", action="store_true")})
    assert options_of(parser.parse_args([])) == {"colour": "red", "is_round": False}
    assert options_of(parser.parse_args(["--size", "0"]))["size"] == 0


def test_an_empty_name_stands_for_no_store(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(STORE, "games.db")
    parser = ArgumentParser()
    add_fields(parser, playing())
    assert options_of(parser.parse_args([]))["store"] == "games.db"
    assert "store" not in options_of(parser.parse_args(["--store", ""]))


@pytest.mark.parametrize("name", [name for name, option in SHARED.items() if option.flag])
def test_a_declared_option_is_a_flag_and_a_key_that_refuse_the_same(name: str) -> None:
    option = SHARED[name]
    parser = ArgumentParser(exit_on_error=False)
    add_fields(parser, {name: field_of(option)})
    joint = f"{option.flag}=" if option.flag.startswith("--") else option.flag
    bad: list[Any] = [option.bounds[0] - 1, option.bounds[1] + 1, 0.5] if option.bounds else []
    for value in bad + ["other", ""] * bool(option.choices):
        with pytest.raises(ArgumentError):
            parser.parse_args([f"{joint}{value}"])
        if option.key:
            with pytest.raises(ValueError, match=" "):
                OPTION_KEYS[option.key][1](value)
    for edge in option.bounds or ():
        assert vars(parser.parse_args([option.flag, str(edge)]))[name] == edge
        if option.key:
            assert OPTION_KEYS[option.key][1](edge) == edge


def test_every_shared_option_is_shown_in_the_docs() -> None:
    text = (Path(__file__).parents[2] / "docs" / "commands.md").read_text(encoding="utf-8")
    assert [o.flag for o in SHARED.values() if o.flag and f" {o.flag} " not in text] == []


def test_every_option_of_a_tournament_with_a_flag_has_a_key_but_again() -> None:
    options = PARAMETER_OPTIONS | declared(TournamentOptions)
    assert {name for name, o in options.items() if o.flag and not o.key} == {"again"}
    assert {name for name, _ in OPTION_KEYS.values()} <= signature(
        arena.tournament
    ).parameters.keys()
