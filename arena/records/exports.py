"""Hold runs with all their games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from typing import Any

from arena.dataclass import dataclass
from arena.game import Game
from arena.records.base import Json, Record
from arena.records.notes import WrittenNotes
from arena.records.void import VoidPairs
from arena.seats import Departure


@dataclass(frozen=True)
class RunFacts(Record):
    """A run of a store."""

    KEYS = (
        "run=number started finished state schedule game game_version seed contest played games"
        " arena_version python_version machine"
    )

    #: Its number in the store, from 1.
    number: int
    #: UTC.
    started: str
    #: None while it goes on.
    finished: str | None
    #: ``complete``, or why it is not.
    state: str
    #: ``fight``, ``round robin``, ``gauntlet``, or another schedule such as ``swiss:5``.
    schedule: str
    game: str
    game_version: int
    seed: int
    #: The contest that it belongs to.
    contest: str | None
    #: Games in the store.
    played: int
    #: Games that it will have; None if only its rounds tell.
    games: int | None
    arena_version: str
    python_version: str
    machine: str


@dataclass(frozen=True)
class ListedRun(RunFacts):
    """A run of a store, in a list."""

    KEYS = RunFacts.KEYS.replace(" played", " players played")

    #: The number of players.
    players: int


@dataclass(frozen=True)
class StoredPlayer(Record):
    """A player of a run, as it was when the run began."""

    KEYS = "name version package file digest isolation limits spec"

    name: str
    version: str
    package: str
    file: str
    #: The digest of its code.
    digest: str
    #: Its tier; empty if it plays in a worker.
    isolation: str
    #: The limits of its process, by name; empty without one.
    limits: Mapping[str, Any]
    #: Where it comes from, if its name is another; empty else.
    spec: str = ""
    #: The reason if it cannot be started. Not in JSON, where its fights have it.
    withdrawn: str | None = None


@dataclass(frozen=True)
class SeatForfeit(Record):
    """A forfeit in a game for more than two."""

    #: From 0.
    seat: int
    #: The number of moves before it.
    ply: int
    reason: str
    message: str
    #: The innermost frame of the player's own code.
    where: str = ""
    remedy: str = ""


@dataclass(frozen=True)
class ExportedGame(WrittenNotes):
    """A game of a run, as it was played."""

    KEYS = (
        "pair game_id opening players moves outcome forfeit_side reason message seconds payoffs?"
        " where? remedy? printed? move_seconds? referee? adjudicated? thoughts? luck? forfeits?"
        " completions? ended? chance?"
    )

    #: From 1.
    pair: int
    game_id: str
    #: The text of the position that it began from; None for the start.
    opening: str | None
    #: The first and the second side.
    players: tuple[str, ...]
    #: In the game's notation.
    moves: tuple[str, ...]
    #: ``first``, ``second`` or ``draw``; None of more than two players.
    outcome: str | None
    #: The first seat that forfeited, from 0; None without a forfeit.
    forfeit_side: int | None = None
    reason: str | None = None
    message: str | None = None
    seconds: float | None = None
    #: The innermost frame of the player's own code, after a forfeit.
    where: str = ""
    remedy: str = ""
    #: The seconds of the moves of each side. A move in which a program started has None.
    move_seconds: tuple[tuple[float | None, ...], ...] = ()
    #: The seconds since 1970 at the end of a game with isolated players.
    ended: float | None = None
    #: The places, from 1, of the moves that are chance's, in a game with luck that is installed.
    chance: tuple[int, ...] = ()
    #: The exact payoff of each seat, such as ``-1/2``, in a game with payoffs of its own.
    payoffs: tuple[Fraction, ...] | None = None
    #: What luck brought the first seat, where it is corrected.
    luck: Fraction | None = None
    #: All forfeits of a game for more than two, in their order.
    forfeits: tuple[SeatForfeit, ...] = ()

    @property
    def departures(self) -> list[Departure]:
        """The seats that left a game for more than two, each after so many moves."""
        return [(each.ply, each.seat) for each in self.forfeits]


@dataclass(frozen=True)
class ExportedFight(Record):
    """A fight of a run, with its games."""

    #: A, B, and at a table those after them.
    players: tuple[str, ...]
    #: Pairs or blocks that were asked for.
    pairs: int
    void_pairs: tuple[VoidPairs, ...]
    #: The reason if a player plays no more; None if it plays.
    withdrawn: Mapping[str, str | None]
    games: tuple[ExportedGame, ...]


@dataclass(frozen=True)
class PlayerChange(Record):
    """A player that entered a run, was replaced or was withdrawn."""

    KEYS = "date what player replaces after_rounds?"

    #: UTC.
    date: str
    what: str
    player: str
    #: The player whose seat it took.
    replaces: str | None
    #: The rounds that were over at that time.
    after_rounds: int | None = None


@dataclass(frozen=True)
class ExportedRun(RunFacts):
    """A run of a store, with all its games."""

    KEYS = f"{RunFacts.KEYS} contest_text options players fights changes? left_out?"

    #: The contest file.
    contest_text: str | None
    #: The options of the run.
    options: Json
    players: tuple[StoredPlayer, ...]
    fights: tuple[ExportedFight, ...]
    #: The players that entered, were replaced or withdrawn.
    changes: tuple[PlayerChange, ...] = ()
    #: Fights that do not count any more.
    left_out: tuple[ExportedFight, ...] = ()

    @property
    def all_fights(self) -> tuple[ExportedFight, ...]:
        """The fights, and after them those that do not count any more."""
        return (*self.fights, *self.left_out)


@dataclass(frozen=True)
class ExternalGame(Record):
    """A game that was played elsewhere."""

    KEYS = "line game game_version players opening moves outcome tags comments played_here chance?"

    #: In the file.
    line: int
    game: str
    game_version: int
    #: The first and the second side.
    players: tuple[str, str]
    #: The text of the position that it began from; None for the start.
    opening: str | None
    #: In the game's notation.
    moves: tuple[str, ...]
    outcome: str
    tags: Mapping[str, str]
    #: The number of moves before each comment, and the comment.
    comments: tuple[tuple[int, str], ...]
    #: False.
    played_here: bool = False
    #: The places, from 1, of the moves that are chance's, in a game with luck that is installed.
    chance: tuple[int, ...] = ()

    @property
    def departures(self) -> list[Departure]:
        """The seats that left it: none, because it has two."""
        return []


@dataclass(frozen=True)
class ExportedImport(Record):
    """A file of games that were played elsewhere, with its games."""

    KEYS = "import=number date file games"

    #: The number of the import in the store, from 1.
    number: int
    #: UTC.
    date: str
    file: str
    games: tuple[ExternalGame, ...]


@dataclass(frozen=True)
class Export(Record):
    """Runs with all their games, as they were at one moment."""

    SCHEMA = "arena.export/1"
    KEYS = "runs imports"

    #: Each run with its players, fights and games, as they are in the store.
    runs: tuple[ExportedRun, ...]
    #: Each file with games that were played elsewhere.
    imports: tuple[ExportedImport, ...] = ()
    #: The rules of the games, by name, as far as they are installed.
    rules: Mapping[str, Game] = field(default_factory=dict, compare=False)
