"""Show single values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.records.intervals import ScoreInterval
    from arena.records.paid import PayoffInterval

Cell = str | int


class Tone(Enum):
    """A meaning that terminals show as a colour."""

    GOOD = "good"
    BAD = "bad"
    DOUBT = "doubt"
    #: The two sides of a game.
    FIRST = "first"
    SECOND = "second"


class TonedText(str):
    """Text with a meaning: a cell, or a line."""

    __slots__ = ("tone",)
    tone: Tone | None

    def __new__(cls, text: object, tone: Tone | None) -> TonedText:
        """Make text that has this meaning."""
        toned = super().__new__(cls, text)
        toned.tone = tone
        return toned

    def __getnewargs__(self) -> tuple[str, Tone | None]:  # type: ignore[override]
        return str(self), self.tone


def tone_of(text: object) -> Tone | None:
    """Return the meaning of a cell or a line, or None."""
    return text.tone if isinstance(text, TonedText) else None


def won(games: int) -> Cell:
    """Show a number of wins."""
    return TonedText(games, Tone.GOOD) if games else games


def lost(games: int) -> Cell:
    """Show a number of losses, or forfeits."""
    return TonedText(games, Tone.BAD) if games else games


def balanced(text: str, better: float, worse: float) -> TonedText:
    """Show text that says how much is better and how much worse."""
    return TonedText(text, Tone.GOOD if better > worse else Tone.BAD if worse > better else None)


def percent(p: Fraction | float | None) -> str:
    """Show a probability or a score from 0 to 1 in percent, and None as a dash."""
    return "-" if p is None else f"{100 * float(p):.2f} %"


#: The most characters of a fraction that is shown next to its decimals.
MAX_SHOWN_FRACTION = 11


def with_fraction(number: Fraction, form: str = ".4f") -> str:
    """Show decimals, and the fraction that they round if it is short.

    >>> with_fraction(Fraction(11, 24)), with_fraction(Fraction(-1, 20), "+.4f")
    ('0.4583 (11/24)', '-0.0500 (-1/20)')
    >>> with_fraction(Fraction(-482932225211, 72576000000000))
    '-0.0067'
    >>> with_fraction(Fraction(1), "+.4f")
    '+1'
    """
    if number.denominator == 1:
        return f"{int(number):{form[:-3]}d}"
    fraction = str(number)
    decimals = f"{float(number):{form}}"
    return decimals if len(fraction) > MAX_SHOWN_FRACTION else f"{decimals} ({fraction})"


def percentages(interval: ScoreInterval | None) -> str:
    """Show an interval of scores in percent, and None as a dash."""
    if interval is None:
        return "-"
    return f"{100 * interval.low:.2f} to {100 * interval.high:.2f} %"


def nearest(value: float | None) -> str:
    """Show a number without decimals, and None as a dash."""
    return "-" if value is None else f"{round(value)}"


def ends(low: float | None, high: float | None, form: Callable[[float], str] = nearest) -> str:
    """Show an interval, without an end that has no bound.

    >>> ends(-20.4, 30), ends(None, 30), ends(None, None)
    ('-20 to 30', 'to 30', '-')
    """
    if low is not None and high is not None:
        return f"{form(low)} to {form(high)}"
    if low is not None:
        return f"from {form(low)}"
    return "-" if high is None else f"to {form(high)}"


def rank_cell(low: int | None, high: int | None) -> Cell:
    """Show the ranks that a player can have.

    >>> rank_cell(3, 5), rank_cell(2, 2), rank_cell(None, None)
    ('3-5', 2, '-')
    """
    if low is None or high is None:
        return "-"
    return low if low == high else f"{low}-{high}"


def payoff_cell(payoff: float | None, is_signed: bool = True) -> str:
    """Show a payoff per game, with a sign in games that can cost something.

    >>> payoff_cell(-0.03125), payoff_cell(447.25, is_signed=False), payoff_cell(None)
    ('-0.031', '447.250', '-')
    >>> payoff_cell(-1e-16)
    '+0.000'
    """
    return "-" if payoff is None else f"{payoff:{'+' * is_signed}z.3f}"


def mean_payoff(payoff: Fraction | None) -> str:
    """Show an exact mean payoff.

    >>> mean_payoff(Fraction(-1, 18)), mean_payoff(None)
    ('-0.0556', '-')
    """
    return "-" if payoff is None else f"{float(payoff):.4f}"


def payoff_ends(interval: PayoffInterval | None, is_signed: bool = True) -> str:
    """Show the ends of an interval of payoffs, and None as a dash."""
    if interval is None:
        return "-"
    low, high = (payoff_cell(end, is_signed) for end in (interval.low, interval.high))
    return f"{low} to {high}"


def cell(value: object) -> Cell:
    """Show a value of JSON as a cell: yes and no, lists with commas, nothing for null."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value))
    return value if isinstance(value, int) else str(value)


def joined(value: object) -> object:
    """Return a value for CSV: the items of a list with blanks between."""
    return " ".join(map(str, value)) if isinstance(value, (list, tuple)) else value


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
