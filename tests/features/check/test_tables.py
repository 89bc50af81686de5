"""Checks of players at games for more than two."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

import arena
from tests.conftest import Run
from tests.golden import Wording

#: Is wrong in the third seat only.
THIRD = "def choose(seen, rng):\n    return rng.choice(seen.legal_moves()) if {third} else 99\n"

#: Keeps its seat, and breaks the rules in the third.
KEEPS = """
class Player:
    def start(self, game, side, rng):
        self.seat, self.rng = side, rng

    def choose(self, position):
        return self.rng.choice(position.legal_moves()) if self.seat != 2 else 99

choose = Player
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "third"),
    [("snakes-3", "seen.seat != 2"), ("mnk-3-3-3-x3", "seen.to_move != 2")],
)
def test_a_fault_in_one_seat_is_found_and_shown(
    game: str, third: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text(THIRD.format(third=third))
    words = ("check", "./bot.py", "--game", game, "--seed", "7", "--positions", "60")
    ran = run(*words, "--format", "json")
    assert ran.code == 1, ran.err
    findings = {each["check"]: each for each in json.loads(ran.out)["findings"]}
    assert "99" in findings["legal moves"]["message"]
    shown = run(*shlex.split(findings["legal moves"]["reproduction"])[1:])
    assert "99" in shown.out
    Path("bot.py").write_text(THIRD.format(third="True"))
    assert run(*words).code == 0


@pytest.mark.slow
def test_a_player_that_keeps_state_plays_every_seat(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text(KEEPS)
    words = ("check", "./bot.py", "--game", "mnk-3-3-3-x3", "--seed", "7", "--positions", "60")
    ran = run(*words, "--format", "json")
    findings = {each["check"]: each for each in json.loads(ran.out)["findings"]}
    assert findings["legal moves"]["level"] == "fail"
    again = run(*shlex.split(findings["legal moves"]["reproduction"])[1:])
    assert "./bot.py forfeits (illegal)" in again.out
    Path("bot.py").write_text(KEEPS.replace("!= 2", "!= 3"))
    assert run(*words).code == 0


@pytest.mark.slow
@pytest.mark.parametrize("player", ["monkey", "wary"])
def test_the_players_of_arena_conform(player: str) -> None:
    report = arena.check(player, game="snakes-4", seed=1, positions=60)
    assert report.conforms
    assert "20 games against monkey" in report.extent


@pytest.mark.slow
def test_a_claim_at_a_table_is_not_taken_for_proved(wording: Wording) -> None:
    claims = ("never-loses:mnk-3-3-3-x3",)
    player = replace(arena.get_player("monkey"), name="proud", claims=claims)
    report = arena.check(player, game="mnk-3-3-3-x3", seed=1, positions=20)
    claim = next(finding for finding in report.findings if finding.check == "claims")
    assert str(claim.level) == "fail"
    wording(claim.message)
