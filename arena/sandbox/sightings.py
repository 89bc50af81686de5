"""Look at what a player does beside its moves, in the process that it plays in.

A check looks for mistakes of an honest author in this way. A player that shares the process can
change what is seen.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import redirect_stdout
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
    slots = [name for cls in type(thing).__mro__ for name in _slots(cls)]
    shape = {name: getattr(thing, name) for name in slots if hasattr(thing, name)}
    shape |= getattr(thing, "__dict__", {})
    return {
        key: value.copy() if isinstance(value, (list, dict, set, bytearray)) else value
        for key, value in shape.items()
    }


def _slots(cls: type) -> tuple[str, ...]:
    slots = cls.__dict__.get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def _changes(thing: object, before: dict[str, Any]) -> list[str]:
    """Return the changed attributes, except those that the class itself caches."""
    after = _shape(thing)
    changed = [key for key in before if key not in after or _differ(before[key], after[key])]
    added = [key for key in after if key not in before and not hasattr(type(thing), key)]
    of = thing.__name__ if isinstance(thing, type) else class_name(thing)
    return [f"{of}.{key}" for key in (*changed, *added)]


def _differ(a: Any, b: Any) -> bool:
    return a is not b and bool(a != b)
