"""Hold what plugins bring under its name: games, executors, and all else."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

from arena import escape
from arena.dataclass import dataclass
from arena.errors import (
    AmbiguousName,
    ArenaError,
    PluginError,
    UnknownName,
    UsageError,
    describe,
    is_stop,
    quoted,
    repr_of,
)
from arena.game import Game
from arena.player.names import names_a_file

if TYPE_CHECKING:
    from arena.executors.base import Executor, MakeExecutor
    from arena.records.base import Record

logger = logging.getLogger(__name__)

T = TypeVar("T")

#: The priority of what plugins in files offer.
OF_FILES = 2

#: The distribution of arena itself, and the source of its commands.
PACKAGE, COMMAND_SOURCE = "proving-arena", "arena"

#: A report: the text of a record, without a newline at the end.
ReportText = Callable[["Record"], str]

#: The place of a number in a template.
BRACES = re.compile(r"\{([a-z]\w{0,15})\}", re.ASCII)


@dataclass(frozen=True)
class RejectedPlugin:
    """A plugin that was left out, or a hook of it that arena does not have."""

    plugin: str
    package: str
    error: str

    def __str__(self) -> str:
        name = f"plugin {self.plugin}: " if self.plugin else ""
        return f"{name}{self.error} (see: arena plugins)"


class Offer(Generic[T]):
    """A thing, and the distribution or the file of the plugin that brings it."""

    def __init__(self, item: T, package: str, version: str = "") -> None:
        self.item, self.package, self.version = item, package, version

    @property
    def source(self) -> str:
        """The distribution with its version, as messages name it."""
        return f"{self.package} {self.version}".strip()

    @property
    def priority(self) -> int:
        """How strong its claim to a name is: arena's own is 0, then installed ones, then files."""
        if self.package in (PACKAGE, COMMAND_SOURCE):
            return 0
        return OF_FILES if names_a_file(self.package) else 1


class Registry(Generic[T]):
    """Things of one kind by name.

    A name that several plugins offer belongs to the one with the strongest claim. Two that have the
    same claim both lose it.
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind
        #: The plugins that were left out, of which one could have had an unknown name.
        self.left_out: Sequence[RejectedPlugin] = ()
        self._offers: dict[str, list[Offer[T]]] = {}
        #: The names of which a plugin is left out, as far as users were told.
        self._warned_names: set[str] = set()

    def add(self, name: str, item: T, package: str, version: str = "") -> None:
        """Offer a thing of a distribution, or of a plugin's file."""
        self._offers.setdefault(name, []).append(Offer(item, package, version))

    def get(self, name: str) -> T:
        """Return the thing of that name. Raises UnknownName or AmbiguousName.

        Logs once that a plugin in a file, which the user named, has something of that name too.
        """
        if name not in self._offers:
            plugins = [broken.plugin for broken in self.left_out if broken.plugin]
            raise UnknownName(self.kind, name, self._offers, left_out=plugins)
        offers = self._offers[name]
        owner = self.choose(name, offers)
        if len(offers) > 1 and name not in self._warned_names:
            self._warned_names.add(name)
            for offer in offers:
                if offer is not owner and offer.priority == OF_FILES:
                    message = self._left_out_message(name, offer, owner)
                    logger.warning("%s", escape.line(f"arena: {message}"))
        return owner.item

    def choose(self, name: str, offers: Sequence[Offer[T]]) -> Offer[T]:
        """Return the offer that has the strongest claim to a name. Raises AmbiguousName."""
        least = min(offer.priority for offer in offers)
        first, *others = (offer for offer in offers if offer.priority == least)
        if others:
            raise AmbiguousName(self.kind, name, [offer.source for offer in offers])
        return first

    def of_package(self, package: str, name: str) -> T | None:
        """Return the thing that a distribution offers under a name, or None if it does not."""
        offers = (offer.item for offer in self._offers.get(name, ()) if offer.package == package)
        return next(offers, None)

    def names_of_package(self, package: str) -> list[str]:
        """Return the names under which a distribution offers things, sorted."""
        offers = sorted(self._offers.items())
        return [name for name, each in offers if any(o.package == package for o in each)]

    def __iter__(self) -> Iterator[tuple[str, T]]:
        """Yield names and things, ascending by name, without ambiguous names."""
        for name in sorted(self._offers):
            with suppress(AmbiguousName):
                yield name, self.choose(name, self._offers[name]).item

    def offers(self) -> Iterator[Offer[T]]:
        """Yield all things with their plugins, even those that do not have their names."""
        for offers in self._offers.values():
            yield from offers

    def clashes(self) -> Iterator[str]:
        """Yield a message for every name that is offered twice, and for each plugin without it."""
        for name, offers in self._offers.items():
            try:
                owner = self.choose(name, offers)
            except AmbiguousName as error:
                yield str(error)
                continue
            for offer in offers:
                if offer is not owner:
                    yield self._left_out_message(name, offer, owner)

    def _left_out_message(self, name: str, offer: Offer[T], owner: Offer[T]) -> str:
        owned = f"{self.kind} {quoted(name)} is that of {owner.source}"
        names = "", f"; write {offer.package}:{name}", "; register it under another name"
        remedy = names[offer.priority]
        return f"{owned}, and the one of {offer.source} is left out{remedy}"


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
            raise PluginError(f"game {quoted(name)} became {repr_of(game)}")
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
