"""Combine a schedule's fights into a tournament with standings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from operator import attrgetter

from arena.fights import ratings
from arena.fights.designs import ScheduleDesign
from arena.fights.ranks import pairings_of, with_ranks
from arena.records.base import Tally
from arena.records.cycles import Cycle, Cycles
from arena.records.fights import FightResult
from arena.records.left_out import LeftOut
from arena.records.proofs import Chances, ExactResult, ExactStanding, ExactTournament
from arena.records.tournaments import Standing, TournamentResult
from arena.stats import cycles, grid
from arena.stats.independence import Observations
from arena.stats.ranks import ERROR, Two


def standings(fights: Sequence[FightResult], challenger: str | None = None) -> tuple[Standing, ...]:
    """Rank the players by score or payoff, then by name. Equal ones share a rank. None before any
    game.

    The challenger of a gauntlet comes first and has no rank: no other met the same players.

    A player that lacks pairs comes after all that played theirs: the scores do not compare. A fight
    whose games killed their workers counts for neither player: else a player could end the process
    when it is about to lose, and have only the games that it won.
    """
    tallies: dict[str, Tally] = {}
    forfeits: dict[str, int] = {}
    payoffs = payoffs_of(fights)
    for fight in fights:
        views = (fight.total, fight.total.reversed())
        for player, tally in zip(fight.both, views, strict=True):
            name, counted = player.name, Tally() if fight.killed_workers else tally
            tallies[name] = tallies.get(name, Tally()) + counted
            forfeits[name] = forfeits.get(name, 0) + sum(player.forfeits.values())
    missing = ratings.missing_pairs(fights)

    def order(name: str) -> tuple[bool, Fraction]:
        value = payoffs[name] if name in payoffs else _score(tallies[name])
        return missing[name] > 0, -value

    def row(rank: int | None, name: str) -> Standing:
        facts = tallies[name], forfeits[name], missing[name]
        return Standing(rank, name, *facts, payoff=payoffs.get(name))

    head = [row(None, challenger)] if challenger is not None else []
    others = sorted(tallies.keys() - {challenger}, key=lambda name: (order(name), name))
    if not any(tally.games for tally in tallies.values()):
        return (*head, *(row(None, name) for name in others))
    rows: list[Standing] = []
    for place, name in enumerate(others, start=1):
        tied = rows and order(rows[-1].player) == order(name)
        rows.append(row(rows[-1].rank if tied else place, name))
    return (*head, *rows)


def payoffs_of(fights: Sequence[FightResult]) -> dict[str, Fraction]:
    """Return the payoff per game of each player in the fights that pay."""
    sums: dict[str, tuple[Fraction, int]] = {}
    for fight in fights:
        if fight.paid is not None and fight.paid.number and not fight.killed_workers:
            for name, sides in zip(fight.players, fight.paid.sides, strict=True):
                total, games = sums.get(name, (Fraction(0), 0))
                sums[name] = total + sides.total, games + 2 * fight.paid.number
    return {name: total / games for name, (total, games) in sums.items()}


def exact_tournament_of(
    results: Sequence[ExactResult], left_out: Mapping[str, str] | None = None
) -> ExactTournament:
    """Return the round robin of these exact results of one game.

    The mean payoff decides the rank in a game with payoffs of its own, else the mean score.
    """
    games: dict[str, list[Chances]] = {}
    for result in results:
        total = result.total
        for name, chances in zip(result.players, (total, total.reversed()), strict=True):
            games.setdefault(name, []).append(chances)
    means = {name: _mean([each.score for each in games[name]]) for name in games}
    paid = {
        name: _mean([each.payoffs[0] for each in games[name] if each.payoffs is not None])
        for name in games
        if results[0].payoffs is not None
    }
    values = paid or means
    rows: list[ExactStanding] = []
    for place, name in enumerate(sorted(values, key=lambda name: (-values[name], name)), start=1):
        is_level = place > 1 and values[rows[-1].player] == values[name]
        rank = rows[-1].rank if is_level else place
        rows.append(ExactStanding(rank, name, means[name], paid.get(name)))
    return ExactTournament(results[0].game, tuple(rows), tuple(results), left_out or {})


def _mean(numbers: Sequence[Fraction]) -> Fraction:
    return sum(numbers, Fraction(0)) / len(numbers)


def _score(tally: Tally) -> Fraction:
    return tally.points / tally.games if tally.games else Fraction(-1)


def tournament_of(
    fights: Sequence[FightResult],
    schedule: str,
    left_out: tuple[LeftOut, ...] = (),
    design: ScheduleDesign | None = None,
) -> TournamentResult:
    """Return the tournament of these fights of one game and seed.

    ``design`` tells how results chose the games, if the intervals of ratings are to allow for it.
    """
    first = fights[0]
    challenger = first.players[0] if schedule == "gauntlet" else None
    rows, rank_intervals = with_ranks(standings(fights, challenger), fights)
    return TournamentResult(
        game=first.game,
        game_version=first.game_version,
        seed=first.seed,
        engine=", ".join(sorted({fight.engine for fight in fights})),
        schedule=schedule,
        standings=rows,
        fights=tuple(fights),
        ratings=ratings.of_fights(fights, design=design) if first.paid is None else ratings.UNRATED,
        left_out=left_out,
        rank_intervals=rank_intervals,
        cycles=cycles_of([row.player for row in rows], fights),
    )


def cycles_of(names: Sequence[str], fights: Sequence[FightResult]) -> Cycles | None:
    """Return the cycles of these players, or None if no three of them met each other."""
    observations = pairings_of(names, fights, attrgetter("compared"))
    summary = cycles.cycles_of(observations)
    if not summary.triples:
        return None
    return Cycles(
        error=ERROR,
        triples=summary.triples,
        critical_value=round(summary.critical_value, 4),
        count=summary.number,
        strongest=tuple(_named(one, names, observations) for one in summary.strongest),
    )


def _named(
    cycle: cycles.PlayerCycle, names: Sequence[str], observations: Mapping[Two, Observations]
) -> Cycle:
    one, two, three = (_cycle_score(side, observations) for side in cycles.sides(cycle))
    a, b, c = (names[player] for player in cycle)
    return Cycle((a, b, c), (one, two, three))


def _cycle_score(side: Two, observations: Mapping[Two, Observations]) -> float:
    a, b = side
    observed = observations[side] if side in observations else observations[b, a]
    _, mean, _ = grid.moments(observed.counts, observed.scores)
    return round(mean if side in observations else 1 - mean, 6)
