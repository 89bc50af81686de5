"""Simulate a tournament by its schedule: who would meet whom, and with which results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import exp, log
from typing import TYPE_CHECKING

from arena.dataclass import dataclass
from arena.errors import ArenaError
from arena.schedules import PairingResult, RoundResult, ScheduledPairing, TournamentState
from arena.schedules.named import NamedSchedule, Round
from arena.stats.pairings import PairingCounts

if TYPE_CHECKING:
    from numpy.random import RandomState

    from arena.stats.cutoffs import Law

#: The points of the nine kinds of pairs, doubled: the row moving first, the column moving second.
_POINTS = tuple(one + other for one in range(3) for other in range(3))


@dataclass(frozen=True)
class ScheduleDesign:
    """A tournament that a schedule made, as far as results did not."""

    schedule: NamedSchedule
    #: The state at its end: the entrants, and which are withdrawn after which round.
    state: TournamentState
    #: The entrants that came late: after how many rounds.
    entered: Mapping[str, int]

    def simulate(
        self, places: Mapping[str, int], law: Law, rng: RandomState
    ) -> Sequence[PairingCounts]:
        """Return the pairings of a simulated tournament, by the ``places`` of the players in a law.

        An entrant without a place has played no game that counts: here it has the rating zero, and
        its pairings do not count either.
        """
        played: list[PairingCounts] = []
        state = self._now(replace(self.state, rounds=()))
        while (on := self._next_round(state)).pairings:
            results = []
            for pairing in on.pairings:
                a, b = places.get(pairing.a), places.get(pairing.b)
                counts = _drawn(law, a, b, pairing, rng)
                results.append(_result(pairing, counts))
                if a is not None and b is not None:
                    joint = [counts[row : row + 3] for row in (0, 3, 6)]
                    played.append(PairingCounts.of_pairs(a, b, joint))
            state = self._now(
                replace(state, rounds=(*state.rounds, RoundResult(tuple(results), on.byes)))
            )
        return played

    def _next_round(self, state: TournamentState) -> Round:
        """Return the next round. A schedule that fails ends the tournament."""
        try:
            return self.schedule.next_round(state)
        except ArenaError:
            return Round()

    def _now(self, state: TournamentState) -> TournamentState:
        """Return what is known with the entrants of now."""
        over = len(state.rounds)
        late = {name for name, after in self.entered.items() if after > over}
        return replace(
            state,
            entrants=tuple(name for name in self.state.entrants if name not in late),
            withdrawn={n: after for n, after in self.state.withdrawn.items() if after <= over},
        )


def _drawn(
    law: Law, a: int | None, b: int | None, pairing: ScheduledPairing, rng: RandomState
) -> list[int]:
    """Draw the pairs of a pairing, by their nine kinds."""
    one, other = (0.0 if place is None else law.ratings[place] for place in (a, b))
    first, second = (
        _chances(one - other + move, law.draws) for move in (law.advantage, -law.advantage)
    )
    chances = [p * q for p in first for q in second]
    return [int(n) for n in rng.multinomial(pairing.pairs, chances)]


def _chances(difference: float, draws: float) -> tuple[float, float, float]:
    """Return the chances of a loss, a draw and a win by Davidson's model."""
    top = max(abs(difference) / 2, log(draws))
    odds = [exp(log_odds - top) for log_odds in (-difference / 2, log(draws), difference / 2)]
    loss, draw, win = (each / (odds[0] + odds[1] + odds[2]) for each in odds)
    return loss, draw, win


def _result(pairing: ScheduledPairing, counts: Sequence[int]) -> PairingResult:
    doubled = sum(number * points for number, points in zip(counts, _POINTS, strict=True))
    points = Fraction(doubled, 2)
    return PairingResult(*pairing, (points, 2 * pairing.pairs - points))
