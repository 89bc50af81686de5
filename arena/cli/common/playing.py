"""What commands that play games have in common: progress, interrupts, and a fault's exit code."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from arena import escape
from arena.cli.common.hypotheses import CODES
from arena.cli.common.output import Output
from arena.cli.common.running import FAULT
from arena.fights.counts import Counts
from arena.fights.play import Interrupted, OnProgress
from arena.fights.runs import Played, fights_of
from arena.plugin.catalogue import Catalogue
from arena.records.base import Record
from arena.records.sequential import SprtFight


def play_and_show(
    play: Callable[[OnProgress | None], Played],
    arguments: Namespace,
    catalogue: Catalogue,
    present: Callable[[Any], Record] | None = None,
) -> int:
    """Play and present what came of it, even if that was interrupted; return the exit code.

    ``present`` makes of a finished result the record to show, if that is another.
    """
    output = Output(arguments, catalogue)
    try:
        with _progress() as on_progress:
            played = play(on_progress)
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
        who = "" if any(fight.withdrawn) else f"{a} against {b}: "  # who it is stands in the reason
        complaints.append(f"arena: {who}{fight.unfinished}")
    deviations = [deviation for fight in fights_of(played) for deviation in fight.deviations]
    complaints += [f"arena: {d.player} did not play as certified: {d}" for d in deviations]
    for complaint in dict.fromkeys(complaints):
        print(escape.line(complaint), file=sys.stderr)
    if complaints:
        return FAULT
    return CODES[played.test.decision] if isinstance(played, SprtFight) else 0


def watched() -> bool:
    """Whether standard error is a terminal, where a bar can be shown."""
    return sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def _progress() -> Iterator[OnProgress | None]:
    """A bar with games done, games per second and the score; None where nobody watches."""
    if not watched():
        yield None
        return
    from tqdm import tqdm

    tqdm.monitor_interval = 0  # its thread would be in the way of forking a worker
    done: dict[int, Counts] = {}
    with tqdm(unit=" games", leave=False, smoothing=0.1) as bar:

        def show(index: int, counts: Counts, total: int) -> None:
            done[index] = counts
            bar.total = total
            first, second = map(sum, counts.joint), map(sum, zip(*counts.joint, strict=True))
            losses, draws, wins = map(sum, zip(first, second, strict=True))
            bar.set_postfix_str(f"+{wins} ={draws} -{losses}", refresh=False)
            bar.update(sum(2 * c.pairs + c.void for c in done.values()) - bar.n)

        yield show
