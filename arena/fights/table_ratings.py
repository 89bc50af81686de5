"""Rate the players of tables by the places that they had."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from arena.records.tables import SeatRating, TableRating, TableRatings, TableResult, places_of
from arena.stats.estimates import Interval
from arena.stats.ranking_estimates import estimate, to_elo
from arena.stats.rankings import Block


def ratings_of(tables: Sequence[TableResult]) -> TableRatings | None:
    """Return the ratings of all players. None where they cannot be estimated."""
    tables = [table for table in tables if not table.killed_workers]
    names = sorted({name for table in tables for name in table.players})
    found = estimate(_blocks(tables, names), len(names))
    if found is None:
        return None
    groups = [tuple(names[number] for number in group) for group in found.groups]
    compared = {*groups[0]}
    players = tuple(
        TableRating(name, *(_elo(rating) if rating and name in compared else (None, None, None)))
        for name, rating in zip(names, found.ratings, strict=True)
    )
    seats = tuple(SeatRating(*_elo(seat)) for seat in found.seats)
    return TableRatings(players, seats, tuple(groups) if len(groups) > 1 else ())


def _elo(interval: Interval) -> tuple[float, float | None, float | None]:
    """Return an interval on the scale of Elo."""
    elo, low, high = to_elo(interval)
    low, high = (None if end is None else round(end, 6) for end in (low, high))
    return round(elo, 6), low, high


def _blocks(tables: Sequence[TableResult], names: Sequence[str]) -> Iterator[tuple[Block, float]]:
    """Yield the places of the players in the games of blocks, and how many blocks had them."""
    numbers = {name: number for number, name in enumerate(names)}
    for table in tables:
        players = [numbers[name] for name in table.players]
        for end in table.ends:
            games = tuple(
                (tuple(players[place] for place in sitting), _places(sitting, paid))
                for sitting, paid in zip(table.sittings, end.payoffs, strict=True)
            )
            yield games, 1.0 if table.repeats else float(end.blocks)


def _places(sitting: Sequence[int], paid: Sequence[Fraction]) -> tuple[int, ...]:
    """Return the place of every seat."""
    return tuple(places_of(paid, player)[0] + 1 for player in sitting)
