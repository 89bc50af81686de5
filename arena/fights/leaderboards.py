"""Rank players over several games, of which each counts alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arena.fights.ranks import both_views, method_of
from arena.records.leaderboards import Leaderboard, LeaderboardRow
from arena.records.spending import NO_SPENDING, Spending
from arena.records.tournaments import TournamentResult
from arena.stats import ranks
from arena.stats.differences import MeanDifference, averaged, mean_differences
from arena.stats.independence import Observations
from arena.stats.ranks import Two
from arena.stats.summation import added


def leaderboard_of(results: Iterable[object]) -> Leaderboard | None:
    """Return the leaderboard of the players that all tournaments among some results have.

    Of several tournaments at a game the last one counts. None with fewer than two games or players,
    and if the players did not meet the same opponents in one of them.
    """
    tournaments = {each.game: each for each in results if isinstance(each, TournamentResult)}
    if len(tournaments) < 2:
        return None
    fields = [[row.player for row in each.standings] for each in tournaments.values()]
    names = [name for name in fields[0] if all(name in field for field in fields)]
    by_game = [_differences(names, each) for each in tournaments.values()]
    leaderboards = [each for each in by_game if each]
    if len(leaderboards) < len(by_game):
        return None
    differences = {two: averaged([each[two] for each in leaderboards]) for two in leaderboards[0]}
    statistics = {two: difference.statistic for two, difference in differences.items()}
    better = ranks.surely_better(statistics)
    intervals = ranks.rank_intervals(range(len(names)), better)
    rows = _ranked(
        [_row(name, list(tournaments.values()), intervals[at]) for at, name in enumerate(names)]
    )
    observed = added(
        sum(sum(seen.counts) for seen in _observations(names, each).values())
        for each in tournaments.values()
    )
    return Leaderboard(tuple(tournaments), rows, method_of(statistics, len(better), observed))


def _observations(names: Sequence[str], tournament: TournamentResult) -> dict[Two, Observations]:
    """Return the pairings of a tournament, with these players first and then its others."""
    others = [row.player for row in tournament.standings if row.player not in names]
    return both_views([*names, *others], tournament.fights)


def _differences(
    names: Sequence[str], tournament: TournamentResult
) -> dict[Two, MeanDifference] | None:
    return mean_differences(range(len(names)), _observations(names, tournament))


def _ranked(rows: Sequence[LeaderboardRow]) -> tuple[LeaderboardRow, ...]:
    ordered = sorted(rows, key=lambda row: (-row.score, row.player))
    scores = [row.score for row in ordered]
    return tuple(row.with_rank(1 + scores.index(row.score)) for row in ordered)


def _row(
    name: str, tournaments: Sequence[TournamentResult], interval: tuple[int, int]
) -> LeaderboardRow:
    scores = tuple(_score(name, each) for each in tournaments)
    entries = [
        player
        for tournament in tournaments
        for fight in tournament.fights
        for player in fight.both
        if player.name == name
    ]
    spent: Spending = sum((each.spent for each in entries if each.spent), NO_SPENDING)
    return LeaderboardRow(
        rank=0,
        player=name,
        score=added(scores) / len(scores),
        scores=scores,
        rank_low=interval[0],
        rank_high=interval[1],
        forfeits=sum(sum(each.forfeits.values()) for each in entries),
        cost=spent.cost if spent.cost else None,
        seconds_an_answer=spent.seconds / spent.requests if spent.requests else None,
        faults=sum(spent.faults.values()) if spent != NO_SPENDING else None,
    )


def _score(name: str, tournament: TournamentResult) -> float:
    """Return the points per game of a player in a tournament, from 0 to 1."""
    views = [
        fight if fight.a.name == name else fight.reversed()
        for fight in tournament.fights
        if name in fight.players and fight.pairs
    ]
    games = sum(view.pairs for view in views)
    return added((view.score or 0.0) * view.pairs for view in views) / games if games else 0.0
