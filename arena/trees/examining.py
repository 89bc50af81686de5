"""Ask what moves are worth: the questions of an exam, each with the exact payoff of every move.

A question is drawn so: a game is played in which the one who is examined makes each legal move with
the same probability, and one of its decisions there is taken, each as likely as the others. It is a
question if its moves are not all worth the same. Where nothing is hidden both seats are examined at
once, and a move is worth what perfect play pays after it. Where something is, one seat is examined,
drawn for each game. The other plays an equilibrium, and a move is worth what the seat gets after it
at most, on average over all that it cannot tell apart.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple, Protocol

from arena.errors import CannotEnumerate
from arena.game import CHANCE, Game, Position
from arena.games.contract import endless
from arena.games.info_state import InfoState
from arena.proof.limit import Limit
from arena.proof.values import known_values
from arena.trees.open_games import Values, backward_induction
from arena.trees.sequences import Behavior, sequence_form
from arena.trees.strategies import sequence_gains

#: What each legal move is worth to the seat that makes it, in the game's unit.
MoveValues = Mapping[int, Fraction]

#: The moves that may be made, each with its probability.
Shares = Sequence[tuple[int, Fraction]]


class ValuedQuestion(NamedTuple):
    """A question to a player, and the worth of its moves."""

    info_state: InfoState
    worth: MoveValues

    def regret(self, move: int) -> Fraction:
        """Return how much less a move is worth than the best one."""
        return max(self.worth.values()) - self.worth[move]

    @property
    def most(self) -> Fraction:
        """How much less the worst move is worth than the best one."""
        return max(self.worth.values()) - min(self.worth.values())

    @property
    def best(self) -> int:
        """The first of the best moves."""
        return max(self.worth, key=self.worth.__getitem__)


class Examiner(Protocol):
    """Knows what moves are worth, and how the seats play that are not examined."""

    #: The seats that are examined in one game.
    seats: Sequence[tuple[int, ...]]

    def worth(self, position: Position) -> MoveValues | None:
        """Return what the moves at a decision are worth, None where that is not known."""

    def others(self, position: Position) -> Shares:
        """Return the moves of a seat that is not examined."""


class PlainExaminer:
    """Examines at a game without luck, secrets and payoffs: a search values the moves."""

    seats: Sequence[tuple[int, ...]] = ((0, 1),)

    def __init__(self, budget: int) -> None:
        self._budget = budget

    def worth(self, position: Position) -> MoveValues | None:
        """See Examiner."""
        values = known_values(position, self._budget)
        if None in values.values():
            return None
        return {
            move: Fraction((value > 0) - (value < 0) + 1, 2)
            for move, value in values.items()
            if value is not None
        }

    def others(self, position: Position) -> Shares:
        """See Examiner: there are none."""
        raise AssertionError("both seats are examined")


class OpenExaminer:
    """Examines at a game with luck in which nothing is hidden."""

    seats: Sequence[tuple[int, ...]] = ((0, 1),)

    def __init__(self, game: Game, limit: Limit) -> None:
        self._values: Values = backward_induction(game, limit)

    def worth(self, position: Position) -> MoveValues:
        """See Examiner."""
        seat, payments = position.to_move, self._values.payments
        return {move: payments[position.play(move)][seat] for move in position.legal_moves()}

    def others(self, position: Position) -> Shares:
        """See Examiner: there are none."""
        raise AssertionError("both seats are examined")


class SealedExaminer:
    """Examines at a game with secrets, by the strategies of an equilibrium."""

    seats: Sequence[tuple[int, ...]] = ((0,), (1,))

    def __init__(self, game: Game, strategies: tuple[Behavior, Behavior], limit: Limit) -> None:
        self._strategies = strategies
        self._worths = {seat: self._valued(game, seat, limit) for seat in (0, 1)}

    def _valued(self, game: Game, seat: int, limit: Limit) -> dict[InfoState, MoveValues]:
        form = sequence_form(game, limit, {1 - seat: self._strategies[1 - seat]})
        gains = sequence_gains(form, seat, {})
        return {
            each.seen: {
                move: gains[each.first + place] / reach for place, move in enumerate(each.moves)
            }
            for each, reach in zip(form.sets[seat], form.reaches[seat], strict=True)
        }

    def worth(self, position: Position) -> MoveValues:
        """See Examiner."""
        seat = position.to_move
        return self._worths[seat][position.observation(seat)]

    def others(self, position: Position) -> Shares:
        """See Examiner."""
        seat = position.to_move
        return [*self._strategies[seat](position.observation(seat)).items()]


def question_at(examiner: Examiner, position: Position) -> ValuedQuestion | None:
    """Return the question at a decision, or None where it is none, or not valued."""
    try:
        worth = examiner.worth(position)
    except CannotEnumerate:
        return None
    if worth is None or len({*worth.values()}) < 2:
        return None
    return ValuedQuestion(position.observation(position.to_move), worth)


def drawn_questions(game: Game, examiner: Examiner, seed: str) -> Iterator[ValuedQuestion | None]:
    """Yield questions of a seed without end, and None for each drawn decision that is none."""
    rng = random.Random(seed)
    while True:
        examined = rng.choice(examiner.seats)
        decisions, position = list[Position](), game.start()
        while position.outcome() is None:
            if position.ply >= game.max_plies:
                raise endless(game, position)
            seat = position.to_move
            if seat in examined:
                decisions.append(position)
                move = rng.choice(position.legal_moves())
            else:
                shares = position.chance_moves() if seat == CHANCE else examiner.others(position)
                moves, weights = zip(*shares, strict=True)
                move = rng.choices(moves, [float(share) for share in weights])[0]
            position = position.play(move)
        yield question_at(examiner, rng.choice(decisions)) if decisions else None


class WeightedQuestion(NamedTuple):
    """A question, and the probability that a drawn question is this one."""

    question: ValuedQuestion
    weight: Fraction


def all_questions(game: Game, examiner: Examiner, most: int) -> list[WeightedQuestion] | None:
    """Return all questions that can be drawn, or None if more than ``most`` positions can arise.

    A question that is not valued is left out.
    """
    weights: dict[InfoState, Fraction] = {}
    questions: dict[InfoState, ValuedQuestion] = {}
    for examined in examiner.seats:
        tree = _Drawn(game, examiner, examined)
        if not tree.walk(most):
            return None
        for position, weight in tree.decisions():
            question = question_at(examiner, position)
            if question is not None:
                questions[question.info_state] = question
                weights[question.info_state] = (
                    weights.get(question.info_state, Fraction(0)) + weight
                )
    total = sum(weights.values())
    return [
        WeightedQuestion(questions[info_state], weight / total)
        for info_state, weight in weights.items()
    ]


#: The probability of each number of decisions.
CountChances = dict[int, Fraction]


class _Drawn:
    """The positions of all games in which these seats are examined."""

    def __init__(self, game: Game, examiner: Examiner, examined: tuple[int, ...]) -> None:
        self._game, self._examiner, self._examined = game, examiner, examined
        #: The positions in the order of their plies, with the probability of each move.
        self._after: dict[Position, list[tuple[Position, Fraction]]] = {}

    def walk(self, most: int) -> bool:
        """Find all positions. Return False if there are more than ``most``."""
        level = [self._game.start()]
        while level:
            deeper: dict[Position, None] = {}
            for position in level:
                after = [(position.play(move), share) for move, share in self._shares(position)]
                self._after[position] = after
                deeper.update(dict.fromkeys(each for each, _ in after))
            if len(self._after) + len(deeper) > most:
                return False
            level = list(deeper)
        return True

    def _shares(self, position: Position) -> Shares:
        if position.outcome() is not None:
            return ()
        if position.ply >= self._game.max_plies:
            raise endless(self._game, position)
        if position.to_move == CHANCE:
            return position.chance_moves()
        if position.to_move in self._examined:
            moves = position.legal_moves()
            return [(move, Fraction(1, len(moves))) for move in moves]
        return self._examiner.others(position)

    def _is_decision(self, position: Position) -> bool:
        return bool(self._after[position]) and position.to_move in self._examined

    def decisions(self) -> Iterator[tuple[Position, Fraction]]:
        """Yield each decision, and how probable it is that it is drawn.

        It is drawn from a game of n decisions with the probability 1/n, so the numbers before it
        and from it on count.
        """
        for position, before in self._before.items():
            if self._is_decision(position):
                from_here = self._from[position]
                yield (
                    position,
                    sum(
                        (p * q / (i + j) for i, p in before.items() for j, q in from_here.items()),
                        Fraction(0),
                    ),
                )

    @cached_property
    def _before(self) -> dict[Position, CountChances]:
        """How probable it is to get to a position after so many decisions."""
        before: dict[Position, CountChances] = {position: {} for position in self._after}
        before[self._game.start()] = {0: Fraction(1)}
        for position, after in self._after.items():
            more = self._is_decision(position)
            for each, share in after:
                _add(before[each], before[position], more, share)
        return before

    @cached_property
    def _from(self) -> dict[Position, CountChances]:
        """How probable it is that so many decisions are made from a position on."""
        by_position: dict[Position, CountChances] = {}
        for position, after in reversed(self._after.items()):
            counts: CountChances = {} if after else {0: Fraction(1)}
            for each, share in after:
                _add(counts, by_position[each], self._is_decision(position), share)
            by_position[position] = counts
        return by_position


def _add(counts: CountChances, others: CountChances, more: bool, share: Fraction) -> None:
    for number, chance in others.items():
        counts[number + more] = counts.get(number + more, Fraction(0)) + share * chance
