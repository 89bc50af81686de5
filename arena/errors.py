"""The exceptions of arena.

The tree::

    ArenaError                  anything arena raises on purpose, with its exit code
    ├── UsageError              the caller's own mistake (exit code 2)
    │   ├── UnknownName         no game, player, format, ... of that name
    │   ├── AmbiguousName       two plugins offer the name
    │   ├── PositionError       a text that is not a position of the game (also a ValueError)
    │   ├── MoveError           a text that is not a move of the game (also a ValueError)
    │   ├── PlayerFileError     a ``./bot.py`` that cannot be used
    │   │   └── PlayerFileRaised    one that raises while it is executed
    │   └── CannotPlay          a player does not play the game
    ├── IllegalMove             a move that the rules forbid (also a ValueError)
    ├── Forfeited               an isolated player broke its contract, never leaves a game
    │   └── Withdrawn           ... or cannot be started, even after retries (exit code 4)
    ├── VoidGame                  the machine kept a player from its turn, never leaves an engine
    │   └── Unavailable             ... or what a player asks does not answer; it raises this itself
    ├── PluginError             a plugin broke its contract (exit code 4)
    │   └── GameFault           ... in the rules of a game, no player is charged
    ├── CannotEnumerate         the distribution over a player's moves cannot be found exactly
    │   └── PlayerFault         ... because the player broke its contract (exit code 4)
    │       ├── NoAnswer            ... it did not answer in time
    │       └── CannotLoad          ... its file cannot even be loaded
    ├── Unusable                a player cannot play on, and not by its play (exit code 4)
    ├── OutOfBudget             the money that the user allowed is spent (3)
    ├── ServerError             a server that does not answer, or not as it should (4)
    ├── StoreError              a store that cannot be read or written: disk full, no permission (4)
    └── WorkerError             arena itself failed inside a worker process (exit code 4)

Outside the tree stand ``Terminated``, ``Abandoned`` and ``arena.Interrupted``, which are
KeyboardInterrupts, and errors of single modules: ``arena.games.search.BudgetSpent``,
``arena.proof.checker.CertificateError``, ``arena.features.regress.record.NotKept``.

Messages are one lower-case line that names the offending value, what is known and the nearest
match. The command line prints the line and exits with ``exit_code``.
"""

from __future__ import annotations

import operator
import re
import signal
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from arena import escape
from arena.core import in_python

#: Longest piece of a user's text that a message repeats.
MAX_QUOTED = 60

#: Longest piece of an exception's message that another message repeats.
MAX_REPEATED_MESSAGE = 200

#: How alike two names are, as difflib's ratio tells it, before one is suggested for the other.
MIN_LIKENESS = 0.65

#: A name that begins with a word of this many letters is as like to it as this.
MIN_BEGINNING, BEGINNING_LIKENESS = 4, 0.8

#: The place of a number in a template of names, such as ``mnk-{m}-{n}-{k}``.
_BRACES = r"\{\w*\}"


class ArenaError(Exception):
    """The base of all errors that arena raises on purpose."""

    exit_code: ClassVar[int] = 2


class UsageError(ArenaError):
    """The caller asked for something impossible."""


#: This many names a message lists of a kind that has a command which lists them all.
MAX_KNOWN_NAMES = 8
_LISTING = {"game": "arena games", "player": "arena players"}


class UnknownName(UsageError):
    """A name that is not known for its kind of thing. ``meant`` is a name that would be.

    ``left_out`` are plugins that did not load, and could have brought it.
    """

    def __init__(
        self,
        kind: str,
        name: str,
        names: Iterable[str],
        meant: str = "",
        left_out: Sequence[str] = (),
    ) -> None:
        self.kind, self.name, self.names, self.meant = kind, name, sorted(names), meant
        self.left_out = tuple(left_out)
        hint = f", did you mean {quoted(meant)}?" if meant else did_you_mean(name, self.names)
        most = MAX_KNOWN_NAMES if kind in _LISTING else len(self.names)
        listed = ", ".join(self.names[:most]) or "none"
        if more := self.names[most:]:
            listed += f" and {len(more)} more: {_LISTING[kind]}"
        message = f"unknown {kind} {quoted(name)}{hint} (known: {listed})"
        if left_out:
            verb = "was" if len(left_out) == 1 else "were"
            message += f"; {', '.join(left_out)} {verb} left out (see: arena plugins)"
        super().__init__(message)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.kind, self.name, self.names, self.meant, self.left_out)


class AmbiguousName(UsageError):
    """Two plugins offer a thing of the same kind and name. Arena takes neither."""

    def __init__(self, kind: str, name: str, sources: Iterable[str]) -> None:
        self.kind, self.name, self.sources = kind, name, list(sources)
        super().__init__(
            f"{kind} {quoted(name)} is offered by {' and by '.join(self.sources)};"
            " leave one out with -p no:PLUGIN or ARENA_DISABLE_PLUGINS"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.kind, self.name, self.sources)


class PositionError(UsageError, ValueError):
    """A text that is not a position of the game."""


class MoveError(UsageError, ValueError):
    """A text that is not a move in the game's notation."""


class PlayerFileError(UsageError):
    """A player's file that is missing, does not load, or has no function to play with."""

    def __init__(self, player: str, problem: str) -> None:
        self.player, self.problem = player, problem
        super().__init__(f"player {quoted(player)}: {problem}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.player, self.problem)


class PlayerFileRaised(PlayerFileError):
    """A player's file that raises while it is executed."""


class CannotPlay(UsageError):
    """The player does not play the game."""


class IllegalMove(ArenaError, ValueError):
    """The rules forbid the move in the position."""


class Forfeited(ArenaError):
    """An isolated player broke its contract. The reason is the verdict."""

    exit_code = 4

    def __init__(self, reason: str, problem: str, player: str = "") -> None:
        super().__init__(f"player {quoted(player)}: {problem}" if player else problem)
        #: The message without the player, which it names only if it is in it.
        self.problem, self.player = problem, player
        #: ``illegal``, ``exception``, ``timeout``, ``crash``, ``protocol``, ``import-error``,
        #: ``budget``, ``memory`` or ``off-turn``.
        self.reason = reason
        #: The innermost frame of its own code, and what to do about it, where they are known.
        self.where, self.remedy = "", ""
        #: The traceback of its own frames, for the log.
        self.frames = ""
        #: The signal that killed its process in a turn; see :mod:`arena.sandbox.denied_hints`.
        self.killed_by, self.barred = "", ""
        #: Its draws before, as far as it reports them; see :attr:`arena.rng.Stream.draws`.
        self.draws: Sequence[Any] = ()
        #: New sightings of a player that is checked; see :mod:`arena.sandbox.wire.protocol`.
        self.seen: Mapping[str, tuple[str, str]] = {}

    def worded(self, problem: str) -> Forfeited:
        """Return the same in other words."""
        other = Forfeited(self.reason, problem, self.player)
        vars(other).update(vars(self), problem=problem)
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.reason, self.problem, self.player)


class Withdrawn(Forfeited):
    """A player's process cannot be started, even after retries: it does not play."""

    def __init__(self, player: str, reason: str, problem: str) -> None:
        super().__init__(reason, f"{player} cannot be started: {problem}")
        self.player, self.problem = player, problem

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.player, self.reason, self.problem)


class VoidGame(ArenaError):
    """The machine was too busy for a game to be fair: it is played again, or void."""

    exit_code = 4


#: The most seconds that a player may ask arena to wait before it is tried again.
MAX_RETRY_AFTER = 3600.0


class Unavailable(VoidGame):
    """A player cannot play now, because a service that it asks does not answer.

    The player raises it itself. The game is void, and arena tries its pair again: after
    ``retry_after`` seconds at least, if the player knows how long the service needs.

    >>> Unavailable("the service restarts", retry_after=30).retry_after
    30.0
    """

    def __init__(self, problem: str = "a service does not answer", retry_after: float = 0) -> None:
        if type(retry_after) not in (int, float) or not 0 <= retry_after <= MAX_RETRY_AFTER:
            limits = f"a number of seconds from 0 to {MAX_RETRY_AFTER:g}"
            raise UsageError(f"retry_after must be {limits}, not {one_line(repr(retry_after))}")
        super().__init__(problem)
        self.problem, self.retry_after = problem, float(retry_after)
        #: The side of the player in its game, 0 or 1, where that is known.
        self.side: int | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.problem, self.retry_after)


def unavailability(error: BaseException) -> Unavailable | None:
    """Return that a player cannot play now, if it raised this, in arena's own words."""
    if not issubclass(type(error), Unavailable):  # isinstance() would ask a foreign exception
        return None
    seconds: Any = vars(error).get("retry_after")
    problem = one_line(describe(error).partition(": ")[2])
    is_plain = type(seconds) is float and 0 <= seconds <= MAX_RETRY_AFTER
    return Unavailable(problem, seconds if is_plain else 0)


class PluginError(ArenaError):
    """A plugin broke the contract of a hook."""

    exit_code = 4


class GameFault(PluginError):
    """A game broke the contract of :mod:`arena.game`. No player is charged with it."""

    exit_code = UsageError.exit_code  # who asks for a game answers for it


class CannotEnumerate(ArenaError):
    """A player's distribution over moves cannot be found exactly, for a reason.

    ``player`` and ``position`` say where, and are empty if it is about no single position.
    """

    def __init__(self, reason: str, player: str = "", position: str = "") -> None:
        super().__init__(reason, player, position)
        self.reason, self.player, self.position = reason, player, position

    def __str__(self) -> str:
        if not self.player:
            return self.reason
        where = f"the moves of {self.player} at {self.position}"
        hint = "the player may offer distribution(position) itself"
        return f"{where} cannot be enumerated: {self.reason}; {hint}"


class Undecided(CannotEnumerate):
    """A search gave up, or did not begin, because a game is too large for it."""

    exit_code = 3


class PlayerFault(CannotEnumerate):
    """An enumeration failed because the player broke its contract: it raised or moved illegally."""

    exit_code = 4
    #: A remedy for the player's author, where one is known.
    remedy = ""
    #: ``illegal``, ``exception``, ``timeout`` or another reason of a forfeit, where it is known.
    verdict = ""

    def __str__(self) -> str:
        where = f"{self.player} at {self.position}: " if self.player else ""
        return f"{where}{self.reason}{self._remedy}"

    def placed(self, position: str) -> str:
        """Return the reason with the position, unless it is there, and the remedy."""
        where = "" if position in self.reason else f" at {position}"
        return f"{self.reason}{where}{self._remedy}"

    @property
    def _remedy(self) -> str:
        return f". {self.remedy}" if self.remedy else ""


class NoAnswer(PlayerFault):
    """A player does not answer in time. The reason says ``no answer within 2 s``, and more."""

    verdict = "timeout"

    def __str__(self) -> str:
        if not self.player:
            return self.reason
        limit, _, more = self.reason.removeprefix("no answer within ").partition(" s")
        return f"{self.player} did not answer in {limit} s at {self.position}{more}"


class CannotLoad(PlayerFault):
    """A player's file ends the process that loads it, or does not load in time."""

    def __init__(self, player: str, problem: str) -> None:
        super().__init__(f"player {quoted(player)} cannot be loaded: {problem}")
        self.problem = problem
        self.args = (player, problem)


class Unusable(ArenaError):
    """A player cannot play on, and not by its play: its service takes no request at all."""

    exit_code = 4


class OutOfBudget(ArenaError):
    """The money that players may spend is spent: what is known so far counts."""

    exit_code = 3


class KeptForLater(ArenaError):
    """A run was begun in its store, and plays when it is resumed."""

    #: The command that plays it.
    resume = ""


class ServerError(ArenaError):
    """A server does not answer, or not as it should."""

    exit_code = 4


class StoreError(ArenaError):
    """The machine denies reading or writing a store. Committed games are safe."""

    exit_code = 4


class Terminated(KeyboardInterrupt):
    """SIGTERM or SIGHUP, by its ``number``. Like Ctrl-C it is never the player's fault."""

    def __init__(self, number: int = signal.SIGTERM) -> None:
        super().__init__("terminated")
        self.number = signal.Signals(number)


class WorkerError(ArenaError):
    """Arena itself failed inside a worker process. The message is the worker's traceback."""

    exit_code = 4


class Abandoned(KeyboardInterrupt):
    """A thread's work is not needed any more: see :mod:`arena.executors.turns`."""


def quoted(text: str) -> str:
    """Return the text in quotes, on one line and at most ``MAX_QUOTED`` characters of it."""
    return repr(text if len(text) <= MAX_QUOTED else text[: MAX_QUOTED - 1] + "…")


def numeral(number: int) -> str:
    """Return the number in digits, or its size if it is too long for a message."""
    bits = number.bit_length()
    return str(number) if bits <= 128 else f"a number of {bits} bits"


def counted(number: int, thing: str) -> str:
    """Return the number with the thing in the singular or plural.

    >>> counted(1, "pair"), counted(0, "game"), counted(1000, "game")
    ('1 pair', '0 games', '1000 games')
    """
    return f"{number} {thing}{'' if number == 1 else 's'}"


def did_you_mean(name: str, names: Iterable[str], prefix: str = "") -> str:
    """Return ``", did you mean 'monkey'?"``, or nothing where no known name is alike enough.

    A template is compared by its braces, and a ``prefix`` that all names have tells nothing.

    >>> did_you_mean("mnk-3-3", ["mnk-{m}-{n}-{k}", "tictactoe"])
    ", did you mean 'mnk-{m}-{n}-{k}'?"
    """
    from difflib import SequenceMatcher  # rarely asked for, and not quick to import

    typed = name[: MAX_QUOTED + len(prefix)].lower().removeprefix(prefix)
    matcher = SequenceMatcher()
    nearest, most = "", MIN_LIKENESS
    for candidate in names:
        plain = re.sub(_BRACES, "0", candidate.removeprefix(prefix)).lower()
        matcher.set_seqs(re.sub(r"\d+", "0", typed) if "{" in candidate else typed, plain)
        begins = len(typed) >= MIN_BEGINNING and plain.startswith(typed)
        if (likeness := max(matcher.ratio(), begins * BEGINNING_LIKENESS)) > most:
            nearest, most = candidate, likeness
    return f", did you mean {nearest!r}?" if nearest else ""


class NoMove(NamedTuple):
    """An answer that is not a move, with the reason. An adapter returns it for a wrong answer."""

    reason: str


def as_move(answer: Any) -> int:
    """Return the answer of a player as an int. Integers of other libraries count, bools do not.

    Raises IllegalMove for anything else, even if the answer raises when touched.
    """
    if type(answer) is NoMove and type(answer.reason) is str:
        raise IllegalMove(one_line(answer.reason))
    try:
        if not isinstance(answer, bool):
            return operator.index(answer)
    except BaseException as error:
        if is_stop(error):
            raise
        raise IllegalMove(f"a {class_name(answer)} is not a move") from error
    raise IllegalMove("a bool is not a move")


def repr_of(value: object) -> str:
    """Return the representation of a foreign thing, not too long, or a word about its class."""
    try:
        return quoted(repr(value))
    except BaseException as error:
        if is_stop(error):
            raise
        return f"a {class_name(value)}"


def is_stop(error: BaseException) -> bool:
    """Return whether an exception out of a player's code is Ctrl-C or SIGTERM, not its own.

    A KeyboardInterrupt is the player's in a process that ignores the signal, as workers do.
    """
    kind = type(error)  # isinstance() would ask a foreign exception for its __class__
    if issubclass(kind, Terminated):
        return True
    interrupted = issubclass(kind, KeyboardInterrupt)
    return interrupted and signal.getsignal(signal.SIGINT) != signal.SIG_IGN


def class_name(value: object) -> str:
    """Return the name of the thing's class without asking its metaclass, cut to a length."""
    # The method of the base class: the name may be of a foreign subclass of str.
    return escape.line(str.__getitem__(_NAME_OF_CLASS.__get__(type(value)), slice(MAX_QUOTED)))


#: What Python calls a function of the compiled core, which players know as a function.
_COMPILED_FUNCTION = "cython_function_or_method"


def describe(error: BaseException, place: str = "") -> str:
    """Return an exception as one line: its type, the place, and the start of its message.

    A foreign exception cannot raise here when it is asked for its message, but it may be slow.
    """
    try:
        if type(error).__module__ == "bdb":  # BdbQuit: no human was there to debug
            return "breakpoint() opens the debugger in: arena debug PLAYER GAME-ID"
        message = str(error)
        text = one_line(in_python(message) if type(error) is TypeError else message)
        if _COMPILED_FUNCTION in text:
            text = re.sub(rf"_cython_\w+\.{_COMPILED_FUNCTION}", "function", text)
    except BaseException as other:
        if is_stop(other):
            raise
        text = "(its message cannot be read)"
    return f"{class_name(error)}{place}: {text}" if text else f"{class_name(error)}{place}"


def one_line(text: str) -> str:
    """Return the first line of a foreign text, cut to MAX_REPEATED_MESSAGE and escaped."""
    # The method of the base class, so that a text of the exception's own class is cut too.
    start = str.__getitem__(text, slice(MAX_REPEATED_MESSAGE))
    return escape.line(start.strip().partition("\n")[0])


_NAME_OF_CLASS = type.__dict__["__name__"]
