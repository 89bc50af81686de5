"""The examples in C, Zig and AssemblyScript: real compilers make the same player of them."""

from __future__ import annotations

import random
import shlex
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import arena

ROOT = Path(__file__).parents[3]

#: How docs/wasm.md begins the command of each.
COMMANDS = {
    "c": "python -m ziglang cc ",
    "zig": "python -m ziglang build-exe ",
    "ts": "npx asc ",
}

pytestmark = pytest.mark.outside


@pytest.fixture(params=COMMANDS)
def made(request: pytest.FixtureRequest, folder: Path) -> str:
    """Return the player that the documented command makes of an example."""
    language = request.param
    if language == "ts" and shutil.which("asc") is None:
        pytest.skip("needs asc: npm install -g assemblyscript")
    if language != "ts" and find_spec("ziglang") is None:
        pytest.skip("needs ziglang: pip install ziglang")
    shutil.copytree(ROOT / "examples" / "wasm", folder, dirs_exist_ok=True)
    page = (ROOT / "docs" / "wasm.md").read_text()
    [line] = [line for line in page.splitlines() if line.startswith(COMMANDS[language])]
    command = shlex.split(line)
    command = command[1:] if language == "ts" else [sys.executable, *command[1:]]
    subprocess.run(command, check=True, timeout=300)
    return "./corner.wasm"


def corner(position: arena.Position, rng: random.Random) -> int:
    """Take the centre, then corners, then any square."""
    legal = position.legal_moves()
    best = [move for move in (4, 0, 2, 6, 8) if move in legal]
    return best[0] if best else rng.choice(legal)


def test_all_are_the_same_player(made: str) -> None:
    exact = arena.exact(made, "monkey")
    assert exact.total == arena.exact(arena.PlayerInfo("corner", corner), "monkey").total
