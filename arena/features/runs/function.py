"""List the runs of a store."""

from __future__ import annotations

from arena.inputs.resolve import StoreLike
from arena.records.listings import Listing
from arena.runs.stored_runs import listed_run


def stored_runs(store: StoreLike) -> Listing:
    """List the runs of a store, and below them its runs of :func:`regress` and its imports."""
    from arena.features.regress.history import read_regression_runs
    from arena.store.imports import read_imports
    from arena.store.reading import read_runs
    from arena.store.sql import open_to_read

    with open_to_read(store).read() as connection:
        rows = tuple(listed_run(run).as_json() for run in read_runs(connection))
        regression_runs = tuple(read_regression_runs(connection))
        files = tuple(read_imports(connection))
    title = "Runs of arena regress; see: arena history PLAYER"
    regressions = Listing(
        "regression_runs", regression_runs, ("run", "date", "verdict", "players"), title=title
    )
    contest = ["contest"] if any(row["contest"] for row in rows) else []
    columns = ("run", "started", "schedule", "game", "played", "games", "state", *contest)
    title = "Games that were played elsewhere, from files"
    imports = Listing("imports", files, ("import", "date", "file", "games"), title=title)
    return Listing("runs", rows, columns, more=(regressions, *([imports] if files else [])))
