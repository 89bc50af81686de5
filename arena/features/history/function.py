"""Show a player's strength over time."""

from __future__ import annotations

from arena.inputs.resolve import StoreLike
from arena.records.history import History


def history(store: StoreLike, player: str, game: str | None = None) -> History:
    """Return the verdicts of a store's regression runs on a player, the oldest first.

    Each has the commit and the version of the player, its strength with a 95 % interval, and the
    change since the regression run before, in points per game.
    """
    from arena.features.regress.history import read_history
    from arena.store.sql import open_to_read

    return History(player, tuple(read_history(open_to_read(store), player, game)))
