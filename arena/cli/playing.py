"""Share what commands that play games have in common: interrupts, and the exit code of a fault."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

from arena import escape
from arena.cli.output import Output
from arena.cli.running import DECISION_CODES, FAULT, UNDECIDED
from arena.errors import KeptForLater
from arena.fights.play import ENDS, Interrupted
from arena.fights.runs import fights_of
from arena.records.fights import FightResult

if TYPE_CHECKING:
    from arena.records.played import Played
    from arena.records.proofs import CheckedFight
    from arena.records.until import UntilReport


@contextmanager
def interruptible(output: Output) -> Iterator[None]:
    """Show the result so far of a run that is interrupted within."""
    try:
        yield
    except KeptForLater as kept:
        print(escape.line(f"arena: the run waits: {kept.resume} plays it"), file=sys.stderr)
        raise SystemExit(0) from None
    except Interrupted as interrupted:
        if interrupted.partial is not None:
            output.write_games(cast("Played", interrupted.partial))
        if interrupted.resume:
            print(escape.line(f"arena: to go on: {interrupted.resume}"), file=sys.stderr)
        elif isinstance(interrupted.cause, ENDS):
            hint = "with --store FILE the games so far are kept, and arena resume goes on"
            print(f"arena: {hint}", file=sys.stderr)
        raise interrupted.cause from None


def show(output: Output, played: Played | CheckedFight) -> int:
    """Present what was played and return the exit code. Name a fight that was not completed."""
    output.write_games(played)
    fights, (code, fault) = fights_of(played), _code_and_fault(played)
    complaints = []
    for fight in fights:
        if fight.unfinished:
            a, b = fight.players
            reason = str(fight.unfinished)
            prefix = "" if reason.startswith((f"{a} ", f"{b} ")) else f"{a} against {b}: "
            complaints.append(f"arena: {prefix}{reason}")
        elif len(fights) == 1 and fight.total_forfeit:
            complaints.append(f"arena: {fight.total_forfeit}")
    complaints += [
        f"arena: {player.name} did not play as certified: {player.deviation}"
        for fight in fights
        for player in fight.both
        if player.deviation is not None
    ]
    complaints += _of_tables(played)
    if fault:
        complaints.append(f"arena: {fault}")
    for complaint in dict.fromkeys(complaints):
        print(escape.line(complaint), file=sys.stderr)
    return FAULT if complaints else code


def _of_tables(played: Played | CheckedFight) -> list[str]:
    """Name the tables that were not completed."""
    if isinstance(played, FightResult):
        return []
    from arena.records.tables import TablesResult  # a fight of two has none

    tables = played.tables if isinstance(played, TablesResult) else ()
    return [
        f"arena: {', '.join(table.players)}: {table.unfinished}"
        for table in tables
        if table.unfinished
    ]


def _code_and_fault(played: Played | CheckedFight) -> tuple[int, str]:
    """Return the exit code of an answer, and the fault that ended a tournament early."""
    if isinstance(played, FightResult):
        return 0, ""
    from arena.records.sequential import SprtFight  # a fight has no question
    from arena.records.tables import TablesResult
    from arena.records.tournaments import TournamentResult
    from arena.records.until import UntilFight

    if isinstance(played, TournamentResult):
        is_open = played.until is not None and not played.until.is_decided
        return UNDECIDED if is_open else 0, played.fault
    if isinstance(played, TablesResult):
        return 0, played.fault
    if isinstance(played, UntilFight):
        return _code(played.report, played.fight.a.name), ""
    return DECISION_CODES[played.test.decision] if isinstance(played, SprtFight) else 0, ""


def _code(report: UntilReport, a: str) -> int:
    """Return the exit code of an answer. Reaching a width is one, whatever the score."""
    from arena.records.until import BETTER

    if report.choice is not None and report.answered:
        return 0 if report.choice.taken == a else 1
    if report.rule != BETTER:
        return 0 if report.answered else UNDECIDED
    return {"better": 0, "worse": 1}.get(report.decision, UNDECIDED)
