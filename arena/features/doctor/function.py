"""Test how well this machine isolates players."""

from __future__ import annotations

from arena.core import build
from arena.features.doctor.record import Attempt, Diagnosis


def doctor() -> Diagnosis:
    """Start a player in every tier, have it attempt what is forbidden, and tell what got through.

    >>> "process" in doctor().available
    True
    """
    from arena.sandbox.choice import TIERS
    from arena.sandbox.selftest.probes import promises, run_probes
    from arena.sandbox.selftest.remembered import remember

    attempts = tuple(
        Attempt(
            tier=name,
            name=probe.name,
            refused=probe.passed,
            detail=probe.detail,
            fix=probe.fix,
            promised=promises(tier, probe.name),
        )
        for name, tier in TIERS.items()
        for probe in run_probes(tier)
    )
    broken = {a.tier for a in attempts if a.promised and not a.refused}
    for name in TIERS:
        remember(name, passed=name not in broken)
    available = tuple(name for name in TIERS if name not in broken)
    return Diagnosis(attempts, available, build())
