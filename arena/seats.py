"""Name the seats of a game, and who of those that sit there won."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, TypeVar

P = TypeVar("P")

#: The most seats of a game.
MAX_SEATS = 8

#: The letters of the seats where a board shows who has a square: ``x`` and ``o`` are those of two.
SEAT_LETTERS = "xozwvuts"

#: A seat that left a game for more than two: after how many moves, and which.
Departure = tuple[int, int]


def seat_word(seat: int, seats: int) -> str:
    """Return what messages call a seat: its letter in a game for two, else its number from 1.

    >>> seat_word(1, 2), seat_word(1, 4)
    ('o', 'seat 2')
    """
    return SEAT_LETTERS[seat] if seats == 2 else f"seat {seat + 1}"


def best_paid(players: Sequence[str], payoffs: Sequence[Fraction | str] | None) -> str | None:
    """Return the player that was paid more than every other, None if there is none.

    >>> best_paid(["anna", "bert", "carl"], ["1/2", "2", "0"])
    'bert'
    """
    if not payoffs:
        return None
    others = beaten(players, payoffs)
    best = [name for name in players if name not in others]
    return best[0] if len(best) == 1 else None


def winner_of(
    players: Sequence[str], outcome: str | None, payoffs: Sequence[Fraction | str] | None
) -> str | None:
    """Return the winner of a game. It is None for a draw, and for a game that goes on.

    Of more than two it is the player that was paid more than any other.

    >>> winner_of(["anna", "bert"], "second", None)
    'bert'
    """
    if len(players) > 2:
        return best_paid(players, payoffs)
    return dict(zip(("first", "second"), players, strict=True)).get(outcome or "")


def ended_word(seats: int) -> str:
    """Return the result of a game without a winner."""
    return "draw" if seats == 2 else "over"


def beaten(players: Sequence[str], payoffs: Sequence[Fraction | str]) -> list[str]:
    """Return the players that were paid less than another.

    >>> beaten(["anna", "bert", "carl"], ["1/2", "2", "0"])
    ['anna', 'carl']
    """
    paid = [Fraction(each) for each in payoffs]
    return [name for name, each in zip(players, paid, strict=True) if each < max(paid)]


def state_of(position: Any) -> str:
    """Say who is to move at a position, or how the game ended."""
    outcome = position.outcome()
    if outcome is not None:
        winner = outcome.winner
        ended = "over" if outcome.value == "over" else "draw"
        return ended if winner is None else f"{SEAT_LETTERS[winner]} wins"
    if position.to_move < 0:
        return "chance to move"
    return f"{seat_word(position.to_move, position.game.seats)} to move"


def chance_places(
    start: Any, moves: Sequence[int], departures: Sequence[Departure]
) -> tuple[int, ...]:
    """Return the places, from 1, of the moves that are chance's.

    >>> from arena import get_game
    >>> kuhn = get_game("kuhn")
    >>> chance_places(kuhn.start(), [kuhn.parse_move(word) for word in ("K", "J", "bet")], ())
    (1, 2)
    """
    if not start.has_luck:
        return ()
    line = zip(line_of(start, moves, departures), moves, strict=False)
    return tuple(place for place, (position, _) in enumerate(line, 1) if position.to_move < 0)


def line_of(start: P, moves: Iterable[int], departures: Sequence[Departure] = ()) -> Iterator[P]:
    """Yield the positions after 0, 1, 2, ... moves, as far as the game can do without seats.

    ``departures`` has the seats that left the game, in their order.
    """
    position: Any = start
    waiting = list(departures)
    for ply, move in enumerate((*moves, None)):
        while waiting and waiting[0][0] <= ply:
            before, position = position, position.without(waiting.pop(0)[1])
            if position is None:
                yield before
                return
        yield position
        if move is not None:
            position = position.play(move)
