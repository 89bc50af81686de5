"""The command line's words: from arguments to a command and its options."""

from __future__ import annotations

import os
import shlex
from argparse import Action, ArgumentParser, Namespace
from collections.abc import Sequence
from typing import NoReturn

from arena import escape
from arena.cli.common.logs import add_logging
from arena.errors import PluginError, UsageError, describe, did_you_mean, is_stop, quoted
from arena.plugin.commands import Command
from arena.plugin.registry import Registry

PACKAGE = "proving-arena"

#: The option that stands before the command.
PLUGIN = "-p"


def take_plugins(argv: Sequence[str]) -> tuple[list[str], Sequence[str]]:
    """Return the values of ``-p`` before the command, and the rest of the words.

    They are read first, for a plugin may bring the command. UsageError if a value is missing.
    """
    plugins = []
    while argv and argv[0].startswith(PLUGIN):
        value, argv = argv[0][len(PLUGIN) :], argv[1:]
        if not value:
            if not argv:
                raise UsageError(f"{PLUGIN} needs no:NAME or a file (see: arena --help)")
            value, argv = argv[0], argv[1:]
        plugins.append(value)
    return plugins, argv


def parse(argv: Sequence[str], commands: Registry[Command]) -> Namespace:
    """Return the options, with the Command as ``command``; UsageError if they are wrong."""
    parser = _Parser(
        prog="arena",
        description="Find out whether one game AI is stronger than another.",
        epilog="arena COMMAND --help tells more.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--version", action=_Version, nargs=0, help="show program's version number and exit"
    )
    parser.add_argument(
        PLUGIN,
        metavar="PLUGIN",
        help="before the command: ./corner.py loads a plugin from a file, no:NAME leaves out the"
        " one that arena plugins lists under the name; may be given again",
    )
    subparsers = parser.add_subparsers(metavar="COMMAND")
    chosen: ArgumentParser = parser
    for name, command in commands:
        summary = escape.line(command.summary).replace("%", "%%")  # argparse formats it
        subparser = subparsers.add_parser(
            name, help=summary, description=summary, allow_abbrev=False
        )
        if argv and argv[0] == name:
            chosen = subparser
            subparser.set_defaults(command=command)
            try:
                command.configure(subparser)
                add_logging(subparser)
            except BaseException as error:
                if is_stop(error):
                    raise
                raise PluginError(f"command {name!r} does not work: {describe(error)}") from error
    if chosen is parser and argv and not argv[0].startswith("-"):
        commands.get(argv[0])  # raises: there is none of that name, or two
    arguments, unknown = parser.parse_known_args(argv)
    if unknown:
        if unknown[0].startswith(PLUGIN):
            chosen.error(f"{PLUGIN} stands before the command: arena {PLUGIN} PLUGIN COMMAND")
        known = [option for action in chosen._actions for option in action.option_strings]
        hint = did_you_mean(unknown[0], known) if unknown[0].startswith("--") else ""
        if "--store" in known and os.path.isfile(unknown[0]):
            hint = f", did you mean --store {shlex.quote(unknown[0])}?"
        chosen.error(f"unknown argument {quoted(unknown[0])}{hint}")
    if chosen is parser:
        parser.error("which command?")
    return arguments


class _Version(Action):
    """Prints the version, which is read when it is asked for: that takes a while."""

    def __call__(self, parser: ArgumentParser, *_: object) -> NoReturn:
        from importlib.metadata import version

        print(f"arena {version(PACKAGE)}")
        parser.exit()


class _Parser(ArgumentParser):
    """Reports a wrong option as every other mistake is reported: one line, exit code 2."""

    def format_help(self) -> str:
        """PluginError for a text of a plugin's that cannot be formatted."""
        try:
            return super().format_help()
        except (KeyError, TypeError, ValueError) as error:
            raise PluginError(f"{self.prog} has no help: {describe(error)}") from error

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see: {self.prog} --help)")
