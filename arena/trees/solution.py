"""Solve a game for two with a constant sum: its value, and a strategy of each seat that proves it.

Each strategy comes with what the best response to it leaves: the first seat is paid ``low`` at
least by its own, and ``high`` at most by the other's. Both are exact, whatever proposed the
strategies. Where they are equal they are the value of the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from arena.errors import UsageError, quoted
from arena.game import Game
from arena.proof.certificate_file import bounded
from arena.proof.limit import Limit
from arena.stats.highs import highs
from arena.trees.linear_program import LinearProgram, proposed
from arena.trees.open_games import backward_induction, reached
from arena.trees.rational import weights as refined_weights
from arena.trees.sequences import InfoSet, SequenceForm, sequence_form
from arena.trees.strategies import Strategy, best_response, strategy_of

if TYPE_CHECKING:
    from arena.arrays import Floats


#: Bits of the weights at first, and beyond which they are rounded instead.
FIRST_BITS, MAX_BITS = 64, 1 << 14

#: The largest denominator of a probability that is rounded.
MAX_DENOMINATOR = 10**6


class GameSolution(NamedTuple):
    """The value of a game to its first seat, or what brackets it, and the strategies that prove
    it.
    """

    low: Fraction
    high: Fraction
    strategies: tuple[Strategy, ...]
    #: The histories of the game, or its positions where it hides nothing.
    histories: int
    method: str


def require_solvable(game: Game) -> None:
    """Raise UsageError for a game that has no value to prove."""
    if game.seats != 2:
        raise UsageError(
            f"game {quoted(game.name)} has {game.seats} seats, and only games for two have a value"
        )
    if game.payoffs.total is None:
        raise UsageError(
            f"game {quoted(game.name)} has neither value nor worst case: its payoffs have no"
            " constant sum, so what is good for one seat need not be bad for the other"
        )


def solve(game: Game, limit: Limit) -> GameSolution:
    """Return the value of a game, exact or in a bracket. Raises UsageError as require_solvable, and
    Undecided beyond the limit.
    """
    require_solvable(game)
    if not game.start().has_secrets:
        return _solve_open(game, limit)
    highs("a game with secrets")  # who lacks it learns that before the walk
    form = sequence_form(game, limit)
    program = LinearProgram(form)
    proposal = proposed(program, limit.seconds_left)
    if proposal is None:
        limit.require(form.histories, f"the linear program of {game.name}")
        raise UsageError(f"HiGHS finds no solution of the linear program of {game.name}")
    pair = refined_weights(program, proposal)
    bits, solution = FIRST_BITS, None
    while bits <= MAX_BITS and (limit.seconds_left is None or limit.seconds_left > 0):
        both = [each.at(bits) for each in pair]
        if any(each is None for each in both):
            break
        candidate = [each for each in both if each is not None]
        if all(map(_are_weights, form.sets, candidate)):
            solution = _valued(form, candidate, "linear program, its basis solved in fractions")
            if solution.low == solution.high:
                return solution
        bits *= 2
    if solution is not None:
        return solution
    proposals = (proposal.x, proposal.y)
    rounded = [_rounded(sets, floats) for sets, floats in zip(form.sets, proposals, strict=True)]
    return _valued(form, rounded, "linear program in floats, rounded to fractions")


def _solve_open(game: Game, limit: Limit) -> GameSolution:
    values = backward_induction(game, limit)
    value = values.payments[game.start()][0]
    strategies = tuple(
        {seen: {move: Fraction(1)} for seen, move in reached(game, seat, values).items()}
        for seat in range(2)
    )
    return GameSolution(value, value, strategies, len(values.payments), "expectiminimax")


def _valued(form: SequenceForm, weights: Sequence[Sequence[Fraction]], method: str) -> GameSolution:
    """Return what both strategies prove: what the best response to each leaves."""
    most, least = (
        best_response(form, seat, {1 - seat: weights[1 - seat]}).payoff for seat in range(2)
    )
    total = Fraction(form.game.payoffs.total or 0)
    strategies = tuple(map(strategy_of, form.sets, weights))
    return GameSolution(bounded(total - least), bounded(most), strategies, form.histories, method)


def _are_weights(sets: Sequence[InfoSet], weights: Sequence[Fraction]) -> bool:
    """Return whether the weights of a set's moves add up to the weight of what leads there."""
    return (
        weights[0] == 1
        and min(weights) >= 0
        and all(
            sum(weights[each.first : each.first + len(each.moves)]) == weights[each.parent]
            for each in sets
        )
    )


def _rounded(sets: Sequence[InfoSet], proposal: Floats) -> list[Fraction]:
    """Return weights near those of a proposal: each probability is rounded by itself."""
    weights = [Fraction(1)]
    for each in sets:
        shares = [max(0.0, float(x)) for x in proposal[each.first : each.first + len(each.moves)]]
        total = sum(shares) or 1.0
        rounded = [Fraction(x / total).limit_denominator(MAX_DENOMINATOR) for x in shares]
        rest = 1 - sum(rounded)
        rounded[max(range(len(rounded)), key=rounded.__getitem__)] += rest
        weights += [weights[each.parent] * share for share in rounded]
    return weights
