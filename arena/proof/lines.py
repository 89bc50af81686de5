"""Show a line of moves step by step, with the board after each."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from arena.game import Position, Side
from arena.games.display import picture_after
from arena.records.proofs import LineStep


def line_steps(
    position: Position,
    moves: Iterable[int],
    side: Side,
    gives_away: Callable[[Position, int], str | None],
) -> tuple[LineStep, ...]:
    """Return the steps of a line from a position, for the player on that side.

    ``gives_away`` says what a move in a position loses.
    """
    steps = []
    for move in moves:
        after = position.play(move)
        steps.append(
            LineStep(
                move=position.game.format_move(move),
                written=position.write_move(move),
                by_player=position.to_move == side,
                picture=picture_after(after, move),
                gave_away=gives_away(position, move),
                svg=after.svg(last=move),
            )
        )
        position = after
    return tuple(steps)
