"""Rate the players of tables by the places that they had."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from arena.errors import UnknownName, UsageError, quoted
from arena.fights.ratings import Anchor
from arena.records.tables import (
    RatedAtTables,
    SeatRating,
    TableRating,
    TableRatings,
    TableRatingTable,
    TableResult,
    placing,
)
from arena.stats.estimates import RatingInterval
from arena.stats.ranking_estimates import estimate, to_elo
from arena.stats.rankings import RankedBlock

#: Decimals of an Elo from places.
_DECIMALS = 6

#: Why ratings have no number: the two reasons of :func:`arena.stats.ranking_estimates.estimate`.
NOT_ESTIMATED = "there are too many players to rate, or rounding spoils the ratings"


class PlacedGame(NamedTuple):
    """The players of a game by seat, and their places by seat. Equal places are a tie."""

    players: tuple[str, ...]
    places: tuple[int, ...]


class PlacedBlock(NamedTuple):
    """The games of one deal, and how many blocks had just these."""

    games: tuple[PlacedGame, ...]
    blocks: int
    #: How many of the blocks are observations. Of those that only repeat one is.
    observations: float


def ratings_of(tables: Sequence[TableResult]) -> TableRatings | None:
    """Return the ratings of all players. None where they cannot be estimated."""
    tables = [table for table in tables if not table.killed_workers]
    names = sorted({name for table in tables for name in table.players})
    estimated = estimate(_numbered(placed_blocks(tables), names), len(names))
    if estimated is None:
        return None
    groups = [tuple(names[number] for number in group) for group in estimated.groups]
    compared = {*groups[0]}
    players = tuple(
        TableRating(name, *(_elo(rating) if name in compared else (None, None, None)))
        for name, rating in zip(names, estimated.ratings, strict=True)
    )
    seats = tuple(SeatRating(*_seat_elo(seat)) for seat in estimated.seats)
    return TableRatings(players, seats, tuple(groups) if len(groups) > 1 else ())


def rating_table(
    blocks: Sequence[PlacedBlock], knows_seats: bool = True, statements: Sequence[str] = ()
) -> TableRatingTable:
    """Return the ratings of all players of these blocks.

    Estimate the effects of seats only if the caller ``knows_seats``. Otherwise the order of the
    players in a game means nothing. Raises UsageError without any game.

    >>> games = (PlacedGame(("ann", "bob", "cem"), (1, 2, 2)),)
    >>> [row.player for row in rating_table([PlacedBlock(games, 5, 5.0)]).players]
    ['ann', 'bob', 'cem']
    """
    names = sorted({name for block in blocks for game in block.games for name in game.players})
    if not names:
        raise UsageError("there are no results to rate")
    rows = _rows(blocks, names)
    # Sums depend on the order of their addends in the last digits, and so an estimate would.
    estimated = estimate(sorted(_numbered(blocks, names)), len(names), knows_seats)
    if estimated is None:
        statements = (NOT_ESTIMATED, *statements)
    else:
        rows = [
            _with_rating(rows[player], estimated.ratings[player], number)
            for number, group in enumerate(estimated.groups, start=1)
            for player in group
        ]
        if not estimated.seats:
            why = (
                "the games do not tell it from the strength of the players"
                if knows_seats
                else "the results do not say who sat where"
            )
            statements = (f"the worth of a seat is not known: {why}", *statements)
    return TableRatingTable(
        players=tuple(sorted(rows, key=_order)),
        seats=tuple(SeatRating(*_seat_elo(seat)) for seat in estimated.seats) if estimated else (),
        games=sum(len(block.games) * block.blocks for block in blocks),
        blocks=sum(block.blocks for block in blocks),
        statements=tuple(statements),
    )


def at_anchor(table: TableRatingTable, anchor: Anchor) -> TableRatingTable:
    """Return the table with the anchor at its known rating, and its group moved with it.

    Differences and intervals stay as they are. Raises UsageError for an anchor without a rating.
    """
    rows = {row.player: row for row in table.players}
    if anchor.player not in rows:
        raise UnknownName("anchor", anchor.player, rows)
    anchored = rows[anchor.player]
    if anchored.elo is None:
        raise UsageError(f"anchor {quoted(anchor.player)} has no rating: {NOT_ESTIMATED}")
    shift = anchor.elo - anchored.elo
    players = tuple(
        _moved(row, shift) if row.group == anchored.group else row for row in table.players
    )
    only = "; other groups have scales of their own" * any(
        row.group != anchored.group for row in table.players
    )
    statement = (
        f"{anchor.player} is set to {anchor.elo:g} Elo, and the others with it{only}; the intervals"
        " are as without an anchor, and do not have the error of its known rating"
    )
    return replace(table, players=players, statements=(*table.statements, statement))


def placed_blocks(tables: Sequence[TableResult]) -> Iterator[PlacedBlock]:
    """Yield the places of the players in the games of blocks, and how many blocks had them."""
    for table in tables:
        for end in table.ends:
            games = tuple(
                PlacedGame(tuple(table.players[place] for place in sitting), _places(sitting, paid))
                for sitting, paid in zip(table.sittings, end.payoffs, strict=True)
            )
            yield PlacedBlock(games, end.blocks, 1.0 if table.repeats else float(end.blocks))


def _numbered(
    blocks: Iterable[PlacedBlock], names: Sequence[str]
) -> Iterator[tuple[RankedBlock, float]]:
    """Yield the blocks with the players by their numbers, and the number of observations."""
    numbers = {name: number for number, name in enumerate(names)}
    for block in blocks:
        games = ((tuple(map(numbers.__getitem__, g.players)), g.places) for g in block.games)
        yield tuple(sorted(games)), block.observations


def _rows(blocks: Sequence[PlacedBlock], names: Sequence[str]) -> list[RatedAtTables]:
    """Return the rows of the players, in the order of the names, without ratings."""
    games, played, places = Counter[str](), Counter[str](), Counter[str]()
    for block in blocks:
        played.update(
            dict.fromkeys({n for game in block.games for n in game.players}, block.blocks)
        )
        for game in block.games:
            for name, place in zip(game.players, game.places, strict=True):
                games[name] += block.blocks
                better = sum(other < place for other in game.places)
                # Doubled, so that the sum is exact.
                places[name] += block.blocks * (2 * better + game.places.count(place) + 1)
    return [
        RatedAtTables(n, games[n], played[n], places[n] / (2 * games[n]), None, None, None)
        for n in names
    ]


def _with_rating(row: RatedAtTables, rating: RatingInterval | None, group: int) -> RatedAtTables:
    elo, low, high = _elo(rating)
    return replace(row, elo=elo, low=low, high=high, group=group)


def _order(row: RatedAtTables) -> tuple[int, float, str]:
    return row.group, -(row.elo or 0.0), row.player


def _moved(row: RatedAtTables, shift: float) -> RatedAtTables:
    elo, low, high = (
        None if number is None else round(number + shift, _DECIMALS)
        for number in (row.elo, row.low, row.high)
    )
    return replace(row, elo=elo, low=low, high=high)


def _elo(rating: RatingInterval | None) -> tuple[float | None, float | None, float | None]:
    """Return a rating on the scale of Elo, if there is one."""
    return (None, None, None) if rating is None else _seat_elo(rating)


def _seat_elo(interval: RatingInterval) -> tuple[float, float | None, float | None]:
    """Return an interval on the scale of Elo."""
    elo, low, high = to_elo(interval)
    low, high = (None if end is None else round(end, _DECIMALS) for end in (low, high))
    return round(elo, _DECIMALS), low, high


def _places(sitting: Sequence[int], paid: Sequence[Fraction]) -> tuple[int, ...]:
    """Return the place of every seat."""
    return tuple(placing(paid)[player][0] + 1 for player in sitting)
