"""Hold the results of a report, each with its games as far as a store has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from arena.dataclass import dataclass
from arena.game import Game
from arena.records.base import Record
from arena.records.entrants import PlayerResult
from arena.records.exports import ExportedFight
from arena.records.fights import FightResult
from arena.records.intervals import INTERVAL_KEYS, ScoreInterval
from arena.records.leaderboards import Leaderboard
from arena.records.ratings import Estimated
from arena.records.tables import TableResult, TableRow, TableStanding
from arena.records.tournaments import Standing


@dataclass(frozen=True)
class EntrantFight(Record):
    """A fight as one of its players may see it."""

    KEYS = (
        "players=fight.players game=fight.game games=fight.total.games total=fight.total"
        " first=fight.first second=fight.second pentanomial=fight.pentanomial"
        f" {INTERVAL_KEYS} forfeits=fight.by_player.forfeits forfeited=fight.by_player.forfeited"
    )

    #: Without what its opponent alone should see.
    fight: FightResult
    #: A's score with its interval.
    interval: ScoreInterval | None

    def reversed(self) -> EntrantFight:
        """Return the view of B, as if it were A."""
        interval = self.interval
        return EntrantFight(self.fight.reversed(), interval and interval.reversed())


@dataclass(frozen=True)
class EntrantTable(Record):
    """A table as one of its players may see it."""

    KEYS = (
        "players=table.players game=table.game unit=table.unit blocks=table.pairs result=row"
        " forfeits=facts.forfeits forfeited=facts.forfeited"
    )

    #: Without what the others alone should see.
    table: TableResult
    #: The results of the entrant.
    row: TableRow

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players."""
        return self.table.players

    @property
    def facts(self) -> PlayerResult:
        """The facts about the entrant besides its payoffs."""
        return self.table.facts[self.players.index(self.row.player)]


@dataclass(frozen=True)
class EntrantResult(Record):
    """A result as one entrant of it may see it: its own fights, or its tables."""

    SCHEMA = "arena.entrant-result/1"
    KEYS = "game seed schedule entrants standing elo fights tables?"

    game: str
    seed: int
    schedule: str
    #: Number of entrants of the result.
    entrants: int
    #: Its place; None without standings.
    standing: Standing | TableStanding | None
    elo: Estimated | None
    fights: tuple[EntrantFight, ...]
    tables: tuple[EntrantTable, ...] = ()


@dataclass(frozen=True)
class ReportPart(Record):
    """One result of a report."""

    KEYS = "from=name result identical?"

    #: The source: ``run 2``, or a file.
    name: str
    #: A record with a schema of its own.
    result: Record
    #: The fights with their games, as an export has them; none if games were not kept.
    fights: Sequence[ExportedFight] = field(default=(), repr=False)
    #: The rules of the games; None without games.
    rules: Game | None = field(default=None, compare=False, repr=False)
    #: The entrants that play alike, as far as the games show it.
    identical: tuple[Identical, ...] = ()


@dataclass(frozen=True)
class Identical(Record):
    """Entrants that played the same moves at every position that two of them share."""

    players: tuple[str, ...]
    #: The least number of such positions that any two of them share.
    positions: int


@dataclass(frozen=True)
class Report(Record):
    """The results of stores and files, to be shown together."""

    SCHEMA = "arena.report/1"
    KEYS = "results=parts left_out leaderboard?"

    parts: tuple[ReportPart, ...]
    #: Runs that cannot be shown, with the reason.
    left_out: tuple[str, ...] = ()
    #: The pseudonym of each player, by its name; empty if all have their own names.
    pseudonyms: Mapping[str, str] = field(default_factory=dict, repr=False)
    #: The players over all games; None unless several tournaments have the same players.
    leaderboard: Leaderboard | None = None


@dataclass(frozen=True)
class EntrantReport(Record):
    """The results of one entrant: its own games, and of the others no more than those it met."""

    SCHEMA = "arena.entrant/1"
    KEYS = "player results=parts"

    player: str
    #: Each result is an :class:`EntrantResult`.
    parts: tuple[ReportPart, ...]
