"""Lay out a conformance check."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import NamedTuple

from arena.errors import counted
from arena.features.check.record import Answers, CheckReport, Finding, Level
from arena.model.columns import Column, Format, flat_rows
from arena.reports.cells import Tone, Toned
from arena.reports.page import (
    Block,
    Board,
    Command,
    Fine,
    Note,
    Page,
    Rows,
    Table,
    declared_table,
    flat,
    page,
)

#: Width of the messages in the table.
ROOM = 54

_LISTED: tuple[Format, ...] = ("page", "csv")

#: The meanings of levels.
_TONES = {Level.PASS: Tone.GOOD, Level.FAIL: Tone.BAD, Level.WARNING: Tone.DOUBT}

#: Levels that are explained below the table.
_EXPLAINED = (Level.FAIL, Level.WARNING, Level.INFO)


class _Checked(NamedTuple):
    """A finding, and the check that it belongs to."""

    report: CheckReport
    finding: Finding


def _findings(report: CheckReport) -> list[_Checked]:
    return [_Checked(report, finding) for finding in report.findings]


#: The columns of a finding.
FINDING: tuple[Column[_Checked], ...] = (
    Column("player", lambda row: row.report.player, ("csv",)),
    Column("game", lambda row: row.report.game, ("csv",)),
    Column("check", lambda row: row.finding.check, _LISTED),
    Column(
        "level",
        lambda row: row.finding.level,
        _LISTED,
        lambda level: Toned(level, _TONES.get(level)),
        title="",
    ),
    Column(
        "message",
        lambda row: row.finding.message,
        _LISTED,
        lambda message: textwrap.shorten(message, ROOM),
        title="found",
    ),
    Column("reproduction", lambda row: row.finding.reproduction, ("csv",)),
)

#: The columns of an answer: its text, and how often a player gave it.
ANSWER: tuple[Column[tuple[Answers, str, int]], ...] = (
    Column("player", lambda row: row[0].player, ("csv",)),
    Column("position", lambda row: row[0].position, ("csv",)),
    Column("answer", lambda row: row[1], _LISTED),
    Column("times", lambda row: row[2], _LISTED),
)


@page.register
def _check_report_page(report: CheckReport) -> Page:
    table = declared_table(FINDING, _findings(report))
    parts: list[str | Table | Block] = [report.headline, table]
    for level in _EXPLAINED:
        for finding in report.at(level):
            parts += _explanation(finding)
    return [*parts, *map(Fine, _details(report)), f"{report.extent}, seed {report.seed}"]


def _details(report: CheckReport) -> Iterator[str]:
    """Yield what the table leaves out of the findings that ask for no act."""
    for finding in report.findings:
        if finding.level in _EXPLAINED:
            continue
        if len(finding.message) > ROOM:
            yield f"{finding.check}: {finding.message}"
        if finding.answers:
            yield f"{finding.check}: looked at during {counted(finding.answers, 'answer')}"


def _explanation(finding: Finding) -> list[str]:
    """Return the whole message and its reproduction, or nothing if the table shows it all."""
    is_whole = len(finding.message) <= ROOM
    if is_whole and not finding.reproduction:
        return []
    text = f"{finding.level}: {finding.check}: {finding.message}"
    command = [Command("  see it with", finding.reproduction)] if finding.reproduction else []
    return [Note(text), *command]


@flat.register
def _check_report_rows(report: CheckReport) -> Rows:
    return flat_rows(FINDING, _findings(report))


def _counted_answers(answers: Answers) -> list[tuple[Answers, str, int]]:
    counts = {**answers.moves, **answers.faults}
    return [(answers, text, times) for text, times in counts.items()]


@flat.register
def _answers_rows(answers: Answers) -> Rows:
    return flat_rows(ANSWER, _counted_answers(answers))


@page.register
def _answers_page(answers: Answers) -> Page:
    if answers.is_one:
        verdict = "the same every time" if answers.times > 1 else ""
    else:
        verdict = "not the same every time"
    parts: list[str | Table | Block] = [
        f"{answers.player} at {answers.position}, seed {answers.seed}:",
        Board(answers.picture),
        declared_table(ANSWER, _counted_answers(answers)),
        *answers.noticed,
    ]
    return [*parts, verdict] if verdict else parts
