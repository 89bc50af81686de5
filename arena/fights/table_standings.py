"""Combine the tables of a tournament into standings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from arena.fights.ranks import method_of
from arena.fights.table_ratings import ratings_of
from arena.records.intervals import FIXED
from arena.records.ranks import RankIntervals
from arena.records.tables import TableResult, TablesResult, TableStanding, mean_over
from arena.schedules import Place
from arena.schedules.tables import TablesState
from arena.stats import ranks
from arena.stats.mean_payoffs import ScoreBlock, differences, interval_of


def result_of_tables(tables: Sequence[TableResult], schedule: str) -> TablesResult:
    """Return the tournament of these tables of one game and seed."""
    first = tables[0]
    rows, tests = standings_of(tables)
    return TablesResult(
        game=first.game,
        game_version=first.game_version,
        seed=first.seed,
        engine=first.engine,
        schedule=schedule,
        seats=first.seats,
        seatings=first.seatings,
        unit=first.unit,
        standings=rows,
        tables=tuple(tables),
        rank_intervals=tests,
        ratings=ratings_of(tables),
    )


def standings_of(
    tables: Sequence[TableResult],
) -> tuple[tuple[TableStanding, ...], RankIntervals | None]:
    """Rank the players by their mean payoff, then by name. Equal ones share a rank.

    A table whose games killed their workers counts for no player. Ranks have spans where all
    tables were played as planned.
    """
    tables = [table for table in tables if not table.killed_workers] or tables[:1]
    names = sorted({name for table in tables for name in table.players})
    sums = _sums(tables, names)
    rows: list[TableStanding] = []

    def order(name: str) -> tuple[Fraction, str]:
        payoff, games = sums[name]
        return -(payoff / games) if games else Fraction(1 << 62), name

    blocks = blocks_of(tables, names)
    for place, name in enumerate(sorted(names, key=order), start=1):
        rank: int | None = place
        if rows and order(rows[-1].player)[0] == order(name)[0]:
            rank = rows[-1].rank
        row = _row(tables, name, rank if sums[name][1] else None)
        rows.append(_with_interval(row, tables, blocks, names.index(name)))
    if any(table.unfinished for table in tables):
        return tuple(rows), None
    return _with_ranks(rows, blocks, names)


def of_schedule(
    played: TablesResult, state: TablesState, places: Sequence[Place] | None, fault: str
) -> TablesResult:
    """Return a tournament whose tables a schedule chose by results, ranked by its own custom.

    Not all sat with the same others: nothing says how far off its ranks, means and ratings may be.
    """
    rows = {row.player: row for row in played.standings}
    seats = played.seats
    for name in state.entrants:
        if name not in rows:
            rows[name] = _unplayed(name, seats)
    if places is not None:
        rows = {
            place.player: replace(rows[place.player], rank=place.rank, marks=place.marks)
            for place in places
        }
    standings = tuple(
        replace(row, low=None, high=None, interval=None, rank_low=None, rank_high=None)
        for row in rows.values()
    )
    ratings = played.ratings
    if ratings is not None:
        players = tuple(replace(each, low=None, high=None) for each in ratings.players)
        seats_of_ratings = tuple(replace(each, low=None, high=None) for each in ratings.seats)
        ratings = replace(ratings, players=players, seats=seats_of_ratings)
    return replace(
        played,
        standings=standings,
        ratings=ratings,
        rank_intervals=None,
        state=state,
        fault=fault,
    )


def _unplayed(name: str, seats: int) -> TableStanding:
    """Return the row of an entrant that has sat at no table."""
    return TableStanding(
        rank=None,
        player=name,
        blocks=0,
        games=0,
        payoff=None,
        low=None,
        high=None,
        interval=None,
        place=None,
        places=(0,) * seats,
        by_seat=(None,) * seats,
        forfeits=0,
    )


def blocks_of(tables: Sequence[TableResult], names: Sequence[str]) -> Counter[ScoreBlock]:
    """Count the results of blocks, as mean scores from 0 to 1 of players by their numbers."""
    places = {name: place for place, name in enumerate(names)}
    blocks: Counter[ScoreBlock] = Counter()
    for table in tables:
        players, width = [places[name] for name in table.players], table.most - table.least
        for means, number in table.scores[0].items():
            scores = [(mean - table.least) / width for mean in means]
            blocks[tuple(zip(players, scores, strict=True))] += number
    return blocks


def _sums(tables: Sequence[TableResult], names: Sequence[str]) -> dict[str, tuple[Fraction, int]]:
    """Return the sum of the payoffs of every player, and how many games it played."""
    sums = dict.fromkeys(names, (Fraction(0), 0))
    for table in tables:
        for _, paid, number in table.played():
            for name, payoff in zip(table.players, paid, strict=True):
                total, games = sums[name]
                sums[name] = total + number * payoff, games + number
    return sums


def _row(tables: Sequence[TableResult], name: str, rank: int | None) -> TableStanding:
    """Return the row of a player without its interval."""
    of_it = [(table.pairs, row) for table in tables for row in table.rows if row.player == name]
    games = sum(row.games for _, row in of_it)

    def mean(values: Sequence[float | None]) -> float | None:
        return mean_over(zip(values, (row.games for _, row in of_it), strict=True))

    return TableStanding(
        rank=rank,
        player=name,
        blocks=sum(blocks for blocks, _ in of_it),
        games=games,
        payoff=mean([row.payoff for _, row in of_it]),
        low=None,
        high=None,
        interval=None,
        place=mean([row.place for _, row in of_it]),
        places=tuple(map(sum, zip(*(row.places for _, row in of_it), strict=True))),
        by_seat=tuple(
            mean([row.by_seat[seat] for _, row in of_it]) for seat in range(tables[0].seats)
        ),
        forfeits=sum(row.forfeits for _, row in of_it),
    )


def _with_interval(
    row: TableStanding, tables: Sequence[TableResult], blocks: Mapping[ScoreBlock, int], number: int
) -> TableStanding:
    """Return the row of the player of that number with its interval.

    That of one table that is not complete may be watched. Several of them have none before all
    blocks are played: their means differ.
    """
    [first, *others] = tables
    if not any(table.unfinished for table in tables):
        interval = interval_of(blocks, number)
        if interval is None:
            return row
        low, high = (
            float(first.least) + end * float(first.most - first.least)
            for end in (interval.low, interval.high)
        )
        return replace(row, low=low, high=high, interval=FIXED)
    if others or (paid := first.payoff(first.players.index(row.player))) is None:
        return row
    return replace(row, low=paid.low, high=paid.high, interval=paid.kind)


def _with_ranks(
    rows: Sequence[TableStanding], blocks: Counter[ScoreBlock], names: Sequence[str]
) -> tuple[tuple[TableStanding, ...], RankIntervals | None]:
    """Return the standings with the lowest and highest rank of each player, and how they came."""
    ranked = [names.index(row.player) for row in rows if row.rank is not None]
    statistics = differences(blocks, ranked)
    better = ranks.surely_better(statistics)
    intervals = ranks.rank_intervals(ranked, better)
    spans = (intervals.get(names.index(row.player), (None, None)) for row in rows)
    return (
        tuple(
            replace(row, rank_low=low, rank_high=high)
            for row, (low, high) in zip(rows, spans, strict=True)
        ),
        method_of(statistics, len(better), blocks.total()),
    )
