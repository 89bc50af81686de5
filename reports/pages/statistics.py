"""Lay out statistics on results from anywhere."""

from __future__ import annotations

from arena.errors import counted
from arena.records.intervals import STOPPED, interval_of
from arena.records.paid import NO_ELO
from arena.records.sequential import SprtFight, SprtLook, SprtReport
from arena.records.until import BETTER, CHEAPEST, UntilFight
from arena.reports.cells import Cell, ends, joined, percent, percentages
from arena.reports.columns.fights import level
from arena.reports.page import Fine, Page, Rows, Table, flat, page
from arena.reports.pages.fights import fight_page

#: The most looks of a test that a line names.
MAX_NAMED_LOOKS = 8


@page.register
def _sprt_report_page(test: SprtReport) -> Page:
    verdict = _verdict(test, "the difference is") or "undecided: more results are needed"
    kind = "pairs" if len(test.counts) == 5 else "games"
    facts = f"{test.model} model, {sum(test.counts)} {kind}, the view of the player counted"
    fixed = [
        f"these estimates take the number of {kind} as chosen beforehand:",
        "after a sequential test they are too far from the middle of H0 and H1",
    ]
    counts = zip(test.counts, test.scores, strict=True)
    by_score = ", ".join(f"{count} at {score:g}" for count, score in counts)
    details = [
        Fine(f"{kind} by score: {by_score}"),
        *map(Fine, _remaining_games(test, sum(test.counts), kind)),
    ]
    return [verdict, _state(test), facts, *details, *fixed]


@page.register
def _sprt_fight_page(played: SprtFight) -> Page:
    fight, test = played.fight, played.test
    a, b = fight.players
    verdict = _verdict(test, f"{a} is stronger than {b} by")
    verdict = f"After {counted(fight.pairs, 'pair')} {verdict}" if verdict else _undecided(played)
    facts = [
        f"{test.model} Elo of {a} against {b}, counted by pairs of games",
        f"H0 is {test.elo0:g}, at a risk of {test.beta:g}; H1 is {test.elo1:g}, at {test.alpha:g}",
    ]
    details = [*_remaining_games(test, fight.pairs, "pairs"), *_looks(played)]
    fight_parts = fight_page(fight, played.interval)
    return [verdict, *facts, _state(test), *_stop(test), *map(Fine, details), *fight_parts]


def _remaining_games(test: SprtReport, number: int, kind: str) -> list[str]:
    """Return about how many results more a test takes that is not decided."""
    remaining = SprtLook(number, test.llr, test.lower, test.upper).remaining
    if test.decision != "continue" or remaining is None:
        return []
    return [f"if the ratio goes on as so far, about {remaining} more {kind} decide"]


def _looks(played: SprtFight) -> list[str]:
    """Return the log-likelihood ratio at some of the looks, evenly spread, with the last."""
    path = played.path
    if not path:
        return []
    step = -(-len(path) // MAX_NAMED_LOOKS)
    looks = path[::-1][::step][::-1]
    texts = ", ".join(f"{llr:.2f} after {pairs}" for pairs, llr in looks)
    return [f"log-likelihood ratio at {len(looks)} of {counted(len(path), 'look')}: {texts}"]


@page.register
def _until_fight_page(played: UntilFight) -> Page:
    fight, report = played.fight, played.report
    a, b = fight.players
    header = level(report.interval, report.alpha)
    rows: list[list[Cell]] = [
        ["score", percent(report.score), percentages(played.interval)],
    ]
    if fight.paid is None:
        rows.append(["Elo", _number(report.elo), _ends(report.elo_low, report.elo_high, None)])
    facts = [
        f"until {report.rule}{_margin(played)}, counted by pairs of games",
        f"a wrong answer has a probability of at most {report.alpha:g}, over all looks together",
    ]
    state = Table([f"{a} against {b}", "value", header], rows)
    fight_parts = fight_page(fight, played.interval, report.alpha)
    return [_answer(played), *facts, state, *fight_parts]


def _answer(played: UntilFight) -> str:
    """Say what the games answer."""
    fight, report = played.fight, played.report
    a, b = fight.players
    if report.rule == CHEAPEST and report.answered:
        return f"After {counted(fight.pairs, 'pair')} {_choice(played)}"
    if report.decision != "undecided" and (report.answered or report.rule == BETTER):
        better, worse = (a, b) if report.decision == "better" else (b, a)
        answer = f"{better} is better than {worse}"
    elif report.within_margin:
        answer = f"{a} and {b} cannot be told apart{_within(played)}"
    elif report.answered:
        answer = "neither is known to be better"
    else:
        return _undecided(played)
    precision = f", and the score of {a} is known to {report.rule}" * (report.rule != BETTER)
    return f"After {counted(fight.pairs, 'pair')} {answer}{precision}"


def _choice(played: UntilFight) -> str:
    """Say which of two players to take, how good it is, and what it costs."""
    report = played.report
    assert report.choice is not None
    cheaper, chosen_player = report.choice.cheaper, report.choice.taken
    a, b = played.fight.players
    other = b if cheaper == a else a
    share = percent(float(report.choice.share))
    share = f"{share} of the cost" if report.choice.share else "no cost"
    a_is_better = report.decision == "better"
    if chosen_player != cheaper:
        margin = f"more than {_in_unit(played)}"
        return f"take {chosen_player}: {cheaper}, at {share}, is {margin} worse"
    if report.decision != "undecided" and a_is_better == (cheaper == a):
        return f"take {cheaper}: it is better than {other}, at {share}"
    if report.within_margin:
        return f"take {cheaper}: it and {other} are equal{_within(played)}, at {share}"
    margin = f"at most {_in_unit(played)}"
    return f"take {cheaper}: it is {margin} worse than {other}, at {share}"


def _margin(played: UntilFight) -> str:
    """Return the margin of a rule, as the rule means it."""
    return f", margin {_in_unit(played)}" if played.report.rule == CHEAPEST else _within(played)


def _within(played: UntilFight) -> str:
    return "" if played.report.margin is None else f" within ±{_in_unit(played)}"


def _in_unit(played: UntilFight) -> str:
    """Return the margin in what a game pays: a rule counts in shares of the range."""
    margin, paid = played.report.margin or 0, played.fight.paid
    if paid is None:
        return f"{margin:g} points per game"
    return f"{margin * float(paid.width):g} {paid.unit} per game"


def _undecided(played: SprtFight | UntilFight) -> str:
    """Say why a rule did not decide."""
    fight = played.fight
    a, b = fight.players
    if fight.repeats:
        return f"Undecided: {a} and {b} play the same two games every time, however often"
    most = counted(played.cap, "pair")
    return f"Undecided after {fight.pairs} of at most {most}{_through(played)}"


def _through(played: SprtFight | UntilFight) -> str:
    """Return that the openings ended the test, if they did."""
    openings = played.fight.different_openings
    is_through = played.stopped_early and openings > 1
    return f": {openings} openings carry no more information" * is_through


def _stop(test: SprtReport) -> list[str]:
    if test.estimate != STOPPED:
        return []
    return ["the estimates and intervals are those after a sequential stop"]


def _verdict(test: SprtReport, subject: str) -> str | None:
    """Return the decision in words, or None."""
    if test.decision == "continue":
        return None
    if test.decision == "H1":
        return f"H1 is accepted: {subject} {test.elo1:g} Elo rather than {test.elo0:g}"
    return f"H0 is accepted: {subject} {test.elo0:g} Elo or less, not {test.elo1:g}"


def _state(test: SprtReport) -> Table:
    """Return the ratio with its bounds, and the estimates with their 95 % intervals."""
    score = interval_of(test.estimate, test.score, test.score_low, test.score_high)
    elo, nelo = (test.elo_low, test.elo_high), (test.nelo_low, test.nelo_high)
    rows: list[list[Cell]] = [
        ["log-likelihood ratio", _number(test.llr), f"{test.lower:.3f} to {test.upper:.3f}"],
        ["score", percent(test.score), percentages(score)],
        ["Elo", _number(test.elo), _ends(*elo, test.reasons.get("elo"))],
        ["normalised Elo", _number(test.nelo), _ends(*nelo, test.reasons.get("nelo"))],
        ["probably stronger", percent(test.los), ""],
    ]
    if test.reasons.get("elo") == NO_ELO:
        rows = [row for row in rows if row[0] != "Elo"]
    return Table(["", "value", "bounds or 95 % interval"], rows)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _ends(low: float | None, high: float | None, reason: str | None) -> str:
    """Return the ends of an interval, and the reason if it lacks one of them."""
    text = ends(low, high, _number)
    if not reason or (low is not None and high is not None):
        return text
    return reason if text == "-" else f"{text}, {reason}"


@flat.register
def _sprt_rows(test: SprtReport) -> Rows:
    record = {key: value for key, value in test.as_json().items() if key != "reasons"}
    return [list(record), [joined(value) for value in record.values()]]


@flat.register
def _sprt_fight_rows(played: SprtFight) -> Rows:
    header, *rows = flat(played.fight)
    test = [played.test.llr, played.test.decision]
    return [[*header, "llr", "decision"], *([*row, *test] for row in rows)]


@flat.register
def _until_fight_rows(played: UntilFight) -> Rows:
    header, *rows = flat(played.fight)
    interval = played.interval.ends if played.interval else ("", "")
    answer = [played.report.rule, played.report.decision, *interval]
    more = ["until", "decision", "score_low", "score_high"]
    return [[*header, *more], *([*row, *answer] for row in rows)]
