"""Build what a player gets: a position, or the knowledge of its seat where the game hides some."""

from __future__ import annotations

from arena.errors import IllegalMove, UsageError
from arena.game import CHANCE, Game, Observation, Position, Side, as_seat
from arena.games.contract import observed, parsed

#: An information state: all that a player may decide by.
InfoState = Position | Observation


def info_state_of(position: Position) -> InfoState:
    """Return the information state of the player to move.

    Raises UsageError if none is: the game is over, or chance moves.

    >>> from arena import get_game
    >>> str(info_state_of(get_game("rock-paper-scissors-1").start()))
    '0: | rock paper scissors'
    """
    if position.outcome() is not None:
        raise UsageError(f"the game is over in {str(position)!r}: there is no move to make")
    if position.to_move == CHANCE:
        raise UsageError(f"chance moves in {str(position)!r}: no player is asked there")
    return position.observation(position.to_move)


def read_info_state(game: Game, text: str) -> InfoState:
    """Return the information state that a text describes.

    Raises PositionError if the game refuses the text, UsageError if no player is to move there, and
    GameFault if the game breaks its contract.
    """
    info_state = observed(game, text) if game.features else parsed(game, text)
    if isinstance(info_state, Position):
        return info_state_of(info_state)
    if not info_state.legal_moves():
        raise UsageError(f"seat {info_state.seat} is not to move in {text!r}")
    return info_state


def seat_of(info_state: InfoState) -> Side:
    """Return the seat that is to move."""
    if isinstance(info_state, Observation):
        return as_seat(info_state.seat, info_state.game.seats)
    return info_state.to_move


def require_legal(info_state: InfoState, move: int) -> None:
    """Raise IllegalMove if the one that is asked may not make the move."""
    if not isinstance(info_state, Observation):
        info_state.play(move)
    elif not info_state.is_legal(move):
        raise IllegalMove(f"{move} is not legal")
