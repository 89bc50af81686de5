"""What a store holds, as frozen records for people and programs."""

from __future__ import annotations

from dataclasses import dataclass

from arena.records.base import Json


@dataclass(frozen=True)
class Export:
    """Runs with all their games, as they were at one moment."""

    #: Each run with its players, fights and games, as they are in the store.
    runs: tuple[Json, ...]

    def as_json(self) -> Json:
        """Schema ``arena.export/1``."""
        return {"schema": "arena.export/1", "runs": list(self.runs)}


@dataclass(frozen=True)
class Divergence:
    """The first thing in a store that is not as it must be."""

    #: The run, and the id of the game or the number of the fight, as far as there are such.
    run: int | None
    where: str
    problem: str

    def as_json(self) -> Json:
        """The fields under their names."""
        return {"run": self.run, "where": self.where, "problem": self.problem}


@dataclass(frozen=True)
class VerifyReport:
    """What came of checking a store without running a player."""

    store: str
    runs: int
    games: int
    divergence: Divergence | None

    def as_json(self) -> Json:
        """Schema ``arena.verify/1``."""
        return {
            "schema": "arena.verify/1",
            "store": self.store,
            "runs": self.runs,
            "games": self.games,
            "holds": self.divergence is None,
            "divergence": self.divergence and self.divergence.as_json(),
        }
