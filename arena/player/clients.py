"""Speak to programs in their own protocols: the contract of a client.

A client is made once for each process of a program. Arena calls it while a game goes on. The
program computes only while :meth:`Client.greet` and :meth:`Client.choose` run, and is stopped
otherwise. ``arena/plugins/uci.py`` is the model to copy.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from math import inf
from typing import TYPE_CHECKING, Any, Protocol

from arena.dataclass import dataclass
from arena.errors import UsageError, quoted
from arena.game import Game, Outcome, Position, Side

if TYPE_CHECKING:  # the list of players takes no records of games
    from arena.player import PlayerInfo
    from arena.player.clocks import Clocks
    from arena.player.time_left import TimeLimits
    from arena.records.thoughts import Thought


class Talk(Protocol):
    """The conversation with a process: lines of text to it, and from it."""

    def say(self, *lines: str) -> None:
        """Send lines, at the latest when the process is heard."""

    def hear(self) -> str:
        """Wait for the next line. Raises Forfeited if none comes in time or the process ends."""

    def require_silence(self) -> None:
        """Raise Forfeited ``protocol`` if the process has said anything that was not heard."""

    def note(self, thought: Thought) -> None:
        """Keep what the process says of the move that it chooses, in the record of the game."""


@dataclass(frozen=True)
class Turn:
    """A question for a move."""

    game: Game
    #: The position to move at, by this side. In a game with luck, secrets or payoffs it is what the
    #: side knows, an observation, in the clients of protocols that take them.
    position: Position
    side: Side
    #: Where the player saw the game first, and the moves of both sides from there on. With an
    #: observation it is that, and there are no moves.
    start: Position
    moves: tuple[int, ...]
    #: Seconds that the move may take.
    seconds: float
    #: The clocks of the game; None if the player has none.
    clocks: Clocks | None = None

    @property
    def history(self) -> tuple[int, ...] | None:
        """The moves from the start of the game, or None if they are not known."""
        moves = self.position.history()
        if moves is not None:
            return moves
        return self.moves if self.start == self.game.start() else None


#: MiB of memory of an engine besides its hash table and threads. The limit counts what an engine
#: reserves, and some reserve more with every search.
ENGINE_MEMORY = 4096


@dataclass(frozen=True)
class ProtocolStep:
    """One step of a walk through a protocol."""

    name: str
    #: Talks to the program. Returns what is wrong with its answer, empty if nothing is. Raises
    #: Forfeited if it gives none.
    take: Callable[[Talk], str]
    #: Seconds that the answer may take by the protocol; infinitely many if it does not say.
    seconds: float = inf


@dataclass(frozen=True)
class Demand:
    """The needs of a program with the options that the user gave it."""

    #: MiB of memory, its limit if the user sets none. None for the usual limit.
    memory: int | None = None
    #: Threads that compute at once.
    threads: int = 1


class Client(ABC):
    """Speaks with one process of a program."""

    #: The name and the version that the program gives itself, once it is greeted; empty without.
    version = ""

    def __init__(self, options: Mapping[str, str]) -> None:
        """Take the options in ``NAME,OPTION=VALUE:COMMAND``: none, unless a subclass reads some.

        Raises UsageError for an option that the client does not have.
        """
        if options:
            raise UsageError(f"this protocol has no options, such as {quoted(min(options))}")

    def demand(self) -> Demand:
        """Return what the program needs. Arena asks before it starts a process."""
        return Demand()

    def greet(self, talk: Talk) -> None:
        """Make a new process ready. Raises UsageError if it refuses the user's options."""

    def begin(self, talk: Talk, game: Game, side: Side, seed: int) -> None:
        """Note or say that a game begins. Nothing can be heard yet.

        Raises UsageError if the program does not play the game.
        """

    def steps(self, game: Game) -> Iterable[ProtocolStep]:
        """Return the steps of a walk through the protocol, for ``arena check``.

        A new process that was greeted takes them in turn, until one fails. No game follows.
        """
        return ()

    @abstractmethod
    def choose(self, talk: Talk, turn: Turn) -> int:
        """Return the program's move, legal or not.

        Raises Forfeited if it makes none, and MoveError if its answer is not a move of the game.
        """

    def observe(self, talk: Talk, game: Game, move: int) -> None:
        """Note or say that the opponent has moved. Nothing can be heard yet."""

    def finish(self, talk: Talk, outcome: Outcome) -> None:
        """Note or say that the game is over. Nothing can be heard."""


#: Makes a client from the options in ``uci,Hash=16:stockfish``.
MakeClient = Callable[[Mapping[str, str]], Client]

#: Makes the player of one game from a file. The second argument tells whether the process is the
#: player's own, which may change it.
MakeFromFile = Callable[..., Any]

#: Tells from the options which other files a player's process may read.
FilesOfOptions = Callable[[Mapping[str, str]], tuple[str, ...]]

#: Tells the command by which a referee starts the player in a file.
CommandOfFile = Callable[[str], tuple[str, ...]]

#: Makes the player of a file of data from the player's name, the file's path, and the paths of the
#: plugins in files, which may offer its game.
MakeFromData = Callable[[str, str, tuple[str, ...]], "PlayerInfo"]

#: Makes the player at an address from the player's name and the limits of its time.
MakeFromAddress = Callable[[str, "TimeLimits"], "PlayerInfo"]


@dataclass(frozen=True)
class PlayerProtocol:
    """A way to name players: ``NAME:COMMAND`` for programs, ``NAME:FILE`` for files,
    ``NAME:ADDRESS`` for players that run elsewhere.
    """

    name: str
    games: tuple[str, ...]
    summary: str
    #: Makes a client for each process of a program; None if the protocol is one for files.
    client: MakeClient | None = None
    #: Makes the player of each game from a file; None if the protocol is one for programs.
    file: MakeFromFile | None = None
    #: Tells which files the options of such a player name; None if it takes no options.
    files: FilesOfOptions | None = None
    #: Makes a player from a file of data, which is not executed; None if the protocol is another.
    data: MakeFromData | None = None
    #: The plugin in a file that offers it, as ``arena -p`` names it; empty for another.
    plugin: str = ""
    #: Whether its clients can ask with an observation, in games with luck, secrets or payoffs.
    takes_observations: bool = False
    #: Makes a player from an address, where it runs already; None if the protocol is another.
    address: MakeFromAddress | None = None
    #: Whether its players read the rules, so that a game must have a guide.
    needs_guide: bool = False
    #: How a player is named by it, such as ``uci:COMMAND``.
    form: str = ""
    #: Tells what a referee starts for a file; None if its players are no programs.
    command: CommandOfFile | None = None

    def refuses(self, game: Game) -> str:
        """Return why its programs do not play a game, empty if they do."""
        if self.needs_guide and game.is_refereed:
            return f"{self.name}: a referee speaks with the players of its game itself"
        if self.needs_guide and not game.guide:
            return (
                f"{self.name}: needs the rules in sentences, which {game.name} lacks (Game.guide)"
            )
        if self.takes_observations or game.is_refereed or not game.features:
            return ""
        return f"{self.name}: has no words for {' and '.join(game.features)}"
