"""A progress bar on the terminal, while a command plays games."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from arena import escape
from arena.plugin.markers import hookimpl

if TYPE_CHECKING:
    from arena.records.observers import Progress, Run

#: The bar of the run that is on.
_bar: Any = None


def is_watched() -> bool:
    """Return whether standard error is a terminal, where a bar can be shown."""
    return sys.stderr is not None and sys.stderr.isatty()


@hookimpl
def arena_progress(state: Progress, run: Run) -> None:
    global _bar
    if not run.command or not is_watched():
        return
    if _bar is None:
        from tqdm import tqdm

        tqdm.monitor_interval = 0  # its thread would be in the way of forking a worker
        _bar = tqdm(total=state.total, unit=" games", leave=False, smoothing=0.1)
    _bar.set_postfix_str(_score(state, len(run.fights)), refresh=False)
    _bar.update(state.done - _bar.n)


def _score(state: Progress, fights: int) -> str:
    """Say whose results are shown, and of a tournament what is being played."""
    tally = state.leader_tally if state.leader else state.tally
    results = f"+{tally.wins} ={tally.draws} -{tally.losses}"
    if state.playing is None or not state.leader:
        return f"checked players {results}" if tally.games else ""
    a, b = state.playing
    if fights == 1:
        found = state.interval  # which anybody may watch, and stop
        ends = found and f"{100 * found.low:.1f}-{100 * found.high:.1f} % {found.kind}"
        return escape.line(f"{a} {ends or results}")
    return escape.line(f"{state.leader} leads {results}, now {a} against {b}")


@hookimpl
def arena_run_end() -> None:
    global _bar
    bar, _bar = _bar, None
    if bar is not None:
        bar.close()
