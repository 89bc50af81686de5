"""Look at what a player does besides its moves, in the process that it plays in.

A check looks for mistakes of an honest author in this way. A player that shares the process can
change what is seen.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import cache
from typing import Any, NamedTuple

from arena.errors import class_name, quoted
from arena.game import Position
from arena.sandbox.generators import GlobalGenerators


class Sighting(NamedTuple):
    """An observation, and where it was first made."""

    message: str
    position: str


class Sightings:
    """Looks at a player during every call, and notes the first time of everything."""

    def __init__(self) -> None:
        #: Sightings by the name of the check.
        self.found: dict[str, Sighting] = {}
        self._generators = GlobalGenerators()

    def ask(self, choose: Callable[[Position], Any], position: Position) -> Any:
        """Return the answer at a position, whatever it is."""
        where = str(position)
        things = _things(position)
        before, mark = [_shape(thing) for thing in things], (where, hash(position))
        try:
            answer = self.call(where, choose, position)
        finally:
            changed = [c for t, b in zip(things, before, strict=True) for c in _changes(t, b)]
            if (str(position), hash(position)) != mark:
                changed.append("its text or its hash")
            if changed:
                self._see("position", f"it changes {', '.join(changed)} at {where}", where)
        if type(answer) is not int and hasattr(type(answer), "__index__"):
            message = f"it answers with {class_name(answer)}, not int, at {where}"
            self._see("plain ints", message, where)
        return answer

    def call(self, where: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call the player; note its prints, and draws from generators that are not its own."""
        output = io.StringIO()
        self._generators.changed()  # what happened between its calls is not its doing
        try:
            with redirect_stdout(output):
                return function(*arguments)
        finally:
            for name in self._generators.changed():
                self._see("global random", f"it changes the state of {name} at {where}", where)
            if output.tell():
                text = quoted(output.getvalue().partition("\n")[0])
                self._see("output", f"it prints {text} at {where}", where)

    def _see(self, check: str, message: str, where: str) -> None:
        self.found.setdefault(check, Sighting(message, where))


def _things(position: Position) -> tuple[object, ...]:
    """Return what a player could tamper with: the position, the rules, and their methods."""
    return position, position.game, type(position), type(position.game)


def _shape(thing: object) -> dict[str, Any]:
    """Return the attributes, with copies of those that can be changed in place."""
    shape = _attributes(thing)
    for key, value in shape.items():
        if isinstance(value, (list, dict, set, bytearray)):
            shape[key] = value.copy()
    return shape


def _attributes(thing: object) -> dict[str, Any]:
    slots = _slots(type(thing))  # type: ignore[arg-type]  # mypy takes a type for unhashable
    found = {name: getattr(thing, name) for name in slots if hasattr(thing, name)}
    found.update(getattr(thing, "__dict__", {}))
    return found


@cache
def _slots(cls: type) -> tuple[str, ...]:
    """Return the names of the slots of a class."""
    found: list[str] = []
    for base in cls.__mro__:
        slots = base.__dict__.get("__slots__", ())
        found += (slots,) if isinstance(slots, str) else slots
    return tuple(found)


def _changes(thing: object, before: dict[str, Any]) -> list[str]:
    """Return the changed attributes, except those that the class itself caches."""
    after = _attributes(thing)
    if before == after:
        return []
    changed = [key for key in before if key not in after or _differ(before[key], after[key])]
    added = [key for key in after if key not in before and not hasattr(type(thing), key)]
    of = thing.__name__ if isinstance(thing, type) else class_name(thing)
    return [f"{of}.{key}" for key in (*changed, *added)]


def _differ(a: Any, b: Any) -> bool:
    return a is not b and bool(a != b)
