"""Define the parts of records of several features.

A record's ``as_json`` is its stable form: a dict with a ``schema`` key that only ever gains keys.
"""

from __future__ import annotations

from fractions import Fraction
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, cast

from arena import escape
from arena.dataclass import dataclass
from arena.model.codec import encode_record

if TYPE_CHECKING:
    from os import PathLike

    from matplotlib.axes import Axes
    from pandas import DataFrame

Json = dict[str, Any]

#: The module that shows records to Python and notebooks. It stands above records, which import
#: nothing of it; it is found by name when a user looks at one.
VIEWS = "arena.reports.views"

#: The module that writes records to files, found by name for the same reason.
WRITER = "arena.cli.output"

#: Most characters of a record in one line.
MAX_REPR = 100

#: The values that stand in a record's one line if it has no headline.
_PLAIN = (str, int, float, Fraction, type(None))


def _view(name: str, *arguments: Any) -> Any:
    return getattr(import_module(VIEWS), name)(*arguments)


class Record:
    """Anything that a report can show: a frozen dataclass with its JSON."""

    #: Name of the schema, for a record that stands alone.
    SCHEMA: ClassVar[str] = ""
    #: Its keys in order, as :mod:`arena.model.codec` reads them; empty for all fields.
    KEYS: ClassVar[str] = ""
    #: The attributes that ``dir`` lists, for a record with many; empty for all that are public.
    LISTED: ClassVar[str] = ""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "__repr__" not in vars(cls):  # here, `dataclass` would write one of all fields
            cls.__repr__ = Record.__repr__  # type: ignore[method-assign]

    def as_json(self) -> Json:
        """Return the schema, if there is one, and the keys that the class declares."""
        return encode_record(self)

    def __repr__(self) -> str:
        """Return one line: the headline of the record, or else its plain fields."""
        name = type(self).__name__
        if headline := getattr(self, "headline", ""):
            return _cut(f"<{name} {escape.line(headline)}", ">")
        values = {field: getattr(self, field) for field in getattr(self, "__match_args__", ())}
        plain = [f"{field}={v!r}" for field, v in values.items() if isinstance(v, _PLAIN)]
        rest = ["..."] * (len(plain) < len(values))
        return _cut(f"{name}({', '.join(plain + rest)}", ")")

    def __dir__(self) -> list[str]:
        """Return the public names without constants: those that a user may want to complete."""
        listed = self.LISTED.split()
        names = [*listed, *vars(Record)] if listed else super().__dir__()
        return sorted(name for name in names if name[0] != "_" and not name.isupper())

    def __str__(self) -> str:
        """Return what the command prints, or the fields of a record that no command prints."""
        return cast("str", _view("text", self))

    def _repr_html_(self) -> str | None:
        """Return the record's page as a part of a notebook, or None if it has no page."""
        return cast("str | None", _view("fragment", self))

    def to_dataframe(self) -> DataFrame:
        """Return the rows of ``--format csv`` as a table of pandas, numbers as numbers.

        A record that no command prints is one row. Raises UsageError without pandas.
        """
        return _view("frame", self)

    def to_csv(self, path: str | PathLike[str] | None = None) -> str:
        """Return the rows of ``--format csv`` as text, and write them to a file if there is a path.

        Raises UsageError for a record that no command prints, and for a path that cannot be
        written.
        """
        if path is not None:
            self.save(path, "csv")
        return cast("str", _view("csv", self))

    def save(self, path: str | PathLike[str], format: str = "") -> None:  # noqa: A002
        """Write the record to a file, whole or not at all, as ``--output`` does.

        The ending of the path is the format (``.json``, ``.csv``, ``.html``, ``.md``, ``.txt``)
        unless ``format`` names another. ``arena.report`` makes a page of JSON that was saved.
        Raises UsageError for a format that arena does not have, and for a path that cannot be
        written.
        """
        import_module(WRITER).save(self, path, format)

    def plot(self, figure: str = "", *, ax: Axes | None = None) -> Axes:
        """Draw a figure of the record with matplotlib, and return its axes.

        ``figure`` is one of the names that an unknown one lists; by default the first. Raises
        UsageError for another name, for a record without figures, and without matplotlib.
        """
        return cast("Axes", _view("plot", self, figure, ax))


def _cut(text: str, end: str) -> str:
    """Return a line that is not too long, with its end."""
    return (text if len(text) < MAX_REPR else text[: MAX_REPR - 4] + "...") + end


@dataclass(frozen=True)
class Tally(Record):
    """Games by result, from one player's view."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """Number of games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> Fraction:
        """One for a win, a half for a draw."""
        return self.wins + Fraction(self.draws, 2)

    @property
    def score(self) -> float | None:
        """Points per game, from 0 to 1, or None without games."""
        return float(self.points / self.games) if self.games else None

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    def reversed(self) -> Tally:
        """Return the opponent's view."""
        return Tally(self.losses, self.draws, self.wins)
