"""Records as JSON: their stable form, for programs."""

from __future__ import annotations

import json as json_

from arena.results import Record


def json(record: Record) -> str:
    """The record as one JSON object on one line."""
    return json_.dumps(record.as_json(), ensure_ascii=False)
