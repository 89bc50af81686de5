"""Hold what plugins bring under its name: games, executors, and all else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

from arena.errors import (
    AmbiguousName,
    ArenaError,
    PluginError,
    UnknownName,
    UsageError,
    describe,
    is_stop,
    quoted,
    shown,
)
from arena.game import Game

if TYPE_CHECKING:
    from arena.executors.base import Executor, MakeExecutor
    from arena.records.base import Record

T = TypeVar("T")

#: A report: the text of a record, without a newline at the end.
Report = Callable[["Record"], str]

#: The place of a number in a template.
BRACES = re.compile(r"\{([a-z]\w{0,15})\}", re.ASCII)


class Registry(Generic[T]):
    """Things of one kind by name. A name that is offered twice has no owner."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._offers: dict[str, list[tuple[T, str]]] = {}

    def add(self, name: str, item: T, source: str) -> None:
        """Offer a thing. ``source`` names the plugin in the error for a name offered twice."""
        self._offers.setdefault(name, []).append((item, source))

    def get(self, name: str) -> T:
        """Return the thing of that name. Raises UnknownName or AmbiguousName."""
        offers = self._offers.get(name)
        if not offers:
            raise UnknownName(self.kind, name, self._offers)
        if len(offers) > 1:
            raise self._clash(name)
        return offers[0][0]

    def __iter__(self) -> Iterator[tuple[str, T]]:
        """Yield names and things, ascending by name, without the names offered twice."""
        for name in sorted(self._offers):
            if len(self._offers[name]) == 1:
                yield name, self._offers[name][0][0]

    def offers(self) -> Iterator[tuple[T, str]]:
        """Yield all things with their plugins, even those under names offered twice."""
        for offers in self._offers.values():
            yield from offers

    def clashes(self) -> list[AmbiguousName]:
        """Return an error for every name that is offered twice."""
        return [self._clash(name) for name, offers in self._offers.items() if len(offers) > 1]

    def _clash(self, name: str) -> AmbiguousName:
        return AmbiguousName(self.kind, name, [source for _, source in self._offers[name]])


@dataclass(frozen=True)
class GameFamily:
    """Games that share a name template.

    ``mnk-{m}-{n}-{k}`` has a number in place of all braces, ``lines:FILE`` any text after the
    colon.
    """

    template: str
    make: Callable[..., Game]
    summary: str

    @property
    def blanks(self) -> list[str]:
        """The names that the template gives its numbers, in order, or its text."""
        _, colon, text = self.template.partition(":")
        return [text] if colon else BRACES.findall(self.template)

    def match(self, name: str) -> list[int] | list[str] | None:
        """Return the numbers or the text in a game's name, None if it is not of this family."""
        prefix, colon, _ = self.template.partition(":")
        if colon:
            before, after, text = name.partition(":")
            return [text] if (before, after) == (prefix, colon) and text else None
        head, brace, _ = self.template.partition("{")
        if not brace or not name.startswith(head):  # most are, and patterns take time to compile
            return [] if name == self.template else None
        parts = map(re.escape, BRACES.sub("\0", self.template).split("\0"))
        match = re.fullmatch(r"(\d{1,4})".join(parts), name, re.ASCII)
        return match and [int(number) for number in match.groups()]

    def game(self, name: str) -> Game | None:
        """Return the game of that name, or None if it is not of this family."""
        blanks = self.match(name)
        if blanks is None:
            return None
        try:
            game = self.make(*blanks)
        except ArenaError:
            raise
        except BaseException as error:
            if is_stop(error):
                raise
            raise PluginError(f"game {quoted(name)} cannot be made: {describe(error)}") from error
        if not isinstance(game, Game):
            raise PluginError(f"game {quoted(name)} became {shown(game)}")
        return game


@dataclass(frozen=True)
class ExecutorOffer:
    """The maker of an executor. ``argument`` names what stands after a colon, empty for nothing."""

    make: Callable[..., Executor]
    argument: str = ""

    def maker(self, name: str, colon: str, text: str) -> MakeExecutor:
        """Return what makes the executor of ``name:text``. Raises UsageError for a wrong text."""
        if not self.argument:
            if colon:
                problem = f"{name} takes nothing after a colon"
                raise UsageError(f"executor {quoted(name + colon + text)}: {problem}")
            return self.make
        if colon and not text:
            problem = f"it lacks its {self.argument} after the colon"
            raise UsageError(f"executor {quoted(name + colon)}: {problem}")
        return partial(self.make, **{self.argument.lower(): text})
