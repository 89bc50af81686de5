"""Play tournaments in one process, with results drawn at random."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from fractions import Fraction

from arena.schedules import Known, Meeting, MeetingResult, RoundResult, Schedule
from arena.schedules.kinds import NamedSchedule, Round


def result_of(meeting: Meeting, rng: random.Random) -> MeetingResult:
    """Draw a result."""
    points = Fraction(rng.randint(0, 4 * meeting.pairs), 2)
    return MeetingResult(*meeting, (points, 2 * meeting.pairs - points))


def play(
    schedule: Schedule,
    known: Known,
    rng: random.Random,
    leave: Mapping[int, Sequence[str]] | None = None,
    enter: Mapping[int, Sequence[str]] | None = None,
) -> tuple[Known, list[Round]]:
    """Play to the end; by number of rounds before, who leaves and who enters late."""
    named = NamedSchedule("it", schedule, "it")
    rounds: list[Round] = []
    while True:
        done = len(known.rounds)
        gone = dict.fromkeys((leave or {}).get(done, ()), done)
        known = Known(
            (*known.entrants, *(enter or {}).get(done, ())),
            known.pairs,
            known.seed,
            known.rounds,
            {**known.withdrawn, **gone},
        )
        round_ = named.next_round(known)
        if not round_.meetings:
            return known, rounds
        rounds.append(round_)
        results = tuple(result_of(meeting, rng) for meeting in round_.meetings)
        after = (*known.rounds, RoundResult(results, round_.byes))
        known = Known(known.entrants, known.pairs, known.seed, after, known.withdrawn)


def entrants(size: int) -> tuple[str, ...]:
    return tuple(f"p{number}" for number in range(size))
