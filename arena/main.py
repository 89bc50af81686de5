"""Find and run a command: ``arena COMMAND``. One command, one file, imported when it is chosen."""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import replace
from types import FrameType
from typing import Any, NoReturn

from arena import escape
from arena.cli.logs import start_logging
from arena.cli.parser import parse, take_plugins
from arena.cli.running import FAULT, run_command
from arena.errors import ArenaError, Terminated, UsageError, WorkerError, describe
from arena.executors.endings import ENDINGS
from arena.features import commands
from arena.files import GONE, problem_of
from arena.games.contract import breach
from arena.plugin.manager import create_plugin_manager, load_plugins
from arena.urls import without_passwords


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code, as the console script does."""
    try:
        code = _run(sys.argv[1:] if argv is None else argv)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except WorkerError as error:
        _complain(str(error), escape.block)  # it is the lines of a traceback
        return error.exit_code
    except ArenaError as error:
        _complain(str(error))
        return error.exit_code
    except KeyboardInterrupt as error:
        number = error.number if isinstance(error, Terminated) else signal.SIGINT
        _complain(ENDINGS[number])
        return 128 + number
    except BrokenPipeError:
        # The reader has closed the pipe. Python would try to write what is left when it ends, and
        # complain.
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        if (problem := problem_of(error)) == GONE:
            _complain(problem)
            return UsageError.exit_code
        _complain(f"{error.filename or 'output'}: {error.strerror or describe(error)}")
        return FAULT
    except MemoryError:
        _complain("the memory is used up")
        return FAULT
    except Exception as error:
        fault = breach(error)
        if fault is None:
            raise
        _complain(str(fault))
        return fault.exit_code


def _run(argv: Sequence[str]) -> int:
    plugins, argv = take_plugins(argv)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a name need not fit the terminal
    with redirect_stdout(sys.stderr):  # what plugins print is not the command's output
        manager = create_plugin_manager(_names_a_command(argv), plugins)
        manager.register(commands)
        installed = load_plugins(manager)
    catalogue = installed.catalogue
    try:
        arguments = parse(argv, installed.commands, commands.COMMANDS_BY_PURPOSE)
    except SystemExit as done:  # argparse, after --help or --version
        return done.code if isinstance(done.code, int) else 0
    if arguments.command.name != "plugins":
        for broken in catalogue.broken:
            if broken.plugin:  # a name that two offer matters to those alone who use it
                _complain(f"warning: {broken}")
    arguments.p, arguments.commands = plugins, installed.commands
    start_logging(arguments)
    options = {
        name: _without_passwords(value)
        for name, value in vars(arguments).items()
        if name not in ("command", "commands", "fields", "usual_format")
    }
    observers = replace(catalogue.observers, command=arguments.command.name, arguments=options)
    catalogue = replace(catalogue, observers=observers)
    with _signals_raise():
        if hasattr(arguments, "require_isolation"):
            from arena.cli.isolation import isolation_of  # the command has imported it

            catalogue = catalogue.isolated(isolation_of(arguments, catalogue))
        return run_command(arguments, catalogue)


def _without_passwords(value: Any) -> Any:
    """Return an option as plugins may see it: without the password of a store."""
    if isinstance(value, str):
        return without_passwords(value)
    return list(map(_without_passwords, value)) if isinstance(value, list) else value


def _names_a_command(argv: Sequence[str]) -> bool:
    """Return whether a command may run: the list of commands takes no player."""
    return bool(argv) and not argv[0].startswith("-")


def _complain(message: str, escaped: Callable[[str], str] = escape.line) -> None:
    print(f"arena: {escaped(without_passwords(message))}", file=sys.stderr)


@contextmanager
def _signals_raise() -> Iterator[None]:
    """Let signals end the process as exceptions do, so that no worker is left behind.

    A signal that is ignored stays ignored.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in ENDINGS}
    for number, handler in before.items():
        if handler != signal.SIG_IGN:
            signal.signal(number, _raise)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _raise(number: int, frame: FrameType | None) -> NoReturn:
    if number == signal.SIGINT:
        signal.default_int_handler(number, frame)
    raise Terminated(number)
