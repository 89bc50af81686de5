"""Refuse a tree that would not end, before it is walked, by an estimate of its size."""

from __future__ import annotations

from arena.errors import Undecided
from arena.game import Game, Position
from arena.games.display import Line
from arena.proof.estimate import MovesAfter, about, estimate, every_move
from arena.proof.limit import Limit
from arena.proof.policy import Policy

#: No game of more histories has few positions.
MAX_TREE = 1e14


def require_few(game: Game, limit: Limit, what: str, moves: MovesAfter = every_move) -> None:
    """Raise Undecided if an estimate finds more histories than the limit has.

    A game that hides nothing counts by positions.
    """
    start = game.start()
    sample = estimate([start], moves)
    size, name = (
        (sample.lines, "histories") if start.has_secrets else (sample.positions, "positions")
    )
    # What a game without an end in sight has is more than walks at random see of it.
    if size > limit.positions or sample.lines > MAX_TREE:
        raise Undecided(
            f"{what} is not begun: an estimate finds {_size_text(size, name, sample.lines)}, and"
            f" --max-positions is {limit.positions:,}"
        )


def _size_text(size: float, name: str, lines: float) -> str:
    return f"about {about(size)} {name}" if lines <= MAX_TREE else f"{about(lines)} histories"


def moves_against(policy: Policy, seat: int) -> MovesAfter:
    """Return the moves of a game in which a player has this seat: chance and the other make all."""

    def moves(position: Position, _: Line) -> tuple[int, ...]:
        if position.to_move == seat:
            return tuple(policy(position.observation(seat)))
        return position.legal_moves()

    return moves
