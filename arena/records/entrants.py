"""Hold what is known of one player of a fight besides its results: forfeits, limits, times."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace

from arena.dataclass import dataclass
from arena.errors import counted
from arena.records.base import Record
from arena.records.deviations import Deviation
from arena.records.joint import NOTHING, Joint
from arena.records.spending import Spending

#: The value of a limit of a player's process.
LimitValue = bool | float | str | tuple[str, ...]

#: A player that forfeits all games of its first pairs, this many, for one reason plays no more.
FIRST_PAIRS = 10

#: The reason of its other forfeits.
UNPLAYED = "unplayed"


@dataclass(frozen=True)
class ForfeitedGame(Record):
    """One game that a player forfeited."""

    KEYS = "game_id player reason message where remedy position ply?"

    #: None for a game that has none, such as a human's.
    game_id: str | None
    player: str
    reason: str
    message: str
    #: The innermost frame of the player's own code, what to do about it, and the position; empty
    #: where they are not known.
    where: str = ""
    remedy: str = ""
    position: str = ""
    #: The number of moves before it, in a game for more than two.
    ply: int | None = None

    @property
    def placed(self) -> str:
        """The message and where, on one line."""
        return f"{self.message} ({self.where})" if self.where else self.message

    def __str__(self) -> str:
        return f"{self.placed}. {self.remedy}" if self.remedy else self.placed


@dataclass(frozen=True)
class PlayerResult(Record):
    """The results of a fight for one of its two players."""

    KEYS = (
        "name isolation forfeits? first_forfeit? first_lost? forfeited_alone withdrawn certified"
        " deviation? remembers? spec? limits? printed first_printed? move_times? engine? spent?"
    )

    name: str
    #: The tier that isolates its process; ``none`` if it plays in a worker.
    isolation: str = "none"
    #: The games that it forfeited, by reason.
    forfeits: Mapping[str, int] = field(default_factory=dict)
    #: The first game that it forfeited.
    first_forfeit: ForfeitedGame | None = None
    #: The id of the first game that it lost; None without, or through tables.
    first_lost: str | None = None
    #: The pairs in which it forfeited a game and its opponent did not.
    forfeited_alone: Joint = NOTHING
    #: The reason if it cannot be started and so plays no more.
    withdrawn: str | None = None
    #: Whether its moves were looked up in a certificate.
    certified: bool = False
    #: Its first move that is not in its certificate.
    deviation: Deviation | None = None
    #: The reason if something of it outlives a game; empty if nothing is known to.
    remembers: str = ""
    #: Where it comes from, if its name is another: ``./alice.py`` of ``alice=./alice.py``.
    spec: str = ""
    #: The limits of its process that are not the usual ones: ``{"move_time": 0.5}``.
    limits: Mapping[str, LimitValue] = field(default_factory=dict)
    #: Number of lines that it printed in the games, and the id of the first game in which it did.
    printed: int = 0
    first_printed: str | None = None
    #: Number of its moves by the seconds that they took, or the fuel of a WebAssembly module; empty
    #: where they were not measured.
    move_times: Mapping[float, int] = field(default_factory=dict)
    #: The engine that counted the fuel of a WebAssembly module, with its version; empty for another
    #: player.
    engine: str = ""
    #: The requests of a language model, and what they cost; None for another player.
    spent: Spending | None = None

    @property
    def clock(self) -> str:
        """Its time control, such as ``60+0.5``, or empty without one."""
        return str(self.limits.get("clock", ""))

    def reversed(self) -> PlayerResult:
        """Return the same results of a fight that is told from the view of its B."""
        return replace(self, forfeited_alone=self.forfeited_alone.reversed())

    @property
    def forfeited(self) -> str:
        """Games that it forfeited, by reason, in words, or empty for none."""
        if not self.forfeits:
            return ""
        reasons = ", ".join(f"{reason} {count}" for reason, count in self.forfeits.items())
        games = counted(sum(self.forfeits.values()), "game")
        sentence, game = f"{self.name} forfeited {games} ({reasons})", self.first_forfeit
        if game is None:
            return sentence
        return f"{sentence}, the first" + (f" at {game.position}" if game.position else "")
