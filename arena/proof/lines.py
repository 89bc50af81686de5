"""Show a line of moves step by step, with the board after each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from arena.game import CHANCE, Position
from arena.games.display import picture_after
from arena.records.proofs import LineStep
from arena.seats import Departure, line_of


def line_steps(
    position: Position,
    moves: Sequence[int],
    side: int,
    gives_away: Callable[[Position, int], str | None],
    departures: Sequence[Departure] = (),
) -> tuple[LineStep, ...]:
    """Return the steps of a line from a position, for the player on that side or seat.

    ``gives_away`` says what a move in a position loses. ``departures`` are the seats that leave a
    game for more than two.
    """
    # A game that cannot go on without a seat ends there.
    both = zip(pairwise(line_of(position, moves, departures)), moves, strict=False)
    return tuple(
        LineStep(
            move=before.game.format_move(move),
            written=before.write_move(move),
            by_player=before.to_move == side,
            by_chance=before.to_move == CHANCE,
            picture=picture_after(after, move),
            gave_away=gives_away(before, move),
            svg=after.svg(last=move),
        )
        for (before, after), move in both
    )
