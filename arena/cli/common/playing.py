"""What commands that play games have in common: progress, interrupts, and a fault's exit code."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from arena import escape
from arena.cli.common.hypotheses import CODES
from arena.cli.common.output import Output
from arena.cli.common.running import FAULT
from arena.fights.counts import Counts
from arena.fights.play import Interrupted, OnProgress
from arena.fights.runs import Played, fights_of
from arena.records.proofs import CheckedFight
from arena.records.sequential import SprtFight


@contextmanager
def interruptible(output: Output) -> Iterator[OnProgress | None]:
    """Show the progress of what is played within; of what is interrupted, the result so far."""
    try:
        with _progress() as on_progress:
            yield on_progress
    except Interrupted as interrupted:
        if interrupted.partial is not None:
            output.write(interrupted.partial)
        if interrupted.run:
            print(escape.line(f"arena: to go on: arena resume {interrupted.run}"), file=sys.stderr)
        raise interrupted.cause from None


def show(output: Output, played: Played | CheckedFight) -> int:
    """Present what was played and return the exit code; name a fight that was not completed."""
    output.write(played)
    if isinstance(played, CheckedFight):
        played = played.fight
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


def watched() -> bool:
    """Whether standard error is a terminal, where a bar can be shown."""
    return sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def _progress() -> Iterator[OnProgress | None]:
    """A bar with games done, games a second and the score; None where nobody watches."""
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
            tally = counts.joint.total
            score = f"+{tally.wins} ={tally.draws} -{tally.losses}"
            bar.set_postfix_str(score, refresh=False)
            bar.update(sum(2 * c.pairs + c.void for c in done.values()) - bar.n)

        yield show
