"""The command line: ``arena COMMAND``. One command, one file; this one finds and runs it."""

from __future__ import annotations

import os
import signal
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import version
from types import FrameType
from typing import NoReturn

from arena.cli import fight, games, move, players, plugins, replay, tournament
from arena.cli.options import add_logging
from arena.cli.playing import FAULT
from arena.commands import Command, Commands
from arena.errors import ArenaError, UnknownName, UsageError, did_you_mean
from arena.plugin import Catalogue, create_plugin_manager, load_catalogue

PACKAGE = "proving-arena"
INTERRUPTED = 128 + signal.SIGINT
TERMINATED = 128 + signal.SIGTERM

#: Arena's own commands; they use the same hook as those of other plugins.
_COMMANDS = (fight, tournament, move, replay, players, games, plugins)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code; the console script."""
    try:
        signal.signal(signal.SIGTERM, _terminated)
        try:
            code = _run(sys.argv[1:] if argv is None else argv)
        except SystemExit as exit_:  # argparse after --help or --version; a plugin's command
            code = exit_.code if isinstance(exit_.code, int) else 0
        sys.stdout.flush()
        return code
    except ArenaError as error:
        return _complain(str(error), error.exit_code)
    except KeyboardInterrupt:
        return _complain("interrupted", INTERRUPTED)
    except BrokenPipeError:
        # Nobody reads on. Python would try to write what is left when it ends, and complain.
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _complain(f"{error.filename or 'output'}: {error.strerror}", FAULT)


def _complain(message: str, code: int) -> int:
    print(f"arena: {message}", file=sys.stderr)
    return code


def _terminated(_signum: int, _frame: FrameType | None) -> NoReturn:
    raise SystemExit(TERMINATED)


def _run(argv: Sequence[str]) -> int:
    manager = create_plugin_manager()
    for module in _COMMANDS:
        manager.register(module)
    catalogue = load_catalogue(manager)
    commands = Commands()
    for name, plugin in manager.list_name_plugin():
        try:
            manager.call_one(plugin, "arena_add_command", commands=commands)
        except (Exception, SystemExit) as error:
            manager.leave_out(name, error)
            catalogue.broken = manager.broken
    arguments = _parse(argv, commands)
    if arguments.command.name != "plugins":
        _warn_of_broken(catalogue)
    code = arguments.command.run(arguments, catalogue)
    return int(code or 0)


def _parse(argv: Sequence[str], commands: Commands) -> Namespace:
    parser = _Parser(
        prog="arena",
        description="Find out whether one game AI is stronger than another.",
        epilog="arena COMMAND --help tells more.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"arena {version(PACKAGE)}")
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    if argv and not argv[0].startswith("-") and argv[0] not in commands:
        raise UnknownName("command", argv[0], commands)
    for command in commands.values():
        _add(
            subparsers.add_parser(
                command.name, help=command.summary, description=command.summary, allow_abbrev=False
            ),
            command,
        )
    return parser.parse_args(argv)


def _add(parser: ArgumentParser, command: Command) -> None:
    parser.set_defaults(command=command)
    command.configure(parser)
    add_logging(parser)


def _warn_of_broken(catalogue: Catalogue) -> None:
    for broken in catalogue.broken:
        name = f"plugin {broken.plugin}: " if broken.plugin else ""
        print(f"arena: warning: {name}{broken.error} (see: arena plugins)", file=sys.stderr)


class _Parser(ArgumentParser):
    """Reports a wrong option as every other mistake is reported: one line, exit code 2."""

    def error(self, message: str) -> NoReturn:
        wrong = message.removeprefix("unrecognized arguments: ").split()[0]
        hint = did_you_mean(wrong, self._option_string_actions) if wrong.startswith("--") else ""
        raise UsageError(f"{message}{hint} (see: {self.prog} --help)")
