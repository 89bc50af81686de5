"""Simulate a tournament by its schedule: who would meet whom, and with which results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import exp, log
from typing import TYPE_CHECKING

from arena.errors import ArenaError
from arena.schedules import Known, MeetingResult, RoundResult
from arena.schedules import Meeting as Scheduled
from arena.schedules.kinds import NamedSchedule, Round
from arena.stats.meetings import Meeting

if TYPE_CHECKING:
    from numpy.random import RandomState

    from arena.stats.cutoffs import Law

#: The points of the nine kinds of pairs, doubled: the row moving first, the column moving second.
_POINTS = tuple(one + other for one in range(3) for other in range(3))


@dataclass(frozen=True)
class Design:
    """A tournament that a schedule made, as far as results did not."""

    schedule: NamedSchedule
    #: The state at its end: the entrants, and which are withdrawn after which round.
    known: Known
    #: The entrants that came late: after how many rounds.
    entered: Mapping[str, int]

    def simulate(self, places: Mapping[str, int], law: Law, rng: RandomState) -> Sequence[Meeting]:
        """Return the meetings of a simulated tournament, by the ``places`` of the players in a law.

        An entrant without a place has played no game that counts: here it has the rating zero, and
        its meetings do not count either.
        """
        played: list[Meeting] = []
        known = self._now(replace(self.known, rounds=()))
        while (on := self._next_round(known)).meetings:
            results = []
            for meeting in on.meetings:
                a, b = places.get(meeting.a), places.get(meeting.b)
                counts = _drawn(law, a, b, meeting, rng)
                results.append(_result(meeting, counts))
                if a is not None and b is not None:
                    joint = [counts[row : row + 3] for row in (0, 3, 6)]
                    played.append(Meeting.of_pairs(a, b, joint))
            known = self._now(
                replace(known, rounds=(*known.rounds, RoundResult(tuple(results), on.byes)))
            )
        return played

    def _next_round(self, known: Known) -> Round:
        """Return the next round; a schedule that fails ends the tournament."""
        try:
            return self.schedule.next_round(known)
        except ArenaError:
            return Round()

    def _now(self, known: Known) -> Known:
        """Return what is known with the entrants of now."""
        over = len(known.rounds)
        late = {name for name, after in self.entered.items() if after > over}
        return replace(
            known,
            entrants=tuple(name for name in self.known.entrants if name not in late),
            withdrawn={n: after for n, after in self.known.withdrawn.items() if after <= over},
        )


def _drawn(
    law: Law, a: int | None, b: int | None, meeting: Scheduled, rng: RandomState
) -> list[int]:
    """Draw the pairs of a meeting, by their nine kinds."""
    one, other = (0.0 if place is None else law.ratings[place] for place in (a, b))
    first, second = (
        _chances(one - other + move, law.draws) for move in (law.advantage, -law.advantage)
    )
    chances = [p * q for p in first for q in second]
    return [int(n) for n in rng.multinomial(meeting.pairs, chances)]


def _chances(difference: float, draws: float) -> tuple[float, float, float]:
    """Return the chances of a loss, a draw and a win by Davidson's model."""
    top = max(abs(difference) / 2, log(draws))
    odds = [exp(log_odds - top) for log_odds in (-difference / 2, log(draws), difference / 2)]
    loss, draw, win = (each / (odds[0] + odds[1] + odds[2]) for each in odds)
    return loss, draw, win


def _result(meeting: Scheduled, counts: Sequence[int]) -> MeetingResult:
    doubled = sum(number * points for number, points in zip(counts, _POINTS, strict=True))
    points = Fraction(doubled, 2)
    return MeetingResult(*meeting, (points, 2 * meeting.pairs - points))
