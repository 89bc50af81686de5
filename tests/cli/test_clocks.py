"""``--clock``: who gets one, what it is told, and what is shown and kept of the time of moves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.records.exports import StoredPlayer
from arena.records.times import TimeUse, use_of
from arena.runs.changes import isolation_of
from tests.conftest import Run
from tests.golden import Wording

#: It knows only the time, and says it by its first move.
TELLER = """
class Player:
    def start(self, game, side, rng):
        self.told = None
    def see_clocks(self, clocks):
        self.told = clocks
    def choose(self, position):
        raise ValueError(f"{self.told.own} {self.told.opponent}")
"""

FIRST_FREE = "def choose(position, rng):\n    return position.legal_moves()[0]\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder, with two players in files."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "teller.py").write_text(TELLER)
    (tmp_path / "bot.py").write_text(FIRST_FREE)
    return tmp_path


def test_a_python_player_sees_both_clocks(folder: Path, wording: Wording) -> None:
    own = {"./bot.py": arena.Isolation(clock="40/900")}
    isolation = arena.Isolation(tier="process", clock="600+0.5", players=own)
    fight = arena.fight("./teller.py:Player", "./bot.py", 1, seed=1, isolation=isolation, workers=1)
    assert fight.a.first_forfeit is not None
    wording(
        fight.a.first_forfeit.message,
        "ValueError",
        "remaining=600",
        "increment=0",
        "moves_to_go=None",
        "remaining=900",
        "moves_to_go=40",
    )


@pytest.mark.slow
def test_what_moves_took_is_shown_kept_and_counted_again(run: Run, folder: Path) -> None:
    words = ("./bot.py", "monkey", "-n", "1", "--seed", "1", "--isolation", "process")
    shown = run("fight", *words, "--clock", "600+0.5", "--store", "S").out
    assert "time a move" in shown
    assert "600+0.5" in shown
    assert run("show", "S").out == shown
    assert run("verify", "S").code == 0
    record = json.loads(run("show", "S", "--format", "json").out)
    assert record["clocks"] == {"./bot.py": "600+0.5"}
    [facts] = json.loads(run("export", "S", "--format", "json").out)["runs"]
    [game, other] = facts["fights"][0]["games"]
    (took, none), (monkeys, others) = game["move_seconds"], other["move_seconds"]
    assert (len(took), len(others)) == (-(-len(game["moves"]) // 2), len(other["moves"]) // 2)
    assert none == monkeys == []
    use = record["time_use"]["./bot.py"]
    assert use["moves"] == len(took) + len(others)
    assert 0 < use["median"] <= use["p99"] <= use["most"] < 600


@pytest.mark.slow
def test_a_run_that_is_resumed_keeps_its_clocks(run: Run, folder: Path) -> None:
    words = ("./bot.py", "monkey", "-n", "1", "--seed", "1", "--isolation", "process")
    run("fight", *words, "--clock", "./bot.py=7/600", "--store", "S")
    (folder / "bot.py").write_text(FIRST_FREE + "# changed\n")
    again = ("resume", "S", "--changed-players", "replay", "--format", "json")
    assert json.loads(run(*again).out)["clocks"] == {"./bot.py": "7/600"}


@pytest.mark.parametrize(
    "words",
    [
        "monkey triples --clock 60",
        "monkey ./bot.py --clock 60 --isolation none",
        "monkey ./bot.py --clock ./bot.py=60 --isolation none",
        "monkey ./bot.py --clock monkey=60",
        "monkey ./bot.py --clock ./bto.py=60",
        "monkey ./bot.py --clock 60+",
        "monkey ./bot.py --clock ./bot.py=",
        "monkey ./bot.py --clock 60 --engine table",
    ],
)
def test_a_clock_that_cannot_be_is_refused_in_one_line(
    run: Run, folder: Path, words: str, wording: Wording
) -> None:
    ran = run("fight", *words.split(), "-n", "1")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    wording(ran.err)


def test_a_contest_gives_clocks(folder: Path, wording: Wording) -> None:
    text = (
        '[limits]\nclock = "60+0.5"\n[entrants.anna]\nplayer = "./bot.py"\nlimits = {clock = 5}\n'
    )
    Path("contest.toml").write_text(text)
    contest = arena.read_contest("contest.toml")
    assert contest.isolation.limits("anna").clock == "5"
    assert contest.isolation.limits("ben").clock == "60+0.5"
    Path("contest.toml").write_text(text.replace("clock = 5", 'clock = "5+"'))
    with wording.raises(arena.UsageError, match="60.*0.5.*40"):
        arena.read_contest("contest.toml")


def test_the_quantiles_of_times_are_those_of_the_moves_in_order() -> None:
    counts = {0.3: 1, 0.1: 50, 0.2: 49}
    moves = sorted(seconds for seconds, times in counts.items() for _ in range(times))
    assert use_of(counts) == TimeUse(100, moves[49], moves[98], moves[99])
    assert use_of({}) is None


@pytest.mark.parametrize(
    ("had", "asked", "move_time"),
    [
        ({"move_time": 2.0, "game_time": 60.0}, arena.Isolation(clock="60"), 1_000_000),
        ({"move_time": 5.0, "game_time": 60.0}, arena.Isolation(clock="60"), 5),
        ({"move_time": 2.0, "clock": "9"}, arena.Isolation(clock="60"), 2),
        ({"move_time": 2.0}, arena.Isolation(), 2),
    ],
)
def test_a_clock_that_resume_adds_takes_the_place_of_usual_limits(
    had: dict[str, Any], asked: arena.Isolation, move_time: float
) -> None:
    player = StoredPlayer("bot", "", "", "", "", "process", had)
    assert isolation_of(player, asked).updated(asked).resolved().move_time == move_time
