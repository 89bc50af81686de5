"""Look at what a player does besides its moves, in the process that it plays in.

A check looks for mistakes of an honest author in this way. A player that shares the process can
change what is seen.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, redirect_stdout
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, TextIO

from arena.errors import class_name, quoted
from arena.rng import drawn_generators, shared_generators

if TYPE_CHECKING:
    from arena.games.info_state import InfoState

#: Characters that are kept of what a player prints in one call.
MAX_HEARD = 1000


class Sighting(NamedTuple):
    """An observation, and where it was first made."""

    message: str
    position: str


class Inspection:
    """One look at a player: the caller puts its answer here."""

    answer: Any = None


class Heard(Protocol):
    """The prints of a player, while something listens."""

    def getvalue(self) -> str:
        """Return what was printed."""


class OutputTap(io.TextIOWrapper):
    """A standard output that can be listened to, and looks as if it were not."""

    def __init__(self, output: TextIO) -> None:
        super().__init__(
            output.buffer, output.encoding, output.errors or "strict", write_through=True
        )
        self._heard: io.StringIO | None = None

    @contextmanager
    def listened(self) -> Iterator[Heard]:
        """Keep the start of what is printed meanwhile."""
        self._heard = heard = io.StringIO()
        try:
            yield heard
        finally:
            self._heard = None

    def write(self, text: str, /) -> int:
        """Write a text, and keep it if something listens."""
        if self._heard is not None and self._heard.tell() < MAX_HEARD:
            self._heard.write(text[:MAX_HEARD])
        return super().write(text)


class NullSightings:
    """Looks at nothing. The calls of a player are the same as if something did."""

    news: ClassVar[Mapping[str, Sighting]] = {}
    _look = Inspection()

    def during_choice(self, position: InfoState) -> NullSightings:
        """Return what surrounds a call for an answer at a position."""
        return self

    def during(self, where: str) -> NullSightings:
        """Return what surrounds a call in another matter."""
        return self

    def __enter__(self) -> Inspection:
        return self._look

    def __exit__(self, *_: object) -> None:
        self._look.answer = None


class Sightings:
    """Looks at a player during every call, and notes the first time of everything.

    ``listen`` makes what hears its prints. By default they are not printed.
    """

    def __init__(self, listen: Callable[[], AbstractContextManager[Heard]] | None = None) -> None:
        #: Sightings by the name of the check.
        self.sightings: dict[str, Sighting] = {}
        self._listen = listen or (lambda: redirect_stdout(io.StringIO()))
        self._reported = 0
        self._generators = shared_generators()

    @property
    def news(self) -> dict[str, Sighting]:
        """The sightings since this was asked before."""
        reported, self._reported = self._reported, len(self.sightings)
        return dict(islice(self.sightings.items(), reported, None))

    def ask(self, choose: Callable[[InfoState], Any], position: InfoState) -> Any:
        """Return the answer at a position, whatever it is."""
        with self.during_choice(position) as look:
            look.answer = choose(position)
        return look.answer

    def call(self, where: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call the player in another matter."""
        with self.during(where):
            return function(*arguments)

    @contextmanager
    def during_choice(self, position: InfoState) -> Iterator[Inspection]:
        """Look while the player is asked for an answer at a position."""
        where, look = str(position), Inspection()
        targets = _targets(position)
        before, mark = [_shape(target) for target in targets], (where, hash(position))
        try:
            with self.during(where):
                yield look
        finally:
            changed = [c for t, b in zip(targets, before, strict=True) for c in _changes(t, b)]
            if (str(position), hash(position)) != mark:
                changed.append("its text or its hash")
            if changed:
                self._see("position", f"it changes {', '.join(changed)} at {where}", where)
        answer = look.answer
        if type(answer) is not int and hasattr(type(answer), "__index__"):
            message = f"it answers with {class_name(answer)}, not int, at {where}"
            self._see("plain ints", message, where)

    @contextmanager
    def during(self, where: str) -> Iterator[None]:
        """Note the prints of the player, and draws from generators that are not its own."""
        self._generators = shared_generators()  # a change between its calls is not its doing
        with self._listen() as heard:
            try:
                yield
            finally:
                for name in drawn_generators(self._generators, shared_generators()):
                    self._see("global random", f"it changes the state of {name} at {where}", where)
                if printed := heard.getvalue():
                    text = quoted(printed.partition("\n")[0])
                    self._see("output", f"it prints {text} at {where}", where)

    def _see(self, check: str, message: str, where: str) -> None:
        self.sightings.setdefault(check, Sighting(message, where))


def _targets(position: InfoState) -> tuple[object, ...]:
    """Return what a player could tamper with: the position, the rules, and their methods."""
    return position, position.game, type(position), type(position.game)


def _shape(target: object) -> dict[str, Any]:
    """Return the attributes, with copies of those that can be changed in place."""
    shape = _attributes(target)
    for key, value in shape.items():
        if isinstance(value, (list, dict, set, bytearray)):
            shape[key] = value.copy()
    return shape


def _attributes(target: object) -> dict[str, Any]:
    slots = _slots(type(target))  # type: ignore[arg-type]  # mypy takes a type for unhashable
    attributes = {name: getattr(target, name) for name in slots if hasattr(target, name)}
    attributes.update(getattr(target, "__dict__", {}))
    return attributes


@cache
def _slots(cls: type) -> tuple[str, ...]:
    """Return the names of the slots of a class."""
    names: list[str] = []
    for base in cls.__mro__:
        slots = base.__dict__.get("__slots__", ())
        names += (slots,) if isinstance(slots, str) else slots
    return tuple(names)


def _changes(target: object, before: dict[str, Any]) -> list[str]:
    """Return the changed attributes, except those that the class itself caches."""
    after = _attributes(target)
    if before == after:
        return []
    changed = [key for key in before if key not in after or _differ(before[key], after[key])]
    added = [key for key in after if key not in before and not hasattr(type(target), key)]
    of = target.__name__ if isinstance(target, type) else class_name(target)
    return [f"{of}.{key}" for key in (*changed, *added)]


def _differ(a: Any, b: Any) -> bool:
    return a is not b and bool(a != b)
