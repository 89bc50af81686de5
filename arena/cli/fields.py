"""Make the options of commands, and read them back: each is a keyword of a function."""

from __future__ import annotations

import os
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from argparse import _ArgumentGroup as Group
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from arena.cli.help import set_topic
from arena.errors import quoted
from arena.inputs.options import PARAMETER_OPTIONS, SHARED, PlayOptions
from arena.kinds import SWITCH, TEXTS, Kind, OfType, OneOf
from arena.model.defaults import STORE
from arena.signatures import Option, declared


class OptionField(NamedTuple):
    """One option: how it is written, its other settings for argparse, and its topic."""

    flag: str
    settings: Mapping[str, Any]
    topic: str = ""


def add_flags(parser: ArgumentParser | Group, fields: Mapping[str, OptionField]) -> None:
    """Add options that :func:`options_of` does not return."""
    for name, field in fields.items():
        set_topic(parser.add_argument(field.flag, dest=name, **field.settings), field.topic)


def add_fields(parser: ArgumentParser, fields: Mapping[str, OptionField]) -> None:
    """Add options, each under the keyword that :func:`options_of` gives its value."""
    add_flags(parser, fields)
    parser.set_defaults(fields=(*(parser.get_default("fields") or ()), *fields))


def without_defaults(fields: Mapping[str, OptionField]) -> dict[str, OptionField]:
    """Return the same options without defaults: :func:`options_of` has only the given ones."""
    return {
        name: field._replace(settings={**field.settings, "default": None})
        for name, field in fields.items()
    }


def options_of(arguments: Namespace) -> dict[str, Any]:
    """Return the options that were given, or have a default, as keywords of a function."""
    values = {name: getattr(arguments, name) for name in arguments.fields}
    return {name: value for name, value in values.items() if value is not None}


def reader(kind: Kind) -> Callable[[str], Any]:
    """Return an argument type: texts of values of the kind."""

    def read(text: str) -> Any:
        try:
            return kind.read(text)
        except ValueError as error:
            raise ArgumentTypeError(
                f"must be {error}, not {quoted(text)}{kind.hint(text)}"
            ) from None

    return read


def field_of(option: Option, **settings: Any) -> OptionField:
    """Return an option as its declaration has it, with more settings for argparse."""
    kind = option.kind
    settings = {"help": option.text.replace("%", "%%"), "default": option.default, **settings}
    if kind is SWITCH:
        action = "store_false" if option.default else "store_true"
        return OptionField(option.flag, {"action": action, **settings}, option.topic)
    settings["metavar"] = option.metavar
    if kind is TEXTS:
        settings |= {"action": "append", "default": None}
    elif kind is not None and not isinstance(kind, OfType):
        settings["type"] = reader(kind)
    if isinstance(kind, OneOf):
        settings["choices"] = kind.choices  # for completion in shells
    return OptionField(option.flag, settings, option.topic)


def fields_of(options: Mapping[str, Option]) -> dict[str, OptionField]:
    """Return the options that have a flag."""
    return {name: field_of(option) for name, option in options.items() if option.flag}


def shared(*names: str) -> dict[str, OptionField]:
    """Return some options that several commands have, in this order."""
    return fields_of({name: SHARED[name] for name in names})


def playing() -> dict[str, OptionField]:
    """Return the options of commands that play games: all of PlayOptions, and n."""
    return fields_of({"n": PARAMETER_OPTIONS["n"], **declared(PlayOptions)}) | {"store": store()}


def store(purpose: str = "") -> OptionField:
    """Return ``--store``, with its default from the environment as it is now."""
    option = SHARED["store"]
    text = f"{purpose} (default: ${STORE}, if that is set)" if purpose else option.help
    default = os.environ.get(STORE) or None
    return field_of(option, help=text, default=default, type=lambda file: file or None)
