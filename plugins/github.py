"""The report of ``arena regress`` on the page of a GitHub workflow."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from arena.plugin.markers import hookimpl

if TYPE_CHECKING:
    from arena.records.base import Record
    from arena.records.observers import Run

#: The environment variable with the file to which a step of a workflow appends Markdown.
SUMMARY = "GITHUB_STEP_SUMMARY"


@hookimpl
def arena_run_end(result: Record | None, run: Run) -> None:
    file = os.environ.get(SUMMARY)
    if run.command != "regress" or result is None or not file:
        return
    from arena.reports.tables import markdown

    with open(file, "a", encoding="utf-8") as summary:
        summary.write(markdown(result) + "\n")
