"""Show a stored run again."""

from __future__ import annotations

from arena.errors import UsageError
from arena.inputs.resolve import StoreLike
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from arena.records.played import Played
from arena.runs.stored_runs import record_of_run


def show(
    store: StoreLike,
    run: int | None = None,
    catalogue: Catalogue | None = None,
    count_forfeits: str | None = None,
) -> Played:
    """Return what the command of a run showed, or would show by now.

    Without a number, the last run. Neither the players are needed nor do they play.
    ``count_forfeits`` is as for :func:`arena.fight`, by default as it was for the run. Raises
    UsageError if a sequential test went by another.
    """
    from arena.store.reading import find_run
    from arena.store.sql import open_to_read

    file = open_to_read(store)
    with file.read() as connection:
        return record_of_run(
            connection, find_run(file, run), catalogue or load_catalogue(), count_forfeits
        )


def contest_of(store: StoreLike, run: int | None = None) -> str:
    """Return the text of the contest's file that a run was played by, as it was then.

    Without a number, the last run. Raises UsageError for a run without such a file.
    """
    from arena.store.reading import find_run
    from arena.store.sql import open_to_read

    stored = find_run(open_to_read(store), run)
    if stored.setting.contest is None:
        raise UsageError(f"run {stored.number} was not played by a contest's file")
    return stored.setting.contest.text
