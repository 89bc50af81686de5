"""Several fights, and the standings they make."""

from __future__ import annotations

from dataclasses import dataclass

from arena.records.base import Json, Tally
from arena.records.fights import FightResult
from arena.records.ratings import RatingTable


@dataclass(frozen=True)
class Standing:
    """One player's row in a tournament."""

    rank: int
    player: str
    tally: Tally
    forfeits: int
    #: Pairs that it lacks beside those who played all theirs; then it is placed below them.
    missing: int = 0

    def as_json(self) -> Json:
        """The row as in schema ``arena.tournament/1``."""
        return {
            "rank": self.rank,
            "player": self.player,
            "games": self.tally.games,
            **self.tally.as_json(),
            "score": self.tally.score,
            "forfeits": self.forfeits,
            "missing_pairs": self.missing,
        }


@dataclass(frozen=True)
class TournamentResult:
    """Several fights and the standings they make."""

    game: str
    game_version: int
    seed: int
    engine: str
    schedule: str
    standings: tuple[Standing, ...]
    fights: tuple[FightResult, ...]
    #: The players on one scale, with what the scores alone do not tell.
    ratings: RatingTable

    @property
    def unfinished(self) -> list[FightResult]:
        """The fights that were cut short."""
        return [fight for fight in self.fights if fight.unfinished]

    @property
    def withdrawn(self) -> dict[str, str]:
        """Who plays no more, and why."""
        return {
            name: problem
            for fight in self.fights
            for name, problem in zip(fight.players, fight.withdrawn, strict=True)
            if problem is not None
        }

    def as_json(self) -> Json:
        """Schema ``arena.tournament/1``."""
        return {
            "schema": "arena.tournament/1",
            "game": self.game,
            "game_version": self.game_version,
            "seed": self.seed,
            "engine": self.engine,
            "schedule": self.schedule,
            "count_forfeits": self.fights[0].count_forfeits,
            "withdrawn": dict(sorted(self.withdrawn.items())),
            "standings": [standing.as_json() for standing in self.standings],
            "ratings": self.ratings.as_json(),
            "fights": [fight.as_json() for fight in self.fights],
        }
