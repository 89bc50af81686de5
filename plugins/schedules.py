"""The schedules that come with arena."""

from __future__ import annotations

from arena.errors import UsageError, quoted
from arena.plugin.markers import hookimpl
from arena.plugin.registers import ScheduleRegister
from arena.schedules import Schedule


def round_robin(_: str) -> Schedule:
    """Let all entrants meet each other. It imports the schedules when one is asked for."""
    from arena.schedules.fixed import round_robin

    return round_robin


def gauntlet(text: str) -> Schedule:
    """Let one entrant meet all the others."""
    from arena.schedules.fixed import Gauntlet

    return Gauntlet(text)


def swiss(text: str) -> Schedule:
    """Let equal scores meet, for this many rounds."""
    from arena.schedules.swiss import Swiss

    if not (text.isascii() and text.isdigit() and 0 < len(text) < 5 and int(text)):
        raise UsageError(f"swiss:R takes a whole number of rounds from 1, not {quoted(text)}")
    return Swiss(int(text))


def knockout(_: str) -> Schedule:
    """Let the loser of a match leave."""
    from arena.schedules.knockout import Knockout

    return Knockout()


@hookimpl
def arena_register_schedules(register: ScheduleRegister) -> None:
    register("round-robin", round_robin, summary="each player meets all others")
    register("gauntlet", gauntlet, argument="PLAYER", summary="one meets all the others")
    register("swiss", swiss, argument="R", summary="equal scores meet, for R rounds")
    register("knockout", knockout, summary="a player that loses a match is out")
