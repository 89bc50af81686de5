"""Check a noted game for more than two by the rules."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from arena.errors import ArenaError
from arena.game import Game, Position
from arena.games.contract import without
from arena.match.by_referee import paid_by_referee, problem_by_referee
from arena.match.record import Forfeit
from arena.match.table import payoffs_after
from arena.records.refereed import Refereed


def problem_of_table(
    begin: Position,
    moves: Sequence[str],
    forfeits: Sequence[Forfeit],
    payoffs: Sequence[Fraction] | None,
    referee: Refereed | None = None,
) -> str | None:
    """Return what the rules say against a game that is over, None if nothing.

    ``moves`` are in the game's notation, ``payoffs`` what it is said to have paid. The
    scores of a ``referee`` say what it paid.
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
                by_rules = payoffs_after(game, None, gone)
                return _problem_of_end(game, referee, moves, gone, by_rules, payoffs)
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
    by_rules = payoffs_after(game, paid, gone) if gone else paid
    return _problem_of_end(game, referee, moves, gone, by_rules, payoffs)


def _problem_of_end(
    game: Game,
    referee: Refereed | None,
    moves: Sequence[str],
    gone: Sequence[int],
    paid: Sequence[Fraction],
    noted: Sequence[Fraction] | None,
) -> str | None:
    """Return how the ``noted`` payoffs differ from those ``paid``, or from a referee's scores."""
    if problem := problem_by_referee(game, referee, moves, gone):
        return problem
    by_rules = paid_by_referee(game, referee, gone) or paid
    if noted is not None and tuple(noted) == tuple(by_rules):
        return None
    payoffs = "nothing" if noted is None else " ".join(map(str, noted))
    return f"it paid {payoffs}, by the rules {' '.join(map(str, by_rules))}"
