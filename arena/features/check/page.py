"""Lay out a conformance check."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from arena.errors import counted
from arena.features.check.record import Answers, CheckReport, Finding, Level
from arena.reports.cells import Cell, Tone, Toned
from arena.reports.page import Block, Board, Command, Fine, Note, Page, Table, page

#: Width of the messages in the table.
ROOM = 54

#: The meanings of levels.
_TONES = {Level.PASS: Tone.GOOD, Level.FAIL: Tone.BAD, Level.WARNING: Tone.DOUBT}

#: Levels that are explained below the table.
_EXPLAINED = (Level.FAIL, Level.WARNING, Level.INFO)


@page.register
def _check_report_page(report: CheckReport) -> Page:
    rows = [
        [f.check, Toned(f.level, _TONES.get(f.level)), textwrap.shorten(f.message, ROOM)]
        for f in report.findings
    ]
    parts: list[str | Table | Block] = [report.headline, Table(["check", "", "found"], rows)]
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
    is_told = len(finding.message) <= ROOM
    if is_told and not finding.reproduction:
        return []
    text = f"{finding.level}: {finding.check}: {finding.message}"
    command = [Command("  see it with", finding.reproduction)] if finding.reproduction else []
    return [Note(text), *command]


@page.register
def _answers_page(answers: Answers) -> Page:
    rows: list[list[Cell]] = [
        [text, n] for counts in (answers.moves, answers.faults) for text, n in counts.items()
    ]
    if answers.is_one:
        verdict = "the same every time" if answers.times > 1 else ""
    else:
        verdict = "not the same every time"
    parts: list[str | Table | Block] = [
        f"{answers.player} at {answers.position}, seed {answers.seed}:",
        Board(answers.picture),
        Table(["answer", "times"], rows),
        *answers.noticed,
    ]
    return [*parts, verdict] if verdict else parts
