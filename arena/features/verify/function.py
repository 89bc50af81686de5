"""Check a store by the rules, without players, or by having them play again."""

from __future__ import annotations

from dataclasses import replace

from arena.features.verify.record import VerifyReport
from arena.inputs.resolve import StoreLike
from arena.model.defaults import DEFAULT_EXECUTOR
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from arena.runs.begin import open_executor


def verify(
    store: StoreLike,
    catalogue: Catalogue | None = None,
    *,
    replay: bool = False,
    workers: int | None = None,
) -> VerifyReport:
    """Check a store: the file, every game by the rules, every total. No player is run.

    With ``replay`` all games are played again, in as many ``workers`` as there are cores unless it
    is given, and each must come out move by move as it is stored. Raises UsageError for a player
    that is not here, has other code now, or is a language model, which answers otherwise each time.
    """
    from arena.features.verify import checking as checking
    from arena.store.sql import open_to_read

    file, catalogue = open_to_read(store), catalogue or load_catalogue()
    report = checking.verify(file, catalogue)
    if not (replay and report.holds):
        return report
    from arena.features.verify.replaying import play_again  # few stores are played again

    executor = open_executor(catalogue, DEFAULT_EXECUTOR, workers)
    games, divergence = play_again(file, catalogue, executor)
    return replace(report, replayed=games, divergence=divergence)
