"""Hold what the workflows of a league find, as frozen records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from arena.dataclass import dataclass
from arena.records.base import Record

#: The changes that a pull request makes to an entrant.
NEW_ENTRANT, CHANGED_ENTRANT, REMOVED_ENTRANT = "new", "changed", "removed"


@dataclass(frozen=True)
class LeagueEntry(Record):
    """A pull request of a league, and the rules that it breaks."""

    SCHEMA = "arena.league-entry/1"
    KEYS = "entrant change author files problems accepted"

    #: The entrant; empty if the pull request is not an entry.
    entrant: str
    #: ``new``, ``changed`` or ``removed``; empty without an entrant.
    change: str
    #: The account that has made the pull request.
    author: str
    #: The files that it changes, in order.
    files: tuple[str, ...]
    #: The rules that it breaks, in sentences.
    problems: tuple[str, ...] = ()

    @property
    def accepted(self) -> bool:
        """Whether it breaks no rule."""
        return not self.problems


@dataclass(frozen=True)
class LeagueRow(Record):
    """A player's place before and after a change."""

    player: str
    #: None for a player that had no rank, or has none.
    rank_before: int | None
    rank: int | None
    #: Its points per game, or what a game paid it. None without games.
    score_before: float | None
    score: float | None


@dataclass(frozen=True)
class LeaguePairing(Record):
    """A pairing that is new: the score of the first player with its 95 % interval."""

    players: tuple[str, str]
    games: int
    #: None without games.
    score: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class LeagueComparison(Record):
    """A store of a league, compared with the published one."""

    SCHEMA = "arena.league-comparison/1"
    KEYS = "game unit entrants standings pairings faults problems holds"

    game: str
    #: The unit of the payoffs, empty for wins, draws and losses.
    unit: str
    #: The changes by the names of the entrants: ``new``, ``changed`` or ``removed``.
    entrants: Mapping[str, str]
    standings: tuple[LeagueRow, ...]
    pairings: tuple[LeaguePairing, ...]
    #: The games that new and changed entrants forfeited, and the reason why one never started.
    faults: tuple[str, ...] = ()
    #: The reasons for which the store is not published.
    problems: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether the store is accepted, and no new or changed entrant forfeited a game."""
        return not self.problems and not self.faults


@dataclass(frozen=True)
class LeagueSite(Record):
    """The pages of a league, or the reasons for which they were not written."""

    SCHEMA = "arena.league-site/1"
    KEYS = "folder season commit files problems written"

    folder: str
    #: The season; empty without one.
    season: str
    commit: str
    #: The files in the folder, in order.
    files: tuple[str, ...]
    #: The reasons for which the store is not published.
    problems: tuple[str, ...] = ()

    @property
    def written(self) -> bool:
        """Whether the pages were written."""
        return not self.problems


@dataclass(frozen=True)
class Season(Record):
    """A season with its hidden seed: committed to before it, opened after it."""

    SCHEMA = "arena.season/1"
    KEYS = "season commitment seed nonce problems holds"

    season: str
    #: The digest of the season's name, the seed and the nonce.
    commitment: str
    #: None while the season goes on.
    seed: int | None = None
    nonce: str | None = None
    #: The reasons for which the season is not as it was committed to.
    problems: tuple[str, ...] = ()
    #: The file with the secret, and what to do with it. Not in JSON.
    hint: str = field(default="", compare=False)

    @property
    def holds(self) -> bool:
        """Whether nothing speaks against it."""
        return not self.problems
