"""Rate results from anywhere."""

from __future__ import annotations

import csv
import io
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import BinaryIO, NamedTuple, TextIO, cast

from arena import files
from arena.errors import UsageError, one_line, quoted
from arena.fights import ratings
from arena.kinds import FINITE, checked
from arena.records.base import Record, Tally
from arena.records.fights import FightResult
from arena.records.paid import NO_ELO
from arena.records.ratings import RatingTable
from arena.reports.names import fights_of
from arena.runs.saved import load
from arena.stats.pairings import Game, PairingCounts
from arena.urls import is_store

#: The columns that a file of results must have.
COLUMNS = ("a", "b", "wins", "draws", "losses")


#: Values of the column ``a_moves``. Rows marked ``total`` are skipped: they repeat the others.
ORDERS = {"first": 1, "second": -1, "": 0, "total": None}


#: More games than a user plays; larger numbers are slips.
MAX_RATED_GAMES = 10**15


#: The games of a prior: fewer are lost in rounding, more are not a prior but a verdict.
MIN_PRIOR, MAX_PRIOR = 0.01, 1000.0


#: The largest Elo of an anchor, either way.
MAX_ANCHOR = 10_000


class Result(NamedTuple):
    """Games between a and b, from a's view."""

    a: str
    b: str
    tally: Tally
    #: 1 if a moved first in all of them, -1 if b did, 0 if that is not known.
    moved: int = 0


def rate(
    results: str | os.PathLike[str] | Record | Iterable[Result | Record],
    prior: float = 0.0,
    anchor: tuple[str, float] | None = None,
) -> RatingTable:
    """Compute ratings from results: fights, a tournament, rows of Result, or a file of them.

    A file is JSON, as ``save`` writes it, or CSV with columns a, b, wins, draws, losses. There a
    column ``a_moves`` with ``first`` and ``second``, as in the CSV of a fight, also gives the
    advantage of moving first. ``-`` is standard input. The intervals treat games as independent,
    because results do not say which games form a pair.

    With a ``prior`` each player has also drawn this many games against an average player, so that
    every player has a number. Players that did not meet, directly or through others, are compared
    by the prior alone: they stay in separate groups, without common ranks.

    An ``anchor``, such as ``("stockfish", 3600)``, puts the ratings on a known scale: it has this
    Elo, and the players of its group move with it.

    >>> table = rate([Result("anna", "bert", Tally(wins=9, draws=0, losses=91))])
    >>> [(row.player, round(row.elo.value)) for row in table.players]
    [('bert', 197), ('anna', -197)]
    """
    check_prior(prior)
    if isinstance(results, (str, os.PathLike)):
        results = _read(os.fspath(results)) if not _is_json(results) else load(results)
    fights, rows = _sorted_out(results)
    if fights:
        return anchored(ratings.of_fights(fights, prior=prior), anchor)
    tallies: dict[str, Tally] = {}
    places: dict[str, int] = {}
    counts: Counter[tuple[int, int, int, int]] = Counter()  # a row of results more takes no memory
    for result in rows:
        for name, tally in ((result.a, result.tally), (result.b, result.tally.reversed())):
            tallies[name] = tallies.get(name, Tally()) + tally
            places.setdefault(name, len(places))
        key = places[result.a], places[result.b], result.moved
        for points, games in enumerate(
            (result.tally.losses, result.tally.draws, result.tally.wins)
        ):
            counts[*key, points] += games
    if not tallies:
        raise UsageError("there are no results to rate")
    pairings = [
        PairingCounts(a, b, (((Game(moved, points),), games),))
        for (a, b, moved, points), games in counts.items()
        if games
    ]
    return anchored(ratings.of_pairings(tallies, pairings, prior=prior), anchor)


def _is_json(path: str | os.PathLike[str]) -> bool:
    return os.fspath(path).endswith(".json")


def _sorted_out(
    results: Record | Iterable[Result | Record],
) -> tuple[list[FightResult], Iterable[Result]]:
    """Return the fights among the results, or else the rows.

    Raises UsageError for anything else, for both together, and for games that pay.
    """
    if isinstance(results, Record):
        results = [results]
    results = results if isinstance(results, Iterator) else list(results)
    if isinstance(results, Iterator):  # the rows of a file
        return [], cast("Iterator[Result]", results)
    fights = [fight for each in results if isinstance(each, Record) for fight in fights_of(each)]
    rows = [each for each in results if isinstance(each, Result)]
    strange = [each for each in results if not isinstance(each, Record | Result)]
    if strange or (fights and rows):
        wrong = one_line(repr(strange[0])) if strange else "both rows and fights"
        raise UsageError(
            f"arena.rate takes fights, a tournament, or rows such as arena.Result('anna', 'bert',"
            f" arena.records.Tally(wins=2, draws=0, losses=1)), not {wrong}"
        )
    if any(fight.paid is not None for fight in fights):
        raise UsageError(f"{fights[0].game}: {NO_ELO}")
    return fights, rows


def anchored(table: RatingTable, anchor: tuple[str, float] | None) -> RatingTable:
    """Return the table on the scale of the anchor, if there is one.

    Raises UsageError for an Elo that no scale has, and for an anchor without a rating.
    """
    if anchor is None:
        return table
    elo = checked("anchor", FINITE, anchor[1])
    if abs(elo) > MAX_ANCHOR:
        raise UsageError(f"anchor {elo:g} is not an Elo from -{MAX_ANCHOR} to {MAX_ANCHOR}")
    return ratings.on_scale_of(table, ratings.Anchor(anchor[0], elo))


def check_prior(prior: float) -> None:
    """Raise UsageError for a prior that is not a number of games."""
    if not (prior == 0 or MIN_PRIOR <= prior <= MAX_PRIOR):
        bounds = f"0 or a number of games from {MIN_PRIOR:g} to {MAX_PRIOR:g}"
        raise UsageError(f"prior {prior:g} is not {bounds}")


def _read(path: str) -> Iterator[Result]:
    name = "standard input" if path == "-" else quoted(path)
    if is_store(path):
        raise UsageError(f"{name} is a store: arena.rate_stores([{name}]) rates its runs")
    try:
        if path == "-":
            yield from _parse(sys.stdin or io.StringIO(), name)
        else:
            with io.TextIOWrapper(_open(path, name), encoding="utf-8-sig", newline="") as file:
                yield from _parse(file, name)
    except OSError as error:
        raise UsageError(f"results {name}: {error.strerror}") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"results {name}: no CSV file ({error})") from error


def _open(path: str, name: str) -> BinaryIO:
    try:
        return files.open_file(path, files.MAX_FILE_BYTES)
    except UsageError as error:
        hint = "; - reads standard input" * (str(error) == "is not a file")
        raise UsageError(f"results {name}: {error}{hint}") from error


def _lines(stream: TextIO, name: str) -> Iterator[str]:
    try:
        yield from files.lines_of(stream, files.MAX_FILE_BYTES)
    except UsageError as error:
        raise UsageError(f"results {name}: {error}") from error


def _parse(stream: TextIO, name: str) -> Iterator[Result]:
    rows = csv.DictReader(_lines(stream, name), skipinitialspace=True)
    header = [(column or "").strip().lower() for column in rows.fieldnames or []]
    missing = [column for column in COLUMNS if column not in header]
    if missing:
        columns = ", ".join(filter(None, header)) or "nothing"
        hint = ": separate columns by commas" * (";" in columns or "\t" in columns)
        raise UsageError(
            f"results {name}: no column {', '.join(missing)} in the first line (it has:"
            f" {one_line(columns)}){hint}"
        )
    rows.fieldnames = header
    for row in rows:
        cells = {key: (value or "").strip() for key, value in row.items() if isinstance(value, str)}
        if not any(cells.values()):
            continue
        where = f"results {name}, line {rows.line_num}"
        order = cells.get("a_moves", "").lower()
        if order not in ORDERS:
            raise UsageError(f"{where}: a_moves is {quoted(order)}, not first or second")
        moved = ORDERS[order]
        if moved is None:
            continue
        a, b = (_player(cells, column, where) for column in ("a", "b"))
        if a == b:
            raise UsageError(f"{where}: {quoted(a)} plays against itself")
        wins, draws, losses = (_number(cells, column, where) for column in COLUMNS[2:])
        yield Result(a, b, Tally(wins, draws, losses), moved)


def _player(cells: dict[str, str], column: str, where: str) -> str:
    name = cells.get(column, "")
    if not name:
        raise UsageError(f"{where}: no player in column {column}")
    if not name.isprintable():
        raise UsageError(f"{where}: the player's name {quoted(name)} cannot be printed")
    return name


def _number(cells: dict[str, str], column: str, where: str) -> int:
    text = cells.get(column, "")
    if not (text.isascii() and text.isdigit() and len(text) <= 16 and int(text) <= MAX_RATED_GAMES):
        raise UsageError(
            f"{where}: {column} is {quoted(text)}, not a whole number from 0 to {MAX_RATED_GAMES}"
        )
    return int(text)
