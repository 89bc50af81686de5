"""Lay out what the tiers refuse as rows."""

from __future__ import annotations

from dataclasses import asdict

from arena.features.doctor.record import Diagnosis
from arena.reports.rows import Rows, flat


@flat.register
def _diagnosis_rows(diagnosis: Diagnosis) -> Rows:
    header = ["tier", "name", "refused", "promised", "detail", "fix"]
    return [header, *([asdict(attempt)[key] for key in header] for attempt in diagnosis.attempts)]
