"""A progress bar on the terminal, while a command plays games."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from arena.plugin.markers import hookimpl

if TYPE_CHECKING:
    from arena.records.observers import Progress, Run


def is_watched() -> bool:
    """Return whether standard error is a terminal, where a bar can be shown."""
    return sys.stderr is not None and sys.stderr.isatty()


class ProgressBar:
    """Shows games done, games a second and the score."""

    def __init__(self) -> None:
        self._bar: Any = None

    @hookimpl
    def arena_run_start(self, run: Run) -> None:
        """Show the bar, unless a Python program runs the games."""
        if not run.command or not is_watched():
            return
        from tqdm import tqdm

        tqdm.monitor_interval = 0  # its thread would be in the way of forking a worker
        self._bar = tqdm(unit=" games", leave=False, smoothing=0.1)

    @hookimpl
    def arena_progress(self, state: Progress) -> None:
        """Move the bar."""
        if self._bar is not None:
            score = state.tally
            self._bar.total = state.total
            text = f"+{score.wins} ={score.draws} -{score.losses}"
            self._bar.set_postfix_str(text, refresh=False)
            self._bar.update(state.done - self._bar.n)

    @hookimpl
    def arena_run_end(self) -> None:
        """Remove the bar."""
        bar, self._bar = self._bar, None
        if bar is not None:
            bar.close()


PROGRESS_BAR = ProgressBar()
