"""Value the positions of a game that hides nothing, from its ends back to its start.

With chance this is expectiminimax (Michie, "Game-playing and game-learning automata", 1966): the
value where chance moves, or a known seat, is the mean of those after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple

from arena.game import CHANCE, Game, Position
from arena.games.contract import endless, payoffs_of
from arena.proof import progress
from arena.proof.limit import Limit
from arena.trees.sequences import Behavior

#: What each seat is paid on average.
Payments = tuple[Fraction, ...]


class Values(NamedTuple):
    """The payments of every position if all seats go on so, and the moves of those that choose."""

    payments: Mapping[Position, Payments]
    choices: Mapping[Position, int]


def backward_induction(
    game: Game, limit: Limit, behaviors: Mapping[int, Behavior] | None = None, what: str = ""
) -> Values:
    """Value all positions in which the ``known`` seats behave so and every other one moves to what
    pays it best, the first of such moves.

    Raises Undecided beyond the limit, in whose message ``what`` names the walk.
    """
    behaviors, what = behaviors or {}, what or f"the walk at {game.name}"
    payments: dict[Position, Payments] = {}
    choices: dict[Position, int] = {}
    start = game.start()
    waiting = [start]
    while waiting:
        position = waiting[-1]
        if position in payments:
            waiting.pop()
            continue
        after = _after(game, position, behaviors)
        if missing := [each for _, each in after if each not in payments]:
            waiting += reversed(missing)
            continue
        waiting.pop()
        payments[position] = _paid(position, after, behaviors, payments, choices)
        progress.tell(len(payments), limit.positions, "positions", "at most")
        limit.require(len(payments), what)
    return Values(payments, choices)


def _after(
    game: Game, position: Position, behaviors: Mapping[int, Behavior]
) -> list[tuple[Fraction | int, Position]]:
    """Return the positions after each move, with its probability or, if a seat chooses, itself."""
    if position.outcome() is not None:
        return []
    if position.ply >= game.max_plies:
        raise endless(game, position)
    seat = position.to_move
    shares: Iterable[tuple[int, Fraction]]
    if seat == CHANCE:
        shares = position.chance_moves()
    elif seat in behaviors:
        shares = behaviors[seat](position).items()
    else:
        return [(move, position.play(move)) for move in position.legal_moves()]
    return [(share, position.play(move)) for move, share in shares]


def _paid(
    position: Position,
    after: list[tuple[Fraction | int, Position]],
    behaviors: Mapping[int, Behavior],
    payments: Mapping[Position, Payments],
    choices: dict[Position, int],
) -> Payments:
    if not after:
        return payoffs_of(position)
    seat = position.to_move
    if seat == CHANCE or seat in behaviors:
        means = [Fraction(0)] * position.game.seats
        for share, each in after:
            means = [mean + share * paid for mean, paid in zip(means, payments[each], strict=True)]
        return tuple(means)
    move, best = max(after, key=lambda choice: payments[choice[1]][seat])
    choices[position] = int(move)
    return payments[best]


def reached(game: Game, seat: int, values: Values) -> dict[Position, int]:
    """Return the choices of a seat at the positions that neither it nor a known seat avoids."""
    seen, waiting, choices = {game.start()}, [game.start()], dict[Position, int]()
    while waiting:
        position = waiting.pop()
        moves = position.legal_moves()
        if moves and position.to_move == seat:
            choices[position] = values.choices[position]
            moves = (choices[position],)
        for move in moves:
            after = position.play(move)
            if after not in seen and after in values.payments:
                seen.add(after)
                waiting.append(after)
    return choices
