"""Calculate the exact result of a pairing at a game of lines in arrays, ply by ply.

Each position of a ply has the numerator of the probability of reaching it, a whole number of any
size. The denominator is the same for a ply.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from arena.arrays import Keys
from arena.certificates.key_rules import KeyRules, key_rules_of
from arena.certificates.queries import MoveWeights, Weigh, weigher
from arena.certificates.walk import blocks
from arena.game import WIN_FOR, Game, Outcome, Side
from arena.player import PlayerInfo, pair_names
from arena.proof import progress
from arena.proof.limit import Limit
from arena.proof.outcome import chances_of
from arena.records.proofs import ExactResult

#: Whole numbers of any size.
BigInts: TypeAlias = NDArray[np.object_]


def exact_result(game: Game, a: PlayerInfo, b: PlayerInfo, limit: Limit) -> ExactResult:
    """Return the exact result in both starting orders, as :func:`arena.proof.outcome.exact_result`.

    Raises CannotEnumerate where a player's answers do not show its moves, Undecided beyond the
    limit. Symmetric positions are not merged.
    """
    rules = key_rules_of(game)
    assert rules is not None
    weighs = weigher(a, rules), weigher(b, rules)
    what = f"{a.name} against {b.name} at {game.name}"
    a_first, of_a = _outcomes(game, rules, weighs, limit, what)
    b_first, of_b = (a_first, of_a) if a == b else _outcomes(game, rules, weighs[::-1], limit, what)
    return ExactResult(
        game.name,
        game.version,
        pair_names(a.name, b.name),
        chances_of(a_first),
        chances_of(b_first).reversed(),
        positions=(of_a, of_b),
    )


def _outcomes(
    game: Game, rules: KeyRules, weighs: tuple[Weigh, ...], limit: Limit, what: str
) -> tuple[dict[Outcome, Fraction], int]:
    """Return the probability of each outcome, and how many positions were walked.

    The first of the players asked moves first.
    """
    chances = dict.fromkeys(Outcome, Fraction(0))
    keys = np.array([rules.key(game.start())], np.uint64)
    numbers: BigInts = np.array([1], object)
    whole, reached = 1, 1
    for ply in range(game.max_plies):
        if not len(keys):
            break
        side = Side(ply & 1)
        weights = weighs[side](keys)
        totals = weights.sum(axis=1)
        factor = lcm(*np.unique(totals).tolist())
        numbers *= factor // totals.astype(object)
        whole *= factor
        ending = np.concatenate([rules.ending(part, side) for part in blocks(keys)])
        over = 0
        for weight, part in zip(weights.T, rules.each_move(ending), strict=True):
            is_made = (part != 0) & (weight != 0)
            over += int(numbers[is_made] @ weight[is_made].astype(object))
        winner = side.other if rules.misere else side
        chances[WIN_FOR[winner]] += Fraction(over, whole)
        keys, numbers = _after(rules, keys, numbers, weights, ending, side)
        reached += len(keys)
        progress.tell(reached, limit.positions, "positions", "at most")
        limit.require(reached, what)
    chances[Outcome.DRAW] += Fraction(int(numbers.sum()), whole)
    return chances, reached


def _after(
    rules: KeyRules, keys: Keys, numbers: BigInts, weights: MoveWeights, ending: Keys, side: Side
) -> tuple[Keys, BigInts]:
    """Return the positions after the moves that do not end the game, each once, and the sums of
    their numbers.
    """
    keys_after, values = [keys[:0]], [numbers[:0]]
    landings = rules.landings(rules.split(keys)[1]) & ~ending
    for weight, part in zip(weights.T, rules.each_move(landings), strict=True):
        is_made = (part != 0) & (weight != 0)
        keys_after.append(rules.played(keys[is_made], part[is_made], side))
        values.append(numbers[is_made] * weight[is_made].astype(object))
    after, value = np.concatenate(keys_after), np.concatenate(values)
    order = np.argsort(after, kind="stable")
    after = after[order]
    firsts = np.flatnonzero(np.append(True, after[1:] != after[:-1])[: len(after)])
    if not len(firsts):
        return after, value
    return after[firsts], np.add.reduceat(value[order], firsts)
