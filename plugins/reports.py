"""The formats that come with arena."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from arena.plugin.markers import hookimpl
from arena.plugin.registry import Report, ReportRegister

if TYPE_CHECKING:
    from arena.records.base import Record


@hookimpl
def arena_register_reports(register: ReportRegister) -> None:
    register("table", _report("tables", "plain"))
    register("markdown", _report("tables", "markdown"))
    register("csv", _report("delimited", "csv"))
    register("json", _report("json", "json"))
    register("junit", _report("junit", "junit"))


def _report(module: str, name: str) -> Report:
    """Return a format whose module is imported when a record is printed in it."""

    def report(record: Record) -> str:
        text: str = getattr(import_module(f"arena.reports.{module}"), name)(record)
        return text

    return report
