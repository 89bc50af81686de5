"""Export runs with all their games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TypeGuard, TypeVar

from arena.errors import ArenaError
from arena.game import Game
from arena.inputs.resolve import StoreLike
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from arena.records.exports import (
    Export,
    ExportedGame,
    ExportedImport,
    ExportedRun,
    ExternalGame,
)
from arena.runs.stored_runs import games_of_run
from arena.seats import chance_places

#: A game of a run, or one that was played elsewhere.
AnyGame = TypeVar("AnyGame", ExportedGame, ExternalGame)


def export(
    store: StoreLike, numbers: Sequence[int] = (), catalogue: Catalogue | None = None
) -> Export:
    """Export runs with all their games, as they are at one moment.

    By default every run, and the games that were played elsewhere.
    """
    from arena.store.imports import read_imported, read_imports
    from arena.store.reading import read_runs
    from arena.store.sql import open_to_read

    catalogue = catalogue or load_catalogue()
    with open_to_read(store).read() as connection:
        runs = tuple(
            games_of_run(connection, run, catalogue) for run in read_runs(connection, numbers)
        )
        imports = tuple(
            ExportedImport(
                number=each["import"],
                date=each["date"],
                file=each["file"],
                games=tuple(read_imported(connection, each["import"])),
            )
            for each in ([] if numbers else read_imports(connection))
        )
    names = {run.game for run in runs} | {g.game for i in imports for g in i.games}
    rules = _rules(names, catalogue)
    return Export(
        tuple(_with_chance_of_run(run, rules.get(run.game)) for run in runs),
        tuple(_with_chance_of_import(imported, rules) for imported in imports),
        rules,
    )


def _with_chance_of_run(run: ExportedRun, rules: Game | None) -> ExportedRun:
    if not _has_luck(rules, run.game_version):
        return run
    fights, left_out = (
        tuple(
            replace(fight, games=tuple(_with_chance(game, rules) for game in fight.games))
            for fight in fights
        )
        for fights in (run.fights, run.left_out)
    )
    return replace(run, fights=fights, left_out=left_out)


def _with_chance_of_import(
    imported: ExportedImport, games_by_name: Mapping[str, Game]
) -> ExportedImport:
    games = (
        _with_chance(game, rules)
        if _has_luck(rules := games_by_name.get(game.game), game.game_version)
        else game
        for game in imported.games
    )
    return replace(imported, games=tuple(games))


def _has_luck(rules: Game | None, version: int) -> TypeGuard[Game]:
    """Return whether games of these rules in this version have luck."""
    return rules is not None and rules.version == version and rules.start().has_luck


def _with_chance(game: AnyGame, rules: Game) -> AnyGame:
    """Return a game with the moves that are chance's, if it keeps to the rules."""
    with suppress(ArenaError):  # arena verify names a game that breaks the rules
        begin = rules.start() if game.opening is None else rules.parse(game.opening)
        moves = [rules.parse_move(move) for move in game.moves]
        return replace(game, chance=chance_places(begin, moves, game.departures))
    return game


def _rules(names: Iterable[str], catalogue: Catalogue) -> dict[str, Game]:
    """Return the games of these names that are installed."""
    games = {}
    for name in names:
        with suppress(ArenaError):
            games[name] = catalogue.game(name)
    return games
