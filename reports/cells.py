"""Show single values."""

from __future__ import annotations

from fractions import Fraction

Cell = str | int


def percent(p: Fraction | float) -> str:
    """Show a probability or a score from 0 to 1, in percent."""
    return f"{100 * float(p):.2f} %"


def cell(value: object) -> Cell:
    """Show a value of JSON as a cell: yes and no, lists with commas, nothing for null."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value))
    return value if isinstance(value, int) else str(value)
