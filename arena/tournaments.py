"""Tournaments: a schedule's fights together, and the standings they make."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from arena.results import FightResult, Standing, Tally, TournamentResult


def standings(fights: Sequence[FightResult]) -> tuple[Standing, ...]:
    """The players by score, then by name; equal scores share a rank."""
    tallies: dict[str, Tally] = {}
    forfeits: dict[str, int] = {}
    for fight in fights:
        views = (fight.total, fight.total.reversed())
        for name, tally, reasons in zip(fight.players, views, fight.forfeits, strict=True):
            tallies[name] = tallies.get(name, Tally()) + tally
            forfeits[name] = forfeits.get(name, 0) + sum(reasons.values())
    order = sorted(tallies, key=lambda name: (-_score(tallies[name]), name))
    rows: list[Standing] = []
    for place, name in enumerate(order, start=1):
        tied = rows and _score(rows[-1].tally) == _score(tallies[name])
        rank = rows[-1].rank if tied else place
        rows.append(Standing(rank, name, tallies[name], forfeits[name]))
    return tuple(rows)


def _score(tally: Tally) -> Fraction:
    return tally.points / tally.games if tally.games else Fraction(-1)


def tournament_of(fights: Sequence[FightResult], schedule: str) -> TournamentResult:
    """The tournament that these fights of one game and seed make."""
    first = fights[0]
    return TournamentResult(
        game=first.game,
        game_version=first.game_version,
        seed=first.seed,
        engine=first.engine,
        schedule=schedule,
        standings=standings(fights),
        fights=tuple(fights),
    )
