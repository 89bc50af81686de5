"""Lay out a conformance check."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from arena.errors import counted
from arena.features.check.record import Answers, CheckReport, Finding, Level
from arena.model.columns import CSV, Column, flat_rows
from arena.reports.cells import Tone, TonedText
from arena.reports.page import (
    Block,
    CommandText,
    Fine,
    MarkBoard,
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

#: The meanings of levels.
_TONES = {
    Level.PASS: Tone.GOOD,
    Level.FAIL: Tone.BAD,
    Level.WARNING: Tone.DOUBT,
}

#: Levels that are explained below the table.
_EXPLAINED = (Level.FAIL, Level.WARNING, Level.INFO)


def _level_cell(level: Level) -> TonedText:
    return TonedText(level, _TONES.get(level))


def _message_cell(message: str) -> str:
    return textwrap.shorten(message, ROOM)


#: The columns of a finding.
FINDING: tuple[Column[Finding], ...] = (
    Column("check"),
    Column("level", cell=_level_cell, title=""),
    Column("message", cell=_message_cell, title="found"),
    Column("reproduction", formats=CSV),
)

#: The columns of an answer: its text, and how often a player gave it.
ANSWER: tuple[Column[tuple[str, int]], ...] = (
    Column("answer", lambda row: row[0]),
    Column("times", lambda row: row[1]),
)


@page.register
def _check_report_page(report: CheckReport) -> Page:
    table = declared_table(FINDING, report.findings)
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
    command = [CommandText("  see it with", finding.reproduction)] if finding.reproduction else []
    return [Note(text), *command]


@flat.register
def _check_report_rows(report: CheckReport) -> Rows:
    return flat_rows(FINDING, report.findings, player=report.player, game=report.game)


def _counts(answers: Answers) -> list[tuple[str, int]]:
    return [*answers.moves.items(), *answers.faults.items()]


@flat.register
def _answers_rows(answers: Answers) -> Rows:
    same = {"player": answers.player, "position": answers.position}
    return flat_rows(ANSWER, _counts(answers), **same)


@page.register
def _answers_page(answers: Answers) -> Page:
    if answers.is_one:
        verdict = "the same every time" if answers.times > 1 else ""
    else:
        verdict = "not the same every time"
    parts: list[str | Table | Block] = [
        f"{answers.player} at {answers.position}, seed {answers.seed}:",
        MarkBoard(answers.picture),
        declared_table(ANSWER, _counts(answers)),
        *answers.noticed,
    ]
    return [*parts, verdict] if verdict else parts
