"""Describe the JSON of every record: as a page, and as JSON Schema.

Names, types and meanings come from the classes of ``arena/records``; ``schema_keys.py`` has what
these do not say.
"""

from __future__ import annotations

import json
import re
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from comments import comments, first_sentence
from schema_keys import OWN

import arena
from arena.records.base import Record

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
FRACTION = {"type": "string", "pattern": r"^-?[0-9]+(/[0-9]+)?$"}
SIMPLE = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}

#: Types that code names more loosely than they are, by class and key.
NARROW: dict[tuple[str, str], str] = {
    ("Export", "runs"): "list[StoredRun]",
    ("Export", "imports"): "list[Imported]",
    ("History", "history"): "list[NightRow]",
}

#: The objects that have the keys of a class, and more or others.
EXTENDED: dict[str, tuple[str, str]] = {
    "Explanation": (
        "ReplayReport",
        "moves: list[ExplainedMove] -- The moves with their values\n"
        "budget: int | None -- How many positions a search looked at for each move at most; null"
        " where values are exact\n"
        "solver?: str -- What a solver did besides, or would do if it were installed",
    ),
    "SprtOfFight": (
        "SprtReport",
        "cap: int -- Largest number of pairs\npath: list[tuple[int, float]] -- Pairs, and the"
        " log-likelihood ratio by then",
    ),
    "UntilOfFight": ("UntilReport", "cap: int -- Largest number of pairs"),
}

#: The schemas, what prints each, and the class of arena or the shape above.
SCHEMAS: list[tuple[str, str, str]] = [
    ("arena.fight/1", "fight, resume, show", "FightResult"),
    ("arena.tournament/1", "tournament, resume, show", "TournamentResult"),
    ("arena.exact/1", "exact", "ExactResult"),
    ("arena.exact-tournament/1", "exact", "ExactTournament"),
    ("arena.certificate/1", "certify", "Certificate"),
    ("arena.player-theorem/1", "certify", "PlayerTheorem"),
    ("arena.theorem/1", "certify", "Theorem"),
    ("arena.checked-certificate/1", "certify", "CheckedCertificate"),
    ("arena.solve/1", "solve", "SolveReport"),
    ("arena.move/1", "move", "MoveReport"),
    ("arena.answers/1", "move", "Answers"),
    ("arena.check/1", "check", "CheckReport"),
    ("arena.regress/1", "regress", "RegressionReport"),
    ("arena.history/1", "history", "History"),
    ("arena.replay/1", "replay, debug", "ReplayReport"),
    ("arena.explanation/1", "explain", "Explanation"),
    ("arena.sprt/1", "sprt", "SprtReport"),
    ("arena.plan/1", "plan", "Plan"),
    ("arena.tournament-plan/1", "plan", "TournamentPlan"),
    ("arena.rate/1", "rate", "RatingTable"),
    ("arena.train/1", "train", "Training"),
    ("arena.runs/1", "runs", "Runs"),
    ("arena.browse/1", "browse", "Browsed"),
    ("arena.table/1", "fight, tournament, show", "Sheet"),
    ("arena.export/1", "export", "Export"),
    ("arena.import/1", "import", "ImportReport"),
    ("arena.copy/1", "copy", "CopyReport"),
    ("arena.verify/1", "verify", "VerifyReport"),
    ("arena.report/1", "report", "Report"),
    ("arena.entrant/1", "report", "EntrantReport"),
    ("arena.games/1", "games", "Games"),
    ("arena.players/1", "players", "Players"),
    ("arena.plugins/1", "plugins", "Plugins"),
    ("arena.doctor/1", "doctor", "Diagnosis"),
    ("arena.scaffold/1", "new", "Scaffold"),
    ("arena.hand-in/1", "hand-in", "HandIn"),
    ("arena.run/1", "", "Run"),
    ("arena.watch/1", "", "Watched"),
]


class Key(NamedTuple):
    """A key of an object: its type as text or hint, its meaning, and if it may be missing."""

    name: str
    hint: Any
    meaning: str
    is_optional: bool


def classes() -> dict[str, type]:
    """Return all classes that make up records, by name."""
    (root,) = arena.__path__
    found: dict[str, type] = {}
    shared = sorted(Path(root).glob("records/*.py"))
    for file in [*shared, *sorted(Path(root).glob("features/*/record.py"))]:
        module = import_module(".".join(("arena", *file.relative_to(root).with_suffix("").parts)))
        own = (kind for kind in vars(module).values() if isinstance(kind, type))
        found |= {kind.__name__: kind for kind in own if kind.__module__ == module.__name__}
    return found


CLASSES = classes()


def keys_of(name: str) -> Iterator[Key]:
    """Yield the keys of an object, by the name of its class or shape."""
    if name in EXTENDED:
        base, more = EXTENDED[name]
        yield from keys_of(base)
        yield from _read(more, None)
        return
    kind = CLASSES.get(name)
    if name in OWN:
        yield from _read(OWN[name], kind)
        return
    assert kind is not None, name
    listed = getattr(kind, "KEYS", "").split() or _fields(kind)
    yield from _read(" ".join(listed), kind)


def _fields(kind: Any) -> list[str]:
    return [own.name for own in fields(kind)] if is_dataclass(kind) else [*kind._fields]


def _read(text: str, kind: type | None) -> Iterator[Key]:
    for line in filter(None, text.splitlines()):
        key, colon, rest = line.partition(": ")
        if colon and " " not in key:
            hint, _, meaning = rest.partition(" -- ")
            yield Key(key.removesuffix("?"), hint, meaning, key.endswith("?"))
            continue
        assert kind is not None, line
        for word in line.split():
            name = word.removesuffix("?")
            hint = NARROW.get((kind.__name__, name)) or _hint(kind, name)
            yield Key(name, hint, comments(kind).get(name, ""), word.endswith("?"))


def _hint(kind: type, name: str) -> Any:
    """Return the type of a field or a property."""
    found = getattr(kind, name, None)
    owner, wanted = (found.fget, "return") if isinstance(found, property) else (kind, name)
    return typing.get_type_hints(owner, localns=dict(CLASSES))[wanted]


def schema_of(hint: Any) -> Schema:
    """Return the JSON Schema of a type, or of one that is written as text."""
    if isinstance(hint, str):
        shapes = {name: type(name, (), {}) for name in {*OWN, *EXTENDED} - CLASSES.keys()}
        hint = eval(hint, {**CLASSES, **shapes, "Fraction": Fraction})  # noqa: S307  (own files)
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return _one_of(list(map(schema_of, parts)))
    if origin in (tuple, list):
        return _array(origin, parts)
    if origin is not None and issubclass(origin, Mapping):
        inner = schema_of(parts[1])
        return {"type": "object", **({"additionalProperties": inner} if inner else {})}
    return _of_class(hint)


def _one_of(found: list[Schema]) -> Schema:
    if all(each.keys() == {"type"} for each in found):
        return {"type": [each["type"] for each in found]}
    return {"anyOf": found}


def _array(origin: type, parts: tuple[Any, ...]) -> Schema:
    if origin is list or parts[1:] == (Ellipsis,):
        inner = schema_of(parts[0]) if parts else {}
        return {"type": "array", **({"items": inner} if inner else {})}
    items = {"prefixItems": [schema_of(part) for part in parts], "items": False}
    return {"type": "array", **items, "minItems": len(parts)}


def _of_class(hint: Any) -> Schema:
    if hint in (Any, object):
        return {}
    if hint in SIMPLE:
        return {"type": SIMPLE[hint]}
    if hint is Fraction:
        return dict(FRACTION)
    if hint in (dict, list):
        return {"type": "object" if hint is dict else "array"}
    if issubclass(hint, Enum):
        return {"enum": [member.value for member in hint]}
    if hint is Record:
        return {"type": "object"}
    if hint.__name__ == "Joint":
        row = {"type": "array", "items": {"type": "integer"}}
        return {"type": "array", "items": row}
    return {"$ref": f"#/$defs/{hint.__name__}"}


def definition(name: str) -> Schema:
    """Return the JSON Schema of an object."""
    found: Schema = {"type": "object", "description": _about(name), "properties": {}}
    found["required"] = []
    if schema := _schema(name):
        found["properties"]["schema"] = {"const": schema}
        found["required"].append("schema")
    for key in keys_of(name):
        schema = schema_of(key.hint)
        if key.name == "*":
            found["additionalProperties"] = schema or True
            continue
        said = re.sub(r"\bNone\b", "null", key.meaning).rstrip(".")
        meaning = {"description": said} if said else {}
        found["properties"][key.name] = {**schema, **meaning}
        if not key.is_optional and key.name not in found["required"]:
            found["required"].append(key.name)
    return found


def _schema(name: str) -> str:
    """Return the value of the key ``schema``; empty for an object without one."""
    base = EXTENDED.get(name, (name, ""))[0]
    listed = {name: schema for schema, _, name in SCHEMAS}
    return listed.get(name) or getattr(CLASSES.get(base), "SCHEMA", "")


def _about(name: str) -> str:
    return first_sentence(CLASSES[name].__doc__) if name in CLASSES else ""


def document() -> Schema:
    """Return the JSON Schema of all records, with a definition for each schema and each part."""
    parts: Schema = {}
    waiting = [name for *_, name in SCHEMAS]
    for name in waiting:
        if name not in parts:
            parts[name] = definition(name)
            waiting += re.findall(r"#/\$defs/(\w+)", json.dumps(parts[name]))
    rules = []
    for schema, _, name in SCHEMAS:
        is_it = {"properties": {"schema": {"const": schema}}, "required": ["schema"]}
        rules.append({"if": is_it, "then": {"$ref": f"#/$defs/{name}"}})
    known = {"properties": {"schema": {"enum": [schema for schema, *_ in SCHEMAS]}}}
    return {
        "$schema": DIALECT,
        "title": "The JSON of arena's records",
        "type": "object",
        **known,
        "required": ["schema"],
        "allOf": rules,
        "$defs": dict(sorted(parts.items())),
    }


def text() -> str:
    """Return ``docs/schemas.json``."""
    return json.dumps(document(), indent=1, ensure_ascii=False) + "\n"


INTRODUCTION = """# JSON

Generated by `python docs/generate.py` from the classes of arena's records.

`--format json` prints a record as one object on one line, and `record.as_json()` returns it in
Python. Its key `schema` says what it is. Under that name a record only gains keys, so leave out
those that you do not know. A fraction is text, such as `"1/3"`, because it is exact. A key with
*if any* is missing where there is nothing to say. An "object of text" has names as keys and text as
values. [schemas.json](schemas.json) has all of this as JSON Schema, for a validator such as
`jsonschema`.

```python
>>> import arena
>>> record = arena.fight("triples", "monkey", 2, seed=1).as_json()
>>> record["schema"], record["total"]
('arena.fight/1', {'wins': 4, 'draws': 0, 'losses': 0})

```

"""


def page() -> str:
    """Return ``docs/json.md``."""
    parts = document()["$defs"]
    rows = ["| schema | printed by | class in Python |", "|---|---|---|"]
    for schema, commands, name in SCHEMAS:
        by = ", ".join(f"`arena {command}`" for command in commands.split(", ") if command)
        kind = f"`arena.{name}`" if name in arena.__all__ else _listing(name)
        rows.append(f"| [{schema}](#{_anchor(schema)}) | {by} | {kind} |")
    whole = {name: schema for schema, _, name in SCHEMAS}
    sections = [_section(schema, parts[name]) for schema, _, name in SCHEMAS]
    others = [_section(name, parts[name]) for name in parts if name not in whole]
    body = ["\n".join(rows), *sections, "# Parts", *others]
    return INTRODUCTION + "\n\n".join(body) + "\n"


def _listing(name: str) -> str:
    return "" if name in CLASSES else "`arena.Listing`"


def _anchor(title: str) -> str:
    return re.sub(r"[^\w-]", "", title.lower())


def _section(title: str, part: Schema) -> str:
    about = [part["description"]] if part["description"] else []
    rows = ["| key | type | |", "|---|---|---|"]
    for name, schema in part["properties"].items():
        optional = "" if name in part["required"] else ", if any"
        meaning = schema.get("description", "").replace("|", "\\|")
        rows.append(f"| `{name}` | {words(schema)}{optional} | {meaning} |")
    if "additionalProperties" in part:
        rows.append("| … | | more keys |")
    return "\n\n".join([f"## {title}", *about, "\n".join(rows)])


WORDS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "null": "null",
    "array": "list",
    "object": "object",
}


def words(schema: Schema) -> str:
    """Say in words what a schema allows."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/$defs/")
        titles = {name: schema for schema, _, name in SCHEMAS}
        return f"[{titles.get(name, name)}](#{_anchor(titles.get(name, name))})"
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(map(words, schema["anyOf"]))
    if "pattern" in schema:
        return "fraction"
    if isinstance(schema.get("type"), list):
        return " or ".join(WORDS[each] for each in schema["type"])
    if "prefixItems" in schema:
        items = list(map(words, schema["prefixItems"]))
        alike = len(set(items)) == 1
        return f"list of {len(items)}: {items[0] if alike else ', '.join(items)}"
    if "items" in schema:
        return f"list of {words(schema['items'])}"
    if isinstance(schema.get("additionalProperties"), dict):
        return f"object of {words(schema['additionalProperties'])}"
    return WORDS[schema["type"]] if "type" in schema else "anything"
