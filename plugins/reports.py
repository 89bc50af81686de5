"""The formats that come with arena."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from arena.plugin.markers import hookimpl
from arena.plugin.registers import ReportRegister
from arena.plugin.registry import ReportText

if TYPE_CHECKING:
    from arena.records.base import Record
    from arena.reports.screen import Screen


@hookimpl
def arena_register_reports(register: ReportRegister) -> None:
    register("table", _TextTable("plain"))
    register("markdown", _WithDetails("markdown"))
    register("csv", _report("delimited", "csv"))
    register("json", _report("json", "json"))
    register("html", _report("html.report", "html"))
    register("svg", _report("svg", "svg"))
    register("pgn", _report("pgn", "pgn"))
    register("sgf", _report("sgf", "sgf"))
    register("jsonl", _report("transcripts", "jsonl"))


def _report(module: str, name: str) -> ReportText:
    """Return a format whose module is imported when a record is printed in it."""

    def report(record: Record) -> str:
        text: str = getattr(import_module(f"arena.reports.{module}"), name)(record)
        return text

    return report


class _WithDetails:
    """A format that leaves details out, and has them if it is called as ``in_full``."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self, record: Record) -> str:
        return _report("tables", self._name)(record)

    def in_full(self, record: Record) -> str:
        return _report("tables", f"{self._name}_in_full")(record)


class _TextTable(_WithDetails):
    """The format that knows how wide a terminal is, and its colours."""

    def on_screen(self, record: Record, screen: Screen, is_full: bool) -> str:
        tables = import_module("arena.reports.tables")
        text: str = (tables.plain_in_full if is_full else tables.plain)(record, screen)
        return text
