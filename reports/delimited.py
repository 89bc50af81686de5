"""Write records as comma-separated values: one flat table with a header."""

from __future__ import annotations

import csv as csv_
import io

from arena import escape
from arena.records.base import Record
from arena.reports.page import flat


def csv(record: Record) -> str:
    """Return the record's rows: those of a fight by starting order, of a tournament by pairing."""
    out = io.StringIO()
    rows = ([escape.csv_cell(cell) for cell in row] for row in flat(record))
    csv_.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue().rstrip("\n")
