"""The tiers, from weakest to strongest, and which of them this machine has."""

from __future__ import annotations

import sys
from functools import cache
from typing import ClassVar

from arena.errors import ArenaError, UnknownName, UsageError
from arena.sandbox.selftest.pass_cache import remember, was_passed
from arena.sandbox.selftest.probes import Probe, failures
from arena.sandbox.tiers.box import Box, BoxLimits, Tier
from arena.sandbox.tiers.bwrap import Bubblewrap
from arena.sandbox.tiers.locked import LockTier
from arena.sandbox.tiers.plain import Plain
from arena.sandbox.words import WASM

__all__ = [
    "TIERS",
    "TIER_ORDER",
    "Box",
    "BoxLimits",
    "NotIsolated",
    "Tier",
    "choose_tier",
    "require",
]

#: The tiers by name; ``none`` is not a process at all, and none of these.
TIERS: dict[str, Tier] = {tier.name: tier for tier in (Plain(), LockTier(), Bubblewrap())}

#: All names, from weakest to strongest. The last one is not of processes.
TIER_ORDER = ("none", *TIERS, WASM)


class NotIsolated(ArenaError):
    """The machine cannot isolate players as well as was required."""

    exit_code: ClassVar[int] = 3


def choose_tier(name: str = "auto") -> Tier:
    """Return the tier of that name, by default the strongest that passes its self-test here.

    Raises UsageError with the reason if the tier of that name is not available.
    """
    if name != "auto" and name not in TIERS:
        raise UnknownName("isolation", name, ["auto", *TIERS])
    if sys.platform == "win32":
        (problem,) = _failed("process")
        raise UsageError(f"{problem.detail}: {problem.fix}")
    if name == "auto":
        return _strongest()
    if failed := _failed(name):
        raise UsageError(f"isolation {name} does not work here: {_reason(failed)}")
    return TIERS[name]


def require(tier: str, at_least: str) -> None:
    """Raise NotIsolated if a tier is weaker than the other. Both are names of ``TIER_ORDER``."""
    for name in (tier, at_least):
        if name not in TIER_ORDER:
            raise UnknownName("isolation", name, TIER_ORDER)
    if TIER_ORDER.index(tier) < TIER_ORDER.index(at_least):
        raise NotIsolated(
            f"isolation {at_least} is required, but players would run in {tier}{why_not(at_least)}"
        )


def why_not(name: str) -> str:
    """`` (bwrap: ...)``: what keeps a tier from being had. The result is empty if nothing does."""
    failed = _failed(name) if name in TIERS else ()
    return f" ({name}: {_reason(failed)})" if failed else ""


def _strongest() -> Tier:
    for name in reversed(TIERS):
        if not _failed(name):
            return TIERS[name]
    raise UsageError(f"players cannot have processes of their own here{why_not('process')}")


@cache
def _failed(name: str) -> tuple[Probe, ...]:
    """Return the outcome of the self-test, which runs once until the machine is started again."""
    if was_passed(name):
        return ()
    failed = tuple(failures(TIERS[name]))
    remember(name, passed=not failed)
    return failed


def _reason(failed: tuple[Probe, ...]) -> str:
    first = failed[0]
    fix = f"; {first.fix}" if first.fix else ""
    return f"{first.name}: {first.detail}{fix}"
