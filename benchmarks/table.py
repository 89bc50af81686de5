"""Show measurements as rows of one table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from operator import ge, gt, le

from tabulate import tabulate

HEADERS = ("work", "measured", "ratio", "bar", "met?")
_NONE = "-"


@dataclass(frozen=True)
class Row:
    """One comparison; fields that do not apply are empty or None."""

    work: str
    #: Times behind the ratio, or why there are none.
    measured: str
    ratio: float | None = None
    bar: str = ""
    met: bool | None = None


class Sign(Enum):
    """The relation of a ratio to the limit of a bar."""

    AT_LEAST = "at least"
    ABOVE = "above"
    AT_MOST = "at most"


_HOLDS = {Sign.AT_LEAST: ge, Sign.ABOVE: gt, Sign.AT_MOST: le}


@dataclass(frozen=True)
class Bar:
    """The goal of a ratio."""

    sign: Sign
    limit: float

    def holds(self, ratio: float) -> bool:
        """Return whether the ratio meets the bar."""
        return bool(_HOLDS[self.sign](ratio, self.limit))

    def __str__(self) -> str:
        return f"{self.sign.value} {self.limit:g}"


def speed(work: str, ours: float, theirs: float, bar: Bar | None = None) -> Row:
    """Return the row of our speed in units of their speed; both times are in seconds."""
    return _row(work, theirs / ours, ours, theirs, bar)


def cost(work: str, ours: float, theirs: float, bar: Bar | None = None) -> Row:
    """Return the row of our time in units of their time; both are in seconds."""
    return _row(work, ours / theirs, ours, theirs, bar)


def skipped(work: str, why: str, bar: Bar | None = None) -> Row:
    """Return a row for a measurement that is impossible here."""
    return Row(work, f"skipped: {why}", bar=str(bar or ""))


def render(rows: Iterable[Row]) -> str:
    """Return the rows as a Markdown table."""
    cells = [
        (
            row.work,
            row.measured,
            _NONE if row.ratio is None else f"{row.ratio:.2f}",
            row.bar or _NONE,
            _NONE if row.met is None else "yes" if row.met else "no",
        )
        for row in rows
    ]
    return tabulate(cells, HEADERS, tablefmt="github", disable_numparse=True)


def _row(work: str, ratio: float, ours: float, theirs: float, bar: Bar | None) -> Row:
    measured = f"{_text(ours)} against {_text(theirs)}"
    if bar is None:
        return Row(work, measured, ratio)
    return Row(work, measured, ratio, str(bar), bar.holds(ratio))


def _text(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{1e6 * seconds:.1f} us"
    return f"{seconds:.2f} s" if seconds >= 1 else f"{1000 * seconds:.1f} ms"
