"""Lay out hand-ins as rows."""

from __future__ import annotations

from arena.features.hand_in.record import HandIn
from arena.reports.rows import Rows, flat


@flat.register
def _hand_in_rows(hand_in: HandIn) -> Rows:
    header = ["entrant", "number", "received", "filename", "size", "state", "problem"]
    return [header, [getattr(hand_in, key) for key in header]]
