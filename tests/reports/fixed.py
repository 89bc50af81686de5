"""Fixed records of every kind, by the names of their golden files."""

from __future__ import annotations

from arena.records.base import Record
from tests.reports.evaluated import EVALUATED
from tests.reports.kept import KEPT
from tests.reports.played import PLAYED
from tests.reports.proved import PROVED

RECORDS: dict[str, Record] = {**PLAYED, **PROVED, **KEPT, **EVALUATED}
