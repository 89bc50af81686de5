"""Pack a large cross table, whose cells the script of the page makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena.reports.html.packing import compressed


def pack(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the cells right of the diagonal: 0, or wins, draws, losses and the link.

    The others are their mirror images.
    """
    return compressed(
        [[_packed(cell) for cell in row["cells"][at + 1 :]] for at, row in enumerate(rows)]
    )


def _packed(cell: Mapping[str, Any] | None) -> Any:
    return 0 if cell is None else [*cell["tally"], cell["link"] or ""]
