"""Play tournaments in one process, with results drawn at random."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from fractions import Fraction

from arena.schedules import PairingResult, RoundResult, Schedule, ScheduledPairing, TournamentState
from arena.schedules.named import NamedSchedule, Round


def result_of(pairing: ScheduledPairing, rng: random.Random) -> PairingResult:
    """Draw a result."""
    points = Fraction(rng.randint(0, 4 * pairing.pairs), 2)
    return PairingResult(*pairing, (points, 2 * pairing.pairs - points))


def play(
    schedule: Schedule,
    state: TournamentState,
    rng: random.Random,
    leave: Mapping[int, Sequence[str]] | None = None,
    enter: Mapping[int, Sequence[str]] | None = None,
) -> tuple[TournamentState, list[Round]]:
    """Play to the end; by number of rounds before, who leaves and who enters late."""
    named = NamedSchedule("it", schedule, "it")
    rounds: list[Round] = []
    while True:
        done = len(state.rounds)
        gone = dict.fromkeys((leave or {}).get(done, ()), done)
        state = TournamentState(
            (*state.entrants, *(enter or {}).get(done, ())),
            state.pairs,
            state.seed,
            state.rounds,
            {**state.withdrawn, **gone},
        )
        round_ = named.next_round(state)
        if not round_.pairings:
            return state, rounds
        rounds.append(round_)
        results = tuple(result_of(pairing, rng) for pairing in round_.pairings)
        after = (*state.rounds, RoundResult(results, round_.byes))
        state = TournamentState(state.entrants, state.pairs, state.seed, after, state.withdrawn)


def entrants(size: int) -> tuple[str, ...]:
    return tuple(f"p{number}" for number in range(size))
