"""The report of ``arena regress`` in a workflow of GitHub: on its page, and next to the code."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, cast

from arena.plugin.markers import hookimpl

if TYPE_CHECKING:
    from arena.features.regress.record import Check, Origin, RegressionReport
    from arena.records.base import Record
    from arena.records.observers import Run

#: The environment variable with the file to which a step of a workflow appends Markdown.
SUMMARY = "GITHUB_STEP_SUMMARY"

#: The one that is ``true`` in every step of a workflow, and the one with the folder of the project.
ACTIONS = "GITHUB_ACTIONS"
WORKSPACE = "GITHUB_WORKSPACE"


@hookimpl
def arena_run_end(result: Record | None, run: Run) -> None:
    """Write what failed where GitHub shows it."""
    if run.command != "regress" or result is None:
        return
    report = cast("RegressionReport", result)
    if os.environ.get(ACTIONS) == "true":
        for line in workflow_commands(report, Path(os.environ.get(WORKSPACE) or Path.cwd())):
            print(line, file=sys.stderr)  # a workflow reads both; the report is on the other
    if file := os.environ.get(SUMMARY):
        from arena.reports.tables import markdown

        with open(file, "a", encoding="utf-8") as summary:
            summary.write(markdown(result) + "\n")


def workflow_commands(report: RegressionReport, workspace: Path) -> Iterator[str]:
    """Yield a workflow command for each failure, at the player's file where that is known."""
    if report.exit_code == 0:
        return
    for check in report.failures:
        origin = report.players.get(check.player)
        place = "" if origin is None else _place(origin, workspace)
        yield _command(place, f"arena regress: {check.verdict}", _words(check))
    for error in report.broken:
        yield _command("", "arena regress: fault", error)


def _words(check: Check) -> str:
    command = "" if check.line is None else f"\nsee it with: {check.line.command}"
    return f"{check.player} at {check.game}: {check.message}{command}"


def _place(origin: Origin, workspace: Path) -> str:
    """Return the properties of an annotation at a file of the workspace, else nothing.

    A file that was installed from the workspace is annotated where it came from.
    """
    file = Path(os.path.realpath(origin.file)) if origin.file else None
    root = Path(os.path.realpath(workspace))
    if file is not None and "site-packages" in file.parts:
        index = len(file.parts) - file.parts[::-1].index("site-packages")
        copies = (root / folder / Path(*file.parts[index:]) for folder in ("", "src"))
        file = next((copy for copy in copies if copy.is_file()), None)
    if file is None or not file.is_relative_to(root):
        return ""
    name = _escaped(file.relative_to(root).as_posix(), ":,")
    return f"file={name},line={max(1, origin.line)},"


def _command(place: str, title: str, message: str) -> str:
    return f"::error {place}title={_escaped(title, ':,')}::{_escaped(message)}"


def _escaped(text: str, also: str = "") -> str:
    """Escape text for a workflow command, as actions/toolkit does in packages/core/src/command.ts.

    Characters that do not print become their Python escapes before, so that no player can write to
    the terminal; ``also`` are those that end a property.
    """
    from arena import escape

    text = escape.block(text)
    for character in f"%\r\n{also}":
        text = text.replace(character, f"%{ord(character):02X}")
    return text
