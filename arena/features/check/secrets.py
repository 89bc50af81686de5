"""Find what a game tells a seat that the seat should not know, or has it forget.

A seat's own history is what it observed and did. The check follows every history of a small game,
and random ones of a larger game. It requires of every seat, whether it is to move or not:

- Equal own histories give equal texts, hashes and legal moves, and objects that are equal all
  through, in attributes, closures and lists that others share.
- Different own histories give observations that differ, so a seat forgets nothing.
- No path of attributes leads from an observation to a position, a generator of random numbers or
  another seat's observation.

The check does not look into the rules, which every seat has. Two histories show each finding. The
game itself says by ``==`` which observations are equal.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from types import FunctionType, GeneratorType, MethodType
from typing import Any, NamedTuple

from arena.game import CHANCE, Game, Observation, Position
from arena.records.base import Record

#: A game of at most this many histories is checked wholly.
MAX_HISTORIES = 50_000

#: The longest path of attributes and items that the check follows into an observation.
MAX_PATH_LENGTH = 12

Line = tuple[int, ...]

#: Values without a way to anything else.
_PLAIN = (int, float, complex, str, bytes, bool, type(None))


@dataclass(frozen=True)
class Leak(Record):
    """A difference between two histories that a seat must not see, or must not forget."""

    seat: int
    problem: str
    #: The moves of two histories, chance moves among them, in the game's notation.
    history: tuple[str, ...]
    other: tuple[str, ...] = ()


@dataclass(frozen=True)
class Secrecy(Record):
    """The findings about what the seats of a game see, and how much of the game was followed."""

    leaks: tuple[Leak, ...]
    histories: int
    is_complete: bool


@dataclass
class _Known:
    """What a seat knows after one own history, as the first history shows it."""

    observation: Any
    line: Line
    text: str
    digest: int
    moves: tuple[int, ...]
    content: Any
    #: What it knows next, by its own move, if it made one.
    after: dict[int | None, list[_Known]] = field(default_factory=dict)


class _Seat:
    """Follows what one seat knows through all histories."""

    def __init__(self, game: Game, seat: int) -> None:
        self.game, self.seat = game, seat
        self.roots: list[_Known] = []
        self.by_text: dict[str, _Known] = {}
        self.leaks: dict[str, Leak] = {}

    def look(
        self, position: Position, line: Line, before: _Known | None, move: int | None
    ) -> _Known:
        """Return what the seat knows now, after it knew what it did before and made the move."""
        observation = position.observation(self.seat)
        if before is not None and move is None and observation == before.observation:
            self._compare(before, observation, line)
            return before
        alternatives = self.roots if before is None else before.after.setdefault(move, [])
        for known in alternatives:
            if observation == known.observation:
                self._compare(known, observation, line)
                return known
        known = self._first(observation, line)
        alternatives.append(known)
        return known

    def _first(self, observation: Any, line: Line) -> _Known:
        content = self._content(observation, line)
        text, moves = str(observation), tuple(observation.legal_moves())
        known = _Known(observation, line, text, hash(observation), moves, content)
        other = self.by_text.setdefault(text, known)
        if other is not known:
            self._report("two own histories that differ have the text " + repr(text), line, other)
        return known

    def _compare(self, known: _Known, observation: Any, line: Line) -> None:
        """Require that an observation which is equal to a known one is so all through."""
        if observation is known.observation:
            return
        if str(observation) != known.text:
            texts = f"{known.text!r} and {str(observation)!r}"
            problem = f"two observations are equal, but their texts are {texts}"
            self._report(problem, line, known)
        elif tuple(observation.legal_moves()) != known.moves:
            self._report("equal observations have other legal moves", line, known)
        elif hash(observation) != known.digest:
            self._report("equal observations have other hashes", line, known)
        elif self._content(observation, line) != known.content:
            self._report("equal observations hold other values inside", line, known)

    def _content(self, observation: Any, line: Line) -> Any:
        """Return all that can be reached from an observation, as a value that compares."""
        walk = _Walk(self.seat)
        content = walk.of(observation, "observation", 0)
        for path in walk.paths:
            self._report(path, line)
        return content

    def _report(self, problem: str, line: Line, other: _Known | None = None) -> None:
        lines = (line,) if other is None else (line, other.line)
        first, *second = (self._written(each) for each in lines)
        kind = problem.split("'")[0]
        self.leaks.setdefault(kind, Leak(self.seat, problem, first, *second))

    def _written(self, line: Line) -> tuple[str, ...]:
        return tuple(self.game.format_move(move) for move in line)


class _Walk:
    """Reads an object and everything that it leads to."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        #: Sentences about paths that lead where none may.
        self.paths: list[str] = []
        self._open: set[int] = set()

    def of(self, value: Any, path: str, depth: int) -> Any:
        """Return the content of a value that is reached by a path."""
        if type(value) in _PLAIN:
            return value
        if type(value) is tuple and all(type(part) in _PLAIN for part in value):
            return value
        if isinstance(value, Game):  # all seats have the rules, which may keep what they compute
            return value.name
        if depth > MAX_PATH_LENGTH or id(value) in self._open:
            return type(value).__name__
        if depth and (kind := self._forbidden(value)):
            self.paths.append(f"{path} leads to {kind}")
            return kind
        self._open.add(id(value))
        parts = [(name, self.of(part, path + name, depth + 1)) for name, part in _parts(value)]
        self._open.discard(id(value))
        return type(value).__qualname__, tuple(parts)

    def _forbidden(self, value: Any) -> str:
        if isinstance(value, Position):
            return "a position"
        if isinstance(value, random.Random | GeneratorType):
            return "a generator"
        if isinstance(value, Observation) and value.seat != self.seat:
            return f"the observation of seat {value.seat}"
        return ""


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the items and attributes of a value, each with how it is reached."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield f"[{key!r}]", item
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield f"[{index}]", item
    elif isinstance(value, set | frozenset):
        for item in sorted(value, key=repr):
            yield "{}", item
    if isinstance(value, FunctionType):
        for cell in value.__closure__ or ():
            yield ".__closure__", cell.cell_contents
        yield ".__defaults__", value.__defaults__
    if isinstance(value, MethodType):
        yield ".__self__", value.__self__
    if not isinstance(value, type):
        yield from ((f".{name}", part) for name, part in getattr(value, "__dict__", {}).items())
        for kind in type(value).__mro__:
            for name in _slots(kind):
                if hasattr(value, name):
                    yield f".{name}", getattr(value, name)


def _slots(kind: type) -> tuple[str, ...]:
    slots = vars(kind).get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def find_leaks(game: Game, rng: random.Random, histories: int = MAX_HISTORIES) -> Secrecy:
    """Follow the histories of a game: all of them, or so many and as many of random games.

    ``rng`` draws the random games. Raises what the game raises.
    """
    seats = [_Seat(game, seat) for seat in range(game.seats)]
    start = [_Step(game.start(), (), (None,) * game.seats, CHANCE)]
    count = _follow(seats, start, list, histories)
    is_complete = count <= histories
    while not is_complete and count <= 2 * histories:
        count += _follow(seats, start, lambda moves: [rng.choice(moves)], 2 * histories - count)
    leaks = tuple(leak for seat in seats for leak in seat.leaks.values())
    return Secrecy(leaks, count, is_complete)


class _Step(NamedTuple):
    """A position that is to be followed."""

    position: Position
    line: Line
    #: What each seat knew before the last move, and who made that.
    known: tuple[_Known | None, ...]
    mover: int


def _follow(
    seats: Sequence[_Seat],
    start: Sequence[_Step],
    pick: Callable[[tuple[int, ...]], Sequence[int]],
    histories: int,
) -> int:
    """Follow the moves that are picked, and return the number of histories, or one too many."""
    steps, count = list(start), 0
    while steps and count <= histories:
        position, line, before, mover = steps.pop()
        count += 1
        last = line[-1] if line else None
        known = tuple(
            seat.look(position, line, knew, last if mover == seat.seat else None)
            for seat, knew in zip(seats, before, strict=True)
        )
        if moves := position.legal_moves():
            mover = position.to_move
            after = ((position.play(move), (*line, move)) for move in reversed(pick(moves)))
            steps.extend(_Step(*each, known, mover) for each in after)
    return count
