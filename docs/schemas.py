"""Describe the JSON of every record: as a page, and as JSON Schema.

Names, types and meanings come from the classes of records: their fields, their ``KEYS``, and the
comments that stand above fields. A property's docstring is the meaning of its key.
"""

from __future__ import annotations

import json
import re
import types
import typing
from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from comments import anchor, comments, first_sentence

import arena
from arena.model import codec
from arena.records import rows
from arena.records.base import Record
from arena.records.joint import Joint
from arena.records.methods import WithMethods

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
FRACTION = {"type": "string", "pattern": r"^-?[0-9]+(/[0-9]+)?$"}
SIMPLE = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}

#: The records that stand alone, and the commands that print each.
PRINTED: list[tuple[Any, str]] = [
    (arena.records.FightResult, "fight, resume, show"),
    (arena.records.TournamentResult, "tournament, resume, show"),
    (arena.records.TablesResult, "fight, tournament, resume, show"),
    (arena.records.ExactResult, "exact"),
    (arena.records.ExactTournament, "exact"),
    (arena.records.Certificate, "certify"),
    (arena.records.PlayerTheorem, "certify"),
    (arena.records.Theorem, "certify"),
    (arena.records.CheckedCertificate, "certify"),
    (arena.records.Exploitability, "certify"),
    (arena.records.CheckedStrategies, "certify"),
    (arena.records.SolveReport, "solve"),
    (arena.records.GameValue, "solve"),
    (arena.records.Exam, "exam"),
    (arena.records.Exams, "exam"),
    (arena.records.MoveReport, "move"),
    (arena.records.Answers, "move"),
    (arena.records.CheckReport, "check"),
    (arena.records.RegressionReport, "regress"),
    (arena.records.History, "history"),
    (arena.records.StepHistory, "history --by step"),
    (arena.records.ReplayReport, "replay, debug"),
    (arena.records.SeenGame, "replay"),
    (arena.records.Explanation, "explain"),
    (arena.records.SprtReport, "sprt"),
    (arena.records.Plan, "plan"),
    (arena.records.TournamentPlan, "plan"),
    (arena.records.VolunteerPlan, "plan"),
    (arena.records.RatingTable, "rate"),
    (arena.records.TableRatingTable, "rate"),
    (arena.records.Evaluation, "evaluate"),
    (arena.records.Training, "train"),
    (rows.Runs, "runs"),
    (rows.Browsed, "browse"),
    (rows.Sheet, "fight, tournament, show"),
    (arena.records.Export, "export"),
    (arena.records.ImportReport, "import"),
    (arena.records.CopyReport, "copy"),
    (arena.records.VerifyReport, "verify"),
    (arena.records.Report, "report"),
    (arena.records.EntrantReport, "report"),
    (rows.Games, "games"),
    (rows.Players, "players"),
    (rows.Plugins, "plugins"),
    (arena.records.Diagnosis, "doctor"),
    (arena.records.Scaffold, "new"),
    (arena.records.HandIn, "hand-in"),
    (arena.records.LeagueEntry, "league"),
    (arena.records.LeagueComparison, "league"),
    (arena.records.LeagueSite, "league"),
    (arena.records.Season, "league"),
    (arena.records.Run, ""),
    (arena.records.Watched, ""),
    (arena.records.ContestStandings, ""),
]

#: The records that add keys to another one, under its schema.
WRAPPERS: dict[type, tuple[type, ...]] = {
    arena.records.FightResult: (
        arena.records.CheckedFight,
        arena.records.SprtFight,
        arena.records.UntilFight,
        WithMethods,
    ),
    arena.records.TournamentResult: (WithMethods,),
    arena.records.RatingTable: (WithMethods,),
}

#: The schemas of the lists among them; a record has its own.
LISTS = {
    rows.Runs: "arena.runs/1",
    rows.Browsed: "arena.browse/1",
    rows.Sheet: "arena.table/1",
    rows.Games: "arena.games/1",
    rows.Players: "arena.players/1",
    rows.Plugins: "arena.plugins/1",
}

#: The schema of each printed record, by the name of its class.
SCHEMAS = {kind.__name__: LISTS.get(kind) or kind.SCHEMA for kind, _ in PRINTED}


class Key(NamedTuple):
    """A key of an object: its type, its meaning, and whether it may be missing."""

    name: str
    hint: Any
    meaning: str
    is_optional: bool = False


class Extended(NamedTuple):
    """The JSON of a record with more keys, which a record around it adds."""

    name: str
    kind: type
    keys: tuple[Key, ...]


#: The kinds of objects, by their names in the schema.
OBJECTS: dict[str, type | Extended] = {kind.__name__: kind for kind, _ in PRINTED}


def keys_of(kind: Any) -> dict[str, Key]:
    """Return the keys of an object by name, in order."""
    if isinstance(kind, Extended):
        return keys_of(kind.kind) | {key.name: key for key in kind.keys}
    if typing.is_typeddict(kind):
        hints = typing.get_type_hints(kind, localns=_classes(), include_extras=True)
        return {name: _typed_key(kind, name, hint) for name, hint in hints.items()}
    keys = _record_keys(kind)
    for wrapper in WRAPPERS.get(kind, ()):
        more = _record_keys(wrapper).items()
        keys |= {name: key._replace(is_optional=True) for name, key in more if name not in keys}
    return keys


def _typed_key(kind: type, name: str, hint: Any) -> Key:
    """Return a key of a typed dict."""
    meaning = comments(kind).get(name, "")
    is_optional = typing.get_origin(hint) is typing.NotRequired
    if is_optional:
        (hint,) = typing.get_args(hint)
    if typing.get_origin(hint) is typing.Annotated:
        hint, meaning = typing.get_args(hint)
    return Key(name, hint, meaning, is_optional)


def _record_keys(kind: Any) -> dict[str, Key]:
    """Return the keys that a class of records declares."""
    keys: dict[str, Key] = {}
    for declared in codec.keys_of(kind):
        hint, meaning = _follow(kind, declared.path)
        outer, dot, inner = declared.name.rpartition(".")
        if declared.is_spread:
            parts = _record_keys(_without_none(hint)) if hint is not Record else {}
            for name, key in parts.items():
                is_optional = key.is_optional or declared.if_empty == "?"
                keys[name] = key._replace(is_optional=is_optional)
        elif dot:
            extended = _extended(kind, keys[outer].hint, Key(inner, hint, meaning))
            keys[outer] = keys[outer]._replace(hint=extended)
        else:
            keys[declared.name] = _as_shown(Key(declared.name, hint, meaning), declared.if_empty)
    return keys


def _as_shown(key: Key, if_empty: str) -> Key:
    """Return a key whose comment tells of the JSON without a value, not of the record."""
    if if_empty == "?":
        meaning = re.sub(r"(;|, or) (empty|None) [^;]*$", "", key.meaning)
        return Key(key.name, _without_none(key.hint), meaning, is_optional=True)
    if if_empty == "!":
        meaning = re.sub("(;|, or) empty ", r"\1 None ", key.meaning)
        return Key(key.name, key.hint | None, meaning)
    return key


def _extended(kind: type, hint: Any, key: Key) -> Extended:
    """Return an object with one key more, which stands in that of a kind."""
    if isinstance(hint, Extended):
        return hint._replace(keys=(*hint.keys, key))
    return Extended(f"{hint.__name__}In{kind.__name__}", hint, (key,))


def _follow(hint: Any, path: tuple[str, ...]) -> tuple[Any, str]:
    """Return the type of what stands at a path of attributes, and its comment."""
    meaning, is_nullable = "", False
    for place, name in enumerate(path):
        is_nullable |= _without_none(hint) is not hint
        hint = _without_none(hint)
        if typing.get_origin(hint) is tuple:
            item, inner_meaning = _follow(typing.get_args(hint)[0], path[place:])
            hint, meaning = tuple[item, ...], inner_meaning or meaning
            break
        meaning = comments(hint).get(name, "")
        hint = _hint(hint, name)
    return (typing.Optional[hint] if is_nullable else hint), meaning  # noqa: UP045  (a value)


def _without_none(hint: Any) -> Any:
    """Return a type without None."""
    parts = typing.get_args(hint)
    if typing.get_origin(hint) not in (typing.Union, types.UnionType) or type(None) not in parts:
        return hint
    return typing.Union[tuple(part for part in parts if part is not type(None))]  # noqa: UP007


def _hint(kind: type, name: str) -> Any:
    """Return the type of a field or a property."""
    attribute = getattr(kind, name, None)
    owner, wanted = kind, name
    if isinstance(attribute, property):
        owner, wanted = attribute.fget, "return"
    elif isinstance(attribute, cached_property):
        owner, wanted = attribute.func, "return"
    hint = typing.get_type_hints(owner, localns=_classes(), include_extras=True)[wanted]
    return typing.get_args(hint)[0] if typing.get_origin(hint) is typing.ClassVar else hint


@cache
def _classes() -> dict[str, type]:
    """Return all classes of records by name, for types that modules import for a checker only."""
    (root,) = arena.__path__
    shared = sorted(Path(root).glob("records/*.py"))
    classes: dict[str, type] = {}
    for file in [*shared, *sorted(Path(root).glob("features/*/record.py"))]:
        module = import_module(".".join(("arena", *file.relative_to(root).with_suffix("").parts)))
        classes |= {name: kind for name, kind in vars(module).items() if isinstance(kind, type)}
    return classes


def schema_of(hint: Any) -> Schema:
    """Return the JSON Schema of a type."""
    if isinstance(hint, Extended):
        return _reference(hint.name, hint)
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Literal:
        return {"enum": [part for part in parts if part]}  # keys without a value are left out
    if origin is typing.Annotated:
        return schema_of(parts[1])
    if origin in (typing.Union, types.UnionType):
        return _one_of(list(map(schema_of, parts)))
    if origin in (tuple, list):
        return _array(origin, parts)
    if origin is not None and issubclass(origin, Mapping):
        inner = schema_of(parts[1])
        return {"type": "object", **({"additionalProperties": inner} if inner else {})}
    return _of_class(hint)


def _reference(name: str, kind: type | Extended) -> Schema:
    OBJECTS[name] = kind
    return {"$ref": f"#/$defs/{name}"}


def _one_of(schemas: list[Schema]) -> Schema:
    if all(each.keys() == {"type"} for each in schemas):
        return {"type": [each["type"] for each in schemas]}
    return {"anyOf": schemas}


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
    if hint is Joint:
        row = {"type": "array", "items": {"type": "integer"}}
        return {"type": "array", "items": row}
    if hasattr(hint, "_fields"):
        return _array(tuple, tuple(typing.get_type_hints(hint, localns=_classes()).values()))
    return _reference(hint.__name__, hint)


def definition(name: str) -> Schema:
    """Return the JSON Schema of an object."""
    kind = OBJECTS[name]
    described = kind.kind if isinstance(kind, Extended) else kind
    about = _with_null(first_sentence(described.__doc__))
    part: Schema = {"type": "object", "description": about, "properties": {}, "required": []}
    if schema := SCHEMAS.get(name) or getattr(described, "SCHEMA", ""):
        part["properties"]["schema"] = {"const": schema}
        part["required"].append("schema")
    for key in keys_of(kind).values():
        meaning = _with_null(key.meaning).rstrip(".")
        described_by = {"description": meaning} if meaning else {}
        part["properties"][key.name] = {**schema_of(key.hint), **described_by}
        if not key.is_optional:
            part["required"].append(key.name)
    return part


def _with_null(text: str) -> str:
    """Return a text about a record with the word of JSON for None."""
    return re.sub("^null", "Null", re.sub(r"\bNone\b", "null", text))


def document() -> Schema:
    """Return the JSON Schema of all records, with a definition for each schema and each part."""
    parts: Schema = {}
    waiting = list(SCHEMAS)
    for name in waiting:
        if name not in parts:
            parts[name] = definition(name)
            waiting += re.findall(r"#/\$defs/(\w+)", json.dumps(parts[name]))
    rules = []
    for name, schema in SCHEMAS.items():
        is_it = {"properties": {"schema": {"const": schema}}, "required": ["schema"]}
        rules.append({"if": is_it, "then": {"$ref": f"#/$defs/{name}"}})
    return {
        "$schema": DIALECT,
        "title": "The JSON of arena's records",
        "type": "object",
        "properties": {"schema": {"enum": [*SCHEMAS.values()]}},
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
    lines = ["| schema | printed by | class in Python |", "|---|---|---|"]
    for kind, commands in PRINTED:
        schema = SCHEMAS[kind.__name__]
        by = ", ".join(f"`arena {command}`" for command in commands.split(", ") if command)
        in_python = "Listing" if typing.is_typeddict(kind) else kind.__name__
        lines.append(f"| [{schema}](#{anchor(schema)}) | {by} | `arena.records.{in_python}` |")
    sections = [_section(schema, parts[name]) for name, schema in SCHEMAS.items()]
    others = [_section(name, parts[name]) for name in parts if name not in SCHEMAS]
    body = ["\n".join(lines), *sections, "# Parts", *others]
    return INTRODUCTION + "\n\n".join(body) + "\n"


def _section(title: str, part: Schema) -> str:
    about = [part["description"]] if part["description"] else []
    lines = ["| key | type | |", "|---|---|---|"]
    for name, schema in part["properties"].items():
        optional = "" if name in part["required"] else ", if any"
        meaning = schema.get("description", "").replace("|", "\\|")
        lines.append(f"| `{name}` | {words(schema)}{optional} | {meaning} |")
    return "\n\n".join([f"## {title}", *about, "\n".join(lines)])


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
        title = SCHEMAS.get(name, name)
        return f"[{title}](#{anchor(title)})"
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
