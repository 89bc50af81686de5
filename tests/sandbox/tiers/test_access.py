"""Folders and files that a player's user may not read: arena says so before any game."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import arena
from arena.main import main
from arena.sandbox.settings import Isolation
from arena.sandbox.tiers.access import denied_to

if TYPE_CHECKING:
    from tests.sandbox.conftest import AsUser

STRANGER = 1_900_000_000

READS = """
from pathlib import Path

def choose(position, rng):
    assert Path({file!r}).read_text() == "weights"
    return rng.choice(position.legal_moves())
"""

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="root alone starts players as other users")


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder with weights, and the file of a player that reads them."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    file = folder / "weights"
    file.write_text("weights")
    file.chmod(0o644)
    (tmp_path / "bot.py").write_text(READS.format(file=str(file)))
    (tmp_path / "bot.py").chmod(0o644)
    return folder


def test_the_mode_of_a_path_decides_and_what_is_above_does_not(data: Path) -> None:
    data.parent.chmod(0o700)
    refused = denied_to(STRANGER, data)
    assert f"may not enter folder {str(data)[:40]!r}"[:-1] in refused
    assert refused.endswith(f"chmod o+rx {data}")
    assert denied_to(data.stat().st_uid, data) == ""
    data.chmod(0o711)
    assert denied_to(STRANGER, data) == ""
    file = data / "weights"
    assert denied_to(STRANGER, file) == ""
    file.chmod(0o640)
    assert denied_to(STRANGER, file).endswith(f"chmod o+r {file}")
    assert denied_to(STRANGER, Path("/dev/null")) == denied_to(STRANGER, data / "none") == ""


def test_a_folder_within_one_that_a_player_sees_whole_counts(data: Path) -> None:
    shared = data.parent
    assert denied_to(STRANGER, data / "weights") == ""
    assert denied_to(STRANGER, data / "weights", [shared]).endswith(f"chmod o+rx {data}")
    data.chmod(0o755)
    shared.chmod(0o700)
    assert denied_to(STRANGER, data / "weights", [shared]) == ""


@as_root
@pytest.mark.needs("bwrap")
@pytest.mark.parametrize(
    "words",
    [
        ["fight", "./bot.py", "monkey", "-n", "1"],
        ["fight", "monkey", "random-player", "-n", "1", "--isolate"],
        ["tournament", "./bot.py", "cmd:sh bot", "monkey", "-n", "1"],
        ["check", "./bot.py"],
    ],
    ids=" ".join,
)
def test_a_folder_that_a_player_may_not_enter_is_named_before_any_game(
    data: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--isolation", "bwrap", "--readable", "data"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert re.fullmatch(r"arena: .* folder '.*\n", err)
    assert err.endswith(f": chmod o+rx {data}\n")


@as_root
@pytest.mark.needs("bwrap")
def test_a_folder_that_all_may_enter_is_read_wherever_it_is(data: Path) -> None:
    data.parent.chmod(0o700)
    data.chmod(0o755)
    result = arena.fight("./bot.py", "monkey", n=1, isolation=Isolation("bwrap", readable=["data"]))
    assert [dict(one.forfeits) for one in (result.a, result.b)] == [{}, {}]


@as_root
@pytest.mark.needs("bwrap")
def test_a_players_file_that_only_root_may_read_is_named(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = data.parent / "bot.py"
    file.chmod(0o600)
    assert main(["fight", "./bot.py", "monkey", "-n", "1", "--isolation", "bwrap"]) == 2
    assert capsys.readouterr().err.endswith(f": chmod o+r {file}\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["process", pytest.param("locked", marks=pytest.mark.needs("locked"))]
)
def test_other_tiers_read_all_that_arena_reads(data: Path, name: str) -> None:
    (data / "weights").chmod(0o600)
    result = arena.fight("./bot.py", "monkey", n=1, isolation=Isolation(name, readable=["data"]))
    assert [dict(one.forfeits) for one in (result.a, result.b)] == [{}, {}]


@pytest.mark.needs("bwrap")
def test_the_players_of_an_ordinary_user_read_what_it_reads(as_user: AsUser) -> None:
    result = as_user(
        "import json, subprocess, sys, tempfile\n"
        "from pathlib import Path\n"
        "from arena.sandbox.choice import TIERS, Box, BoxLimits\n"
        "with tempfile.TemporaryDirectory() as top:\n"
        "    folder, script = Path(top, 'data'), Path(top, 'player.py')\n"
        "    folder.mkdir(mode=0o700)\n"
        "    (folder / 'weights').write_text('weights')\n"
        "    (folder / 'weights').chmod(0o600)\n"
        "    script.write_text(f'print(open({str(folder / \"weights\")!r}).read())')\n"
        "    tier = TIERS['bwrap']\n"
        "    box = Box(BoxLimits(256, 1, 9, 99), (script, folder), {}, True)\n"
        "    command = tier.command([sys.executable, str(script)], box)\n"
        "    read = subprocess.check_output(command, env={}, text=True).strip()\n"
        "    own = tier.denied(folder)\n"
        "    folder.chmod(0)\n"
        "    closed = [tier.denied(folder) for tier in TIERS.values()]\n"
        "    folder.chmod(0o700)\n"
        "print(json.dumps([read, own, closed]))\n"
    )
    read, own, closed = json.loads(result)
    assert (read, own) == ("weights", "")
    assert len(closed) == 3
    for line in closed:
        assert re.fullmatch(r".* chmod u\+rx .*", line)
