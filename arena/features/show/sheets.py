"""Show one table of a stored run."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.inputs.resolve import StoreLike
    from arena.plugin.catalogue import Catalogue
    from arena.records.listings import Listing

from arena.reports.columns.games import game_columns, game_rows
from arena.runs.sheets import require_sheet, sheet, sheet_of


def stored_sheet(
    store: StoreLike,
    name: str,
    run: int | None = None,
    catalogue: Catalogue | None = None,
    count_forfeits: str | None = None,
) -> Listing:
    """Return one table of a stored run, by default of the last. See :func:`arena.show`."""
    from arena.features.export.function import export
    from arena.features.show.function import show
    from arena.store.reading import find_run
    from arena.store.sql import open_to_read

    require_sheet(name)
    if name != "games":
        return sheet_of(show(store, run, catalogue, count_forfeits), name)
    number = find_run(open_to_read(store), run).number
    (exported,) = export(store, [number], catalogue).runs
    rows = [*game_rows(exported)]
    return sheet(name, game_columns(rows), rows)
