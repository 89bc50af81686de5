"""Turn strategies of a seat from probabilities by set into weights by sequence, and value them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from arena.trees.sequences import InfoSet, SequenceForm

#: A seat's strategy: the probability of each move above 0, by what the seat knows.
Strategy = Mapping[Any, Mapping[int, Fraction]]


class Response(NamedTuple):
    """A best response: what it is paid on average, and its move at each set that it can reach."""

    payoff: Fraction
    strategy: Strategy


def strategy_of(sets: Sequence[InfoSet], weights: Sequence[Fraction]) -> Strategy:
    """Return the probabilities that weights of sequences mean, at the sets that they reach."""
    strategy = {}
    for each in sets:
        if before := weights[each.parent]:
            shares = weights[each.first : each.first + len(each.moves)]
            pairs = zip(each.moves, shares, strict=True)
            strategy[each.seen] = {move: share / before for move, share in pairs if share}
    return strategy


def best_response(
    form: SequenceForm, seat: int, weights: Mapping[int, Sequence[Fraction]]
) -> Response:
    """Return the best that a seat can do against these strategies of other seats, as weights.

    A seat without weights moved like chance when the form was made. Of moves that are equally good
    the first one is taken.
    """
    gains = sequence_gains(form, seat, weights)
    choices = [
        max(range(len(each.moves)), key=lambda place: gains[each.first + place])
        for each in form.sets[seat]
    ]
    return Response(gains[0], _reached(form.sets[seat], choices))


def sequence_gains(
    form: SequenceForm, seat: int, weights: Mapping[int, Sequence[Fraction]]
) -> list[Fraction]:
    """Return what a seat is paid after each sequence if it goes on as well as it can.

    Each end counts with the probability that chance and the other seats give it. See
    :func:`best_response`.
    """
    gains = [Fraction(0)] * form.sequences(seat)
    for sequences, paid in form.ends.items():
        gain = paid[seat]
        for other, weight in weights.items():
            gain *= weight[sequences[other]]
        if gain:
            gains[sequences[seat]] += gain
    for each in reversed(form.sets[seat]):
        gains[each.parent] += max(gains[each.first : each.first + len(each.moves)])
    return gains


def _reached(sets: Sequence[InfoSet], choices: Sequence[int]) -> Strategy:
    """Return the moves at these places of the sets, where the seat does not avoid a set."""
    reached, strategy = {0}, dict[Any, Mapping[int, Fraction]]()
    for each, place in zip(sets, choices, strict=True):
        if each.parent in reached:
            reached.add(each.first + place)
            strategy[each.seen] = {each.moves[place]: Fraction(1)}
    return strategy
