"""A league in a repository of its own, small enough to be played in a second."""

from __future__ import annotations

from pathlib import Path

import pytest

import arena
from arena.features.league import playing
from tests.features.league.forge import Forge

LEAGUE = """\
title = "cup"
rules = "Be kind."
game = "tictactoe"
players = ["monkey", "triples"]
pairs = 2
seed = 1
"""


def begin(folder: Path) -> None:
    """Write the scaffold, and have it play a small game: one entrant and two players to beat."""
    arena.new("league", "cup", folder)
    league = folder / "cup"
    (league / "league.toml").write_text(LEAGUE)
    (league / "entrants" / "example" / "OWNER").write_text("owner\n")


@pytest.fixture
def league(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a league, which is the current one. Its tier is process."""
    begin(tmp_path)
    monkeypatch.setattr(playing, "strong_tier", lambda _: "process")
    monkeypatch.chdir(tmp_path / "cup")
    return tmp_path / "cup"


@pytest.fixture
def forge(tmp_path: Path) -> Forge:
    """Return a league on a forge, of which this machine has the repository and artifacts."""
    begin(tmp_path)
    return Forge(tmp_path, tmp_path / "cup")
