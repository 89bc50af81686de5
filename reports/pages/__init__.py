"""The page of every kind of record, one subject a file; importing this package registers them."""

from arena.reports.page import page
from arena.reports.pages import (
    checks,
    fights,
    isolation,
    listings,
    proofs,
    ratings,
    regression,
    runs,
    statistics,
    training,
)

__all__ = [
    "checks",
    "fights",
    "isolation",
    "listings",
    "page",
    "proofs",
    "ratings",
    "regression",
    "runs",
    "statistics",
    "training",
]
