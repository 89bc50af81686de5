"""Test how well this machine isolates players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.core import build
from arena.features.doctor.record import Attempt, Diagnosis
from arena.sandbox.words import WASM

if TYPE_CHECKING:
    from arena.sandbox.selftest.probes import Probe


def doctor() -> Diagnosis:
    """Start a player in every tier, have it attempt what is forbidden, and tell what got through.

    >>> "process" in doctor().available
    True
    """
    from arena.sandbox.choice import TIERS
    from arena.sandbox.selftest.pass_cache import remember
    from arena.sandbox.selftest.probes import promises, run_probes
    from arena.sandbox.wasm.selftest import run_module_probes

    attempts = tuple(
        _attempt(name, probe, is_promised=promises(tier, probe.name))
        for name, tier in TIERS.items()
        for probe in run_probes(tier)
    )
    broken = {a.tier for a in attempts if a.promised and not a.refused}
    for name in TIERS:
        remember(name, passed=name not in broken)
    available = tuple(name for name in TIERS if name not in broken)
    modules = tuple(_attempt(WASM, probe, is_promised=True) for probe in run_module_probes())
    return Diagnosis(attempts, available, build(), modules)


def _attempt(tier: str, probe: Probe, *, is_promised: bool) -> Attempt:
    return Attempt(tier, probe.name, probe.passed, probe.detail, probe.fix, is_promised)
