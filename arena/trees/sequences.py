"""Walk through all histories of a game once, and keep what matters of them: its sequence form.

A sequence of a seat is the list of its own moves, each at the information set where it made it.
With perfect recall one sequence leads to each of its sets. So a strategy is a weight for each
sequence, the product of the probabilities of its moves, and what a strategy of each seat pays is a
sum over the ends of the game. The form is that of von Stengel, "Efficient computation of behavior
strategies" (1996).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from arena.errors import GameFault, quoted
from arena.game import CHANCE, Game, Position
from arena.games.contract import endless, payoffs_of
from arena.proof import progress
from arena.proof.limit import Limit

#: The probability of each move of a seat, by what it knows.
Behavior = Callable[[Any], Mapping[int, Fraction]]


class InfoSet(NamedTuple):
    """The knowledge of a seat where it is to move."""

    seen: Any
    #: The number of the seat's sequence that leads here, and that of its first move. The sequences
    #: of its other moves follow.
    parent: int
    first: int
    moves: tuple[int, ...]


class SequenceForm:
    """The information sets of every seat, each after the one that leads to it, and the ends."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.sets: tuple[list[InfoSet], ...] = tuple([] for _ in range(game.seats))
        #: How probable chance and the known seats make it to get to each set, if its seat tries to.
        self.reaches: tuple[list[Fraction], ...] = tuple([] for _ in range(game.seats))
        #: What the ends with these sequences pay each seat, times the probability of their chance
        #: events: by a sequence of every seat.
        self.ends: dict[tuple[int, ...], tuple[Fraction, ...]] = {}
        #: The number of histories, those before a move of chance among them.
        self.histories = 0
        self._numbers: tuple[dict[Any, int], ...] = tuple({} for _ in range(game.seats))

    def sequences(self, seat: int) -> int:
        """Return the number of a seat's sequences. Number 0 is the empty one."""
        sets = self.sets[seat]
        return sets[-1].first + len(sets[-1].moves) if sets else 1

    def reach_set(self, position: Position, seat: int, parent: int, chance: Fraction) -> InfoSet:
        """Return the set of a seat that is to move after a history of this probability.

        Raises GameFault without perfect recall.
        """
        seen = position.observation(seat)
        numbers, sets = self._numbers[seat], self.sets[seat]
        moves = position.legal_moves()
        number = numbers.setdefault(seen, len(sets))
        if number == len(sets):
            sets.append(InfoSet(seen, parent, self.sequences(seat), moves))
            self.reaches[seat].append(Fraction(0))
        self.reaches[seat][number] += chance
        reached = sets[number]
        if reached.parent != parent or reached.moves != moves:
            what = "moves of its own" if reached.parent != parent else "legal moves"
            raise GameFault(
                f"game {quoted(self.game.name)} broke its contract in observation({seat}) at"
                f" {quoted(str(position))}: another history with other {what} is the same to the"
                f" seat (arena check game {self.game.name} shows both)"
            )
        return reached

    def add_end(self, sequences: tuple[int, ...], paid: Sequence[Fraction]) -> None:
        """Add what an end pays, times its probability."""
        before = self.ends.get(sequences)
        self.ends[sequences] = (
            tuple(paid)
            if before is None
            else tuple(old + new for old, new in zip(before, paid, strict=True))
        )


def sequence_form(
    game: Game, limit: Limit, behaviors: Mapping[int, Behavior] | None = None, what: str = ""
) -> SequenceForm:
    """Walk through all histories of a game in which the ``known`` seats behave so.

    These move like chance: they have no sets. Where all seats are known the only end is what they
    are paid on average. ``what`` names the walk in the message of Undecided, which is raised beyond
    the limit. Raises GameFault for a game whose seats forget.
    """
    form, behaviors = SequenceForm(game), behaviors or {}
    what = what or f"the tree of {game.name}"
    waiting = [(game.start(), Fraction(1), (0,) * game.seats)]
    while waiting:
        position, chance, sequences = waiting.pop()
        form.histories += 1
        progress.tell(form.histories, limit.positions, "histories", "at most")
        limit.require(form.histories, what)
        if position.outcome() is not None:
            form.add_end(sequences, [chance * paid for paid in payoffs_of(position)])
            continue
        if position.ply >= game.max_plies:
            raise endless(game, position)
        seat = position.to_move
        if seat == CHANCE or seat in behaviors:
            shares = (
                position.chance_moves()
                if seat == CHANCE
                else behaviors[seat](position.observation(seat)).items()
            )
            waiting += [(position.play(move), chance * share, sequences) for move, share in shares]
            continue
        reached = form.reach_set(position, seat, sequences[seat], chance)
        for place, move in enumerate(reached.moves, start=reached.first):
            after = (*sequences[:seat], place, *sequences[seat + 1 :])
            waiting.append((position.play(move), chance, after))
    return form
