"""Write records as JSON: their stable form, for programs."""

from __future__ import annotations

from arena import escape
from arena.records.base import Record


def json(record: Record) -> str:
    """Return the record as one JSON object on one line."""
    return escape.json_text(record.as_json())
