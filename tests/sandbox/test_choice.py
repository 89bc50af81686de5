"""The tiers: which is chosen, what a player has in it, and how it ends."""

from __future__ import annotations

import sys

import pytest

from arena.errors import UnknownName, UsageError
from arena.sandbox import choice as tiers
from arena.sandbox.choice import TIER_ORDER, NotIsolated, choose_tier, require
from arena.sandbox.selftest.probes import Probe
from tests.golden import Wording

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the stronger tiers are of Linux")


def test_the_strongest_is_chosen(monkeypatch: pytest.MonkeyPatch, wording: Wording) -> None:
    monkeypatch.setattr(tiers, "_failed", lambda name: ())
    assert choose_tier().name == "bwrap"
    assert choose_tier("locked").name == "locked"
    monkeypatch.setattr(tiers, "_failed", lambda name: PROBLEM if name == "bwrap" else ())
    assert choose_tier().name == "locked"
    with wording.raises(UsageError):
        choose_tier("bwrap")
    with wording.raises(UnknownName, match="'bwrap'"):
        choose_tier("bwarp")


PROBLEM = (Probe("a", False, "b", "c"),)


def test_what_is_required(monkeypatch: pytest.MonkeyPatch, wording: Wording) -> None:
    assert TIER_ORDER == ("none", "process", "locked", "bwrap", "wasm")
    require("bwrap", "bwrap")
    require("bwrap", "process")
    with wording.raises(NotIsolated):
        require("process", "locked")
    assert NotIsolated.exit_code == 3
    monkeypatch.setattr(tiers, "_failed", lambda name: PROBLEM)
    with pytest.raises(NotIsolated, match=r"\(locked: a: b; c\)"):
        require("none", "locked")
    with pytest.raises(UnknownName):
        require("none", "lock")
