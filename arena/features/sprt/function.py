"""Compute statistics on results from anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from arena.errors import UsageError
from arena.fights import estimates
from arena.inputs.options import ErrorOptions
from arena.kinds import FINITE, check_value
from arena.records.sequential import Hypotheses, SprtReport
from arena.signatures import complete, takes


@takes(ErrorOptions)
def sprt(
    counts: Sequence[int],
    *,
    elo0: float,
    elo1: float,
    **options: Unpack[ErrorOptions],
) -> SprtReport:
    """Test sequentially the counts of games (lost, drawn, won) or pairs (LL, LD, mid, WD, WW).

    The estimates take the number of games or pairs as chosen beforehand. After a sequential test
    they are too far from the middle between H0 and H1; :func:`sprt_fight` has others.

    >>> sprt([0, 1000, 0], elo0=0, elo1=5).decision
    'H0'
    """
    errors = complete(sprt, options)
    if len(counts) not in (3, 5) or min(counts) < 0:
        raise UsageError(f"counts {list(counts)} must be three of games or five of pairs, from 0")
    elos = [check_value(name, FINITE, elo) for name, elo in (("elo0", elo0), ("elo1", elo1))]
    return estimates.report(counts, Hypotheses(*elos, **errors))
