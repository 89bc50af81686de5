"""Add ``--table``: show one table of what was played in place of the whole page."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import arena
from arena.cli.output import Output
from arena.errors import UsageError
from arena.inputs.options import SHEETS
from arena.plugin.observers import Observer

if TYPE_CHECKING:
    from arena.plugin.catalogue import Catalogue
    from arena.records.observers import GameResult


def add_sheet(parser: ArgumentParser) -> None:
    """Add ``--table``."""
    parser.add_argument(
        "--table",
        choices=SHEETS,
        metavar="WHICH",
        help="show only one table: standings, pairings, or games with their moves; as"
        " csv, json or markdown with --format",
    )


def with_sheet(arguments: Namespace, options: dict[str, Any], output: Output) -> dict[str, Any]:
    """Set the table that the output shows, and return the options of a run for it.

    The table of games needs single games, which the engine ``table`` does not have.
    """
    name = arguments.table
    if name is None:
        return options
    games: list[GameResult] = []
    output.present = lambda record: arena.plugin.sheet_of(record, name, games)
    if name != "games":
        return options
    if options.get("engine") == "table":
        raise UsageError("--table games needs single games, which the engine 'table' does not have")
    observer = Observer(
        "--table games", "arena_game_end", lambda game: games.append(game), ("game",)
    )
    engine = "batch" if options.get("engine") == "batch" else "calls"
    return {**options, "engine": engine, "catalogue": _observed(options["catalogue"], observer)}


def _observed(catalogue: Catalogue, observer: Observer) -> Catalogue:
    observers = catalogue.observers
    return replace(catalogue, observers=replace(observers, members=(*observers.members, observer)))
