"""The self-test of the tiers: what is forbidden gets nowhere, but where nothing forbids it."""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import pytest

from arena.sandbox.choice import TIERS
from arena.sandbox.selftest.attempts import ATTEMPTS
from arena.sandbox.selftest.probes import Probe, failures, run_probes
from arena.sandbox.tiers import landlock, seccomp
from arena.sandbox.tiers.locked import LockTier
from arena.sandbox.tiers.plain import Plain
from tests import needs
from tests.golden import Wording

linux = pytest.mark.skipif(sys.platform != "linux", reason="the stronger tiers are of Linux")

#: What a system may refuse to everybody.
REFUSED_BY_SOME = {"make a namespace", "use io uring"}


@cache
def probes(name: str) -> dict[str, Probe]:
    return {probe.name: probe for probe in run_probes(TIERS[name])}


@linux
@pytest.mark.parametrize("attempt", ATTEMPTS)
@pytest.mark.parametrize("name", needs.tiers("locked", "bwrap"))
def test_an_attempt_gets_nowhere(name: str, attempt: str) -> None:
    assert probes(name)[attempt].passed, probes(name)[attempt]
    assert TIERS[name].stops is None


@linux
def test_where_nothing_forbids_it_every_attempt_succeeds(wording: Wording) -> None:
    through = {name for name, probe in probes("process").items() if not probe.passed}
    assert through | REFUSED_BY_SOME == set(ATTEMPTS) - {"take memory"}
    assert failures(Plain()) == []
    wording(probes("process")["send by udp"].fix)


@pytest.mark.slow
@pytest.mark.parametrize("name", needs.tiers(*TIERS))
def test_probes_of_an_ordinary_user(as_user: Any, name: str) -> None:
    through = json.loads(
        as_user(
            "import json\n"
            "from arena.sandbox.selftest.probes import run_probes\n"
            "from arena.sandbox.choice import TIERS\n"
            f"probes = run_probes(TIERS[{name!r}])\n"
            "print(json.dumps([probe.name for probe in probes if not probe.passed]))\n"
        )
    )
    if name == "process":
        assert set(through) | REFUSED_BY_SOME == set(ATTEMPTS) - {"take memory"}
    else:
        assert through == []


@linux
@pytest.mark.parametrize("version", range(1, 7))
def test_locks_hold_with_an_older_landlock(version: int, monkeypatch: pytest.MonkeyPatch) -> None:
    if landlock.version() < version:
        pytest.skip(f"this kernel's Landlock is of version {landlock.version()}")
    monkeypatch.setattr(landlock, "version", lambda: version)
    assert failures(LockTier()) == []


@pytest.mark.slow
@linux
def test_each_lock_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(seccomp, "program", lambda rules: [(6, 0, 0, 0x7FFF0000)])
        without_filter = {probe.name for probe in failures(LockTier())}
    assert {
        "send by udp",
        "take shared memory",
        "start a process",
        "use io uring",
    } <= without_filter
    assert "read a file elsewhere" not in without_filter
    monkeypatch.setattr("arena.sandbox.tiers.locked._files", lambda argv, box: None)
    without_landlock = {probe.name for probe in failures(LockTier())}
    assert {"read a file elsewhere", "read a file beside it", "list its folder"} <= without_landlock
    assert "send by udp" not in without_landlock


@pytest.mark.slow
def test_a_tier_that_promises_too_much_is_found_out() -> None:
    class Boaster(Plain):
        stops: ClassVar[frozenset[str] | None] = frozenset({"read a file elsewhere", "take memory"})

    (probe,) = failures(Boaster())
    assert probe == Probe("read a file elsewhere", False, "got through")


@linux
@pytest.mark.parametrize(
    "said",
    [
        "bwrap: setting up uid map: Permission denied",
        "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted",
        "bwrap: No permissions to create new namespace",
    ],
)
def test_a_known_refusal_has_its_remedy(
    said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    (tmp_path / "bwrap").write_text(f"#!/bin/sh\necho '{said}' >&2\nexit 1\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    (probe,) = run_probes(TIERS["bwrap"])
    assert not probe.passed
    assert probe.detail == said
    wording(probe.fix)


@linux
def test_what_is_missing_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    (probe,) = run_probes(TIERS["bwrap"])
    wording(probe.detail)
    assert "apt install bubblewrap" in probe.fix
    monkeypatch.setattr(landlock, "version", lambda: 0)
    (probe,) = run_probes(TIERS["locked"])
    wording(probe.detail)
    assert "5.13" in probe.fix
