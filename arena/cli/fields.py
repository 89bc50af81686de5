"""Make the options of commands, and read them back: each is a keyword of a function."""

from __future__ import annotations

import math
import os
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from arena.errors import quoted
from arena.inputs.options import PARAMETER_OPTIONS, SHARED, PlayOptions
from arena.model.defaults import STORE
from arena.signatures import Option, declared


class Field(NamedTuple):
    """One option: how it is written, and its other settings for argparse."""

    flags: tuple[str, ...]
    settings: Mapping[str, Any]


def field(*flags: str, **settings: Any) -> Field:
    """Return an option. The keyword under which a command has it is its name."""
    return Field(flags, settings)


def add_fields(parser: ArgumentParser, fields: Mapping[str, Field]) -> None:
    """Add options, each under the keyword that :func:`options_of` gives its value."""
    for name, option in fields.items():
        parser.add_argument(*option.flags, dest=name, **option.settings)
    parser.set_defaults(fields=(*(parser.get_default("fields") or ()), *fields))


def without_defaults(fields: Mapping[str, Field]) -> dict[str, Field]:
    """Return the same options without defaults: :func:`options_of` has only the given ones."""
    return {
        name: Field(option.flags, {**option.settings, "default": None})
        for name, option in fields.items()
    }


def options_of(arguments: Namespace) -> dict[str, Any]:
    """Return the options that were given, or have a default, as keywords of a function."""
    given = {name: getattr(arguments, name) for name in arguments.fields}
    return {name: value for name, value in given.items() if value is not None}


def whole(least: int, most: int) -> Callable[[str], int]:
    """Return an argument type: a whole number within bounds."""

    def parse(text: str) -> int:
        if not (text.isascii() and text.isdigit()) or int(text[:30]) < least:
            problem = f"must be a whole number of at least {least}"
        elif len(text) > 30 or int(text) > most:
            problem = f"must be at most {most}"
        else:
            return int(text)
        raise ArgumentTypeError(f"{problem}, not {quoted(text)}")

    return parse


def number(text: str) -> float:
    """Return an argument type: a finite number."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ArgumentTypeError(f"must be a number, not {quoted(text)}")
    return value


def field_of(option: Option) -> Field:
    """Return an option as its declaration has it."""
    settings: dict[str, Any] = {"help": option.help, "default": option.default}
    if option.kind == "switch":
        return field(option.flag, action="store_true", **settings)
    settings["metavar"] = option.metavar
    if option.kind == "texts":
        settings |= {"action": "append", "default": []}
    if option.kind == "share":
        settings["type"] = number
    if option.bounds:
        settings["type"] = whole(*option.bounds)
    if option.choices:
        settings["choices"] = option.choices
    return field(option.flag, **settings)


def fields_of(options: Mapping[str, Option]) -> dict[str, Field]:
    """Return the options that have a flag."""
    return {name: field_of(option) for name, option in options.items() if option.flag}


def shared(*names: str) -> dict[str, Field]:
    """Return some options that several commands have, in this order."""
    return fields_of({name: SHARED[name] for name in names})


def playing() -> dict[str, Field]:
    """Return the options of commands that play games: all of PlayOptions, and n."""
    return fields_of({"n": PARAMETER_OPTIONS["n"], **declared(PlayOptions)}) | {"store": store()}


def count_forfeits() -> Field:
    """Return ``--count-forfeits`` for a run that was played; its default is that of the run."""
    option = SHARED["count_forfeits"]
    text = option.help.replace("default: all", "default: as the run was played")
    return field_of(replace(option, default=None, help=text))


def store(purpose: str = "") -> Field:
    """Return ``--store``, with its default from the environment as it is now."""
    option = SHARED["store"]
    text = f"{purpose} (default: ${STORE}, if that is set)" if purpose else option.help
    flags, settings = field_of(replace(option, default=os.environ.get(STORE) or None, help=text))
    return field(*flags, **settings, type=lambda file: file or None)
