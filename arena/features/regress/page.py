"""Lay out a regression check."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from textwrap import shorten

from arena.errors import counted
from arena.features.regress.record import (
    FAILURES,
    ChangedPosition,
    Check,
    ClaimCheck,
    Comparison,
    LostLine,
    RegressionReport,
    RegressionVerdict,
    in_words,
)
from arena.model.columns import CSV, Column, flat_rows
from arena.records.commands import with_plugins
from arena.records.paid import Scale
from arena.reports.cells import (
    MAX_SHOWN_FRACTION,
    Cell,
    Tone,
    TonedText,
    payoff_cell,
    percent,
    with_fraction,
)
from arena.reports.page import (
    Block,
    CommandText,
    Fine,
    MarkBoard,
    Page,
    Picture,
    Rows,
    Table,
    declared_table,
    flat,
    page,
)
from arena.reports.steps import moves_of, steps

#: Largest number of failures in the first line.
MAX_NAMED_FAILURES = 3

#: Largest number of characters of a message in the first line.
MAX_MESSAGE = 100

#: Verdicts from comparing policies.
_EXACT = {
    RegressionVerdict.SAME,
    RegressionVerdict.NO_WEAKER,
    RegressionVerdict.STRONGER,
    RegressionVerdict.WEAKER,
}

#: The meanings of verdicts.
_TONES = {
    RegressionVerdict.HOLDS: Tone.GOOD,
    RegressionVerdict.BOUNDED: Tone.GOOD,
    RegressionVerdict.BROKEN: Tone.BAD,
    RegressionVerdict.NO_WEAKER: Tone.GOOD,
    RegressionVerdict.STRONGER: Tone.GOOD,
    RegressionVerdict.WEAKER: Tone.BAD,
    RegressionVerdict.UNDECIDED: Tone.DOUBT,
    RegressionVerdict.FAULT: Tone.BAD,
}

#: Longer games are shown only by their end, not move by move.
MAX_DRAWN = 9


@page.register
def _regression_report_page(report: RegressionReport) -> Page:
    tone = Tone.BAD if report.failures or report.broken else None
    parts: list[str | Table | Block] = [TonedText(summary(report), tone)]
    checks = [*report.checks]
    if checks:
        parts.append(declared_table(CHECK, checks))
    for check in report.checks:
        if check.verdict in FAILURES:
            parts += explanation(check)
    details = (line for check in report.checks for line in _details(check))
    return [*parts, *_facts(report), *map(Fine, details)]


def _details(check: ClaimCheck | Comparison) -> Iterator[str]:
    """Yield the basis of a check that passed. The page explains a failed check anyway."""
    if check.verdict in FAILURES:
        return
    what = f"{check.player} at {check.game}, {_check_name(check)}"
    if isinstance(check, ClaimCheck):
        yield f"{what}: {check.message}"
        return
    for score in check.panel:
        change = "" if score.before == score.after else f"{_score(check, score.before)}, now "
        yield f"{what}, against {score.opponent}: {change}{_score(check, score.after)}"
    if check.llr is not None:
        played = counted(check.pairs, check.noun)
        yield f"{what}: log-likelihood ratio {check.llr:.2f} after {played}"
    if check.fall is not None:
        yield f"{what}: it {check.fall.in_words(check.scale)}"
    if check.interval is not None:
        low, high = (_score(check, end) for end in check.interval)
        yield f"{what}: its strength is {low} to {high} (95 %)"
    if check.exploitability is not None:
        before, after = check.exploitability
        now, then = map(with_fraction, (after, before))
        yield f"{what}: the best opponent expects {now} above a half, {then} in the baseline"


def summary(report: RegressionReport) -> str:
    """Say what happened in a sentence. A number in it is never zero."""
    if report.written:
        return f"The baseline {report.baseline} holds the present results."
    failures = [*dict.fromkeys(map(happened, report.failures)), *report.broken]
    if failures:
        more = (
            f"; and {len(failures) - MAX_NAMED_FAILURES} more"
            if len(failures) > MAX_NAMED_FAILURES
            else ""
        )
        return f"{_headline(report)}: {'; '.join(failures[:MAX_NAMED_FAILURES])}{more}"
    compared = sum(c.verdict != RegressionVerdict.NEW for c in report.comparisons)
    claims = _counted(len(report.claims), "claim holds", "claims hold")
    if not compared:
        return "; ".join([*claims, _uncompared(report)])
    by = f" by {report.margin:g}" if report.sampled else ""
    such = "such " if report.sampled else ""
    comparisons = _counted(compared, "comparison shows", "comparisons show")
    slightly = "".join(
        f"; {happened(c)}, less than that" for c in report.comparisons if c.is_slightly_weaker
    )
    return f"Not weaker{by}: {', '.join([*claims, *comparisons])} no {such}fall{slightly}"


def _uncompared(report: RegressionReport) -> str:
    new = _counted(len(report.comparisons), "player is new", "players are new")
    return f"no player was compared{''.join(f', {words}' for words in new)}"


def happened(check: ClaimCheck | Comparison) -> str:
    """Say in a few words which players failed, and how."""
    where = f"{check.player} at {check.game}"
    if check.verdict == RegressionVerdict.BROKEN:
        side = "" if check.line is None else check.line.side
        return f"{where} {f'loses moving {side}' if side else 'did not play as its table says'}"
    if isinstance(check, Comparison) and check.finding:
        return f"{where} {check.finding}"
    return f"{where}: {shorten(check.message, MAX_MESSAGE, placeholder=' ...')}"


def _headline(report: RegressionReport) -> str:
    broken = {type(check) for check in report.failures if check.verdict == RegressionVerdict.BROKEN}
    return "Broken" if broken == {Comparison} else _FAILED[report.verdict]


_FAILED = {
    RegressionVerdict.BROKEN: "A claim is broken",
    RegressionVerdict.WEAKER: "Weaker",
    RegressionVerdict.FAULT: "A fault",
    RegressionVerdict.UNDECIDED: "Undecided",
}


def _counted(number: int, one: str, many: str) -> list[str]:
    """Return the number in words, and nothing for none."""
    return [_count(number, one, many)] if number else []


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _verdict(check: ClaimCheck | Comparison) -> str:
    if isinstance(check, ClaimCheck):
        return TonedText(str(check.verdict), _TONES.get(check.verdict))
    fall = None if check.fall is None else check.fall.low
    tone = Tone.DOUBT if check.is_slightly_weaker else _TONES.get(check.verdict)
    margin = None if check.margin is None else check.in_unit(check.margin)
    return TonedText(in_words(check.verdict, margin, fall), tone)


def _check_name(check: ClaimCheck | Comparison) -> str:
    return check.claim.partition(":")[0] if isinstance(check, ClaimCheck) else check.what


def _detail(check: ClaimCheck | Comparison) -> str:
    """Return the detail that fits a table."""
    is_refuted = check.verdict == RegressionVerdict.BROKEN and check.line is None
    if check.verdict == RegressionVerdict.FAULT or is_refuted:
        return "see below"
    if isinstance(check, ClaimCheck):
        if check.line is not None:
            return f"loses moving {check.line.side}"
        bound = check.loss_bound
        return (
            counted(check.positions, "position")
            if bound is None
            else f"loses below {percent(bound)}"
        )
    before, after = check.before, check.after
    if before is None or after is None:
        return ""
    score = _score(check, after)
    score = score if before == after else f"{_score(check, before)} to {score}"
    return f"{score}, {counted(check.pairs, check.noun)}" if check.pairs else score


#: The columns of a check.
CHECK: tuple[Column[Check], ...] = (
    Column("player", is_name=True),
    Column("game"),
    Column("checked", _check_name, ("page",)),
    Column("checked", lambda row: row.what, CSV),
    Column("verdict", _verdict, ("page",)),
    Column("verdict", formats=CSV),
    Column("method", formats=CSV),
    Column("before", lambda row: row.before if isinstance(row, Comparison) else None, CSV),
    Column("after", lambda row: row.after if isinstance(row, Comparison) else None, CSV),
    Column("message", formats=CSV),
    Column("detail", _detail, ("page",), title=""),
)


@flat.register
def _regression_report_rows(report: RegressionReport) -> Rows:
    return flat_rows(CHECK, [*report.checks])


def explanation(check: ClaimCheck | Comparison) -> list[str | Table | Block]:
    """Explain why a check failed: the lost line, or the changed positions."""
    verdict = "at fault" if check.verdict == RegressionVerdict.FAULT else check.verdict
    parts: list[str | Table | Block] = [
        f"{check.player} at {check.game}, {_check_name(check)}, is {verdict}: {check.message}"
    ]
    if isinstance(check, Comparison):
        parts += _scores(check)
        for example in check.examples:
            parts += example_parts(check.player, example)
    return parts if check.line is None else [*parts, *_line(check.player, check.line)]


def _scores(check: Comparison) -> list[str | Table | Block]:
    parts: list[str | Table | Block] = []
    if check.panel:
        parts.append(_panel(check))
    if check.changed > len(check.examples):
        parts.append(f"{len(check.examples)} of the {check.changed} positions that changed:")
    return parts


def _panel(check: Comparison) -> Table:
    rows: list[list[Cell]] = [
        [
            score.opponent,
            _score(check, score.before),
            _score(check, score.after),
            _change(score.after - score.before, check.scale),
        ]
        for score in check.panel
    ]
    return Table([f"{check.player} against", "before", "now", "change"], rows)


def _score(check: Comparison, score: Fraction | float) -> str:
    """Return a score in percent, or as what the game pays for it."""
    if check.scale is None:
        return percent(score)
    return payoff_cell(float(check.scale.payoff(Fraction(score))), check.scale.worst < 0)


def _margin(report: RegressionReport) -> str:
    """Return the least fall that matters, in words."""
    pays = any(comparison.scale is not None for comparison in report.comparisons)
    return f"{report.margin:g} points per game" + ", or that share of what a game pays" * pays


def _change(difference: Fraction, scale: Scale | None) -> str:
    in_unit = difference if scale is None else difference * scale.width
    return with_fraction(in_unit, "+.4f") if difference else "-"


def example_parts(player: str, example: ChangedPosition) -> list[str | Block]:
    """Say what changed at a position, and show it."""
    mistakes = sorted(set(example.mistakes.values()))
    mistake = f", which gives away {' or '.join(mistakes)}" if mistakes else ""
    now, then = (_moves(moves, example.written) for moves in (example.after, example.before))
    return [
        f"At {example.position} {player} now plays {now} instead of {then}{mistake}",
        f"see it with: {example.command}",
        MarkBoard(example.picture, _boards(example)),
    ]


def _boards(example: ChangedPosition) -> list[Picture]:
    """Return the position with the moves of before on it, and with those of now."""
    both = ((example.svg_before, "before, in %"), (example.svg_after, "now, in %"))
    return [Picture(svg, when) for svg, when in both if svg]


def _moves(moves: Mapping[str, Fraction], written: Mapping[str, str]) -> str:
    """``5``, ``1, 3 or 7`` for equally likely moves, ``5 (2/3) or 1 (1/3)`` for others.

    A long fraction is shown by its decimals.
    """
    is_equal = len(set(moves.values())) == 1
    chances = {written.get(move, move): _chance(chance) for move, chance in moves.items()}
    names = [name if is_equal else f"{name} ({chance})" for name, chance in chances.items()]
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _chance(chance: Fraction) -> str:
    return f"{float(chance):.4g}" if len(str(chance)) > MAX_SHOWN_FRACTION else str(chance)


def _line(player: str, line: LostLine) -> list[str | Block]:
    parts: list[str | Block] = [CommandText("see it with", line.command)]
    if line.forfeit:
        parts.append(f"{player} forfeits ({line.forfeit})")
    if len(line.steps) <= MAX_DRAWN:
        return [*parts, *steps(player, line.steps)]
    seat = f"moves {line.side}" if line.side in ("first", "second") else f"has {line.side}"
    parts.append(f"{player} {seat}: {moves_of(line.steps)}")
    last = line.steps[-1]
    drawn = [Picture(last.svg, f"after {last.written or last.move}")] if last.svg else []
    return [*parts, MarkBoard(last.picture, drawn)]


#: Which interval a fall has, by its method.
_INTERVALS = {
    "stopped": "the interval of a fall allows for a test that stops as soon as it decides",
    "fixed": "where few pairs ended differently, the interval is the wide one of a fixed number",
}


def _facts(report: RegressionReport) -> list[str]:
    facts = [f"{error}: its offers were not checked" for error in report.broken]
    passed = [c for c in report.comparisons if c.verdict not in FAILURES]
    facts += [f"{c.player} at {c.game}: {c.message}" for c in passed if c.changed or c.differing]
    if any(c.changed for c in passed) and not report.written:
        command = with_plugins("arena regress --update", report.plugins)
        facts.append(CommandText("accept the changes into the baseline with", command))
    if report.sampled:
        rest = _count(report.sampled, "comparison rests", "comparisons rest")
        facts += [
            f"{rest} on games, which can miss a fall below {_margin(report)}",
            f"probability of any false alarm at most {percent(report.level)}, shared equally",
        ]
        methods = {c.fall.method for c in report.comparisons if c.fall is not None}
        facts += [words for method, words in _INTERVALS.items() if method in methods]
    elif any(c.method == "policy" and c.verdict in _EXACT for c in report.comparisons):
        facts.append("all comparisons are exact: an alarm is never false")
    if report.baseline is not None and not report.written:
        facts.append(f"compared with {report.baseline}")
    if report.scope:
        facts.append(f"checked: {report.scope}")
    return [*facts, *report.notes]
