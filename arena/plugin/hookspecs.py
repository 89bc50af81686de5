"""Every hook, in the order in which they are called.

A plugin is a module or object named in the entry point group ``arena``; it implements hooks with
``arena.hookimpl``. A plugin that fails in a hook is left out as a
whole, named with its error by ``arena plugins``, and the rest goes on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.plugin.markers import hookspec

if TYPE_CHECKING:
    from arena.plugin.commands import Commands
    from arena.plugin.registry import ExecutorRegister, GameRegister, PlayerRegister, ReportRegister

# -- once, when the arena looks up what is installed -------------------------------------------


@hookspec
def arena_register_games(register: GameRegister) -> None:
    """Offer games.

    ``register(template, make, summary="")``: a game's name has a number in place of all braces of
    a template such as ``mnk-{m}-{n}-{k}``, and ``make(*numbers)`` returns the
    :class:`arena.game.Game`. It must return equal games for equal numbers.
    """


@hookspec
def arena_register_players(register: PlayerRegister) -> None:
    """Offer players.

    ``register(name, player, games="*", deterministic=False, stateless=None, claims=(),
    distribution=None, summary=None)``; the fields are those of :class:`arena.player.PlayerInfo`.
    """


@hookspec
def arena_register_executors(register: ExecutorRegister) -> None:
    """Offer ways to spread work.

    ``register(name, make)``: ``make(workers)`` returns an :class:`arena.executors.base.Executor`
    for that number of workers. ``--executor`` chooses by name.
    """


@hookspec
def arena_register_reports(register: ReportRegister) -> None:
    """Offer formats.

    ``register(name, report)``: ``report(record)`` returns the text of any record of
    :mod:`arena.records`, without a newline at the end. ``--format`` chooses by name.
    """


# -- once, before the command line is read -----------------------------------------------------


@hookspec
def arena_add_command(commands: Commands) -> None:
    """Offer a command.

    ``commands.add(name, summary, configure, run)``: ``configure(parser)`` adds arguments to an
    ``argparse.ArgumentParser``, ``run(arguments, catalogue)`` does the work and returns the exit
    code.
    """
