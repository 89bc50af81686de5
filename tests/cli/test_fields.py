"""The table of options against the keywords of the API that they are."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.cli.fields import OptionField, add_fields, options_of, playing
from arena.inputs.options import SHARED
from arena.model.defaults import STORE

#: The functions that a command calls with the options that it reads back.
CALLS: dict[str, list[Callable[..., Any]]] = {
    "browse": [arena.browse],
    "certify": [arena.certify],
    "check": [arena.check],
    "debug": [arena.debug],
    "evaluate": [arena.evaluate_store],
    "exact": [arena.exact, arena.exact_tournament],
    "explain": [arena.explain],
    "fight": [arena.sprt_fight, arena.until_fight],
    "history": [arena.history, arena.step_history],
    "league": [
        arena.check_entry,
        arena.play_league,
        arena.compare_league,
        arena.write_league_site,
        arena.seal_season,
        arena.archive_season,
    ],
    "move": [arena.plugin.ask],
    "plan": [arena.plan],
    "play": [arena.plugin.sit],
    "rate": [arena.rate_stores, arena.rate],
    "regress": [arena.regress],
    "replay": [arena.replay],
    "report": [arena.report],
    "resume": [arena.resume],
    "solve": [arena.solve],
    "sprt": [arena.sprt],
    "tournament": [arena.tournament],
    "train": [arena.train],
}


def fields_of(command: str) -> tuple[str, ...]:
    parser = ArgumentParser()
    import_module(f"arena.features.{command}.command").configure(parser)
    result: tuple[str, ...] = parser.get_default("fields")
    return result


@pytest.mark.parametrize("command", CALLS)
def test_every_option_is_a_keyword(command: str) -> None:
    known = {name for function in CALLS[command] for name in signature(function).parameters}
    assert set(fields_of(command)) <= known


@pytest.mark.parametrize("command", CALLS)
def test_a_default_is_that_of_the_keyword(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(STORE, raising=False)
    parser = ArgumentParser()
    import_module(f"arena.features.{command}.command").configure(parser)
    for function in CALLS[command]:
        parameters = signature(function).parameters
        for name in parameters.keys() & {*fields_of(command)}:
            default, usual = parser.get_default(name), parameters[name].default
            assert default is None or default is usual


def test_commands_that_play_offer_all_that_can_be_said_of_playing() -> None:
    elsewhere = {"isolation", "catalogue", "on_progress", "progress"}
    assert set(playing()) - {"n"} == set(arena.PlayOptions.__annotations__) - elsewhere


def test_what_is_not_given_is_left_to_the_function() -> None:
    parser = ArgumentParser()
    add_fields(parser, {"size": OptionField("--size", {"type": int})})
    add_fields(parser, {"colour": OptionField("-c", {"default": "red"})})
    add_fields(parser, {"is_round": OptionField("--round", {"action": "store_true"})})
    assert options_of(parser.parse_args([])) == {"colour": "red", "is_round": False}
    assert options_of(parser.parse_args(["--size", "0"]))["size"] == 0


def test_an_empty_name_stands_for_no_store(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(STORE, "games.db")
    parser = ArgumentParser()
    add_fields(parser, playing())
    assert options_of(parser.parse_args([]))["store"] == "games.db"
    assert "store" not in options_of(parser.parse_args(["--store", ""]))


def test_every_shared_option_is_shown_in_the_docs() -> None:
    text = (Path(__file__).parents[2] / "docs" / "commands.md").read_text(encoding="utf-8")
    assert [o.flag for o in SHARED.values() if o.flag and f" {o.flag} " not in text] == []
