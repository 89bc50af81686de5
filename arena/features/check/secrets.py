"""Find what a game tells a seat that the seat should not know, or has it forget.

A seat's own history is what it observed and did. The check follows every history of a small game,
and random ones of a larger game. It requires of every seat, whether it is to move or not:

- Equal own histories give equal texts, hashes, legal moves and pictures, and objects that are equal
  all through, as :mod:`arena.features.check.contents` reads them.
- Different own histories give observations that differ, so a seat forgets nothing.
- No path leads from an observation to a position, a generator of random numbers or another seat's
  observation, nor to an object that cannot be read.
- What all observations lead to, such as the rules, classes and the globals of the game's modules,
  is the same after both of two equal own histories, when they are played again.

Two histories show each difference. The game itself says by ``==`` which observations are equal.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from arena.errors import class_name, describe
from arena.features.check.contents import ADDRESS, Contents, ObservationReader
from arena.features.check.options import MAX_HISTORIES
from arena.features.check.record import Leak, Secrecy
from arena.features.check.walk import ContractBreach
from arena.game import CHANCE, Game, Observation, Position
from arena.games.display import Line
from arena.games.walk import walked
from arena.proof import progress

#: Moves near the legal ones that an observation is asked about.
MAX_NEAR = 64

#: Objects that are read of the rules, the classes and what they name, those nearest to an
#: observation.
MAX_AROUND = 5_000

#: Moves that are played again to read these, and the price of a pair of histories beside its moves.
MAX_MOVES_AGAIN, PAIR = 5_000, 50

#: Kinds of findings: what a seat forgets, and what its observation holds.
MEMORY, INSIDE = "memory", "inside"


@dataclass
class _SeatKnowledge:
    """What a seat knows after one own history, as the first history shows it."""

    observation: Any
    line: Line
    #: Moves that it may make, and others near them.
    near: tuple[int, ...]
    #: What it answers, by the words for the question, and all that it leads to.
    answers: dict[str, Any]
    content: list[Any]
    #: What it knows next, by its own move, if it made one.
    after: dict[int | None, list[_SeatKnowledge]] = field(default_factory=dict)
    #: Another history after which it knows the same.
    other: Line | None = None


class _SeatFollower:
    """Follows what one seat knows through all histories."""

    def __init__(self, game: Game, seat: int) -> None:
        self.game, self.seat = game, seat
        self.roots: list[_SeatKnowledge] = []
        self.by_text: dict[str, _SeatKnowledge] = {}
        self.leaks: dict[str, Leak] = {}
        self.reader = ObservationReader(seat, _packages(game), MAX_AROUND)

    def look(
        self, position: Position, line: Line, before: _SeatKnowledge | None, move: int | None
    ) -> _SeatKnowledge:
        """Return what the seat knows now, after it knew what it did before and made the move."""
        observation = position.observation(self.seat)
        if before is not None and move is None and observation == before.observation:
            self._compare(before, observation, line)
            return before
        alternatives = self.roots if before is None else before.after.setdefault(move, [])
        for knowledge in alternatives:
            if observation == knowledge.observation:
                self._compare(knowledge, observation, line)
                return knowledge
        knowledge = self._first(position, observation, line)
        alternatives.append(knowledge)
        return knowledge

    def _first(self, position: Position, observation: Any, line: Line) -> _SeatKnowledge:
        if problem := misfit(observation, self.seat):
            raise ContractBreach(problem, line)
        moves = position.legal_moves()
        close = {move + step for move in moves for step in (-1, 0, 1)}
        near = tuple(sorted({-1, 0, *close})[:MAX_NEAR])
        # Read last: an answer may be kept in the observation.
        answers = _answers(observation, near)
        contents = self.reader.read(observation)
        self._report_paths(contents, line)
        knowledge = _SeatKnowledge(observation, line, near, answers, contents.records)
        text = answers["texts"]
        other = self.by_text.setdefault(text, knowledge)
        if other is not knowledge:
            problem = f"two own histories that differ have the text {text!r}"
            self._report(MEMORY, problem, line, other.line)
        return knowledge

    def _compare(self, knowledge: _SeatKnowledge, observation: Any, line: Line) -> None:
        """Require that an observation which is equal to a known one is so all through."""
        if knowledge.other is None and line != knowledge.line:
            knowledge.other = line
        answers = _answers(observation, knowledge.near)
        if answers != knowledge.answers:
            for words, answer in answers.items():
                if answer != (first := knowledge.answers.get(words)):
                    self._report(words, _differing(words, first, answer), line, knowledge.line)
            return
        contents = self.reader.read(observation)
        if contents.records == knowledge.content:
            return
        self._report_paths(contents, line)
        knowledge.content = contents.records  # the later ones have all that is computed once
        if INSIDE not in self.leaks and (path := self._difference(knowledge.line, line)):
            problem = f"equal observations hold other values inside: {path}"
            self._report(INSIDE, problem, line, knowledge.line)

    def _difference(self, line: Line, other: Line, around: bool = False) -> str:
        """Return the path to what two histories make differ when both are played again.

        What a game computes once and keeps does not differ by then.
        """
        if around:
            self._observed(line), self._observed(other)
        first = self.reader.read(self._observed(line), around)
        return first.difference(self.reader.read(self._observed(other), around))

    def _observed(self, line: Line) -> Any:
        return walked(self.game.start(), line).observation(self.seat)

    def look_around(self, rng: random.Random) -> None:
        """Require that what all observations lead to does not tell one from its equal.

        An observation that differs itself would show it, too, so that is to be mended first.
        """
        if self.leaks.keys() - {MEMORY}:
            return
        pairs = [(each.line, each.other) for each in self._all() if each.other is not None]
        budget = MAX_MOVES_AGAIN
        for line, other in rng.sample(pairs, len(pairs)):
            budget -= len(line) + len(other) + PAIR
            if path := self._difference(line, other, around=True):
                problem = f"what a game keeps tells equal observations apart: {path}"
                self._report("around", problem, other, line)
            if path or budget < 0:
                return

    def _all(self) -> Iterator[_SeatKnowledge]:
        """Yield all that the seat may know, in order."""
        waiting = [*self.roots]
        while waiting:
            yield (knowledge := waiting.pop())
            waiting.extend(each for after in knowledge.after.values() for each in after)

    def _report_paths(self, contents: Contents, line: Line) -> None:
        for number, kind in contents.forbidden:
            self._report(kind, f"{contents.path(number)} leads to {kind}", line)
        for number in contents.closed:
            name, path = class_name(contents.things[number]), contents.path(number)
            problem = f"the check cannot look into {path}, of type {name}: hold plain values"
            self._report(f"a closed {name}", problem, line)

    def _report(self, kind: str, problem: str, line: Line, other: Line | None = None) -> None:
        if kind not in self.leaks:
            lines = (line,) if other is None else (line, other)
            self.leaks[kind] = Leak(self.seat, problem, *map(self._written, lines))

    def _written(self, line: Line) -> tuple[str, ...]:
        return tuple(self.game.format_move(move) for move in line)


def misfit(seen: object, seat: int) -> str:
    """Return why something is not the observation of a seat, empty if it is."""
    if not isinstance(seen, Observation | Position):
        kind = class_name(seen)
        return f"observation({seat}) is of type {kind}: return a View or another Observation"
    if isinstance(seen, Observation) and seen.seat != seat:
        return f"observation({seat}).seat is {seen.seat!r}: return what seat {seat} knows"
    try:
        hash(seen)
    except TypeError as error:
        raised = describe(error)
        return f"hash(observation({seat})) raises {raised}: hold tuples, and define __hash__"
    return ""


def _packages(game: Game) -> frozenset[str]:
    """Return the packages that a game is from, without arena and Python."""
    kinds = (*type(game).__mro__, *type(game.start()).__mro__)
    packages = {kind.__module__.partition(".")[0] for kind in kinds}
    return frozenset(packages - {"arena"} - sys.stdlib_module_names)


#: What pictures are asked for, with the words for a difference.
_DRAWN = {"picture": "pictures", "svg": "SVGs", "diagram": "diagrams", "tabletop": "tabletops"}


def _answers(seen: Any, near: tuple[int, ...]) -> dict[str, Any]:
    """Return what an observation answers, by the words for each question."""
    answers = {"texts": str(seen), "legal moves": tuple(seen.legal_moves()), "hashes": hash(seen)}
    answers["seats"] = getattr(seen, "seat", None)  # a position has none
    kind: Any = type(seen)
    for words, ask in _questions(kind):
        try:
            answers[words] = ask(seen, near)
        except Exception as error:  # another check finds it
            answers[words] = f"raises {describe(error)}"
    return answers


@lru_cache(maxsize=64)
def _questions(kind: Any) -> tuple[tuple[str, Callable[[Any, tuple[int, ...]], Any]], ...]:
    """Return the other questions: those that a class answers by methods of its own."""
    questions: dict[str, Callable[[Any, tuple[int, ...]], Any]] = {}
    if kind.__repr__ is not object.__repr__:
        questions["texts by repr()"] = lambda seen, _: ADDRESS.sub("", repr(seen))
    if kind.is_legal is not Observation.is_legal:
        questions["answers of is_legal()"] = lambda seen, near: [*map(seen.is_legal, near)]
    for name, words in _DRAWN.items():
        if getattr(kind, name) is not getattr(Observation, name):
            questions[words] = lambda seen, _, name=name: getattr(seen, name)()  # type: ignore[misc]
    return tuple(questions.items())


def _differing(words: str, first: object, other: object) -> str:
    if words == "texts":
        return f"two observations are equal, but their texts are {other!r} and {first!r}"
    return f"equal observations have other {words}"


def find_leaks(game: Game, rng: random.Random, histories: int = MAX_HISTORIES) -> Secrecy:
    """Follow the histories of a game: all of them, or so many and as many of random games.

    ``rng`` draws the random games. Raises ContractBreach where a seat gets no observation of its
    own, and what the game raises.
    """
    seats = [_SeatFollower(game, seat) for seat in range(game.seats)]
    start = [_WalkStep(game.start(), (), (None,) * game.seats, CHANCE)]
    count, is_complete = _follow(seats, start, list, histories)
    while not is_complete and count < 2 * histories:
        progress.tell(count, 2 * histories, "histories")
        count += _follow(seats, start, lambda moves: [rng.choice(moves)], 2 * histories - count)[0]
    for seat in seats:
        seat.look_around(rng)
    leaks = tuple(leak for seat in seats for leak in seat.leaks.values())
    return Secrecy(leaks, count, is_complete)


class _WalkStep(NamedTuple):
    """A position that is to be followed."""

    position: Position
    line: Line
    #: What each seat knew before the last move, and who made that.
    knowledge: tuple[_SeatKnowledge | None, ...]
    mover: int


def _follow(
    seats: Sequence[_SeatFollower],
    start: Sequence[_WalkStep],
    pick: Callable[[tuple[int, ...]], Sequence[int]],
    histories: int,
) -> tuple[int, bool]:
    """Follow the moves that are picked. Return how many histories that are, and whether all."""
    steps, count = list(start), 0
    while steps and count < histories:
        position, line, before, mover = steps.pop()
        count += 1
        last = line[-1] if line else None
        knowledge = tuple(
            seat.look(position, line, knew, last if mover == seat.seat else None)
            for seat, knew in zip(seats, before, strict=True)
        )
        if moves := position.legal_moves():
            mover = position.to_move
            after = ((position.play(move), (*line, move)) for move in reversed(pick(moves)))
            steps.extend(_WalkStep(*each, knowledge, mover) for each in after)
    return count, not steps
