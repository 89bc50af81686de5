"""Hide where things are on this machine: a path says who works here, and with what."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import fields, is_dataclass, replace
from typing import Any

from arena.records.reports import Report, ReportPart

#: Folders at the start of an absolute path, also as ids of games quote them, and databases.
_FOLDERS = re.compile(
    r"(?<![\w.:/<])(?:/|[A-Za-z]:\\)(?:[^\s'\"/\\:<>]+[/\\])+|(?<=/)(?:%2F[^\s/%]*)+%2F",
    re.IGNORECASE,
)
_URLS = re.compile(r"\bpostgresql[+\w]*://[^\s'\"]*")


def without_paths(text: str) -> str:
    """Return a text in which a file is named without its folders, and a database not at all.

    >>> without_paths("there is no file '/home/anna/bots/best.py'")
    "there is no file 'best.py'"
    """
    return _FOLDERS.sub("", _URLS.sub("the store", text))


def pathless(report: Report) -> Report:
    """Return a report without paths. Names of players stay: pages show the short forms of them."""
    return replace(report, parts=tuple(map(_part, report.parts)))


def _part(part: ReportPart) -> ReportPart:
    names = {name for fight in part.fights for name in fight.players}

    def change(text: str) -> str:
        return text if text in names else without_paths(text)

    fights = mapped(part.fights, change, ("moves", "thoughts"))
    return replace(part, result=mapped(part.result, change), fights=fights)


def mapped(value: Any, change: Callable[[str], str], but: Collection[str] = ()) -> Any:
    """Return a value with all its texts changed, but for those under these keys."""
    if type(value) is str:  # not a member of an enumeration
        return change(value)
    if isinstance(value, dict):
        return {k: item if k in but else mapped(item, change, but) for k, item in value.items()}
    if isinstance(value, (list, tuple)):
        items = [mapped(item, change, but) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    if not is_dataclass(value) or isinstance(value, type):
        return value
    names = [field.name for field in fields(value) if field.init and field.name not in but]
    return replace(value, **{name: mapped(getattr(value, name), change, but) for name in names})
