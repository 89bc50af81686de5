"""Describe forfeits: from the record of a game to what is shown of it."""

from __future__ import annotations

from collections.abc import Sequence

from arena.errors import IllegalMove
from arena.game import Position
from arena.games.walk import walked
from arena.match.record import Forfeit
from arena.records.fights import ForfeitedGame


def forfeited_game(
    game_id: str | None, player: str, forfeit: Forfeit, begin: Position, moves: Sequence[int]
) -> ForfeitedGame:
    """Describe how the player of that name forfeited a game: where it began, and its moves.

    The position is empty if the rules forbid one of the moves, as in a store that was changed.
    """
    try:
        text = str(walked(begin, moves))
    except IllegalMove:
        text = ""
    _, reason, message, where, remedy = forfeit
    return ForfeitedGame(game_id, player, reason, message, where, remedy, text)
