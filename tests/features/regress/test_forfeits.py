"""A player that begins to forfeit is at fault, whatever its score is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conftest import Run

STATEFUL = """
class Player:
    def start(self, game, side, rng):
        self.rng = rng
    def choose(self, position):
        {slip}
        return position.legal_moves()[0]
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("slip", "reason"),
    [
        ("if self.rng.randrange(100) < 5: return 77", "illegal: choose returned 77"),
        ("if self.rng.randrange(100) < 5: raise RuntimeError('oops')", "RuntimeError: oops"),
    ],
)
def test_a_player_that_begins_to_forfeit_is_at_fault(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slip: str, reason: str
) -> None:
    monkeypatch.chdir(tmp_path)
    command = ("regress", "./bot.py:Player", "--panel", "monkey")
    (tmp_path / "bot.py").write_text(STATEFUL.format(slip="pass"))
    assert run(*command, "--update", "-n", "60").code == 0
    assert run(*command).code == 0
    (tmp_path / "bot.py").write_text(STATEFUL.format(slip=slip))
    ran = run(*command)
    assert ran.code == 4
    assert re.search(r" \d+ of \d+ games", ran.out)
    assert " arena replay tictactoe/" in ran.out
    assert reason in ran.out
