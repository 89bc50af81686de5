"""Offer the format ``junit``, and write the file that ``arena regress --junit`` names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.plugin.markers import hookimpl
from arena.plugin.registers import ReportRegister

if TYPE_CHECKING:
    from arena.records.base import Record
    from arena.records.observers import Run

#: The name of this plugin.
JUNIT = "junit"


@hookimpl
def arena_register_reports(register: ReportRegister) -> None:
    """Offer the format."""
    register("junit", _junit)


def _junit(record: Record) -> str:
    from arena.features.regress.junit_xml import junit  # most commands print no XML

    return junit(record)


@hookimpl
def arena_run_end(result: Record | None, run: Run) -> None:
    """Write the report to the file of ``--junit``."""
    named = run.arguments.get("junit")
    if run.command != "regress" or named is None or result is None:
        return
    from arena.files import real_path, write_atomically

    write_atomically(real_path(named, "junit file"), _junit(result) + "\n")
