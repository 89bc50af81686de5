"""Follow a run that is played elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from arena.api.common import StoreLike
from arena.api.runs import game_of
from arena.errors import UsageError
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from arena.records.watching import Watched


def watch(
    store: StoreLike, run: int | None = None, catalogue: Catalogue | None = None
) -> Callable[[], Watched]:
    """Follow a run of a store, by default the last, while another process plays it.

    Return a function that tells what the run has by now. It reads every game about once, so it may
    be called several times a second. Latest games have no position if their game is not installed.
    Raises UsageError without such a run.
    """
    from arena.store.reading import find_run
    from arena.store.sql import open_to_read
    from arena.store.watching import Watcher

    file = open_to_read(store)
    stored = find_run(file, run)
    game = None
    with suppress(UsageError):
        game = game_of(stored, catalogue or load_catalogue())
    return Watcher(file, stored.number, game).look
