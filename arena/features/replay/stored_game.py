"""Show one game of a store."""

from __future__ import annotations

from arena.errors import ArenaError, UsageError, quoted
from arena.fights.pairing import GameId
from arena.fights.replays import PlayedGame, replay_from, report_of
from arena.inputs.resolve import StoreLike
from arena.model.seatings import seating
from arena.player import table_names
from arena.plugin.catalogue import Catalogue
from arena.records.base import Json
from arena.records.replays import ReplayReport


def replay_stored(store: StoreLike, game_id: str, catalogue: Catalogue) -> ReplayReport:
    """Return a game of a store as it was played. Its players are not needed.

    A number is that of a game of the last run, from 1.

    If several runs have it, the last one counts; else it is of a run of :func:`arena.regress`.
    Raises UsageError if it is nowhere.
    """
    from arena.features.regress.history import regression_game
    from arena.store.games import find_game, game_of_number
    from arena.store.sql import open_to_read

    file = open_to_read(store)
    if game_id.isascii() and game_id.isdigit():
        game_id = game_of_number(file, int(game_id[:16]), catalogue.game)
    named = GameId.parse(game_id)
    game = catalogue.game(named.game)
    opening = game.parse(named.opening) if named.opening else None
    with file.read() as connection:
        record = find_game(connection, game, named)
    if record is None:
        return _replay_of_regression(game_id, regression_game(file, game_id), file.name, catalogue)
    names = table_names(named.players)
    return report_of(
        game,
        [names[place] for place in seating(len(names), named.seatings, named.half)],
        PlayedGame.of(record),
        game_id=game_id,
        seed=named.seed,
        opening=opening,
    )


def _replay_of_regression(
    game_id: str, record: Json | None, name: str, catalogue: Catalogue
) -> ReplayReport:
    if record is None:
        problem = f"store {quoted(name)} has no game {quoted(game_id)}"
        raise UsageError(f"{problem} (see: arena browse)")
    try:
        return replay_from(record, catalogue)
    except ArenaError as error:
        raise UsageError(f"game {quoted(game_id)} of {quoted(name)}: {error}") from error
