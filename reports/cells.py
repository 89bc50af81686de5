"""Show single values."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

Cell = str | int


def percent(p: Fraction | float) -> str:
    """Show a probability or a score from 0 to 1, in percent."""
    return f"{100 * float(p):.2f} %"


def rank_cell(low: int | None, high: int | None) -> Cell:
    """Show the ranks that a player can have.

    >>> rank_cell(3, 5), rank_cell(2, 2), rank_cell(None, None)
    ('3-5', 2, '-')
    """
    if low is None or high is None:
        return "-"
    return low if low == high else f"{low}-{high}"


def cell(value: object) -> Cell:
    """Show a value of JSON as a cell: yes and no, lists with commas, nothing for null."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value))
    return value if isinstance(value, int) else str(value)


#: Bars of rising height.
_BARS = "▁▂▃▄▅▆▇█"


def sparkline(values: Sequence[float]) -> str:
    """Draw values as bars, the lowest as the lowest bar and the highest as the highest.

    >>> sparkline([0.75, 0.82, 0.5]), sparkline([1, 1])
    ('▆█▁', '▄▄')
    """
    low, high = min(values), max(values)
    if low == high:
        return "▄" * len(values)
    return "".join(_BARS[round((value - low) / (high - low) * 7)] for value in values)
