"""Something of a player that outlives its games: seen where it can be, and told in one line."""

from __future__ import annotations

import json
import os
import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import arena
from arena.player_file.code import PlayerCode
from tests.golden import Wording
from tests.samples import few

if TYPE_CHECKING:
    from tests.conftest import Run

#: What a player does in every game, and what is then told of it.
NOTES = {
    "sys.games is added": "sys.games = getattr(sys, 'games', 0) + 1",
    "builtins.games is added": "import builtins; builtins.games = [1]",
    "random.games is added": "import random; random.games = 1",
    "math.sin is changed": "import math; math.sin = lambda x, old=math.sin: old(x)",
    "os.environ['GAMES'] is added": "import os; os.environ['GAMES'] = '1'",
}  # fmt: skip
ISOLATIONS = ("none", "process")


#: The text of a player that leaves a note: with NOTE where the note is left.
WHEN = {
    "when it is loaded": (
        "import sys\nNOTE\ndef choose(position, rng):\n    return position.legal_moves()[0]\n"
    ),
    "when it plays": (
        "import sys\ndef choose(position, rng):\n    NOTE\n    return position.legal_moves()[0]\n"
    ),
}
#: The notes that the fast tests leave in both ways; the others when the player plays.
BOTH_WAYS = ("sys.games is added",)


@pytest.fixture(autouse=True)
def _as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take away the notes that loading a file with isolation none leaves here."""
    import builtins
    import math

    monkeypatch.setattr(math, "sin", math.sin)
    for thing in (sys, builtins, random):
        monkeypatch.setattr(thing, "games", 0, raising=False)
        monkeypatch.delattr(thing, "games")
    monkeypatch.setenv("GAMES", "")
    monkeypatch.delenv("GAMES")


@pytest.mark.parametrize("isolation", few(ISOLATIONS))
@pytest.mark.parametrize(
    ("told", "when"),
    [
        pytest.param(
            told,
            when,
            marks=[pytest.mark.slow] * (when != "when it plays" and told not in BOTH_WAYS),
        )
        for told in NOTES
        for when in WHEN
    ],
)
def test_a_note_that_a_player_leaves_is_told(
    tmp_path: Path, run: Run, told: str, when: str, isolation: str, wording: Wording
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(WHEN[when].replace("NOTE", NOTES[told]))
    options = ["-n", "1", "--seed", "1", "-j", "1", "--isolation", isolation]
    ran = run("fight", str(bot), "monkey", *options)
    assert (ran.code, ran.out.count("may remember")) == (0, 1)
    wording.line(ran.out, "bot", told.split()[0])


@pytest.mark.slow
@pytest.mark.parametrize("isolation", ISOLATIONS)
def test_an_honest_file_is_not_said_to_remember(tmp_path: Path, isolation: str) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import collections, functools, json, statistics\n"
        "seen = []\n"
        "@functools.cache\n"
        "def first(position):\n    return position.legal_moves()[0]\n"
        "def choose(position, rng):\n    seen.append(position)\n    return first(position)\n"
    )
    fight = arena.fight(str(bot), "monkey", 3, seed=1, isolation=isolation)
    assert fight.a.remembers == fight.b.remembers == ""
    assert "remembers" not in fight.as_json()
    checked = arena.check(str(bot), positions=20, isolation=isolation)
    assert "memory" not in {f.check for f in checked.findings}


@pytest.mark.slow
@pytest.mark.parametrize("isolation", ISOLATIONS)
def test_a_tournament_and_a_check_tell_it_too(
    tmp_path: Path, run: Run, isolation: str, wording: Wording
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import sys\ndef choose(position, rng):\n"
        "    sys.games = 1\n    return position.legal_moves()[0]\n"
    )
    options = ["--seed", "1", "--isolation", isolation]
    table = ["tournament", str(bot), "monkey", "triples", "-n", "2", *options]
    ran = run(*table)
    assert ran.out.count("sys.games") == 1
    fights = json.loads(run(*table, "--format", "json").out)["fights"]
    assert [fight.get("remembers", {}).get(str(bot)) for fight in fights] == [
        "sys.games is added" if str(bot) in fight["players"] else None for fight in fights
    ]
    checked = run("check", str(bot), "--positions", "20", *options)
    assert "memory" in checked.out
    assert "sys.games" in checked.out


@pytest.mark.slow
def test_what_the_program_does_before_a_game_is_not_the_players_doing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(position, rng):\n    return position.legal_moves()[0]\n")
    arena.fight(str(bot), "monkey", 1, seed=1, isolation="none")
    monkeypatch.setenv("GAMES", "7")
    fight = arena.fight(str(bot), "monkey", 1, seed=1, isolation="none")
    assert fight.a.remembers == fight.b.remembers == ""


def test_to_execute_anew_does_not_forget_what_was_seen(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("import os\nos.environ['GAMES'] = '1'\n")
    code = PlayerCode(bot, "arena_file_of_a_test")
    assert code.remembers == "os.environ['GAMES'] is added"
    code.execute()
    assert code.remembers == "os.environ['GAMES'] is added"
    del os.environ["GAMES"], sys.modules["arena_file_of_a_test"]


@pytest.mark.parametrize(
    ("imported", "does_more", "remembers"),
    [
        ("a_library", "", ""),
        ("a_library", "gzip.compress = json.loads\n", "gzip.compress is changed"),
        ("a_side_module", "", "gzip.compress is changed"),
    ],
)
def test_a_library_may_replace_functions_of_others_and_a_player_may_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, imported: str, does_more: str, remembers: str
) -> None:
    import gzip

    patch = "import gzip\n\ndef _compress(data):\n    return data\n\ngzip.compress = _compress\n"
    (tmp_path / "site").mkdir()
    (tmp_path / "player").mkdir()
    home = tmp_path / ("player" if imported == "a_side_module" else "site")
    (home / f"{imported}.py").write_text(patch)
    bot = tmp_path / "player" / "bot.py"
    bot.write_text(f"import gzip, json, {imported}\n{does_more}")
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.setattr(gzip, "compress", gzip.compress)
    try:
        assert PlayerCode(bot, f"bot_of_{imported}").remembers == remembers
    finally:
        sys.modules.pop(imported, None)
