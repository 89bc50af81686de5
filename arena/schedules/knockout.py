"""Schedule a knockout: the loser of a match is out."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf
from typing import NamedTuple

from arena.schedules import (
    MAX_REMATCHES,
    Bye,
    PairingResult,
    Place,
    ScheduledPairing,
    TournamentState,
    places,
)

#: The names of the last rounds, by the number of entrants that they begin with.
ROUND_NAMES = {2: "final", 4: "semifinal", 8: "quarterfinal"}


class Match(NamedTuple):
    """Two places of the bracket. None is a bye of the top seeds, or a place without an entrant."""

    a: str | None
    b: str | None
    #: The points of each, and the number of pairs played.
    points: tuple[Fraction, Fraction] = (Fraction(0), Fraction(0))
    pairs: int = 0
    #: The entrant that goes on; None if that is open, or if neither does.
    winner: str | None = None
    is_open: bool = False


class Knockout:
    """A knockout, seeded by the order of entering.

    The first seed meets the last one, and the byes of the first round go to the top seeds, so that
    the best two can meet in the final only. A match has n pairs. If it is drawn, its number of
    pairs doubles, up to 8n. Then the better seed goes on. An entrant that is withdrawn loses the
    games that it does not play, and leaves its place to its opponent. It takes no late entrants.
    """

    takes_late_entrants = False
    may_be_simulated = True

    def __call__(self, state: TournamentState) -> list[ScheduledPairing | Bye]:
        """Return the matches of the next round, or the pairs that are to decide the drawn ones."""
        last = bracket(state)[-1]
        pairings: list[ScheduledPairing | Bye] = [
            ScheduledPairing(
                match.a, match.b, match.pairs or state.pairs
            )  # as many again: pairs double
            for match in last
            if match.is_open and match.a is not None and match.b is not None
        ]
        if not pairings or state.rounds:
            return pairings
        alone = {match.winner for match in last if None in (match.a, match.b)}
        return [*pairings, *(Bye(name) for name in state.present if name in alone)]

    def most_pairs(self, state: TournamentState) -> int:
        """Return the number of pairs without those that decide a drawn match."""
        return (len(state.entrants) - 1) * state.pairs

    def standings(self, state: TournamentState) -> tuple[Place, ...]:
        """Return the places by the round in which each was knocked out. The winner comes first."""
        return standings(state)


def bracket(state: TournamentState) -> list[list[Match]]:
    """Return the matches level by level, up to the final or the first level that is open."""
    results: dict[frozenset[str], list[PairingResult]] = {}
    for result in state.results():
        results.setdefault(frozenset(result.both), []).append(result)
    seats = seeded(state.entrants)
    levels: list[list[Match]] = []
    while True:
        level = [
            _match(state, a, b, results.get(frozenset((a or "", b or "")), ()))
            for a, b in zip(seats[::2], seats[1::2], strict=True)
        ]
        levels.append(level)
        if len(level) == 1 or any(match.is_open for match in level):
            return levels
        seats = [match.winner for match in level]


def _match(
    state: TournamentState, a: str | None, b: str | None, results: Sequence[PairingResult]
) -> Match:
    if a is None or b is None:
        return Match(a, b, winner=a or b)
    points = (
        sum((result.by_player[a] for result in results), Fraction(0)),
        sum((result.by_player[b] for result in results), Fraction(0)),
    )
    pairs = sum(result.pairs for result in results)
    match = Match(a, b, points, pairs)
    if points[0] != points[1]:
        return match._replace(winner=a if points[0] > points[1] else b)
    if pairs >= MAX_REMATCHES * state.pairs:
        return match._replace(winner=min(a, b, key=state.entrants.index))
    # An entrant that is withdrawn later, in a later match, was there for this one.
    withdrawn_after = [state.withdrawn.get(name, inf) for name in (a, b)]
    if withdrawn_after[0] == withdrawn_after[1]:
        return match._replace(is_open=withdrawn_after[0] == inf)
    return match._replace(winner=a if withdrawn_after[0] > withdrawn_after[1] else b)


def standings(state: TournamentState) -> tuple[Place, ...]:
    """Return the places by the round in which each was knocked out. The winner comes first."""
    levels = bracket(state)
    out: dict[str, int] = {}
    for number, level in enumerate(levels):
        for match in level:
            if not match.is_open:
                losers = {match.a, match.b} - {match.winner, None}
                out.update({name: number for name in losers if name is not None})
    order = sorted(state.entrants, key=lambda name: -out.get(name, len(levels)))
    size = len(levels[0]) * 2
    rows = []
    for name in order:
        mark = name_of_level(size >> out[name]) if name in out else ""
        rows.append((name, {"out_in": mark}, out.get(name)))
    return places(rows)


def name_of_level(size: int) -> str:
    """Return what a level of the bracket is called that begins with this many places.

    >>> name_of_level(2), name_of_level(32)
    ('final', 'round of 32')
    """
    return ROUND_NAMES.get(size, f"round of {size}")


def seeded(entrants: Sequence[str]) -> list[str | None]:
    """Return the places of the first round, two by two. None is a bye.

    >>> seeded("abcdef")
    ['a', None, 'd', 'e', 'b', None, 'c', 'f']
    """
    order = [0]
    while len(order) < max(2, len(entrants)):
        last = 2 * len(order) - 1
        order = [place for seed in order for place in (seed, last - seed)]
    return [entrants[seed] if seed < len(entrants) else None for seed in order]
