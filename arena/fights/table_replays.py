"""Check a noted game for more than two by the rules."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from arena.errors import ArenaError
from arena.game import Position
from arena.games.contract import without
from arena.match.record import Forfeit
from arena.match.table import payoffs_after


def problem_of_table(
    begin: Position,
    moves: Sequence[str],
    forfeits: Sequence[Forfeit],
    payoffs: Sequence[Fraction] | None,
    told: Sequence[Fraction] | None = None,
) -> str | None:
    """Return what the rules say against a game that is over, None if nothing.

    ``moves`` are in the game's notation, ``payoffs`` what it is said to have paid. ``told``
    is what it paid by the scores of its referee, if it has one.
    """
    game, position, gone = begin.game, begin, list[int]()
    waiting = list(forfeits)
    for ply in range(len(moves) + 1):
        while waiting and waiting[0].ply == ply:
            seat = int(waiting.pop(0).side)
            if seat in gone or not 0 <= seat < game.seats:
                return f"after {ply} moves seat {seat + 1} forfeits, but it is not in the game"
            gone.append(seat)
            if position.outcome() is not None:
                continue
            rest = without(position, seat)
            if rest is None:
                if ply < len(moves) or any(each.ply != ply for each in waiting):
                    return f"it goes on after {ply} moves without seat {seat + 1}"
                gone += [int(each.side) for each in waiting]
                return _problem_of_payoffs(told or payoffs_after(game, None, gone), payoffs)
            position = rest
        if ply < len(moves):
            try:
                position = position.play(game.parse_move(moves[ply]))
            except ArenaError as error:
                return f"move {ply + 1}: {error}"
    if waiting:
        return f"seat {waiting[0].side + 1} forfeits after {waiting[0].ply} moves"
    paid = position.payoffs()
    if paid is None:
        return "the record ends, but by the rules the game goes on"
    return _problem_of_payoffs(told or (payoffs_after(game, paid, gone) if gone else paid), payoffs)


def _problem_of_payoffs(
    by_rules: Sequence[Fraction], noted: Sequence[Fraction] | None
) -> str | None:
    if noted is not None and tuple(noted) == tuple(by_rules):
        return None
    paid = "nothing" if noted is None else " ".join(map(str, noted))
    return f"it paid {paid}, by the rules {' '.join(map(str, by_rules))}"
