"""What does not load, comes late or cannot be started in a process of its own."""

from __future__ import annotations

import errno
import gc
import sys
import time
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

import arena
from arena.errors import PlayerFault, PlayerFileError, VoidGame, Withdrawn
from arena.game import Side
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.sandbox.pool import MAX_STARTS
from arena.sandbox.remote import Remote
from arena.sandbox.settings import Spec
from tests.golden import Wording
from tests.processes import command_lines
from tests.sandbox.conftest import Make
from tests.sandbox.remotes import BOTS, ISOLATION, play, written

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="players are stopped by signals")

FORGED = """
import os
SAID = b'%s'
for n in range(3, 64):
    try:
        os.write(n, len(SAID).to_bytes(4, 'little') + bytes(4) + SAID)
    except OSError:
        pass
"""


@pytest.mark.parametrize(
    "text",
    [
        "1 / 0",
        "def choose(",
        "import nothing_of_that_name",
        "raise SystemExit(0)",
        "raise KeyboardInterrupt",
        "import os; os._exit(0)",
        "import os; os.write(2, b'so long\\n'); os.abort()",
        "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
        "x = 1",
        "class Bot:\n def start(self): pass",
        FORGED % "x",
        FORGED % "[1]",
        FORGED % '{"failed": [1]}',
        "raise type('\\x1b[2J', (Exception,), {})('\\x1b[31m' + 'x' * 10**6)",
    ],
)
def test_what_does_not_load_says_why(
    text: str, made: Make, tmp_path: Path, wording: Wording
) -> None:
    file = written(tmp_path, text)
    with wording.raises((PlayerFileError, PlayerFault)) as caught:
        made(file)
    ends_its_process = any(f"os.{end}(" in text for end in ("_exit", "abort", "kill"))
    assert isinstance(caught.value, PlayerFault) == ends_its_process
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 1000


def test_loading_has_a_limit_of_its_own(made: Make, tmp_path: Path, wording: Wording) -> None:
    begun = time.monotonic()
    with wording.raises(PlayerFileError):
        made(written(tmp_path, "import time; time.sleep(60)"), import_time=0.5)
    assert time.monotonic() - begun < 30


@pytest.mark.slow
def test_what_it_says_of_itself_is_fit_to_be_shown(made: Make, tmp_path: Path) -> None:
    doc = r"'\x1b[2J' + 'x' * 10000"
    text = f"def choose(p, rng): return 0\nchoose.__doc__ = {doc}\n"
    player = made(written(tmp_path, text))
    assert player.summary.startswith(r"\x1b[2Jxxx")
    assert len(player.summary) < 300
    nested = '{"ready": 1, "summary": ' + "[" * 500 + "]" * 500 + "}"
    assert made(written(tmp_path, FORGED % nested, "forged.py")).summary == ""


def test_who_cannot_be_started_is_withdrawn(
    catalogue: Catalogue, tmp_path: Path, wording: Wording
) -> None:
    isolation = replace(ISOLATION, tier="process")
    remote = Remote(Spec("bot", file=written(tmp_path, "1 / 0")), isolation)
    player = PlayerInfo("bot", remote, stateless=False, remote=remote)
    with patch.object(remote, "start", wraps=remote.start) as start:
        for _ in range(2):
            with wording.raises(Withdrawn, match="ZeroDivisionError"):
                play(catalogue, player, catalogue.player("monkey"))
    assert start.call_count == MAX_STARTS  # and no more for the second game


@pytest.mark.slow
def test_who_comes_late_forfeits_that_game_alone(catalogue: Catalogue, tmp_path: Path) -> None:
    lines = (BOTS / "first_free.py").read_text()
    mark = tmp_path / "mark"
    late = f"import pathlib\nmark = pathlib.Path({str(mark)!r})\n"
    late += "if not mark.exists():\n    mark.touch()\n    1 / 0\n"
    isolation = replace(ISOLATION, tier="process")
    remote = Remote(Spec("bot", file=written(tmp_path, f"{late}{lines}")), isolation)
    player = PlayerInfo("bot", remote, stateless=False, remote=remote)
    record = play(catalogue, player, catalogue.player("monkey"))
    assert record.forfeit is not None
    assert record.forfeit[:2] == (Side.FIRST, "import-error")
    assert play(catalogue, player, catalogue.player("monkey")).forfeit is None
    remote.close()


@pytest.mark.slow
def test_its_processes_end_with_a_player_that_nobody_has_any_more(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    file = written(tmp_path, (BOTS / "first_free.py").read_text())
    for executor in ("serial", "processes"):
        arena.fight(file, "monkey", 2, catalogue=catalogue, executor=executor)
        gc.collect()
        assert command_lines(file) == {}


def test_a_machine_that_starts_nothing_is_not_the_players_fault(
    tmp_path: Path, wording: Wording
) -> None:
    remote = Remote(Spec("bot", file=written(tmp_path, "")), ISOLATION)
    scarce = OSError(errno.EAGAIN, "Resource temporarily unavailable")
    with (
        patch("subprocess.Popen", side_effect=scarce),
        wording.raises(VoidGame),
    ):
        remote.take()
