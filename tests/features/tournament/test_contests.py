"""``arena tournament contest.toml`` and ``arena tournament subs/``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import arena
from tests.conftest import Run
from tests.golden import Wording

BOT = "def choose(position, rng):\n    return rng.choice(position.legal_moves())\n"
CONTEST = """\
pairs = 2
seed = 7
isolation = "none"
output = "result.json"
store = "contest.db"
[entrants.alice]
player = "subs/alice.py"
[entrants.m]
player = "minimax"
options = { depth = 1 }
"""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("subs").mkdir()
    for name in ("alice", "bob"):
        Path(f"subs/{name}.py").write_text(BOT)
    Path("subs/notes.txt").touch()
    Path("contest.toml").write_text(CONTEST)


@pytest.mark.slow
def test_a_contest_is_played_kept_and_shown(run: Run) -> None:
    assert run("tournament", "contest.toml") == (0, "", "")
    record = json.loads(Path("result.json").read_text())
    assert (record["seed"], record["fights"][0]["players"]) == (7, ["alice", "m"])
    assert record["fights"][0]["specs"] == {"alice": "./subs/alice.py", "m": "minimax:depth=1"}
    assert run("show", "contest.db", "--contest").out == CONTEST
    assert "contest.toml" in run("runs", "contest.db").out
    exported = arena.export("contest.db").as_json()["runs"][0]
    assert (exported["contest"], exported["contest_text"]) == ("contest.toml", CONTEST)
    assert run("resume", "contest.db", "--format", "json").out == Path("result.json").read_text()
    plain = ("tournament", "alice=subs/alice.py", "m=minimax:depth=1", "-n", "2", "--seed", "7")
    options = ("--isolation", "none", "--format", "json")
    assert run(*plain, *options).out == Path("result.json").read_text()


@pytest.mark.slow
def test_the_games_are_the_same_from_any_folder(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("tournament", "contest.toml").code == 0
    Path("elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    assert run("tournament", "../contest.toml", "--again").code == 0
    runs = arena.export("../contest.db").as_json()["runs"]
    one, other = ([game["moves"] for game in result["fights"][0]["games"]] for result in runs)
    assert one == other


@pytest.mark.slow
def test_the_command_line_goes_before_the_file(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_STORE", "other.db")
    words = ("-n", "1", "--game", "tictactoe", "--output", "x.json", "--gauntlet", "m")
    assert run("tournament", "contest.toml", "monkey", *words).code == 0
    record = json.loads(Path("x.json").read_text())
    assert (record["seed"], record["schedule"]) == (7, "gauntlet")
    assert [fight["players"] for fight in record["fights"]] == [["m", "alice"], ["m", "monkey"]]
    assert {fight["planned_pairs"] for fight in record["fights"]} == {1}
    assert (Path("contest.db").exists(), Path("other.db").exists()) == (True, False)


def test_a_limit_must_be_for_an_entrant(run: Run, wording: Wording) -> None:
    code, _, err = run("tournament", "contest.toml", "--move-time", "alcie=1")
    assert code == 2
    wording(err, "'alcie'", "'alice'")
    code, _, err = run("tournament", "contest.toml", "--move-time", "m=1")
    assert code == 2
    wording(err, "'m'", "--isolate")


@pytest.mark.slow
def test_a_folder_is_its_entrants(run: Run, wording: Wording) -> None:
    options = ("-n", "1", "--seed", "1", "--isolation", "none", "--format", "json")
    ran = run("tournament", "subs", "monkey", *options)
    assert ran.code == 0
    wording(ran.err, "subs/notes.txt")
    players = [standing["player"] for standing in json.loads(ran.out)["standings"]]
    assert sorted(players) == ["alice", "bob", "monkey"]


ENTRANTS = 'players = ["monkey", "heuristic", "tictactoe1", "tictactoe2"]\n'


def test_a_contest_whose_games_cannot_tell_its_entrants_apart_says_so_first(
    run: Run, wording: Wording, caplog: pytest.LogCaptureFixture
) -> None:
    Path("contest.toml").write_text(f"pairs = 1\nseed = 7\n{ENTRANTS}")
    assert run("tournament", "contest.toml").code == 0
    [warning] = caplog.messages
    wording(warning)
    assert run("tournament", "contest.toml", "-n", "20").code == 0
    assert caplog.messages == [warning], "-n takes the place of the file's pairs"


@pytest.mark.slow
def test_the_command_says_so_without_a_file_too(
    run: Run, wording: Wording, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(12):
        Path(f"b{number}.py").write_text(
            "def choose(position, rng):\n    return rng.choice(position.legal_moves())\n"
        )
    bots = [f"./b{number}.py" for number in range(12)]
    words = ["--isolation", "none", "--executor", "serial"]
    assert run("tournament", *bots, "monkey", "-n", "1", *words).code == 0
    [warning] = [line for line in caplog.messages if "hardly tell" in line]
    wording(warning, "1 pair per pairing", "13 entrants")
    caplog.clear()
    assert run("tournament", "monkey", "triples", "-n", "1", *words).code == 0
    assert not [line for line in caplog.messages if "hardly tell" in line]


@pytest.mark.slow
def test_only_a_round_robin_of_three_or_more_is_warned_of(
    run: Run, caplog: pytest.LogCaptureFixture
) -> None:
    Path("contest.toml").write_text(f'pairs = 1\nschedule = "swiss:2"\n{ENTRANTS}')
    assert run("tournament", "contest.toml").code == 0
    Path("contest.toml").write_text(CONTEST)
    assert run("tournament", "contest.toml").code == 0
    assert caplog.messages == []
