"""Share what commands that play games have in common: interrupts, and the exit code of a fault."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable
from typing import Any

from arena import escape
from arena.cli.common.hypotheses import CODES
from arena.cli.common.output import Output
from arena.cli.common.running import FAULT
from arena.fights.play import Interrupted
from arena.fights.runs import Played, fights_of
from arena.plugin.catalogue import Catalogue
from arena.records.base import Record
from arena.records.sequential import SprtFight


def play_and_show(
    play: Callable[[], Played],
    arguments: Namespace,
    catalogue: Catalogue,
    present: Callable[[Any], Record] | None = None,
) -> int:
    """Play and present what came of it, even if that was interrupted; return the exit code.

    ``present`` makes of a finished result the record to show, if that is another.
    """
    output = Output(arguments, catalogue)
    try:
        played = play()
    except Interrupted as interrupted:
        if interrupted.partial is not None:
            output.write(interrupted.partial)
        if interrupted.run:
            print(escape.line(f"arena: to go on: arena resume {interrupted.run}"), file=sys.stderr)
        raise interrupted.cause from None
    output.write(present(played) if present else played)
    return _code_of(played)


def _code_of(played: Played) -> int:
    """The exit code; a fight that could not be completed is named."""
    unfinished = [fight for fight in fights_of(played) if fight.unfinished]
    complaints = []
    for fight in unfinished:
        a, b = fight.players
        # Who is withdrawn stands in the reason.
        who = "" if fight.is_someone_withdrawn else f"{a} against {b}: "
        complaints.append(f"arena: {who}{fight.unfinished}")
    complaints += [
        f"arena: {player.name} played otherwise than certified: {player.deviation}"
        for fight in fights_of(played)
        for player in fight.both
        if player.deviation is not None
    ]
    for complaint in dict.fromkeys(complaints):
        print(escape.line(complaint), file=sys.stderr)
    if complaints:
        return FAULT
    return CODES[played.test.decision] if isinstance(played, SprtFight) else 0
