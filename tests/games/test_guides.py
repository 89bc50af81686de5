"""The rules in sentences: every game that comes with arena has them, and they are of that game."""

from __future__ import annotations

import re

import pytest

import arena
from tests.golden import Wording

#: A game of each family whose rules arena knows.
GAMES = (
    *("tictactoe", "tictactoe-4-misere", "tictactoe-corners", "mnk-7-5-4", "mnk-4-4-3-x3"),
    *("connect4", "connect-5-4-3-misere", "chess", "chess960", "othello", "othello-4", "hex-5"),
    *("nim", "nim-3-1-5", "pig-40", "kuhn", "leduc", "liars-dice-2-6", "liars-dice-1-3"),
    *("phantom-tictactoe", "rock-paper-scissors", "rock-paper-scissors-5", "snakes-3-7-9"),
    *(
        "prisoners-dilemma-10",
        "prisoners-dilemma-1",
        "prisoners-dilemma-3-noise-5",
        "prisoners-dilemma-3-6-4-2-1",
    ),
)

#: Families without rules in words: a file and a library have theirs, and a referee knows them.
OTHERS = {"lines:FILE", "openspiel:NAME", "referee:COMMAND", "codingame:COMMAND"}
OTHERS |= {"paid-referee:RANGE", "pettingzoo:ENVIRONMENT"}
OTHERS |= {"kaggle:ENVIRONMENT", "textarena:ENVIRONMENT"}


@pytest.mark.parametrize("name", GAMES)
def test_a_game_has_a_guide(name: str, wording: Wording) -> None:
    guide = arena.get_game(name).guide
    wording(guide)
    assert guide.endswith(".")
    assert "\n" not in guide
    assert "  " not in guide
    assert len(guide) < 1200


@pytest.mark.slow
def test_every_family_of_games_is_among_them() -> None:
    catalogue = arena.plugin.load_catalogue()
    templates = {str(arena.describe_game(name, catalogue).row["template"]) for name in GAMES}
    # A game may be of a template that says more, or less: tictactoe-4 is mnk-4-4-4, too.
    families = {name for name, _ in catalogue.families} - OTHERS
    missing = {
        family for family in families - templates if not arena.get_game(_example(family)).guide
    }
    assert missing == set()


def _example(template: str) -> str:
    """Return a game of a template: each number is 3, and the noise and the pays are possible."""
    numbers = {"noise": "5", "t": "5", "r": "3", "p": "1", "s": "0", "seats": "3"}
    numbers |= {"columns": "9", "rows": "9", "n": "4"}
    return re.sub(r"\{(\w+)\}", lambda match: numbers.get(match[1], "3"), template)


def test_a_guide_says_the_numbers_of_its_game() -> None:
    assert "7 columns" in arena.get_game("mnk-7-5-4").guide
    assert " 4 marks" in arena.get_game("mnk-7-5-4").guide
    assert "loses" in arena.get_game("tictactoe-4-misere").guide
    assert "1 2 4" in arena.get_game("tictactoe-corners").guide
    assert "a with 3, b with 1, c with 5" in arena.get_game("nim-3-1-5").guide
    assert "40 points" in arena.get_game("pig-40").guide
    assert "7 columns and 9 rows" in arena.get_game("snakes-3-7-9").guide


def test_a_game_of_a_plugin_need_not_have_one_and_its_own_is_shown() -> None:
    assert arena.get_game("referee:true").guide == ""


@pytest.mark.needs("open_spiel")
def test_openspiel_says_the_name_and_the_settings() -> None:
    assert arena.get_game("openspiel:breakthrough(rows=6,columns=6)").guide.startswith(
        "Breakthrough"
    )
    assert "players 3" in arena.get_game("openspiel:kuhn_poker(players=3)").guide
