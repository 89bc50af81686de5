"""The page for coding agents: its files are read and played, and its tables have every key."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import arena
from arena.features.check.remedies import OF_FAULTS
from tests.docs.reading import ROOT

PAGE = (ROOT / "docs" / "agents.md").read_text()
FINAL, LADDER = re.findall(r"^```toml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def test_the_file_with_a_final_says_when_and_how_long(tmp_path: Path) -> None:
    file = tmp_path / "contest.toml"
    file.write_text(FINAL)
    rules = arena.read_contest(file).hand_ins
    assert (rules.final, rules.closes) == (100, "2027-01-31T17:00:00Z")


@pytest.mark.slow
def test_the_ladder_of_the_page_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("frozen").mkdir()
    Path("frozen/anna-3.py").write_text("def choose(position, rng):\n    return 99\n")
    Path("contest.toml").write_text(f'game = "tictactoe"\npairs = 1\nseed = 1\n{LADDER}')
    played = arena.tournament("contest.toml", store=None)
    assert {row.player for row in played.standings} == {
        *("monkey", "minimax:depth=2", "minimax:depth=4", "anna-3")
    }


def test_the_table_of_a_finding_has_its_keys_and_its_faults() -> None:
    hand_in = arena.records.HandIn(*("anna", 1, "", "bot.py", "0", 1, "refused", None, "late"))
    [finding] = hand_in.findings
    table = PAGE.partition("| key | |")[2].partition("\n\n")[0]
    assert {*re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)} == finding.keys()
    [faults] = re.findall(r"^\| `fault` \|(.*)$", table, re.MULTILINE)
    assert {*re.findall(r"`([\w-]+)`", faults)} == OF_FAULTS.keys()
