"""What is shown of statistics on results from anywhere."""

from __future__ import annotations

from arena.reports.cells import Cell
from arena.reports.page import Page, Table, page
from arena.results import SprtFight, SprtReport


@page.register
def _(test: SprtReport) -> Page:
    verdict = _verdict(test, "the difference is") or "undecided: more results are needed"
    kind = "pairs" if len(test.counts) == 5 else "games"
    facts = f"{test.model} model, {sum(test.counts)} {kind}, the view of the player counted"
    return [verdict, _state(test), facts]


@page.register
def _(played: SprtFight) -> Page:
    fight, test = played.fight, played.test
    a, b = fight.players
    verdict = _verdict(test, f"{a} is stronger than {b} by")
    if verdict:
        verdict = f"After {fight.pairs} pairs {verdict}"
    elif fight.repeats:
        verdict = f"Undecided: {a} and {b} play the same two games every time, however often"
    else:
        verdict = f"Undecided after {fight.pairs} of at most {played.cap} pairs"
    facts = [
        f"{test.model} Elo of {a} against {b}, counted by pairs of games",
        f"H0 is {test.elo0:g}, at a risk of {test.beta:g}; H1 is {test.elo1:g}, at {test.alpha:g}",
    ]
    return [verdict, *facts, _state(test), *page(fight)]


def _verdict(test: SprtReport, subject: str) -> str | None:
    """What was decided, in words; None if nothing was."""
    if test.decision == "continue":
        return None
    if test.decision == "H1":
        return f"H1 is accepted: {subject} {test.elo1:g} Elo rather than {test.elo0:g}"
    return f"H0 is accepted: {subject} {test.elo0:g} Elo or less, not {test.elo1:g}"


def _state(test: SprtReport) -> Table:
    """The ratio with its bounds, and the estimates."""
    rows: list[list[Cell]] = [
        ["log-likelihood ratio", _number(test.llr), f"{test.lower:.3f} to {test.upper:.3f}"],
        ["score", "-" if test.score is None else f"{100 * test.score:.2f} %", ""],
        ["Elo", _number(test.elo), _margin(test.elo_error, test.reasons.get("elo"))],
        ["normalised Elo", _number(test.nelo), _margin(test.nelo_error, test.reasons.get("nelo"))],
        ["probably stronger", "-" if test.los is None else f"{100 * test.los:.2f} %", ""],
    ]
    return Table(["", "value", "bounds or error"], rows)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _margin(error: float | None, reason: str | None) -> str:
    return reason or ("-" if error is None else f"+- {error:.2f}")
