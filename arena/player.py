"""The contract of a player, and what is known of one: :class:`PlayerInfo`.

A simple player is a function ``choose(position, rng) -> move``. A player that keeps state is a
class with the methods of :class:`StatefulPlayer`; it is registered as a factory and every game
gets a new instance.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from arena.errors import (
    ArenaError,
    CannotPlay,
    PluginError,
    UsageError,
    describe,
    did_you_mean,
    quoted,
)
from arena.game import Game, Outcome, Side
from arena.signatures import misfit, misfit_of_method

if TYPE_CHECKING:
    from fractions import Fraction

#: A simple player. Positions are typed Any so that a player may ask for its own game's.
Choose = Callable[[Any, random.Random], int]

#: A player's own account of the probabilities of its moves; they add up to one.
Distribution = Callable[[Any], "Mapping[int, Fraction]"]

#: Makes a player with options of one without: see :meth:`PlayerInfo.configured`.
MakePlayer = Callable[["PlayerInfo", str], "PlayerInfo"]


class StatefulPlayer(Protocol):
    """A player that remembers: one instance plays one game."""

    def start(self, game: Game, side: Side, rng: random.Random, /) -> None:
        """The game begins; ``rng`` is this player's own for the whole game."""

    def choose(self, position: Any, /) -> int:
        """The move to make; called on this side's turns only."""

    def observe(self, move: int, /) -> None:
        """The opponent has made a move and the game goes on."""

    def finish(self, outcome: Outcome, /) -> None:
        """The game is over; an exception here is logged and changes nothing."""


class Memory(Protocol):
    """What knows whether something of a player outlives a game."""

    @property
    def remembers(self) -> str:
        """Why something does, as far as this process has seen; empty if nothing is known to."""


class Fresh(Memory, Protocol):
    """Executes the code of a player anew."""

    def __call__(self) -> Callable[..., Any]:
        """What ``player`` is then."""


class RemoteFactory(Memory, Protocol):
    """Makes the stateful players that stand for one in a process of its own."""

    @property
    def shares_core(self) -> bool:
        """Whether its process runs on the processor that the arena waits on for its moves."""

    def __call__(self, anew: bool = True) -> StatefulPlayer:
        """A player for one game; ``anew`` has its code executed anew."""

    def close(self) -> None:
        """End the processes of players that are not in a game: the next starts a new one."""


#: The methods of a stateful player, and what each is called with.
_METHODS = {
    "start": ("game", "side", "rng"),
    "choose": ("position",),
    "observe": ("move",),
    "finish": ("outcome",),
}


@dataclass(frozen=True)
class PlayerInfo:
    """A player as the arena knows it: how to call it, and what it declares about itself.

    The declared traits are believed by nobody: what can be enumerated is, whatever they say.
    """

    #: What it is asked for by, and called in every table.
    name: str
    #: ``choose(position, rng)`` of a stateless player; of a stateful one, what makes an instance.
    player: Callable[..., Any]
    #: Names of the games it plays, or of kinds of game, with ``*`` for any text:
    #: ``("tictactoe", "mnk-*")``.
    games: tuple[str, ...] = ("*",)
    version: str = ""
    #: The same position always gets the same move, whatever ``rng`` says.
    deterministic: bool = False
    #: The move depends on the position and ``rng`` alone; False means ``player`` is a factory.
    stateless: bool = True
    #: What it says is always true of it, such as ``never-loses:tictactoe``.
    claims: tuple[str, ...] = ()
    distribution: Distribution | None = None
    #: One line about it for a list of players.
    summary: str = ""
    #: The installed distribution it comes from; empty for a file or a plain function.
    package: str = ""
    #: The file it was loaded from, ``/home/me/bot.py:choose``; empty for an installed player.
    file: str = ""
    #: What makes the stateful player that stands for it in games, if it plays these in a process of
    #: its own; None if it plays them where it is called.
    remote: RemoteFactory | None = None
    #: Executes the player's code anew and returns what ``player`` is then; None if that cannot be
    #: done, or is done elsewhere.
    fresh: Fresh | None = None
    #: How that process is kept apart: a tier's name; empty without one.
    isolation: str = ""
    #: The limits of that process by name, and with them how it is kept apart.
    limits: tuple[tuple[str, Any], ...] = ()
    #: The files with its code, of a player whose code is not loaded where it is looked at; and
    #: files that its options name, whose content makes it the player that it is.
    code: tuple[str, ...] = ()
    #: What reads the options in ``name:options``; None if it takes none.
    options: MakePlayer | None = None

    @property
    def is_trusted(self) -> bool:
        """Whether it is installed, or the caller's own function, and plays where it is called."""
        return self.remote is None and not self.file

    @property
    def is_loaded_here(self) -> bool:
        """Whether it is in a file and has no process of its own."""
        return bool(self.file) and self.remote is None

    @property
    def remembers(self) -> str:
        """Why something of it outlives a game although its code is executed anew.

        Empty if nothing has been seen to, in the games of this process.
        """
        knows: Memory | None = self.remote or self.fresh
        return "" if knows is None else knows.remembers

    @property
    def is_watched(self) -> bool:
        """Whether its moves in real games are looked up where its table is used.

        A player that is not trusted may have been asked for another table than it plays by. A
        declared distribution is the player's own account.
        """
        return self.distribution is not None or not self.is_trusted

    def configured(self, text: str) -> PlayerInfo:
        """The player that is asked for by ``name:text``.

        ``options`` is given this player, under that name already, and returns it with something
        else to play by. Claims and a distribution of the player without options need not hold for
        it: it has none but those that ``options`` returns. UsageError if the options are wrong.
        """
        if self.options is None:
            raise UsageError(f"player {quoted(self.name)} takes no options, such as {quoted(text)}")
        name = f"{self.name}:{text}"
        if not text:
            raise UsageError(f"player {quoted(name)} has no options after the colon")
        bare = replace(self, name=name, claims=(), distribution=None, options=None)
        try:
            made = self.options(bare, text)
        except ArenaError:
            raise
        except OSError as error:  # of a file that the options name
            problem = (error.strerror or describe(error)).lower()
            raise UsageError(f"player {quoted(name)}: {problem}") from error
        except Exception as error:
            raise PluginError(f"player {quoted(name)} cannot be made: {describe(error)}") from error
        if not isinstance(made, PlayerInfo):
            raise PluginError(f"player {quoted(name)} is made to be {quoted(repr(made))}")
        problem = misfit_of_player(made.player, made.stateless)
        if problem:
            raise PluginError(f"player {quoted(name)}: {problem}")
        return replace(made, name=name)

    def plays(self, game: Game) -> bool:
        """Whether it declares that it plays the game."""
        names = (game.name, *game.kinds)
        return any(fnmatchcase(name, pattern) for pattern in self.games for name in names)

    def require(self, game: Game) -> None:
        """CannotPlay unless it declares that it plays the game."""
        if not self.plays(game):
            raise CannotPlay(
                f"{self.name} does not play {game.name} (it plays: {', '.join(self.games)})"
            )


def summary_of(thing: object) -> str:
    """The first line of its docstring."""
    return (thing.__doc__ or "").strip().partition("\n")[0]


def misfit_of_player(player: Any, stateless: bool, named: Iterable[str] = ()) -> str:
    """Return why a function or class is not a player, as far as it shows without being called.

    ``named`` are options that it is called with by name. The text is empty if nothing is wrong.
    """
    if stateless:
        return misfit(player, "position", "rng", named=named)
    if isinstance(player, type):
        missing = [name for name in _METHODS if not callable(getattr(player, name, None))]
        if missing:
            return f"the class has no {', '.join(missing)}"
        for method, arguments in _METHODS.items():
            if problem := misfit_of_method(player, method, *arguments):
                return problem
    return misfit(player, named=named)


def pair_names(a: str, b: str) -> tuple[str, str]:
    """What two players are called in one table; a player's second self gets ``#2``."""
    return a, b + ("#2" if a == b else "")


#: The value that a text means; ValueError says what it must be instead: ``a number from 1 to 9``.
Kind = Callable[[str], Any]


def read_options(player: str, text: str, known: Mapping[str, Kind]) -> dict[str, Any]:
    """The values of ``key=value,key=value`` by key, each read as its kind says.

    Keys that are not in the text are not in the answer. UsageError for a key that is unknown or
    given twice, and for a value that is none; ``player`` is who the message says it is about.

    >>> read_options("minimax:depth=3", "depth=3", {"depth": whole(1, 9), "budget": whole(1, 99)})
    {'depth': 3}
    """
    chosen: dict[str, Any] = {}
    for word in text.split(","):
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise UsageError(
                f"player {quoted(player)}: {quoted(word)} is no option, write OPTION=VALUE"
                f" (it has: {', '.join(known)})"
            )
        if key not in known:
            raise UsageError(
                f"player {quoted(player)}: no option {quoted(key)}{did_you_mean(key, known)}"
                f" (it has: {', '.join(known)})"
            )
        if key in chosen:
            raise UsageError(f"player {quoted(player)}: option {key} is given twice")
        try:
            chosen[key] = known[key](value)
        except ValueError as error:
            raise UsageError(
                f"player {quoted(player)}: {key} must be {error}, not {quoted(value)}"
            ) from None
    return chosen


class NamedOptions:
    """Makes the player of ``name:depth=3`` by calling the one without options with ``depth=3``."""

    def __init__(self, player: Any, kinds: Mapping[str, Kind]) -> None:
        self.player, self.kinds = player, kinds
        self.__doc__ = ", ".join(f"{key}={_shown(kind)}" for key, kind in kinds.items())

    def __call__(self, info: PlayerInfo, text: str) -> PlayerInfo:
        """Return the player with the options of the text."""
        chosen = read_options(info.name, text, self.kinds)
        return replace(info, player=partial(self.player, **chosen))


def _shown(kind: Kind) -> str:
    """Return how a value is written: ``1..20``, ``on|off``."""
    return str(kind) if isinstance(kind, (_Whole, _OneOf)) else "VALUE"


@dataclass(frozen=True)
class _Whole:
    least: int
    most: int

    def __call__(self, text: str) -> int:
        digits = text.isascii() and text.isdigit() and len(text) <= len(str(self.most))
        if not digits or not self.least <= int(text) <= self.most or str(int(text)) != text:
            raise ValueError(f"a whole number from {self.least} to {self.most}")
        return int(text)

    def __str__(self) -> str:
        return f"{self.least}..{self.most}"


@dataclass(frozen=True)
class _OneOf:
    words: tuple[str, ...]

    def __call__(self, text: str) -> str:
        if text not in self.words:
            raise ValueError(f"{' or '.join(self.words)}{did_you_mean(text, self.words)}")
        return text

    def __str__(self) -> str:
        return "|".join(self.words)


def whole(least: int, most: int) -> Kind:
    """A whole number in digits, from least to most, written in one way only.

    >>> whole(1, 9)("10")
    Traceback (most recent call last):
    ValueError: a whole number from 1 to 9
    """
    return _Whole(least, most)


def one_of(*words: str) -> Kind:
    """One of these words.

    >>> one_of("on", "off")("off")
    'off'
    """
    return _OneOf(words)
