"""Register things by name, through the objects that plugins get in hooks.

A hook ``arena_register_X(register)`` is called with one of the ``...Register`` objects below. They
validate at the call, so that the traceback of a mistake points into the plugin.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar

from arena.errors import (
    AmbiguousName,
    ArenaError,
    PluginError,
    UnknownName,
    describe,
    is_stop,
    quoted,
    shown,
)
from arena.game import Game
from arena.player import Distribution, MakePlayer, PlayerInfo, missing_methods, summary_of

if TYPE_CHECKING:
    from arena.executors.base import MakeExecutor
    from arena.records.base import Record

T = TypeVar("T")

#: A report: the text of a record, without a newline at the end.
Report = Callable[["Record"], str]

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.+-]{0,63}")
_CLAIM = re.compile(r"never-loses:\S+")


class Registry(Generic[T]):
    """Things of one kind by name. A name that is offered twice has no owner."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._offers: dict[str, list[tuple[T, str]]] = {}

    def add(self, name: str, thing: T, source: str) -> None:
        """Offer a thing; ``source`` names the plugin in the error for a name offered twice."""
        self._offers.setdefault(name, []).append((thing, source))

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
    """Games that share a name template, such as ``mnk-M-N-K`` with a number for every capital."""

    template: str
    make: Callable[..., Game]
    summary: str

    def match(self, name: str) -> re.Match[str] | None:
        """Match the numbers in a game's name; None if it is not of this family."""
        parts = [r"(\d{1,4})" if c.isupper() else re.escape(c) for c in self.template]
        return re.fullmatch("".join(parts), name, re.ASCII)

    def game(self, name: str) -> Game | None:
        """Return the game of that name; None if it is not of this family."""
        match = self.match(name)
        if match is None:
            return None
        try:
            game = self.make(*map(int, match.groups()))
        except ArenaError:
            raise
        except BaseException as error:
            if is_stop(error):
                raise
            raise PluginError(f"game {quoted(name)} cannot be made: {describe(error)}") from error
        if not isinstance(game, Game):
            raise PluginError(f"game {quoted(name)} is made to be {shown(game)}")
        return game


class Register(Generic[T]):
    """The things that one plugin registered through one hook."""

    def __init__(self, plugin: str, package: str, version: str = "") -> None:
        self.plugin, self.package, self.version = plugin, package, version
        self.things: list[tuple[str, T]] = []

    def _add(self, name: object, thing: T) -> None:
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            self._refuse(
                f"{quoted(str(name))} is no name: letters, digits, _ . + - from a letter on"
            )
        self.things.append((name, thing))

    def _refuse(self, problem: str) -> NoReturn:
        raise PluginError(f"plugin {self.plugin}: {problem}")

    def _check_callable(self, what: str, thing: object) -> None:
        if not callable(thing):
            self._refuse(f"{what} must be callable, not {quoted(repr(thing))}")


class GameRegister(Register[GameFamily]):
    """Given to ``arena_register_games``."""

    def __call__(self, template: str, make: Callable[..., Game], *, summary: str = "") -> None:
        """Add games: ``register("mnk-M-N-K", mnk_game)`` makes ``mnk-4-3-3`` mnk_game(4, 3, 3)."""
        self._check_callable(f"the maker of {template!r}", make)
        self._add(template, GameFamily(template, make, summary))


class PlayerRegister(Register[PlayerInfo]):
    """Given to ``arena_register_players``."""

    def __call__(
        self,
        name: str,
        player: Callable[..., Any],
        *,
        games: str | tuple[str, ...] = "*",
        deterministic: bool = False,
        stateless: bool | None = None,
        claims: tuple[str, ...] = (),
        distribution: Distribution | None = None,
        summary: str | None = None,
        options: MakePlayer | None = None,
    ) -> None:
        """Add a player: ``register("monkey", choose)``; see PlayerInfo for the rest.

        A class is taken for a stateful player's factory unless ``stateless`` says otherwise, and
        the first line of the player's docstring is its summary unless another is given.
        ``options`` makes the player of ``name:options``; the first line of its docstring shows how
        they are written.
        """
        self._check_callable(f"player {name!r}", player)
        missing = missing_methods(player) if not stateless else []
        if missing:
            self._refuse(f"the class of player {name!r} has no {', '.join(missing)}")
        if isinstance(name, str) and name.endswith(".py"):
            self._refuse(f"player {name!r} would be taken for a file")
        if distribution is not None:
            self._check_callable(f"the distribution of {name!r}", distribution)
        if options is not None:
            self._check_callable(f"the options of {name!r}", options)
        games = (games,) if isinstance(games, str) else games
        for field, value in (("games", games), ("claims", claims)):
            if not isinstance(value, (tuple, list)) or not all(isinstance(t, str) for t in value):
                self._refuse(
                    f"{field} of {name!r} must be a tuple of texts, not {quoted(repr(value))}"
                )
        for claim in claims:
            if not isinstance(claim, str) or not _CLAIM.fullmatch(claim):
                self._refuse(f"claim {claim!r} of {name!r} is none: use 'never-loses:GAME'")
        if summary is None:
            summary = summary_of(player)
        info = PlayerInfo(
            name=name,
            player=player,
            games=tuple(games),
            version=self.version,
            deterministic=deterministic,
            stateless=not isinstance(player, type) if stateless is None else stateless,
            claims=tuple(claims),
            distribution=distribution,
            summary=summary,
            package=self.package,
            options=options,
        )
        self._add(name, info)


class ExecutorRegister(Register["MakeExecutor"]):
    """Given to ``arena_register_executors``."""

    def __call__(self, name: str, make: MakeExecutor) -> None:
        """Add an executor: ``make(workers)`` returns one; see arena.executors.base."""
        self._check_callable(f"the maker of executor {name!r}", make)
        self._add(name, make)


class ReportRegister(Register[Report]):
    """Given to ``arena_register_reports``."""

    def __call__(self, name: str, report: Report) -> None:
        """Add a format: ``report(record)`` returns the text for any record of arena.records."""
        self._check_callable(f"report {name!r}", report)
        self._add(name, report)
