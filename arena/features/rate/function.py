"""Rate results from anywhere."""

from __future__ import annotations

import csv
import io
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, starmap
from typing import Any, BinaryIO, NamedTuple, TextIO, cast, overload

from arena import files
from arena.errors import UsageError, one_line, quoted
from arena.features.rate.options import DEFAULT_PRIOR, ScaleOptions
from arena.features.rate.table_files import (
    TableFile,
    cells_of,
    is_of_tables,
    player_of,
    read_tables,
    require_columns,
)
from arena.fights import ratings
from arena.records.base import Record, Tally
from arena.records.fights import FightResult
from arena.records.paid import NO_ELO
from arena.records.ratings import RatingTable
from arena.records.tables import TableRatingTable, TableResult, TablesResult
from arena.reports.names import fights_of
from arena.runs.result_files import load
from arena.signatures import complete, takes
from arena.stats.pairings import PairingCounts, PairingGame
from arena.urls import is_store

#: The columns that a file of results must have.
COLUMNS = ("a", "b", "wins", "draws", "losses")


#: The column of results that have no Elo.
PAYOFF_COLUMN = "payoff"


#: Values of the column ``a_moves``. Rows marked ``total`` are skipped: they repeat the others.
ORDERS = {"first": 1, "second": -1, "": 0, "total": None}


#: More games than a user plays; larger numbers are slips.
MAX_RATED_GAMES = 10**15


class Result(NamedTuple):
    """Games between a and b, from a's view."""

    a: str
    b: str
    tally: Tally
    #: 1 if a moved first in all of them, -1 if b did, 0 if that is not known.
    moved: int = 0


@overload
def rate(  # type: ignore[overload-overlap]
    results: TablesResult | Iterable[TablesResult],
    prior: float = DEFAULT_PRIOR,
    anchor: tuple[str, float] | None = None,
) -> TableRatingTable: ...
@overload
def rate(
    results: str | os.PathLike[str],
    prior: float = DEFAULT_PRIOR,
    anchor: tuple[str, float] | None = None,
) -> RatingTable | Any: ...
@overload
def rate(
    results: Record | Iterable[Result | Record],
    prior: float = DEFAULT_PRIOR,
    anchor: tuple[str, float] | None = None,
) -> RatingTable: ...
@takes(ScaleOptions)
def rate(
    results: str | os.PathLike[str] | Record | Iterable[Result | Record],
    prior: float = DEFAULT_PRIOR,
    anchor: tuple[str, float] | None = None,
) -> RatingTable | Any:
    """Compute ratings from results: fights, a tournament, rows of Result, or a file of them.

    A file is JSON, as ``save`` writes it, or CSV with columns a, b, wins, draws, losses. There a
    column ``a_moves`` with ``first`` and ``second``, as in the CSV of a fight, also gives the
    advantage of moving first. ``-`` is standard input. The intervals treat games as independent,
    because results do not say which games form a pair.

    Results of ``arena.table_fight`` and ``arena.table_tournament``, and CSV with columns game,
    player, place, are those of tables. Their ratings are an ``arena.records.TableRatingTable``.
    ``payoff`` may stand for ``place``, and the columns ``seat`` and ``block`` may say who sat where
    and which games belong together.

    With a ``prior`` each player has also drawn this many games against an average player, so that
    every player has a number. Players that did not meet, directly or through others, are compared
    by the prior alone: they stay in separate groups, without common ranks.

    An ``anchor``, such as ``("stockfish", 3600)``, puts the ratings on a known scale: it has this
    Elo, and the players of its group move with it.

    >>> table = rate([Result("anna", "bert", Tally(wins=9, draws=0, losses=91))])
    >>> [(row.player, round(row.elo.value)) for row in table.players]
    [('bert', 197), ('anna', -197)]
    """
    complete(rate, ScaleOptions(prior=prior, anchor=anchor))
    if isinstance(results, (str, os.PathLike)):
        if not _is_json(results):
            return _rated_file(os.fspath(results), prior, anchor)
        results = load(results)
    if isinstance(results, Iterator):
        first = list(islice(results, 1))
        results = chain(first, results)
        if first and isinstance(first[0], Result):  # then all are rows, which need no room
            return _rated_rows(cast("Iterator[Result]", results), prior, anchor)
    results = [results] if isinstance(results, Record) else list(results)
    tables = [each for each in results if isinstance(each, TablesResult)]
    if tables and len(tables) < len(results):
        raise UsageError("arena.rate takes fights of two players or tables of more, not both")
    if tables:
        return _rated_tables([table for each in tables for table in each.tables], prior, anchor)
    fights, rows = _sorted_out(results)
    if fights:
        return anchored(ratings.of_fights(fights, prior=prior), anchor)
    return _rated_rows(rows, prior, anchor)


def _rated_file(path: str, prior: float, anchor: tuple[str, float] | None) -> RatingTable | Any:
    """Return the ratings from the results of a CSV file."""
    results = _read(path)
    first = next(results, None)
    if isinstance(first, TableFile):
        return _rated_tables(first, prior, anchor)
    rows = cast("Iterator[Result]", results)
    return _rated_rows(rows if first is None else chain([first], rows), prior, anchor)


def _rated_tables(
    results: TableFile | Sequence[TableResult], prior: float, anchor: tuple[str, float] | None
) -> TableRatingTable:
    """Return the ratings from the places at tables."""
    from arena.fights import table_ratings  # here, for NumPy takes long to import

    refuse_prior(prior)
    if isinstance(results, TableFile):
        blocks = [
            table_ratings.PlacedBlock(tuple(starmap(table_ratings.PlacedGame, games)), 1, 1.0)
            for games in results.blocks()
        ]
        table = table_ratings.rating_table(blocks, results.knows_seats)
    else:
        played = [table for table in results if not table.killed_workers]
        table = table_ratings.rating_table([*table_ratings.placed_blocks(played)])
    return tables_anchored(table, anchor)


def _rated_rows(
    rows: Iterable[Result], prior: float, anchor: tuple[str, float] | None
) -> RatingTable:
    """Return the ratings from results of two players."""
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
        PairingCounts(a, b, (((PairingGame(moved, points),), games),))
        for (a, b, moved, points), games in counts.items()
        if games
    ]
    return anchored(ratings.of_pairings(tallies, pairings, prior=prior), anchor)


def _is_json(path: str | os.PathLike[str]) -> bool:
    return os.fspath(path).endswith(".json")


def _sorted_out(
    results: Sequence[Result | Record],
) -> tuple[list[FightResult], list[Result]]:
    """Return the fights among the results, or else the rows.

    Raises UsageError for anything else, for both together, and for games that pay.
    """
    fights = [fight for each in results if isinstance(each, Record) for fight in fights_of(each)]
    rows = [each for each in results if isinstance(each, Result)]
    strange = [each for each in results if not isinstance(each, Record | Result)]
    if strange or (fights and rows):
        wrong = one_line(repr(strange[0])) if strange else "both rows and fights"
        raise UsageError(
            f"arena.rate takes fights, a tournament, or rows such as arena.Result('anna', 'bert',"
            f" arena.records.Tally(wins=2, draws=0, losses=1)), not {wrong}"
        )
    if paid := [fight.game for fight in fights if fight.paid is not None]:
        raise UsageError(f"{paid[0]}: {NO_ELO}")
    return fights, rows


def anchored(table: RatingTable, anchor: tuple[str, float] | None) -> RatingTable:
    """Return the table on the scale of the anchor, if there is one.

    Raises UsageError for an anchor without a rating.
    """
    return table if anchor is None else ratings.on_scale_of(table, ratings.Anchor(*anchor))


def tables_anchored(table: TableRatingTable, anchor: tuple[str, float] | None) -> TableRatingTable:
    """Return the table as :func:`anchored` does."""
    from arena.fights.table_ratings import at_anchor

    return table if anchor is None else at_anchor(table, ratings.Anchor(*anchor))


def refuse_prior(prior: float) -> None:
    """Raise UsageError for a prior at tables."""
    if prior:
        raise UsageError(
            "--prior is for results of two players: at tables every player has a rating without one"
        )


def _read(path: str) -> Iterator[Result | TableFile]:
    name = "standard input" if path == "-" else quoted(path)
    if is_store(path):
        raise UsageError(f"{name} is a store: arena.rate_stores([{name}]) rates its runs")
    try:
        if path == "-":
            yield from _parse(sys.stdin or io.StringIO(), name)
        else:
            with io.TextIOWrapper(_open(path, name), encoding="utf-8", newline="") as file:
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
        for number, line in enumerate(files.lines_of(stream, files.MAX_FILE_BYTES)):
            yield line if number else line.removeprefix("\ufeff")  # as Excel begins a file
    except UsageError as error:
        raise UsageError(f"results {name}: {error}") from error


def _parse(stream: TextIO, name: str) -> Iterator[Result | TableFile]:
    """Yield the results of two players, or else a whole file of tables."""
    rows = csv.DictReader(_lines(stream, name), skipinitialspace=True)
    header = [(column or "").strip().lower() for column in rows.fieldnames or []]
    if is_of_tables(header) and not {*COLUMNS} <= {*header}:
        rows.fieldnames = header
        yield read_tables(rows, header, name)
        return
    require_columns(COLUMNS, header, name)
    if PAYOFF_COLUMN in header:  # as the CSV of a fight or a tournament has it
        raise UsageError(f"results {name} have the column {PAYOFF_COLUMN}: {NO_ELO}")
    rows.fieldnames = header
    for where, cells in cells_of(rows, name):
        order = cells.get("a_moves", "").lower()
        if order not in ORDERS:
            raise UsageError(f"{where}: a_moves is {quoted(order)}, not first or second")
        moved = ORDERS[order]
        if moved is None:
            continue
        a, b = (player_of(cells, column, where) for column in ("a", "b"))
        if a == b:
            raise UsageError(f"{where}: {quoted(a)} plays against itself")
        wins, draws, losses = (_number(cells, column, where) for column in COLUMNS[2:])
        yield Result(a, b, Tally(wins, draws, losses), moved)


def _number(cells: dict[str, str], column: str, where: str) -> int:
    text = cells.get(column, "")
    if not (text.isascii() and text.isdigit() and len(text) <= 16 and int(text) <= MAX_RATED_GAMES):
        raise UsageError(
            f"{where}: {column} is {quoted(text)}, not a whole number from 0 to {MAX_RATED_GAMES}"
        )
    return int(text)
