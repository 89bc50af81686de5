"""The formats that come with arena."""

from __future__ import annotations

from arena.plugin.markers import hookimpl
from arena.plugin.registry import ReportRegister
from arena.reports import delimited, json, junit, tables


@hookimpl
def arena_register_reports(register: ReportRegister) -> None:
    register("table", tables.plain)
    register("markdown", tables.markdown)
    register("csv", delimited.csv)
    register("json", json.json)
    register("junit", junit.junit)
