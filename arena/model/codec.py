"""Turn records into JSON and JSON into records, by the types of their fields.

A record is a dataclass. Its JSON has its fields under their names, or the keys that its ``KEYS``
declare, with blanks between:

- ``rank``: the attribute of that name, a field or a property.
- ``missing_pairs=missing``: an attribute under another name. ``moves=steps.move`` goes on through
  attributes, and through each item of a tuple.
- ``*tally``: all keys of a part, on the level of the whole.
- ``fault?``: a key that JSON has only if there is a value.
- ``opening!``: a key that is null without a value.
- ``sprt.cap=cap``: the key ``cap`` of the object under the key ``sprt``, which stands before it.

A reader ignores unknown keys, and computed ones, which are not fields. It takes the default of a
field that JSON lacks, and refuses JSON that lacks a field without a default. Of several records
that a field may be, it reads the one whose fields of :class:`typing.Literal` types agree.

A class has ``as_json`` and ``from_json`` of its own only if its fields do not tell its JSON.
"""

from __future__ import annotations

import sys
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache, partial
from typing import Any, Literal, NamedTuple, TypeVar, cast

from arena.errors import UsageError, quoted
from arena.fractions import fraction_of

#: The depth to which objects and lists may be nested.
MAX_NESTING = 64

#: Larger whole numbers are not shown: their digits take long to write.
HUGE = 10**50
LARGEST = sys.float_info.max

#: The types of values that JSON has.
_AS_THEY_ARE = {str, int, float, bool, type(None)}

_NOTHING: tuple[Any, ...] = (None, "", (), [], {})

Kind = TypeVar("Kind")


class Key(NamedTuple):
    """A key of a record's JSON, and the path to the attribute that it shows."""

    name: str
    path: tuple[str, ...]
    #: Whether the keys of the attribute take the place of this one.
    is_spread: bool = False
    #: Without a value, ``?`` leaves the key out, and ``!`` writes null.
    if_empty: str = ""


@cache
def keys_of(kind: Any) -> tuple[Key, ...]:
    """Return the keys that a class declares: by its ``KEYS``, or else all its fields."""
    words = getattr(kind, "KEYS", "").split() or [field.name for field in fields(kind)]
    return tuple(map(_key, words))


def _key(word: str) -> Key:
    name = word.strip("*?!")
    name, _, path = name.partition("=")
    mark = word[-1] if word[-1] in "?!" else ""
    return Key(name, tuple((path or name).split(".")), word.startswith("*"), mark)


def encode(value: Any) -> Any:
    """Return a value as JSON types: fractions as text, tuples as lists, records as objects."""
    if type(value) in _AS_THEY_ARE:  # most are, and to ask for a method takes longer
        return value
    if hasattr(value, "as_json"):
        return value.as_json()
    if is_dataclass(value):
        return encode_record(value)
    if isinstance(value, Mapping):
        return {key: encode(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode(item) for item in value]
    if isinstance(value, Enum):
        return value.value
    return str(value) if isinstance(value, Fraction) else value


def encode_record(record: Any) -> dict[str, Any]:
    """Return a record's JSON: the schema, if it has one, and the keys that its class declares."""
    schema = getattr(record, "SCHEMA", "")
    json: dict[str, Any] = {"schema": schema} if schema else {}
    attributes: dict[str, Any] = {}
    for name, path, is_spread, if_empty in keys_of(record.__class__):
        first, place = path[0], json
        if len(path) == 1:
            value = getattr(record, first)
        else:
            if first not in attributes:  # a property may be slow, and several keys show its parts
                attributes[first] = getattr(record, first)
            value = _follow(attributes[first], path[1:])
        if "." in name:
            outer, _, name = name.rpartition(".")
            place = json[outer]
        if if_empty and not value and value in _NOTHING:
            if if_empty == "!":
                place[name] = None
        elif is_spread:
            place |= encode(value)
        else:
            place[name] = encode(value)
    return {**json, "schema": schema} if schema else json


def _follow(value: Any, path: tuple[str, ...]) -> Any:
    """Return the attribute at a path, or those of each item of a tuple, or None after None."""
    for place, name in enumerate(path):
        if value is None:
            return None
        if type(value) is tuple:
            return tuple(_follow(item, path[place:]) for item in value)
        value = getattr(value, name)
    return value


def schema_of(record: Any) -> Any:
    """Return the schema that a JSON value says it has, or None for one that says nothing."""
    return record.get("schema") if isinstance(record, dict) else None


def require_schema(record: Any, schema: str, hint: str = "") -> None:
    """Raise UsageError unless the JSON value is an object of that schema."""
    name = schema_of(record)
    if name != schema:
        raise UsageError(f"its schema is {quoted(str(name))}, not {schema!r}{hint}")


def decode(kind: type[Kind], value: Any) -> Kind:
    """Return the value of a type that JSON has. Raises UsageError that says where it is wrong."""
    try:
        return cast("Kind", _read(kind, value, "", MAX_NESTING))
    except RecursionError:
        raise UsageError("it is nested too deeply") from None


def wrong(path: str, expected: str, value: Any) -> UsageError:
    """Return the error for a value that is not what its place takes."""
    names: dict[Any, str] = {dict: "an object", list: "a list"}
    description = names.get(type(value))
    if description is None:
        is_huge = type(value) is int and abs(value) > HUGE
        description = "a huge number" if is_huge else ascii(value)[:60]
    return UsageError(f"{path.lstrip('.') or 'it'}: expected {expected}, got {description}")


def _read(kind: Any, value: Any, path: str, depth: int) -> Any:
    if not depth:
        raise UsageError(f"{path[:60].lstrip('.')}…: it is nested too deeply")
    origin: Any = typing.get_origin(kind)
    arguments = typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return _read_union(arguments, value, path, depth)
    if origin is Literal:
        if not any(type(value) is type(each) and value == each for each in arguments):
            raise wrong(path, " or ".join(map(repr, arguments)), value)
        return value
    reader = _READERS.get(origin or kind)
    if reader is not None:
        return reader(arguments, value, path, depth - 1)
    if isinstance(kind, type):
        if issubclass(kind, Enum):
            return _read_enum(kind, value, path)
        if "from_json" in vars(kind):
            return _call(path, kind.from_json, value)  # type: ignore[attr-defined]
        if hasattr(kind, "_fields"):
            return kind(*_read_fields(kind, value, path, depth - 1))
        if is_dataclass(kind):
            return _read_record(kind, value, path, depth - 1)
    raise TypeError(f"{path}: JSON does not tell a {kind}")


def _read_union(kinds: tuple[Any, ...], value: Any, path: str, depth: int) -> Any:
    """Return the value of the first of these types that takes it.

    A field of a :class:`typing.Literal` type tells which of several records an object is.
    """
    if value is None and type(None) in kinds:
        return None
    kinds = tuple(kind for kind in kinds if kind is not type(None))
    problems = []
    for kind in [kind for kind in kinds if _has_tag(kind, value)] or kinds:
        try:
            return _read(kind, value, path, depth)
        except UsageError as error:
            problems.append(error)
    raise problems[0]


def _has_tag(kind: Any, value: Any) -> bool:
    """Return whether an object has the words that a record takes in fields of Literal types."""
    if not hasattr(kind, "__dataclass_fields__") or not isinstance(value, dict):
        return True
    return all(
        value.get(name) in typing.get_args(hint)
        for name, hint in fields_of(kind)[0].items()
        if typing.get_origin(hint) is Literal
    )


def _read_record(kind: Any, value: Any, path: str, depth: int) -> Any:
    schema = getattr(kind, "SCHEMA", "")
    if schema and not path:
        require_schema(value, schema)
    if not isinstance(value, dict):
        raise wrong(path, "an object", value)
    hints, defaults = fields_of(kind)
    arguments = {}
    for key in keys_of(kind):
        name = key.name if key.name in hints else key.path[0]
        if name not in hints or (len(key.path) > 1 and key.name != name):
            continue
        outer, dot, inner = key.name.rpartition(".")
        place = value[outer] if dot else value
        if key.is_spread:
            arguments[name] = _read(hints[name], place, path, depth)
        elif inner not in place:
            if name not in defaults:
                raise UsageError(f"{f'{path}.{key.name}'.lstrip('.')}: it is missing")
        elif not (key.if_empty == "!" and place[inner] is None):
            arguments[name] = _read(hints[name], place[inner], f"{path}.{key.name}", depth)
        elif name not in defaults:
            arguments[name] = hints[name]()
    for name in hints:
        if name not in arguments and name not in defaults:
            raise UsageError(f"{f'{path}.{name}'.lstrip('.')}: it is missing")
    return _call(path, kind, **arguments)


def _call(path: str, make: Callable[..., Any], /, *values: Any, **named: Any) -> Any:
    """Return what is made of values. Raises UsageError with their path where they make no sense."""
    try:
        return make(*values, **named)
    except UsageError as error:
        raise UsageError(f"{path}: {error}".lstrip(".") if path else str(error)) from error


def hints_of(kind: Any) -> dict[str, Any]:
    """Return the types of the fields of a class, whose module need not import Fraction."""
    return typing.get_type_hints(kind, localns={"Fraction": Fraction})


@cache
def fields_of(kind: Any) -> tuple[dict[str, Any], frozenset[str]]:
    """Return the types of the fields that a class is made from, and those with a default."""
    hints = hints_of(kind)
    settable = [field for field in fields(kind) if field.init]
    missing = {
        field.name for field in settable if (field.default, field.default_factory) == (MISSING,) * 2
    }
    return {field.name: hints[field.name] for field in settable}, frozenset(hints) - missing


def _read_enum(kind: type[Enum], value: Any, path: str) -> Enum:
    for member in kind:
        if type(value) is type(member.value) and value == member.value:
            return member
    raise wrong(path, " or ".join(repr(member.value) for member in kind), value)


def _read_tuple(kinds: tuple[Any, ...], value: Any, path: str, depth: int) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise wrong(path, "a list", value)
    if not kinds or kinds[-1] is Ellipsis:
        kinds = (kinds[0] if kinds else Any,) * len(value)
    if len(kinds) != len(value):
        raise wrong(path, f"{len(kinds)} values", len(value))
    items: Iterator[tuple[int, tuple[Any, Any]]] = enumerate(zip(kinds, value, strict=True))
    return tuple(_read(kind, item, f"{path}[{place}]", depth) for place, (kind, item) in items)


def _read_fields(kind: Any, value: Any, path: str, depth: int) -> tuple[Any, ...]:
    """Return the fields of a named tuple. The last ones may be missing if they have defaults."""
    kinds = tuple(hints_of(kind).values())
    if isinstance(value, list) and len(value) >= len(kinds) - len(kind._field_defaults):
        kinds = kinds[: len(value)]
    return _read_tuple(kinds, value, path, depth)


def _read_list(kinds: tuple[Any, ...], value: Any, path: str, depth: int) -> list[Any]:
    return list(_read_tuple((*kinds[:1], ...) if kinds else (), value, path, depth))


def _read_mapping(kinds: tuple[Any, ...], value: Any, path: str, depth: int) -> dict[Any, Any]:
    if not isinstance(value, dict):
        raise wrong(path, "an object", value)
    name, item = kinds or (str, Any)
    number: Callable[[str], Any] = {int: int, float: float}.get(name, str)
    try:
        names = [number(key) for key in value]
    except ValueError:
        raise wrong(path, f"{name.__name__} as keys", value) from None
    read = [_read(item, each, f"{path}.{key[:60]}", depth) for key, each in value.items()]
    return dict(zip(names, read, strict=True))


def _read_number(_: object, value: Any, path: str, __: int) -> float:
    if type(value) not in (int, float) or not -LARGEST <= value <= LARGEST:
        raise wrong(path, "a number", value)
    return cast("float", value)


def _read_fraction(_: object, value: Any, path: str, __: int) -> Fraction:
    try:
        if isinstance(value, str):
            return fraction_of(value)
        if type(value) in (int, float):
            return Fraction(value)
    except (ValueError, ArithmeticError):
        pass
    raise wrong(path, "a fraction", value)


def _read_plain(kind: type, _: object, value: Any, path: str, __: int) -> Any:
    if type(value) is not kind:
        raise wrong(path, kind.__name__, value)
    return value


def _read_any(_: object, value: Any, __: str, ___: int) -> Any:
    return value


_READERS: dict[Any, Callable[..., Any]] = {
    **{kind: partial(_read_plain, kind) for kind in (str, int, bool)},
    float: _read_number,
    Fraction: _read_fraction,
    tuple: _read_tuple,
    list: _read_list,
    dict: _read_mapping,
    Mapping: _read_mapping,
    Any: _read_any,
    object: _read_any,
}
