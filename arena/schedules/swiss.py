"""Schedule a Swiss tournament: equal scores meet, and no two meet twice."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import lcm

from arena.dataclass import dataclass
from arena.errors import UsageError, counted
from arena.schedules import Bye, Place, ScheduledPairing, TournamentState, places, swiss_tables
from arena.schedules.blossom import perfect_matching
from arena.schedules.tables import ScheduledTable, TablesState


def most_rounds(entrants: int) -> int:
    """Return how many rounds this number of entrants can play, whatever the results are.

    While every entrant has met fewer than half of the others, there is a round without a second
    pairing (G. A. Dirac, Some theorems on abstract graphs, 1952). The bye counts as an entrant of
    an odd number. Up to four entrants can play a whole round robin.

    >>> [most_rounds(entrants) for entrants in (2, 3, 4, 5, 6, 8, 9, 200)]
    [1, 3, 3, 3, 3, 4, 5, 100]
    """
    even = entrants + entrants % 2
    return even - 1 if even <= 4 else even // 2


@dataclass(frozen=True)
class Swiss:
    """A Swiss tournament of a number of rounds.

    The sum of the squared differences between the scores of those that meet is the least possible,
    over the whole field. Among equal scores the upper half by seeds meets the lower half, as in the
    Dutch system (FIDE Handbook C.04.3). The bye meets like an entrant with the lowest score. It is
    worth all games of a pairing, and no entrant gets it twice. It has no rules for colours, because
    a pair has both sides. An entrant that comes late has no points from earlier rounds. The
    tournament ends early if withdrawals leave no round in which all play.
    """

    rounds: int

    may_be_simulated = True

    def __call__(self, state: TournamentState) -> list[ScheduledPairing | Bye]:
        """Return the next round. Raises UsageError for more rounds than the entrants allow."""
        self._check(state)
        if len(state.rounds) >= self.rounds or len(state.present) < 2:
            return []
        return next_round(state)

    def _check(self, state: TournamentState) -> None:
        most = most_rounds(len(state.entrants))
        if not state.rounds and self.rounds > most:
            rounds = f"{counted(len(state.entrants), 'entrant')} can play {counted(most, 'round')}"
            raise UsageError(f"swiss:{self.rounds} is too long: {rounds} without pairing twice")

    def most_pairs(self, state: TournamentState) -> int:
        """Return the number of pairs if all stay."""
        return self.rounds * (len(state.entrants) // 2) * state.pairs

    def standings(self, state: TournamentState) -> tuple[Place, ...]:
        """Return the places by points, then Buchholz, then Sonneborn-Berger."""
        return standings(state)

    def tables(self, state: TablesState) -> list[ScheduledTable | Bye]:
        """Return the next round of tables. Raises UsageError for too many rounds."""
        swiss_tables.require_rounds(self.rounds, state)
        return [] if len(state.rounds) >= self.rounds else swiss_tables.next_tables(state)

    def most_blocks(self, state: TablesState) -> int:
        """Return the number of blocks of all rounds."""
        return self.rounds * (len(state.entrants) // state.seats) * state.blocks

    def table_standings(self, state: TablesState) -> tuple[Place, ...]:
        """Return the places by points, then Buchholz."""
        return swiss_tables.standings(state)


def next_round(state: TournamentState) -> list[ScheduledPairing | Bye]:
    """Return the best round in which all entrants play, or nothing without one.

    Pairings come by the better score of the two, then by seeds.
    """
    scores = state.scores()
    seeds = {name: seed for seed, name in enumerate(state.entrants)}
    field = sorted(state.present, key=lambda name: (-scores[name], seeds[name]))
    mates = perfect_matching(len(field) + len(field) % 2, _weights(state, field, scores))
    if mates is None:
        return []
    round_: list[ScheduledPairing | Bye] = []
    for place, mate in enumerate(mates[: len(field)]):
        if mate == len(field):
            round_.append(Bye(field[place]))
        elif place < mate:
            round_.append(ScheduledPairing(field[place], field[mate], state.pairs))
    return sorted(round_, key=lambda item: isinstance(item, Bye))


def _weights(
    state: TournamentState, field: list[str], scores: dict[str, Fraction]
) -> dict[tuple[int, int], int]:
    """Return the weight of each pairing that may be played: the higher, the better it fits.

    A pairing is two places in the field, from 0. The place after the last one is the bye.
    """
    played = {frozenset(result.both) for result in state.results()}
    had = {name for each in state.rounds for name in each.byes}
    unit = lcm(*(score.denominator for score in scores.values()))
    whole = [int(scores[name] * unit) for name in field]
    groups = Counter(whole)
    step = len(field) ** 3  # more than all the smaller terms of a round together

    def weight(one: int, other: int) -> int:
        if other == len(field):  # the last of the lowest score has the bye first
            return -step * (whole[one] - whole[-1]) ** 2 - (other - one)
        offset = other - one - groups[whole[one]] // 2 if whole[one] == whole[other] else 0
        return -step * (whole[one] - whole[other]) ** 2 - offset**2

    allowed = [
        (one, other)
        for one, other in combinations(range(len(field)), 2)
        if frozenset((field[one], field[other])) not in played
    ]
    if len(field) % 2:
        allowed += [(place, len(field)) for place, name in enumerate(field) if name not in had]
    return {edge: weight(*edge) for edge in allowed}


def standings(state: TournamentState) -> tuple[Place, ...]:
    """Return the places by points, then Buchholz, then Sonneborn-Berger.

    Buchholz is the sum of the opponents' points. Sonneborn-Berger is that sum with each opponent's
    points times the share that was won against it. A round that an entrant did not play counts as
    one against an opponent with its own points, of which it won what it got for the round: all for
    a bye, nothing before it entered or after it withdrew (FIDE Tie-Break Regulations, Handbook
    C.07, articles 8, 9 and 16).
    """
    scores = state.scores()
    buchholz = dict.fromkeys(state.entrants, Fraction(0))
    berger = dict(buchholz)
    for each in state.rounds:
        resting = set(state.entrants)
        for result in each.pairings:
            for name, other in (result.both, result.both[::-1]):
                resting.discard(name)
                buchholz[name] += scores[other]
                berger[name] += scores[other] * result.by_player[name] / (2 * result.pairs)
        for name in resting:
            buchholz[name] += scores[name]
            berger[name] += scores[name] * (name in each.byes)
    marks = {
        name: {
            "points": scores[name],
            "buchholz": buchholz[name],
            "sonneborn_berger": berger[name],
        }
        for name in state.entrants
    }
    order = sorted(state.entrants, key=lambda name: [-mark for mark in marks[name].values()])
    return places([(name, marks[name], tuple(marks[name].values())) for name in order])
