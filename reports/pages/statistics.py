"""What is shown of statistics on results from anywhere."""

from __future__ import annotations

from arena.reports.cells import Cell
from arena.reports.page import Page, Table, page
from arena.results import SprtReport


@page.register
def _(test: SprtReport) -> Page:
    accepted = {"H0": (test.elo0, test.elo1), "H1": (test.elo1, test.elo0)}
    verdict = "undecided: more results are needed"
    if test.decision in accepted:
        is_, is_not = accepted[test.decision]
        verdict = (
            f"{test.decision} is accepted: the difference is {is_:g} Elo rather than {is_not:g}"
        )
    rows: list[list[Cell]] = [
        ["log-likelihood ratio", _number(test.llr), f"{test.lower:.3f} to {test.upper:.3f}"],
        ["score", "-" if test.score is None else f"{100 * test.score:.2f} %", ""],
        ["Elo", _number(test.elo), _margin(test.elo_error, test.reasons.get("elo"))],
        ["normalised Elo", _number(test.nelo), _margin(test.nelo_error, test.reasons.get("nelo"))],
        ["probably stronger", "-" if test.los is None else f"{100 * test.los:.2f} %", ""],
    ]
    kind = "pairs" if len(test.counts) == 5 else "games"
    facts = f"{test.model} model, {sum(test.counts)} {kind}, the view of the player counted"
    return [verdict, Table(["", "value", "bounds or error"], rows), facts]


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _margin(error: float | None, reason: str | None) -> str:
    return reason or ("-" if error is None else f"+- {error:.2f}")
