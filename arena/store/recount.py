"""Count stored games again."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from arena.fights import runs
from arena.fights.runs import Played
from arena.game import Game
from arena.store.reading import StoredRun, pairings_of, read_missed, read_pairs


def reread(
    connection: Connection, stored: StoredRun, game: Game, plugins: Sequence[str] = ()
) -> Played:
    """Return the record that the games of a stored run make, without its players.

    ``plugins`` are as for :func:`arena.store.reading.pairings_of`.
    """
    pairings = pairings_of(stored, game, plugins=plugins)
    pairs = [
        list(read_pairs(connection, stored.number, fight.number, pairing))
        for fight, pairing in zip(stored.fights, pairings, strict=True)
    ]
    return runs.recount(stored.setting, pairings, pairs, read_missed(connection, stored))
