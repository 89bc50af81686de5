"""Follow a run that is played elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from arena.errors import UsageError
from arena.features.watch.record import Watched
from arena.inputs.resolve import StoreLike
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from arena.runs.stored_runs import game_of


def watch(
    store: StoreLike, run: int | None = None, catalogue: Catalogue | None = None
) -> Callable[[], Watched]:
    """Follow a run of a store, by default the last, while another process plays it.

    Return a function that returns the state of the run. It reads every game about once, so it may
    be called several times a second. Latest games have no position if their game is not installed.
    Raises UsageError without such a run.
    """
    from arena.features.watch.following import RunFollower
    from arena.store.reading import find_run
    from arena.store.sql import open_to_read

    file = open_to_read(store)
    stored = find_run(file, run)
    game = None
    with suppress(UsageError):
        game = game_of(stored, catalogue or load_catalogue())
    return RunFollower(file, stored.number, game).look
