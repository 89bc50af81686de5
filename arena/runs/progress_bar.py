"""Show a progress bar in a terminal or a notebook, for functions with ``progress=True``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from arena.plugin.observers import Observer, Observers


def with_bar(observers: Observers, progress: bool) -> Observers:
    """Return the observers of a run, and its bar if it has one."""
    if not progress:
        return observers
    from arena.plugins.progress import Bar

    bar = Bar(_tqdm_class)
    show = Observer("progress", "arena_progress", bar.show, ("state", "run"))
    end = Observer("progress", "arena_run_end", bar.end, ())
    return replace(observers, members=(*observers.members, show, end))


def _tqdm_class() -> Any:
    from tqdm.auto import tqdm

    return tqdm
