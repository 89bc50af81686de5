"""Show players under other names: in names, ids, messages and specs alike.

The first entrant of the first result is ``entrant-1``, and so on: the same report under the real
names identifies them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import partial
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from arena.player.names import short_names
from arena.records.base import Json
from arena.records.reports import Identical, Report, ReportPart
from arena.records.tables import TablesResult
from arena.records.tournaments import TournamentResult
from arena.reports.names import fights_of, players_of
from arena.rng import without_self

_OWN = """schema game engine sampler schedule count_forfeits interval isolation method model
decision opening openings moves outcome reason rule estimate look position"""
_BY_PLAYER = """isolation forfeits pairs_forfeited withdrawn specs first_lost remembers printed
clocks time_use spent"""

#: Fields whose texts are words of arena or of a game, whatever the players are called.
OWN = frozenset(_OWN.split())

#: Fields that have a value for each player, by its name.
BY_PLAYER = frozenset(_BY_PLAYER.split())

#: A function of a text to the text under other names.
Rename = Callable[[str], str]


def renamed(report: Report) -> Report:
    """Return a report in which every player has a pseudonym, and the key of these."""
    specs = dict(_specs(report))
    names = list(specs)
    new = {
        name: f"entrant-{number:0{len(str(len(names)))}}" for number, name in enumerate(names, 1)
    }
    rename = partial(_in_text, _forms(new, specs))
    parts = tuple(_part(part, rename) for part in report.parts)
    left_out = tuple(map(rename, report.left_out))
    return replace(report, parts=parts, left_out=left_out, pseudonyms=new)


def _part(part: ReportPart, rename: Rename) -> ReportPart:
    alike = tuple(Identical(tuple(map(rename, i.players)), i.positions) for i in part.identical)
    fights = _deep(tuple(part.fights), rename)
    result = _deep(part.result, rename)
    return replace(part, result=result, fights=fights, identical=alike)


def _specs(report: Report) -> Iterator[tuple[str, str]]:
    """Yield each name with its spec, the players of every result by their place in it."""
    for part in report.parts:
        result = part.result
        if isinstance(result, TournamentResult):
            for row in result.standings:
                yield _base(row.player), _base(row.player)
        for name in players_of(result):
            yield _base(name), _base(name)
        for gone in result.left_out if isinstance(result, TournamentResult | TablesResult) else ():
            yield gone.player, gone.player
        for fight in fights_of(result):
            yield from fight.specs.items()


def _base(name: str) -> str:
    return without_self(name)


def _forms(new: Mapping[str, str], specs: Mapping[str, str]) -> tuple[re.Pattern[str], Json]:
    """Return what finds a name in any of its forms, and the pseudonym of each form."""
    forms: dict[str, str] = {}
    short = short_names(specs)
    for name, pseudonym in new.items():
        for form in _forms_of(name, specs[name], short[name]):
            forms.setdefault(form.lower(), pseudonym)
    longest = sorted(forms, key=len, reverse=True)
    pattern = "|".join(map(re.escape, longest)) or r"(?!)"
    return re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE), forms


def _forms_of(name: str, spec: str, short: str) -> Iterable[str]:
    paths = [PurePath(text) for text in (name, spec) if "/" in text]
    files = [part for path in paths for part in (path.name, path.stem)]
    specs = [name, spec, *(text.removeprefix("./") for text in (name, spec))]
    quoted = [quote(text, safe="", errors="surrogateescape") for text in specs]
    return filter(None, [*specs, *quoted, short, *files])


def _in_text(forms: tuple[re.Pattern[str], Json], text: str) -> str:
    pattern, new = forms
    return pattern.sub(lambda match: new[match[0].lower()], text)


def _deep(value: Any, rename: Rename) -> Any:
    """Return a value with all its texts renamed, but for those of ``_OWN`` fields."""
    if isinstance(value, str):
        return value if isinstance(value, Enum) else rename(value)
    if isinstance(value, Mapping):
        return {key: _field(key, item, rename) for key, item in value.items()}
    if isinstance(value, list):
        return [_deep(item, rename) for item in value]
    if isinstance(value, tuple):
        items = [_deep(item, rename) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    if isinstance(value, type) or not is_dataclass(value):
        return value
    record: Any = value
    names = [each.name for each in fields(value) if each.init]
    values = {name: getattr(value, name) for name in names}
    if isinstance(values.get("forfeits"), Mapping):  # its keys are reasons
        del values["forfeits"]
    return replace(record, **{n: _field(n, value, rename) for n, value in values.items()})


def _field(name: str, value: Any, rename: Rename) -> Any:
    if name in BY_PLAYER and isinstance(value, Mapping):
        values = value if name in OWN else {key: _deep(each, rename) for key, each in value.items()}
        return {rename(player): each for player, each in values.items()}
    return value if name in OWN else _deep(value, rename)
