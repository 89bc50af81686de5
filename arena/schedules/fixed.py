"""Schedule the pairings that are known in advance: a round robin, a gauntlet."""

from __future__ import annotations

from itertools import combinations

from arena.dataclass import dataclass
from arena.errors import UsageError, quoted
from arena.schedules import TournamentState


def round_robin(state: TournamentState) -> list[tuple[str, str]]:
    """Return the next round of the circle method, in which each meets each other one once.

    (E. Lucas, Récréations mathématiques, volume 2, 1883; for a fixed last seat these are the tables
    of J. Schurig that carry Berger's name.) A late entrant takes a new seat, and meets in extra
    rounds the opponents that it missed. No entrant sits out with points.
    """
    played = {frozenset(result.both) for result in state.results()}
    seats = state.entrants
    last = len(seats) - 1 + len(seats) % 2  # the seat in the middle, empty if the number is odd
    turns: dict[int, list[tuple[str, str]]] = {}
    for one, other in combinations(range(len(seats)), 2):
        both = seats[one], seats[other]
        if frozenset(both) not in played and state.withdrawn.keys().isdisjoint(both):
            turn = (2 * one if other == last else one + other) % max(1, last)
            turns.setdefault(turn, []).append(both)
    return turns[min(turns)] if turns else []


@dataclass(frozen=True)
class Gauntlet:
    """One entrant meets all the others, one a round."""

    challenger: str

    def __call__(self, state: TournamentState) -> list[tuple[str, str]]:
        """Return the pairing with the next one. Raises UsageError for an unknown challenger."""
        if self.challenger not in state.entrants:
            raise UsageError(f"gauntlet of {quoted(self.challenger)}: it did not enter")
        if self.challenger in state.withdrawn:
            return []
        played = {name for result in state.results() for name in result.both}
        played.add(self.challenger)
        remaining = [name for name in state.present if name not in played]
        return [(self.challenger, name) for name in remaining[:1]]
