"""Export runs with all their games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

from arena.errors import ArenaError
from arena.game import Game
from arena.inputs.resolve import StoreLike
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from arena.records.exports import Export
from arena.records.rows import ExportedImport
from arena.runs.stored import games_of_run
from arena.seats import chance_places


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
        imports: tuple[ExportedImport, ...] = tuple(
            {**each, "games": list(read_imported(connection, each["import"]))}
            for each in ([] if numbers else read_imports(connection))
        )
    names = {run["game"] for run in runs} | {g["game"] for i in imports for g in i["games"]}
    rules = _rules(names, catalogue)
    for run in runs:
        for fight in (*run["fights"], *run.get("left_out", ())):
            _mark_chance(fight["games"], rules.get(run["game"]), run["game_version"])
    for imported in imports:
        for game in imported["games"]:
            _mark_chance([game], rules.get(game["game"]), game["game_version"])
    return Export(runs, imports, rules)


def _mark_chance(games: Iterable[Any], rules: Game | None, version: int) -> None:
    """Add to games with luck which moves are chance's, if they keep to these rules."""
    if rules is None or rules.version != version or not rules.start().has_luck:
        return
    for game in games:
        with suppress(ArenaError):  # arena verify names a game that breaks the rules
            begin = rules.start() if game["opening"] is None else rules.parse(game["opening"])
            moves = [rules.parse_move(move) for move in game["moves"]]
            departures = [(forfeit["ply"], forfeit["seat"]) for forfeit in game.get("forfeits", ())]
            game["chance"] = list(chance_places(begin, moves, departures))


def _rules(names: Iterable[str], catalogue: Catalogue) -> dict[str, Game]:
    """Return the games of these names that are installed."""
    games = {}
    for name in names:
        with suppress(ArenaError):
            games[name] = catalogue.game(name)
    return games
