"""The page of every kind of record, one subject a file; importing this package registers them."""

from arena.reports.page import page
from arena.reports.pages import (
    checked,
    diagnosed,
    fights,
    listings,
    proofs,
    ratings,
    regression,
    statistics,
    stored,
    trained,
)

__all__ = [
    "checked",
    "diagnosed",
    "fights",
    "listings",
    "page",
    "proofs",
    "ratings",
    "regression",
    "statistics",
    "stored",
    "trained",
]
