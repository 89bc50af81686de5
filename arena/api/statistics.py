"""Statistics on results from anywhere."""

from __future__ import annotations

from collections.abc import Sequence

from arena.errors import UsageError
from arena.results import SprtReport
from arena.stats import sprt as sequential
from arena.stats.elo import elo_estimate, likelihood_of_superiority, moments, nelo_estimate


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
    test = sequential.sprt(counts, elo0, elo1, alpha=alpha, beta=beta, model=model)
    elo, nelo = elo_estimate(counts), nelo_estimate(counts)
    total, mean, _ = moments(counts)
    reasons = {"llr": test.reason, "elo": elo.reason, "nelo": nelo.reason}
    return SprtReport(
        counts=tuple(counts),
        model=model,
        elo0=elo0,
        elo1=elo1,
        alpha=alpha,
        beta=beta,
        llr=test.llr,
        lower=test.lower,
        upper=test.upper,
        decision=test.decision,
        score=mean if total else None,
        elo=elo.value,
        elo_error=elo.error,
        nelo=nelo.value,
        nelo_error=nelo.error,
        los=likelihood_of_superiority(counts),
        reasons={name: reason for name, reason in reasons.items() if reason},
    )
