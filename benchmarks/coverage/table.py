"""Make the rows of the table: the claim, how often it was true, and if that is enough."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import median

from tabulate import tabulate

HEADERS = ("printed", "under", "replicates", "claimed", "measured", "median bias", "")

#: A 95 % interval must cover the truth in at least this share of the cases.
MIN_COVERAGE = 0.935

#: An interval that covers more often is wide: docs/coverage.md says why.
WIDE = 0.97

#: Standard errors by which a measured error rate may exceed the claimed one.
LUCK = 3


@dataclass(frozen=True)
class Row:
    """One claim, and how often it held."""

    printed: str
    under: str
    replicates: int
    claimed: str
    measured: str
    #: Median of the estimate less the truth, with its unit.
    bias: str = ""
    #: ``ok``; ``wide`` above 97 %; ``low`` below 93.5 %, but by no more than two standard errors of
    #: the simulation; ``FALSE`` below that; empty for a row that is not judged.
    verdict: str = ""


def coverage(
    printed: str,
    under: str,
    hits: Sequence[bool],
    excess: Sequence[float] = (),
    unit: str = "",
) -> Row:
    """Return the row of a 95 % interval from whether each one covered the truth.

    ``excess`` are the estimates less the truth, if their median should be the truth.
    """
    middle = f"{median(excess):+.2g} {unit}" if excess else ""
    if not hits:
        return Row(printed, under, 0, "95 %", "", middle)
    rate = sum(hits) / len(hits)
    luck = 2 * sqrt(MIN_COVERAGE * (1 - MIN_COVERAGE) / len(hits))
    bars = {"FALSE": MIN_COVERAGE - luck, "low": MIN_COVERAGE, "ok": WIDE}
    verdict = next((name for name, bar in bars.items() if rate < bar), "wide")
    return Row(printed, under, len(hits), "95 %", percent(rate), middle, verdict)


def errors(printed: str, under: str, wrong: Sequence[bool], nominal: float) -> Row:
    """Return the row of a test from whether each one erred; nominal is the largest error rate."""
    rate = sum(wrong) / len(wrong) if wrong else 0.0
    most = nominal + LUCK * sqrt(nominal * (1 - nominal) / max(1, len(wrong)))
    claimed = f"at most {percent(nominal)}"
    verdict = "FALSE" if rate > most else "ok"
    return Row(printed, under, len(wrong), claimed, percent(rate), verdict=verdict)


def render(rows: Iterable[Row]) -> str:
    """Return the rows as a Markdown table."""
    cells = [
        (r.printed, r.under, r.replicates, r.claimed, r.measured, r.bias, r.verdict) for r in rows
    ]
    return tabulate(cells, HEADERS, tablefmt="github", disable_numparse=True)


def percent(rate: float) -> str:
    """Return a share in percent."""
    return f"{100 * rate:.1f} %" if rate >= 0.01 or not rate else f"{100 * rate:.2f} %"
