"""Check a noted game for more than two by the rules."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from arena.errors import ArenaError
from arena.game import Game, Outcome, Position
from arena.games.contract import without
from arena.match.by_referee import paid_by_referee, problem_by_referee
from arena.match.record import Forfeit
from arena.match.table import payoffs_after
from arena.records.refereed import Refereed


class NotedTable(NamedTuple):
    """A game for more than two as it was noted, not yet compared with the rules."""

    #: In the game's notation.
    moves: Sequence[str]
    forfeits: Sequence[Forfeit]
    payoffs: Sequence[Fraction] | None
    #: Its scores say what the game paid.
    referee: Refereed | None = None
    #: The value of an outcome, None for a game that goes on.
    outcome: str | None = Outcome.OVER.value


def problem_of_table(begin: Position, noted: NotedTable) -> str | None:
    """Return what the rules say against a game, None if nothing."""
    position: Position | None = begin
    game, out = begin.game, list[int]()
    if noted.outcome not in (None, Outcome.OVER.value):
        return f"it is {noted.outcome!r}, and games for more than two are over"
    waiting = list(noted.forfeits)
    for ply in range(len(noted.moves) + 1):
        while waiting and waiting[0].ply == ply:
            seat = int(waiting.pop(0).side)
            if seat in out or not 0 <= seat < game.seats:
                return f"after {ply} moves seat {seat + 1} forfeits, but it is not in the game"
            out.append(seat)
            if position is None or position.outcome() is not None:
                continue
            rest = without(position, seat)
            if rest is None and ply < len(noted.moves):
                return f"it goes on after {ply} moves without seat {seat + 1}"
            position = rest
        if position is not None and ply < len(noted.moves):
            try:
                position = position.play(game.parse_move(noted.moves[ply]))
            except ArenaError as error:
                return f"move {ply + 1}: {error}"
    if waiting:
        return f"seat {waiting[0].side + 1} forfeits after {waiting[0].ply} moves"
    return _problem_of_end(game, position, out, noted)


def _problem_of_end(
    game: Game, position: Position | None, out: Sequence[int], noted: NotedTable
) -> str | None:
    """Return how the end differs from the rules, or from a referee's scores.

    There is no position if the game could not go on without the seats that are ``out``.
    """
    paid = None if position is None else position.payoffs()
    is_over = position is None or paid is not None
    if is_over != (noted.outcome is not None):
        goes_on = "the record goes on, but by the rules the game is over"
        return goes_on if is_over else "the record ends, but by the rules the game goes on"
    if not is_over:
        return None
    if problem := problem_by_referee(game, noted.referee, noted.moves, out):
        return problem
    by_rules = paid_by_referee(game, noted.referee, out)
    if by_rules is None:
        by_rules = payoffs_after(game, paid, out) if out or paid is None else paid
    if noted.payoffs is not None and tuple(noted.payoffs) == by_rules:
        return None
    payoffs = "nothing" if noted.payoffs is None else " ".join(map(str, noted.payoffs))
    return f"it paid {payoffs}, by the rules {' '.join(map(str, by_rules))}"
