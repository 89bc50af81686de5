"""Statistics on results from anywhere."""

from __future__ import annotations

from collections.abc import Sequence

from arena import sequential
from arena.errors import UsageError
from arena.results import Hypotheses, SprtReport


def sprt(
    counts: Sequence[int],
    *,
    elo0: float,
    elo1: float,
    alpha: float = 0.05,
    beta: float = 0.05,
    model: str = "logistic",
) -> SprtReport:
    """A sequential test on counts of games (lost, drawn, won) or of pairs (LL, LD, mid, WD, WW).

    >>> sprt([0, 1000, 0], elo0=0, elo1=5).decision
    'H0'
    """
    if len(counts) not in (3, 5) or min(counts) < 0:
        raise UsageError(f"counts {list(counts)} must be three of games or five of pairs, from 0")
    return sequential.report(counts, Hypotheses(elo0, elo1, alpha, beta, model))
