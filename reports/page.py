"""Choose what to show of a record in any format."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from functools import singledispatch
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple

from arena.dataclass import dataclass
from arena.model.columns import Column, Row, cells, visible
from arena.records.base import Record
from arena.reports.cells import Cell, cell


@dataclass(frozen=True)
class Table:
    """Cells under headers."""

    headers: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    #: The first columns, which stand again in every part of a table that is too wide and is shown
    #: in parts. It is 0 for a table that stays whole.
    keys: int = field(default=0, repr=False)
    #: The column of players' names, which are shortened where the table is too wide.
    names: int | None = field(default=None, repr=False)
    #: Headers of columns that a narrow screen leaves out, the first one first: others say the same.
    spare: Sequence[str] = field(default=(), repr=False)
    #: Lines that stand below it in place of columns.
    below: Sequence[str] = field(default=(), repr=False)


class Picture(NamedTuple):
    """A picture for formats that have any, and the line below it."""

    svg: str
    caption: str


@dataclass(frozen=True)
class Block:
    """Several lines whose columns matter, such as a board."""

    text: str
    #: Pictures of the same. A page that shows them leaves out a line above that is their caption.
    pictures: Sequence[Picture] = field(default=(), compare=False, repr=False)


class MarkBoard(Block):
    """A board of a game with x and o."""


@dataclass(frozen=True)
class BoardRow(MarkBoard):
    """Boards with their captions, as many in a row as there is room for.

    ``text`` is for formats without a width.
    """

    boards: Sequence[tuple[str, str]] = ()


class Note(str):
    """A sentence whose lines are broken at the width of the page, indented as it begins."""

    __slots__ = ()


class CommandText(str):
    """Words and a command, which is never broken. It gets its own line if both are too long."""

    __slots__ = ("command", "words")
    words: str
    command: str

    def __new__(cls, words: str, command: str) -> CommandText:
        """Make a line of both."""
        line = super().__new__(cls, f"{words}: {command}")
        line.words, line.command = words, command
        return line


class Detail(str):
    """A line that most readers can do without: text and Markdown have it with ``-v``."""

    __slots__ = ()


class Fine(Detail):
    """A detail that a page without details does not mention."""

    __slots__ = ()


#: Lines of text, tables, and blocks, from top to bottom.
Page = Sequence[str | Table | Block]


#: A header, and the rows below it.
Rows = Sequence[Sequence[Any]]


#: The module with the page and the rows of each kind of record that several rooms share, imported
#: when one is shown.
HOMES = {
    "Answered": "reports.pages.answers",
    "Certificate": "features.certify.page",
    "CheckedCertificate": "features.certify.page",
    "CheckedFight": "features.exact.page",
    "CheckedStrategies": "features.certify.page",
    "Details": "reports.pages.listings",
    "EntrantReport": "reports.pages.reports",
    "ExactResult": "features.exact.page",
    "ExactTournament": "features.exact.page",
    "Explanation": "features.explain.page",
    "Exploitability": "features.certify.page",
    "Export": "features.export.page",
    "FightResult": "reports.pages.fights",
    "GameValue": "features.solve.page",
    "History": "features.history.page",
    "StepHistory": "features.history.page",
    "Listing": "reports.pages.listings",
    "MoveReport": "features.move.page",
    "Plan": "features.plan.page",
    "PlayerTheorem": "features.certify.page",
    "RatingTable": "reports.pages.ratings",
    "ReplayReport": "reports.pages.replays",
    "Report": "reports.pages.reports",
    "SeenGame": "reports.pages.replays",
    "SprtFight": "reports.pages.statistics",
    "SprtReport": "reports.pages.statistics",
    "TableRatingTable": "reports.pages.table_ratings",
    "TablesResult": "reports.pages.table_games",
    "Theorem": "features.certify.page",
    "TournamentPlan": "features.plan.page",
    "TournamentResult": "reports.pages.tournaments",
    "Training": "features.train.page",
    "UntilFight": "reports.pages.statistics",
    "VolunteerPlan": "features.plan.page",
    "WithMethods": "features.methods.page",
}


@singledispatch
def page(record: Record) -> Page:
    """Return the page of a record. Raises TypeError if there is none for its kind.

    ``@page.register`` makes the function below it the page of the kind of record that it takes.
    """
    kind = type(record)
    if has_page(kind):
        return page.dispatch(kind)(record)
    name = kind.__name__
    raise TypeError(f"no page for a {name}: @arena.plugin.page.register a function of a {name}")


@singledispatch
def flat(record: Record) -> Rows:
    """Return a record as rows, for formats that know nothing else.

    Its kind registers them with ``@flat.register``. By default they are the first table of its
    page.
    """
    kind = type(record)
    if has_page(kind) and flat.dispatch(kind) is not flat.dispatch(object):
        return flat.dispatch(kind)(record)
    for part in page(record):
        if isinstance(part, Table):
            return [part.headers, *part.rows]
    raise TypeError(f"no table on the page of a {kind.__name__}")


def home_of(kind: type) -> str:
    """Return the module with the page of a kind of record, or an empty text.

    The record of a feature has its page in the same folder.
    """
    room, _, module = kind.__module__.rpartition(".")
    if room == "arena.records" and kind.__name__ in HOMES:
        return f"arena.{HOMES[kind.__name__]}"
    return f"{room}.page" if room.startswith("arena.features.") and module == "record" else ""


def import_if_there(name: str) -> ModuleType | None:
    """Import a module, if one has that name."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
    return None


def has_page(kind: type) -> bool:
    """Return whether a kind of record has a page, once its module is imported."""
    default = page.dispatch(object)
    for each in kind.__mro__:
        if page.dispatch(kind) is not default:
            return True
        if home := home_of(each):
            import_if_there(home)
    return page.dispatch(kind) is not default


def declared_table(
    columns: Iterable[Column[Row]], rows: Sequence[Row], keys: int = 0, spare: Sequence[str] = ()
) -> Table:
    """Return a table by the columns that a page has of these rows."""
    on_page = visible(columns, "page", rows)
    names = next((place for place, column in enumerate(on_page) if column.is_name), None)
    headers = [column.header for column in on_page]
    return Table(headers, cells(on_page, rows), keys, names, spare)


def table(headers: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    """Return a table of any values. Raises ValueError unless each row has a value a header.

    >>> table(["player", "score", "best"], [["monkey", 1 / 3, True]])
    Table(headers=('player', 'score', 'best'), rows=[['monkey', '0.333333', 'yes']])
    """
    cells_of_rows = [[_cell(value) for value in row] for row in rows]
    for row in cells_of_rows:
        if len(row) != len(headers):
            raise ValueError(f"a row of {len(row)} cells under {len(headers)} headers")
    return Table(tuple(headers), cells_of_rows)


def _cell(value: object) -> Cell:
    if value is None:
        return "-"
    return f"{value:.6g}" if isinstance(value, float) else cell(value)
