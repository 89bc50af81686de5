"""The self-test of modules: what they attempt is refused, or it says so."""

from __future__ import annotations

import subprocess
import sys

import pytest

from arena.sandbox.selftest.probes import START_PROBE
from arena.sandbox.wasm import raw, selftest
from tests.conftest import Run


@pytest.mark.slow
def test_every_attempt_is_refused() -> None:
    probes = list(selftest.run_module_probes())
    assert [probe.name for probe in probes] == [START_PROBE, *selftest.MODULE_ATTEMPTS]
    assert all(probe.passed for probe in probes)
    assert len({probe.detail for probe in probes}) >= len(probes) - 1  # each by its own reason


@pytest.mark.slow
def test_faults_need_no_handler_of_signals() -> None:
    """Python's own reporter of crashes takes the signals of faults, in notebooks for one."""
    code = (
        "import faulthandler; from arena.sandbox.wasm.selftest import run_module_probes\n"
        "list(run_module_probes()); faulthandler.enable()\n"
        "print(all(probe.passed for probe in run_module_probes()))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "True\n", "")


@pytest.mark.slow
def test_an_attempt_that_gets_through_is_no_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selftest, "MODULE_ATTEMPTS", {"do nothing": ("(i32.const 0)", "", "")})
    assert [probe.passed for probe in selftest.run_module_probes()] == [True, False]


@pytest.mark.slow
def test_a_machine_without_wasmtime_says_what_installs_it(
    monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.setitem(sys.modules, "wasmtime", None)
    [probe] = selftest.run_module_probes()
    assert (probe.passed, probe.fix) == (False, raw.INSTALL)
    assert raw.INSTALL in " ".join(run("doctor").out.split())
