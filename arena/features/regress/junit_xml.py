"""Write a regression check as JUnit XML, for programs that show the results of tests.

It has one test case per claim and one per comparison. A failed check is a failure, a fault is an
error, and an undecided check is a failure too: a run that decided nothing should not be green.
"""

from __future__ import annotations

from platform import node
from xml.etree import ElementTree

from arena import escape
from arena.clock import timestamp
from arena.errors import UsageError
from arena.features.regress.page import explanation
from arena.features.regress.record import (
    FAILURES,
    ClaimCheck,
    Comparison,
    RegressionReport,
    RegressionVerdict,
)
from arena.records.base import Record
from arena.reports.tables import text_of

_DECLARATION = '<?xml version="1.0" encoding="utf-8"?>\n'


def junit(record: Record) -> str:
    """Return the report as one test suite. Raises UsageError for any other record."""
    if not isinstance(record, RegressionReport):
        raise UsageError("format 'junit' is for arena regress alone")
    cases = [*map(_case, record.checks), *map(_broken, record.broken)]
    counts = {
        "tests": len(cases),
        "failures": sum(case.find("failure") is not None for case in cases),
        "errors": sum(case.find("error") is not None for case in cases),
    }
    root = _element("testsuites")
    suite = _element("testsuite", name="arena regress", package="arena", id=0, **counts)
    seconds = sum(check.seconds for check in record.checks)
    suite.attrib |= {"skipped": "0", "time": _time(seconds), "hostname": node() or "localhost"}
    suite.set("timestamp", timestamp()[:19])
    suite.append(_properties(record))
    suite.extend([*cases, _element("system-out"), _element("system-err")])
    root.append(suite)
    ElementTree.indent(root)
    return _DECLARATION + ElementTree.tostring(root, encoding="unicode")


def _case(check: ClaimCheck | Comparison) -> ElementTree.Element:
    name = f"{check.game}.{check.player}"
    case = _element("testcase", classname=name, name=check.what, time=_time(check.seconds))
    if check.verdict in FAILURES:
        kind = "error" if check.verdict == RegressionVerdict.FAULT else "failure"
        problem = _element(kind, type=check.verdict, message=check.message)
        problem.text = text_of(explanation(check))
        case.append(problem)
    return case


def _time(seconds: float) -> str:
    return f"{seconds:.3f}"


def _broken(error: str) -> ElementTree.Element:
    case = _element("testcase", classname="plugins", name=error.partition(":")[0], time=_time(0))
    case.append(_element("error", type=RegressionVerdict.FAULT, message=error))
    return case


def _properties(report: RegressionReport) -> ElementTree.Element:
    properties = _element("properties")
    facts = {"verdict": report.verdict, "baseline": report.baseline or "", "level": report.level}
    properties.extend(_element("property", name=name, value=facts[name]) for name in facts)
    return properties


def _element(tag: str, **attributes: object) -> ElementTree.Element:
    return ElementTree.Element(
        tag, {name: escape.line(str(attributes[name])) for name in attributes}
    )
