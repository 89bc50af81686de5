"""Define the contract of a player, and the facts about one: :class:`PlayerInfo`.

A simple player is a function ``choose(position, rng) -> move``. A player that keeps state is a
class with the methods of :class:`StatefulPlayer`. It is registered as a factory, and every game
gets a new instance.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from arena.dataclass import dataclass
from arena.errors import (
    ArenaError,
    CannotPlay,
    PluginError,
    UsageError,
    describe,
    quoted,
)
from arena.game import LUCK, Game, Outcome, Side
from arena.kinds import ReadText, form_of, read_options
from arena.player.names import NamedSpec
from arena.rng import SECOND_SELF
from arena.signatures import misfit, misfit_of_method

if TYPE_CHECKING:
    from fractions import Fraction

#: The kind of all games without luck, secrets and other payoffs than win, draw and loss.
PERFECT_INFORMATION = "perfect-information"

#: The kind of all games in which chance moves, both sides see all, and one wins or it is a draw.
WITH_LUCK = "perfect-information-with-luck"

#: A simple player. Positions are typed Any so that a player may name its own game's.
Choose = Callable[[Any, random.Random], int]

#: The probability of each move that a player may make.
MoveChances = Mapping[int, "Fraction"]

#: A player's own declaration of the probabilities of its moves; they add up to one.
Distribution = Callable[[Any], MoveChances]

#: Makes a player with options from one without: see :meth:`PlayerInfo.configured`.
MakePlayer = Callable[["PlayerInfo", str], "PlayerInfo"]


class StatefulPlayer(Protocol):
    """A player that remembers: one instance plays one game.

    A class may lack ``observe`` and ``finish``. One that inherits this has every method.

    A class may also have ``see_clocks(clocks)``: an isolated player that has a clock gets both
    clocks by it, as :class:`arena.plugin.Clocks`, before each of its moves.
    """

    def start(self, game: Game, side: Side, rng: random.Random, /) -> None:
        """Begin a game. ``rng`` is this player's own for the whole game."""

    def choose(self, position: Any, /) -> int:
        """Return a move. Arena calls it on this side's turns only."""

    def observe(self, move: int, /) -> None:
        """Take note of the opponent's move. The game goes on."""

    def finish(self, outcome: Outcome, /) -> None:
        """End the game. An exception here is logged and changes nothing."""


class Memory(Protocol):
    """A witness of whether something of a player outlives a game."""

    @property
    def remembers(self) -> str:
        """Why something does, as far as this process has seen. It is empty if nothing is known
        to.
        """


class Fresh(Memory, Protocol):
    """A function that executes the code of a player again."""

    def __call__(self) -> Callable[..., Any]:
        """Return the new ``player``."""


class RemoteFactory(Memory, Protocol):
    """A factory of proxies that play for an isolated player."""

    @property
    def shares_core(self) -> bool:
        """Whether its process runs on the processor that the arena waits on for its moves."""

    def __call__(self, fresh: bool = True) -> StatefulPlayer:
        """Return a proxy for one game. ``fresh`` executes its code again.

        A proxy whose moves are measured has a ``clock``, an :class:`arena.player.clocks.Clock`.
        """

    def close(self) -> None:
        """End the processes of players that are not in a game: the next starts a new one."""


class NoProcess:
    """The answers of a factory whose players have no process of arena's.

    Arena does not know where a server runs, and cannot see what it remembers.
    """

    @property
    def shares_core(self) -> bool:
        """Whether it runs where arena waits for it: that is not known."""
        return False

    @property
    def remembers(self) -> str:
        """Nothing that arena could see."""
        return ""

    def close(self) -> None:
        """End nothing: it has no process."""


@runtime_checkable
class Renamable(RemoteFactory, Protocol):
    """A factory that can have another name in messages: that of ``alice=http://HOST``."""

    def named(self, name: str) -> RemoteFactory:
        """Return the same factory under that name."""


#: The methods of a stateful player, and what each is called with.
_METHODS = {
    "start": ("game", "side", "rng"),
    "choose": ("position",),
    "observe": ("move",),
    "finish": ("outcome",),
    "see_clocks": ("clocks",),
}

#: The methods that it must have; arena does not call others that it lacks.
_NEEDED = ("start", "choose")


@dataclass(frozen=True)
class PlayerInfo:
    """A player as the arena knows it: how to call it, and its own declarations.

    Arena does not believe declared traits: it enumerates what it can.
    """

    #: Its name in tables, ids, seeds and stores.
    name: str
    #: ``choose(position, rng)`` of a stateless player; the factory of a stateful one.
    player: Callable[..., Any]
    #: Names of its games, or of kinds of game, with ``*`` for any text: ``("tictactoe", "mnk-*")``.
    games: tuple[str, ...] = ("*",)
    version: str = ""
    #: Whether the same position always gets the same move, whatever ``rng`` does.
    deterministic: bool = False
    #: Whether the move depends on the position and ``rng`` alone; False means ``player`` is a
    #: factory.
    stateless: bool = True
    #: Its claims, such as ``never-loses:tictactoe``.
    claims: tuple[str, ...] = ()
    #: Whether it stays out where "all installed players" play, as one does that would keep them
    #: waiting.
    only_named: bool = False
    distribution: Distribution | None = None
    #: ``choose_batch(positions, rng)``, if it offers many moves at once: see docs/batch.md.
    choose_batch: Callable[[Any, Any], Any] | None = None
    #: One line about it for a list of players.
    summary: str = ""
    #: Installed distribution that it comes from; empty for a file or a plain function.
    package: str = ""
    #: The file with it, ``/home/me/bot.py:choose``; empty for an installed player.
    file: str = ""
    #: Factory of the proxy that plays for an isolated player; None if it plays in the worker.
    remote: RemoteFactory | None = None
    #: Executes the player's code again and returns the new ``player``; None if that is impossible,
    #: or happens elsewhere.
    fresh: Fresh | None = None
    #: Tier that isolates it; empty without one.
    isolation: str = ""
    #: Limits of its process by name, and its other isolation settings.
    limits: tuple[tuple[str, Any], ...] = ()
    #: Files whose content identifies this player: its source, if it is isolated, and files named in
    #: its options.
    code: tuple[str, ...] = ()
    #: Reads the options in ``name:options``; None if it takes none.
    options: MakePlayer | None = None
    #: Returns why it does not play one of its games after all, such as a large one; empty if it
    #: does.
    refuses: Callable[[Game], str] | None = None
    #: Where it comes from, if its name is another: ``./bot.py`` of ``alice=./bot.py``.
    spec: str = ""
    #: The program that it is, and its arguments; empty for a player that is not a program.
    command: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Return one line: its name, its summary, and that it is isolated if it is."""
        where = f", isolated ({self.isolation})" if self.isolation else ""
        summary = f": {self.summary}" if self.summary else ""
        return f"<PlayerInfo {self.as_named}{where}{summary}>"

    @property
    def as_named(self) -> str:
        """How the user names it: ``monkey``, or ``alice=./bot.py``."""
        return str(NamedSpec(self.name, self.spec or self.name))

    @property
    def is_program(self) -> bool:
        """Whether it is a program, and does not only stand for a player of a stored game."""
        return bool(self.command) and self.player is not _absent

    @property
    def is_trusted(self) -> bool:
        """Whether it is installed, or the caller's own function, and plays where it is called."""
        return self.remote is None and not self.file

    @property
    def is_unisolated(self) -> bool:
        """Whether it is in a file and has no process of its own."""
        return bool(self.file) and self.remote is None

    @property
    def shows_batches(self) -> bool:
        """Whether it offers many moves at once in this process, where draws can be looked at."""
        return self.choose_batch is not None and self.remote is None

    @property
    def remembers(self) -> str:
        """The reason why something of it outlives a game although its code is executed again.

        It is empty if the games of this process have not shown anything.
        """
        memory: Memory | None = self.remote or self.fresh
        return "" if memory is None else memory.remembers

    @property
    def is_watched(self) -> bool:
        """Whether its moves in real games are compared with its table.

        An untrusted player may not play by the table that it gave. A declared distribution is only
        the player's own word.
        """
        return self.distribution is not None or not self.is_trusted

    def configured(self, text: str) -> PlayerInfo:
        """Return the player of the name ``name:text``.

        ``options`` gets this player, under that name already, and returns it with another way to
        play. Claims and a distribution of the player without options need not hold for it: it keeps
        only those that ``options`` returns. A new player that names no games plays those of this
        one. Raises UsageError if the options are wrong.
        """
        if self.options is None:
            raise UsageError(f"player {quoted(self.name)} takes no options, such as {quoted(text)}")
        name = f"{self.name}:{text}"
        if not text:
            raise UsageError(f"player {quoted(name)} has nothing after the colon")
        bare = replace(
            self, name=name, claims=(), distribution=None, choose_batch=None, options=None
        )
        try:
            player = self.options(bare, text)
        except ArenaError:
            raise
        except OSError as error:  # a file in the options
            problem = (error.strerror or describe(error)).lower()
            raise UsageError(f"player {quoted(name)}: {problem}") from error
        except Exception as error:
            raise PluginError(f"player {quoted(name)} cannot be made: {describe(error)}") from error
        if not isinstance(player, PlayerInfo):
            raise PluginError(f"player {quoted(name)} became {quoted(repr(player))}")
        problem = misfit_of_player(player.player, player.stateless)
        if problem:
            raise PluginError(f"player {quoted(name)}: {problem}")
        games = self.games if player.games == PlayerInfo.games else player.games
        return replace(player, name=name, games=games)

    def plays(self, game: Game) -> bool:
        """Return whether it declares that it plays the game. A referee starts programs alone."""
        if game.is_refereed and not self.command:
            return False
        return self._names(game) and not self._reason(game)

    def _names(self, game: Game) -> bool:
        """Return whether it names the game or a kind of game that this is one of."""
        kinds = {(): (PERFECT_INFORMATION,), (LUCK,): (WITH_LUCK,)}.get(game.features, ())
        names = (game.name, *game.kinds, *kinds)
        return any(fnmatchcase(name, pattern) for pattern in self.games for name in names)

    def _reason(self, game: Game) -> str:
        """Return why it does not play a game that it names, empty if it does."""
        return "" if self.refuses is None else self.refuses(game)

    def require(self, game: Game) -> None:
        """Raise CannotPlay unless it declares that it plays the game."""
        if game.is_refereed:
            self._require_program(game)
        if self._names(game) and (reason := self._reason(game)):
            raise CannotPlay(f"{self.name} does not play {game.name}: {reason}")
        if not self.plays(game):
            raise CannotPlay(
                f"{self.name} does not play {game.name} (it plays: {', '.join(self.games)})"
            )

    def _require_program(self, game: Game) -> None:
        """Raise CannotPlay unless a referee can start it."""
        refused = f"{self.name} does not play {game.name}: its referee"
        if not self.command:
            raise CannotPlay(f"{refused} starts programs, such as ./bot.py or cmd:./bot")
        if self.isolation == "locked":
            hint = "--isolation process is for code that you trust"
            raise CannotPlay(f"{refused} starts programs, which tier locked forbids ({hint})")
        if dict(self.limits).get("clock"):
            raise CannotPlay(f"{refused} measures the time itself: leave the clock out")


def stand_in(name: str, **facts: Any) -> PlayerInfo:
    """Return a player that stands for one whose games are played already: it cannot play.

    It passes for a program, so that it may have played where a referee starts programs.
    """
    return PlayerInfo(name, _absent, command=(name,), **facts)


def _absent(*_: object) -> int:
    raise AssertionError("a stored game is not played again")


def summary_of(definition: object) -> str:
    """Return the first line of its docstring."""
    return (definition.__doc__ or "").strip().partition("\n")[0]


def misfit_of_player(player: Any, stateless: bool, named: Iterable[str] = ()) -> str:
    """Return why a function or class is not a player, as far as it shows without being called.

    ``named`` are options that it is called with by name, or without, when none is given. The
    text is empty if nothing is wrong.
    """
    if stateless:
        parameters = "position", "rng"
        return misfit(player, *parameters, named=named) or misfit(player, *parameters)
    if isinstance(player, type):
        present = [name for name in _METHODS if callable(getattr(player, name, None))]
        missing = [name for name in _NEEDED if name not in present]
        if missing:
            return f"the class has no {', '.join(missing)}: inherit arena.StatefulPlayer"
        for method in present:
            if problem := misfit_of_method(player, method, *_METHODS[method]):
                return problem
    return misfit(player, named=named) or misfit(player)


def pair_names(a: str, b: str) -> tuple[str, str]:
    """Return the names of two players in one table. A player's second self gets ``#2``."""
    return a, b + SECOND_SELF * (a == b)


def table_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the players at a table. The second self gets ``#2``, the third ``#3``.

    >>> table_names(["monkey", "heuristic", "monkey", "monkey"])
    ('monkey', 'heuristic', 'monkey#2', 'monkey#3')
    """
    selves = [names[: place + 1].count(name) for place, name in enumerate(names)]
    return tuple(f"{n}#{self}" if self > 1 else n for n, self in zip(names, selves, strict=True))


class NamedOptions:
    """Makes the player of ``name:depth=3`` by calling the one without options with ``depth=3``."""

    def __init__(self, player: Any, kinds: Mapping[str, ReadText]) -> None:
        self.player, self.kinds = player, kinds
        self.__doc__ = ", ".join(f"{key}={form_of(kind)}" for key, kind in kinds.items())

    def __call__(self, info: PlayerInfo, text: str) -> PlayerInfo:
        """Return the player with the options of the text."""
        options = read_options(info.name, text, self.kinds)
        return replace(info, player=partial(self.player, **options))
