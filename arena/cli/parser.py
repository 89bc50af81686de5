"""Parse the words of a command line into a command and its options."""

from __future__ import annotations

import os
import platform
import shlex
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Mapping, Sequence
from typing import NoReturn

import arena
from arena import escape
from arena.cli.help import ALL, Formatter, arrange, brief, overview
from arena.cli.logs import add_logging
from arena.core import build
from arena.errors import PluginError, UsageError, describe, did_you_mean, is_stop, quoted
from arena.plugin.commands import Command
from arena.plugin.registry import Registry

#: The option that stands before the command.
PLUGIN = "-p"

#: Ask for the version, in place of a command.
VERSION = ("-V", "--version")


def take_plugins(argv: Sequence[str]) -> tuple[list[str], Sequence[str]]:
    """Return the values of ``-p`` before the command, and the rest of the words.

    They are read first, for a plugin may bring the command. Raises UsageError if a value is
    missing.
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


def parse(
    argv: Sequence[str], commands: Registry[Command], purposes: Mapping[str, Iterable[str]]
) -> Namespace:
    """Return the options, with the Command as ``command``. Raises UsageError if they are wrong.

    The list of commands has those of ``purposes`` under their titles.

    Raises SystemExit after a help or the version.
    """
    if argv and argv[0] == "help":
        argv = [*argv[1:2], "--help"]
    if not argv or argv[0] in ("-h", "--help"):
        print(overview(commands, purposes), end="")
        raise SystemExit(0)
    if argv[0] in VERSION:
        print(f"arena {arena.__version__}")
        if {"-v", "--verbose"} & {*argv[1:]}:
            print(build(), f"Python {platform.python_version()}", sep="\n")
        raise SystemExit(0)
    if argv[0].startswith("-"):
        hint = did_you_mean(argv[0], ("--help", *VERSION)) if argv[0].startswith("--") else ""
        raise UsageError(f"unknown argument {quoted(argv[0])}{hint} (see: arena --help)")
    return _parse(argv[1:], commands.get(argv[0]))


def _parse(words: Sequence[str], command: Command) -> Namespace:
    """Return the options of a command. Raises UsageError if they are wrong."""
    parser = parser_of(command)
    if ALL not in words:
        parser.is_brief = True
    arguments, unknown = parser.parse_known_args(words)
    if unknown:
        _refuse(unknown[0], parser)
    return arguments


def parser_of(command: Command) -> _Parser:
    """Return the parser of a command's options. Raises PluginError if a plugin's command fails."""
    parser = _Parser(
        prog=f"arena {command.name}",
        description=escape.line(command.summary).replace("%", "%%"),  # argparse formats it
        allow_abbrev=False,
        formatter_class=Formatter,
    )
    parser.set_defaults(command=command)
    try:
        command.configure(parser)
        add_logging(parser)
        arrange(parser)
    except BaseException as error:
        if is_stop(error):
            raise
        raise PluginError(f"command {command.name!r} does not work: {describe(error)}") from error
    return parser


#: What other tools call the option for how many games are played.
OF_PAIRS = ("--pairs", "--games", "--rounds", "-games", "-rounds", "--number")


def _refuse(word: str, parser: ArgumentParser) -> NoReturn:
    """Raise UsageError for a word that a command does not know."""
    if word.startswith(PLUGIN):
        parser.error(f"{PLUGIN} stands before the command: arena {PLUGIN} PLUGIN COMMAND")
    parser.error(
        unknown(word, [option for action in parser._actions for option in action.option_strings])
    )


def unknown(word: str, options: Sequence[str]) -> str:
    """Say that a command with these options does not know a word, and what was meant."""
    hint = did_you_mean(word, options) if word.startswith("--") else ""
    if word in OF_PAIRS and "-n" in options:
        hint = ", did you mean '-n'?"
    if "--store" in options and os.path.isfile(word):
        hint = f", did you mean --store {shlex.quote(word)}?"
    return f"unknown argument {quoted(word)}{hint}"


class _Parser(ArgumentParser):
    """Reports a wrong option as every other mistake is reported: one line, exit code 2."""

    #: Whether a help leaves out what most readers do not look for.
    is_brief = False

    def format_help(self) -> str:
        """Return the help. Raises PluginError if a plugin's text cannot be formatted."""
        if self.is_brief:
            brief(self)
        try:
            return super().format_help()
        except (KeyError, TypeError, ValueError) as error:
            raise PluginError(f"{self.prog} has no help: {describe(error)}") from error

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see: {self.prog} --help)")
