"""Hold how luck is taken out of payoffs, as frozen records.

The terms of the correction are those of Burch, Schmid, Moravčík, Morrill and Bowling, "AIVAT: a new
variance reduction technique for agent evaluation in imperfect information games" (2018).
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from arena.dataclass import dataclass
from arena.errors import UsageError
from arena.records.base import Record
from arena.records.paid import Paid

#: The term of what chance did, besides those of players by their names.
CHANCE_TERM = "luck"


@dataclass(frozen=True)
class LuckBounds(Record):
    """How far corrected payoffs of a pairing can be from an even share."""

    players: tuple[str, str]
    #: Whose draws are corrected: ``luck``, and the players whose probabilities are known.
    terms: tuple[str, ...]
    #: The largest distance in games that end by the rules, and in all, forfeited ones too.
    by_rules: Fraction
    by_forfeit: Fraction


@dataclass(frozen=True)
class LuckCorrection(Record):
    """The value function of a run, chosen before its first game."""

    #: Where it comes from: the name of a player, or of a file.
    value: str
    #: The digest of the strategies that it is made of.
    digest: str
    bounds: tuple[LuckBounds, ...]

    def of(self, players: tuple[str, str]) -> LuckBounds:
        """Return the bounds of a pairing. Raises UsageError for one that it was not made for."""
        for each in self.bounds:
            if each.players == players:
                return each
        raise UsageError(f"luck is not corrected between {' and '.join(players)}")


@dataclass(frozen=True)
class Corrected(Record):
    """The correction of the payoffs of a fight, and the payoffs before it."""

    KEYS = "value digest terms raw saved"

    value: str
    digest: str
    terms: tuple[str, ...]
    #: The payoffs that the games paid.
    raw: Paid
    #: How many times as many games it takes to be as sure without a correction, where no two games
    #: have the same luck. None without two different pairs.
    saved: float | None

    def reversed(self) -> Corrected:
        """Return the view of B."""
        return replace(self, raw=self.raw.reversed())
