"""Describe forfeits: from the record of a game to what is shown of it."""

from __future__ import annotations

from collections.abc import Sequence

from arena.errors import IllegalMove
from arena.game import Position
from arena.games.walk import walked
from arena.match.record import Forfeit
from arena.records.entrants import ForfeitedGame
from arena.seats import Departure


def forfeited_game(
    game_id: str | None,
    player: str,
    forfeit: Forfeit,
    begin: Position,
    moves: Sequence[int],
    departures: Sequence[Departure],
) -> ForfeitedGame:
    """Describe how the player of that name forfeited a game: where it began, and its moves.

    ``departures`` has the seats of more than two that forfeited before. The position is empty if
    the rules forbid one of the moves, as in a store that was changed.
    """
    _, reason, message, where, remedy, ply = forfeit
    try:
        text = str(walked(begin, moves[:ply], departures))
    except IllegalMove:
        text = ""
    return ForfeitedGame(game_id, player, reason, message, where, remedy, text, ply)


def forfeited_games(
    game_id: str | None,
    players: Sequence[str],
    forfeits: Sequence[Forfeit],
    moves: Sequence[int],
    begin: Position,
) -> tuple[ForfeitedGame, ...]:
    """Describe all forfeits of a game of these players, who sit in this order."""
    departures: list[Departure] = []
    games = []
    for forfeit in forfeits:
        name = players[forfeit.side]
        games.append(forfeited_game(game_id, name, forfeit, begin, moves, departures))
        departures += [] if forfeit.ply is None else [(forfeit.ply, int(forfeit.side))]
    return tuple(games)
