"""Any command line: no traceback, no hang, an exit code of the five, one line about a mistake."""

from __future__ import annotations

from random import Random

from arena.features import commands
from arena.plugin.commands import Command
from arena.plugin.manager import create_plugin_manager, load_plugins
from tests.fuzz.commands import command_line, typed
from tests.fuzz.harness import Try, seeds


def all_commands() -> list[Command]:
    manager = create_plugin_manager()
    manager.register(commands)
    results = [command for _, command in load_plugins(manager).commands]
    return [command for command in results if command.name != "serve"]  # which does not end


ALL = all_commands()


@seeds(len(ALL), 100 * len(ALL))
def test_a_command_line_ends_as_it_should(attempted: Try, seed: int) -> None:
    rng = Random(f"commands {seed}")
    command = ALL[seed % len(ALL)]
    attempted(*command_line(rng, command), stdin=typed(rng))
