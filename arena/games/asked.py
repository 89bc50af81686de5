"""Build what a player gets: a position, or the knowledge of its seat where the game hides some."""

from __future__ import annotations

from arena.errors import IllegalMove, UsageError
from arena.game import CHANCE, Game, Observation, Position, Side, as_seat
from arena.games.contract import observed, parsed

Asked = Position | Observation


def asked_of(position: Position) -> Asked:
    """Return what the player to move is asked with.

    Raises UsageError if none is: the game is over, or chance moves.

    >>> from arena import get_game
    >>> str(asked_of(get_game("rock-paper-scissors-1").start()))
    '0: | rock paper scissors'
    """
    if position.outcome() is not None:
        raise UsageError(f"the game is over in {str(position)!r}: there is no move to make")
    if position.to_move == CHANCE:
        raise UsageError(f"chance moves in {str(position)!r}: no player is asked there")
    return position.observation(position.to_move)


def read_asked(game: Game, text: str) -> Asked:
    """Return what a player is asked with, as the text describes it.

    Raises PositionError if the game refuses the text, UsageError if no player is to move there, and
    GameFault if the game breaks its contract.
    """
    asked = observed(game, text) if game.features else parsed(game, text)
    if isinstance(asked, Position):
        return asked_of(asked)
    if not asked.legal_moves():
        raise UsageError(f"seat {asked.seat} is not to move in {text!r}")
    return asked


def seat_of(asked: Asked) -> Side:
    """Return the seat that is asked."""
    if isinstance(asked, Observation):
        return as_seat(asked.seat, asked.game.seats)
    return asked.to_move


def require_legal(asked: Asked, move: int) -> None:
    """Raise IllegalMove if the one that is asked may not make the move."""
    if not isinstance(asked, Observation):
        asked.play(move)
    elif not asked.is_legal(move):
        raise IllegalMove(f"{move} is not legal")
