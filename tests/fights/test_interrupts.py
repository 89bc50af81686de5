"""Ctrl-C and a polite end stop a fight at once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.processes import ended
from tests.samples import few


def run_and_interrupt(script: str, signum: signal.Signals) -> tuple[int, str, str, float]:
    """Run a script that says ``ready`` on standard error, signal its whole group, and wait."""
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    clock = __import__("time").monotonic
    with ended(process):
        assert process.stderr is not None
        while "ready" not in process.stderr.readline():
            pass
        started = threading.Event()
        started.wait(0.3)
        before = clock()
        os.killpg(process.pid, signum)
        out, err = process.communicate(timeout=20)
        seconds = clock() - before
    with pytest.raises(ProcessLookupError):  # nobody of the group is left
        os.killpg(process.pid, 0)
    return process.returncode, out, err, seconds


SLOW_FIGHT = """
import signal, sys, time
from pathlib import Path
from arena.main import main
signal.signal(signal.SIGINT, signal.default_int_handler)  # which may be ignored where tests run
Path({bot!r}).write_text(
    "import os, time\\n"
    "def choose(position, rng):\\n"
    "    os.write(2, b'ready\\\\n')\\n"
    "    while {busy}: time.sleep(0.01)\\n"
    "    return rng.choice(position.legal_moves())\\n"
)
fight = ["fight", {bot!r}, "monkey", "-n", "100000", "--engine", "calls", "-j", "2"]
sys.exit(main([*fight, "--isolation", "none"]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("busy", few([False, True]))
@pytest.mark.parametrize(
    ("signum", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["ctrl-c", "term"]
)
def test_ctrl_c_and_term_stop_at_once_and_leave_no_process(
    tmp_path: Path, busy: bool, signum: signal.Signals, code: int
) -> None:
    script = SLOW_FIGHT.format(bot=str(tmp_path / "bot.py"), busy=busy)
    returned, out, err, seconds = run_and_interrupt(script, signum)
    assert returned == code
    assert seconds < 5  # two seconds are promised; a loaded machine gets more
    assert "Traceback" not in err
    if signum == signal.SIGINT:
        assert out.startswith("Draw: ")
        assert " of 100000 pairs " in out
