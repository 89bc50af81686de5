"""Check a store by the rules, without players."""

from __future__ import annotations

from arena.features.verify.record import VerifyReport
from arena.inputs.resolve import StoreLike
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue


def verify(store: StoreLike, catalogue: Catalogue | None = None) -> VerifyReport:
    """Check a store: the file, every game by the rules, every total. No player is run."""
    from arena.features.verify import checking as checking
    from arena.store.sql import open_to_read

    return checking.verify(open_to_read(store), catalogue or load_catalogue())
