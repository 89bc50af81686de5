"""Read the results of tables from CSV: a row for each player of a game."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from arena.errors import UsageError, one_line, quoted
from arena.fractions import fraction_of

#: The columns of a file of tables. It needs one of the last two.
_COLUMNS = ("game", "player", "place", "payoff")

#: The seats that a game can have.
_FEWEST, _MOST = 2, 8


class RankedSeat(NamedTuple):
    """A player of a game."""

    player: str
    #: A smaller number is a better result, and equal ones tie.
    result: Fraction
    #: None if the file has no seats.
    seat: int | None


@dataclass
class RankedTable:
    """A game as its rows tell it."""

    name: str
    #: Where its first row stands, for messages.
    where: str
    #: The name of its block; empty for a block of its own.
    block: str
    rows: list[RankedSeat] = field(default_factory=list)

    def seated(self) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """Return the players by seat, or else by name, and their places.

        Raises UsageError unless there are several, in the seats from the first.
        """
        if len(self.rows) < _FEWEST:
            raise UsageError(f"{self.where}: game {quoted(self.name)} has only one player")
        rows = sorted(self.rows, key=lambda row: (row.seat or 0, row.player))
        seats = [row.seat for row in rows]
        if seats[0] is not None and seats != [*range(1, len(rows) + 1)]:
            raise UsageError(
                f"{self.where}: the {len(rows)} players of game {quoted(self.name)} sit in seats"
                f" {', '.join(map(str, seats))}, not in 1 to {len(rows)}"
            )
        places = tuple(1 + sum(other.result < row.result for other in rows) for row in rows)
        return tuple(row.player for row in rows), places


class TableFile(NamedTuple):
    """The games of a file of tables."""

    games: Sequence[RankedTable]
    #: Whether the file says who sat where.
    knows_seats: bool

    def blocks(self) -> list[list[tuple[tuple[str, ...], tuple[int, ...]]]]:
        """Return the games of each block: the players and their places."""
        blocks: dict[tuple[bool, str], list[tuple[tuple[str, ...], tuple[int, ...]]]] = {}
        for game in self.games:
            key = (True, game.block) if game.block else (False, game.name)
            blocks.setdefault(key, []).append(game.seated())
        return list(blocks.values())


def is_of_tables(header: Sequence[str]) -> bool:
    """Return whether a file with these columns has the games of tables.

    >>> is_of_tables(["game", "player", "place"]), is_of_tables(["a", "b", "wins"])
    (True, False)
    """
    return sum(column in header for column in _COLUMNS) > 1


def read_tables(rows: csv.DictReader[str], header: Sequence[str], name: str) -> TableFile:
    """Return the games of a file with this header and name.

    Raises UsageError that says which line is wrong, and why.
    """
    _check_columns(header, name)
    games: dict[str, RankedTable] = {}
    for where, cells in cells_of(rows, name):
        game, block = text_of(cells, "game", where), cells.get("block", "")
        player = player_of(cells, "player", where)
        result = _place(cells, where) if "place" in header else -_payoff(cells, where)
        seat = _seat(cells, where) if "seat" in header else None
        table = games.setdefault(game, RankedTable(game, where, block))
        if table.block != block:
            raise UsageError(
                f"{where}: game {quoted(game)} has the block {quoted(block)}, and above"
                f" {quoted(table.block)}"
            )
        if any(row.player == player for row in table.rows):
            raise UsageError(f"{where}: {quoted(player)} is in game {quoted(game)} already")
        if len(table.rows) == _MOST:
            raise UsageError(f"{where}: game {quoted(game)} has more than {_MOST} players")
        table.rows.append(RankedSeat(player, result, seat))
    return TableFile([*games.values()], "seat" in header)


def cells_of(rows: csv.DictReader[str], name: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the place and the cells of each row that is not empty."""
    named = [column for column in rows.fieldnames or () if column]
    if twice := [column for column in named if named.count(column) > 1]:
        raise UsageError(f"results {name}: the first line has the column {twice[0]} twice")
    for row in rows:
        if any(cell.strip() for cell in row.get(None, ())):
            raise UsageError(
                f"results {name}, line {rows.line_num}: it has more cells than the first line:"
                " put a name with a comma in quotes, and write numbers with a point"
            )
        cells = {key: (value or "").strip() for key, value in row.items() if isinstance(value, str)}
        if any(cells.values()):
            yield f"results {name}, line {rows.line_num}", cells


def require_columns(wanted: Iterable[str], header: Sequence[str], name: str) -> None:
    """Raise UsageError if a header lacks one of these columns."""
    missing = [column for column in wanted if column not in header]
    if missing:
        columns = ", ".join(filter(None, header)) or "nothing"
        hint = ": separate columns by commas" * (";" in columns or "\t" in columns)
        raise UsageError(
            f"results {name}: no column {', '.join(missing)} in the first line (it has:"
            f" {one_line(columns)}){hint}"
        )


def _check_columns(header: Sequence[str], name: str) -> None:
    require_columns(_COLUMNS[:2], header, name)
    if "place" in header and "payoff" in header:
        raise UsageError(f"results {name}: the columns place and payoff both rank: leave one out")
    if "payoff" not in header:
        require_columns(["place" if "place" in header else "place or payoff"], header, name)


def text_of(cells: dict[str, str], column: str, where: str) -> str:
    """Return a cell. Raises UsageError if it is empty."""
    if text := cells.get(column, ""):
        return text
    noun = "game" if column == "game" else "player"
    raise UsageError(f"{where}: no {noun} in column {column}")


def player_of(cells: dict[str, str], column: str, where: str) -> str:
    """Return the name of a player. Raises UsageError if it is empty or cannot be printed."""
    name = text_of(cells, column, where)
    if not name.isprintable():
        raise UsageError(f"{where}: the player's name {quoted(name)} cannot be printed")
    return name


def _place(cells: dict[str, str], where: str) -> Fraction:
    text = cells.get("place", "")
    if not (text.isascii() and text.isdigit() and len(text) <= 16 and int(text)):
        raise UsageError(f"{where}: place is {quoted(text)}, not a whole number from 1")
    return Fraction(int(text))


def _seat(cells: dict[str, str], where: str) -> int:
    text = cells.get("seat", "")
    if text not in map(str, range(1, _MOST + 1)):
        raise UsageError(f"{where}: seat is {quoted(text)}, not a whole number from 1 to {_MOST}")
    return int(text)


def _payoff(cells: dict[str, str], where: str) -> Fraction:
    text = cells.get("payoff", "")
    try:
        return fraction_of(text)
    except ValueError as error:
        raise UsageError(f"{where}: payoff {error}") from None
