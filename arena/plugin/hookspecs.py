"""Every hook, in the order in which they are called.

A plugin is a module or object named in the entry point group ``arena``. It implements hooks with
``arena.hookimpl``. A plugin that fails in a hook is left out as a whole, named with its error by
``arena plugins``, and the rest goes on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.plugin.markers import hookspec

if TYPE_CHECKING:
    from arena.plugin.commands import Commands
    from arena.plugin.registers import (
        ExecutorRegister,
        GameRegister,
        PlayerRegister,
        ProtocolRegister,
        ReportRegister,
        ScheduleRegister,
    )
    from arena.records.base import Record
    from arena.records.fights import FightResult
    from arena.records.observers import GameResult, Progress, Run

# -- once, when the arena looks up what is installed -------------------------------------------


@hookspec
def arena_register_games(register: GameRegister) -> None:
    """Offer games.

    ``register(template, make, summary="")``: a game's name has a number in place of all braces of
    a template such as ``mnk-{m}-{n}-{k}``, and ``make(*numbers)`` returns the
    :class:`arena.game.Game`. A template such as ``lines:FILE`` has any text after the colon, which
    ``make(text)`` gets. Equal numbers or texts must make equal games.
    """


@hookspec
def arena_register_players(register: PlayerRegister) -> None:
    """Offer players.

    ``register(name, player, games="*", deterministic=False, stateless=None, claims=(),
    distribution=None, choose_batch=None, summary=None)``. The fields are those of
    :class:`arena.player.PlayerInfo`.
    """


@hookspec
def arena_register_protocols(register: ProtocolRegister) -> None:
    """Offer ways to name players: what stands before the colon in ``uci:stockfish``.

    ``register(name, client=...)`` for programs, with an :class:`arena.plugin.Client`, and
    ``register(name, file=...)`` for files.
    """


@hookspec
def arena_register_schedules(register: ScheduleRegister) -> None:
    """Offer ways to choose who meets whom in a tournament.

    ``register(word, make, argument="", summary="")``: ``make(text)`` gets what stands after the
    colon in ``swiss:5`` and returns the schedule, a function of an
    :class:`arena.plugin.TournamentState` to the next round: a list of
    :class:`arena.plugin.ScheduledPairing`, of pairs of names, and of :class:`arena.plugin.Bye`. An
    empty one ends the tournament.
    ``--schedule`` chooses by word.
    """


@hookspec
def arena_register_executors(register: ExecutorRegister) -> None:
    """Offer ways to spread work.

    ``register(name, make)``: ``make(workers)`` returns an :class:`arena.executors.base.Executor`
    for that number of workers. ``--executor`` chooses by name. With ``argument="ADDRESS"`` a text
    may stand after the name and a colon, which ``make(workers, address)`` gets. It is empty if none
    does.
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


# -- while games are played, in the main process -----------------------------------------------
#
# An observer takes the parameters that it needs: ``def arena_game_end(game)`` leaves ``run`` out.
# Only ``arena_progress`` depends on the clock. The other calls come in the same order for any
# number of workers: pair 1 of every fight by half, in the order in which they are played, then pair
# 2, and a fight ends after its last pair, fights before it first. The run goes on without an
# observer that raises or holds it up.


@hookspec
def arena_run_start(run: Run) -> None:
    """Hear that a run begins. Every run that begins has one ``arena_run_end``."""


@hookspec
def arena_progress(state: Progress, run: Run) -> None:
    """Hear how far the run is, at most ten times a second, at no fixed moments."""


@hookspec
def arena_game_end(game: GameResult, run: Run) -> None:
    """Hear of a finished game of a fight that plays its games one by one.

    A fight through tables has no such games. A void game, which is not counted, is not told. A
    sequential test tells the games up to its decision. A run that is resumed tells all its games,
    also those that were played before.
    """


@hookspec
def arena_fight_end(result: FightResult, run: Run) -> None:
    """Hear of a fight that has ended. After Ctrl-C there is no call for one that has not."""


@hookspec
def arena_run_end(result: Record | None, run: Run) -> None:
    """Hear that a run has ended, and of its record: what its function returns.

    After Ctrl-C it is the record of what was finished. It is None if an error ended the run, or
    Ctrl-C ended a regression.
    """
