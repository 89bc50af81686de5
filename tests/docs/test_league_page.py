"""The page of leagues: its commands are there, and its example prints what it says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import arena
from arena.features.league import playing
from arena.features.league.command import LEAGUE_OPTIONS, LEAGUE_WORDS
from arena.features.new.scaffolds import LAYOUTS
from tests.conftest import Run
from tests.features.league.conftest import begin
from tests.features.league.forge import LAST, write_entrant

PAGE = (Path(__file__).parents[2] / "docs" / "league.md").read_text()


def test_the_page_has_every_word_with_what_it_needs() -> None:
    calls = [shlex.split(call) for call in re.findall(r"arena league [^`\n|]+", PAGE)]
    assert {call[2] for call in calls if len(call) > 2 and call[2].isalpha()} >= LEAGUE_WORDS.keys()
    names = {option.flag: name for name, option in LEAGUE_OPTIONS.items()}
    for call in calls:
        given = {names[word] for word in call[3:] if word.startswith("--")}
        if call[2] in LEAGUE_WORDS and given:
            word = LEAGUE_WORDS[call[2]]
            assert {*word.needed} <= given <= {*word.needed, *word.options}


def test_the_page_names_the_files_and_the_workflows_of_a_new_league() -> None:
    for file in LAYOUTS["league"]:
        path = Path(file)
        if path.parts[0] == ".github":
            assert f"`{path.stem}`" in PAGE
        elif path.parts[0] == "entrants":
            assert f"`entrants/NAME/{path.name}`" in PAGE
        elif file in ("league.toml", "README.md"):
            assert f"`{file}`" in PAGE


@pytest.mark.slow
def test_the_example_prints_what_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    begin(tmp_path)
    monkeypatch.setattr(playing, "strong_tier", lambda _: "process")
    monkeypatch.chdir(tmp_path / "cup")
    arena.play_league("one.db")
    assert arena.write_league_site("one.db", "published", commit="1").written
    write_entrant(tmp_path / "cup", "alice", LAST)
    arena.play_league("league.db", "published")
    ran = run("league", "compare", "league.db", "--published", "published")
    (example,) = re.findall(r"```\n(alice is new.*?)```", PAGE, re.DOTALL)
    assert (ran.code, ran.out) == (0, example)
