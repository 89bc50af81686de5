"""Run a command. A mistake of a plugin's command becomes one line."""

from __future__ import annotations

import logging
from argparse import Namespace
from typing import cast

from arena.cli.logs import NO_FAULT
from arena.clock import now
from arena.errors import ArenaError, PluginError, describe, is_stop, quoted, repr_of
from arena.games.contract import breach
from arena.plugin.catalogue import Catalogue
from arena.plugin.commands import Command

#: The exit code when a fault of a player or of the machine left something undecided.
FAULT = 4

#: The exit code when something is undecided, such as a test or a game that is left.
UNDECIDED = 3

#: The exit code of each decision of a sequential test.
DECISION_CODES = {"H1": 0, "H0": 1, "continue": UNDECIDED}

logger = logging.getLogger(__name__)


def run_command(arguments: Namespace, catalogue: Catalogue) -> int:
    """Run the chosen command and return its exit code.

    Raises PluginError if a plugin's command raises or returns something else; the log, which ``-v``
    shows, has the traceback.
    """
    command: Command = arguments.command
    start = now()
    logger.info("arena %s begins", command.name, extra=NO_FAULT)
    try:
        return _run(command, arguments, catalogue)
    finally:
        logger.info("arena %s took %.2f s", command.name, now() - start, extra=NO_FAULT)


def _run(command: Command, arguments: Namespace, catalogue: Catalogue) -> int:
    try:
        code: object = command.run(arguments, catalogue)
    except (ArenaError, OSError):
        raise
    except SystemExit as done:
        code = done.code
    except BaseException as error:
        if is_stop(error):
            raise
        fault = breach(error)
        if fault is not None:
            raise fault from error
        if _is_built_in(command):
            raise
        logger.info("command %s raised", command.name, exc_info=error)
        raise PluginError(f"command {quoted(command.name)} raised {describe(error)}") from error
    if code is None:
        return 0
    is_int = type(code) is not bool and issubclass(type(code), int)
    if not is_int or not 0 <= cast("int", code) <= 255:
        problem = f"returned {repr_of(code)}, which is not an exit code from 0 to 255"
        raise PluginError(f"command {quoted(command.name)} {problem}")
    return int(cast("int", code))


def _is_built_in(command: Command) -> bool:
    return str(getattr(command.run, "__module__", "")).startswith("arena.")
