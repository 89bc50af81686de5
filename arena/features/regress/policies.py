"""Turn a stateless player's policy into a table, and into text of one line per position."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import partial
from typing import Any, NoReturn

from arena.errors import CannotEnumerate, UsageError, quoted
from arena.fractions import fraction_of
from arena.game import Game, Position, Side
from arena.games.walk import walk
from arena.player import MoveChances, PlayerInfo
from arena.proof import progress

#: The moves in every position in which the player can be to move, from either side, against any
#: opponent.
PolicyTable = dict[Position, MoveChances]


def tabulate(
    policy: Callable[[Position], MoveChances], game: Game, max_positions: int
) -> PolicyTable:
    """Ask for the moves in every position that can occur with the player on either side.

    In the order of the moves that lead there: a position comes after those that lead to it. Raises
    CannotEnumerate if there are more than ``max_positions`` in which it is to move.
    """
    table: PolicyTable = {}
    for side in Side:
        for position in walk(game.start(), partial(_moves, table, side)):
            if position.to_move == side and position.outcome() is None:
                table[position] = policy(position)
                progress.tell(len(table), None, f"positions of {game.name}, with every draw")
                if len(table) > max_positions:
                    raise CannotEnumerate(
                        f"more than {max_positions} positions of {game.name} can occur"
                    )
    return table


def _moves(table: PolicyTable, side: Side, position: Position) -> Iterable[int]:
    return table.get(position, ()) if position.to_move == side else position.legal_moves()


def frozen(name: str, game: Game, table: PolicyTable) -> PlayerInfo:
    """Return a player that has that policy as its distribution."""
    return PlayerInfo(name, _unplayed, games=(game.name,), distribution=partial(_look_up, table))


def _look_up(table: PolicyTable, position: Position) -> MoveChances:
    # A search for symmetries also asks about positions that cannot occur: images of those that can.
    # Any answer will do there, for it counts only if it is the image of the one in the table.
    return table.get(position) or {position.legal_moves()[0]: Fraction(1)}


def drawing(name: str, game: Game, table: PolicyTable) -> PlayerInfo:
    """Return a player that draws its moves from that policy."""
    return PlayerInfo(name, partial(_draw, table), games=(game.name,))


def _draw(table: PolicyTable, position: Position, rng: random.Random) -> int:
    moves = table[position]
    return rng.choices([*moves], [*moves.values()])[0]


def _unplayed(_position: Any, _rng: Any) -> NoReturn:
    raise NotImplementedError("a policy from a table is not played, but calculated with")


def format_moves(game: Game, moves: MoveChances) -> str:
    """Write equally likely moves as ``1 3 7 9``, others as ``1:1/3 5:2/3``."""
    names = [game.format_move(move) for move in moves]
    if len(set(moves.values())) == 1:
        return " ".join(names)
    return " ".join(f"{name}:{chance}" for name, chance in zip(names, moves.values(), strict=True))


def parse_moves(text: str, position: Position) -> dict[int, Fraction]:
    """Read what :func:`format_moves` wrote. Raise UsageError for anything else."""
    if not text.split():
        raise UsageError(f"{quoted(text)} is not a list of moves")
    words = [word.rpartition(":") for word in text.split()]
    equal = not any(colon for _, colon, _ in words)
    chances: dict[int, Fraction] = {}
    for before, colon, after in words:
        name, chance = (before, _probability(after)) if colon else (after, Fraction(1, len(words)))
        if not colon and not equal:
            raise UsageError(f"move {quoted(name)} has no probability and others have one")
        move = position.game.parse_move(name)
        if move in chances:
            raise UsageError(f"move {quoted(name)} is there twice")
        if move not in position.legal_moves():
            raise UsageError(f"move {quoted(name)} is not legal")
        chances[move] = chance
    total = sum(chances.values())
    if total != 1:
        raise UsageError(f"the probabilities {quoted(text)} add up to {quoted(str(total))}, not 1")
    return dict(sorted(chances.items()))


def _probability(text: str) -> Fraction:
    try:
        number = fraction_of(text)
    except ValueError as error:
        raise UsageError(str(error)) from None
    if number <= 0:
        raise UsageError(f"the probability {quoted(text)} is not over 0")
    return number
