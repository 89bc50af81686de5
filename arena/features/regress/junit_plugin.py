"""The file that ``arena regress --junit`` names: the finished report as JUnit XML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.plugin.markers import hookimpl

if TYPE_CHECKING:
    from arena.records.base import Record
    from arena.records.observers import Run

#: The name of this plugin.
JUNIT = "junit"


@hookimpl
def arena_run_end(result: Record | None, run: Run) -> None:
    named = run.arguments.get("junit")
    if run.command != "regress" or named is None or result is None:
        return
    from arena.features.regress.junit import junit
    from arena.files import real_path, write_atomically

    write_atomically(real_path(named, "junit file"), junit(result) + "\n")
