"""Entrants of a contest: ``alice=./alice.py``, files, and what ids and stores make of them."""

from __future__ import annotations

import json
import re
import shlex
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import arena
from arena.features.regress.files import read_baseline
from arena.features.regress.request import Request
from arena.fights.pairing import Pairing
from arena.fights.play import play_one
from arena.plugin.catalogue import Catalogue
from arena.store.real_fights import fight_for_real
from tests.conftest import Run
from tests.golden import Wording

RANDOM = "def choose(position, rng):\n    return rng.choice(position.legal_moves())\n"
RAISES = "def choose(position, rng):\n    raise KeyError('no')\n"
#: Files of one's own in this process, which is quickest.
HERE = ("--isolation", "none", "-n", "2", "--seed", "1")
SERIAL = ("--executor", "serial")


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text(RANDOM)
    Path("bad.py").write_text(RAISES)


@pytest.mark.slow
def test_a_given_name_is_in_tables_and_ids_and_the_command_leads_back(
    run: Run, wording: Wording
) -> None:
    out = run("fight", "alice=./bad.py", "bob=bot.py", *HERE).out
    assert "bob wins: 4" in out
    (command,) = re.findall(r"with:\s+arena (.*)", out)
    words = shlex.split(command)
    assert words[1] == "tictactoe/alice/bob/1/1.1"
    assert words[2:] == ["--player", "alice=./bad.py", "--player", "bob=./bot.py"]
    again = run(*words, "--isolation", "none")
    assert again.code == 0
    wording(again.out, "_________", "KeyError", "'no'")
    assert run("explain", *words[1:], "--isolation", "none").code == 0
    code, out, err = run("replay", words[1])
    assert (code, out, err.count("\n")) == (2, "", 1)
    wording(err, "--player", "alice=FILE")
    code, _, err = run("replay", words[1], "--player", "alce=./bot.py")
    assert code == 2
    wording(err, "'alce'", "'alice'", f"{words[1]}")


@pytest.mark.slow
def test_a_name_is_kept_in_a_store_with_where_its_player_comes_from(run: Run) -> None:
    words = ("tournament", "al=bot.py", "bo=./bot.py", "m=minimax:depth=1", *HERE)
    ran = run(*words, "--store", "S", "--format", "json")
    fight = json.loads(ran.out)["fights"][0]
    assert (ran.code, fight["players"]) == (0, ["al", "bo"])
    assert fight["specs"] == {"al": "./bot.py", "bo": "./bot.py"}
    assert run("show", "--store", "S", "--format", "json").out == ran.out
    assert run("resume", "S", "--format", "json").out == ran.out
    players = arena.export("S").as_json()["runs"][0]["players"]
    assert [player["spec"] for player in players] == ["./bot.py", "./bot.py", "minimax:depth=1"]


def test_one_file_is_one_player_however_it_is_written(run: Run, wording: Wording) -> None:
    plain, dotted = (
        run("fight", n, "monkey", *HERE, "--format", "json") for n in ("bot.py", "./bot.py")
    )
    assert plain == dotted
    code, _, err = run("tournament", "bot.py", "./bot.py", "monkey", *HERE)
    assert code == 2
    wording(err, "'./bot.py'")


@pytest.mark.parametrize("command", ["fight", "tournament"])
def test_two_players_of_one_name_are_refused(run: Run, command: str, wording: Wording) -> None:
    code, _, err = run(command, "al=./bot.py", "al=./bad.py", *HERE)
    assert code == 2
    wording(err, "'al'", "./bot.py", "./bad.py")


def test_the_name_of_an_installed_player_is_its_own(run: Run, wording: Wording) -> None:
    code, _, err = run("fight", "monkey=./bot.py", "triples", *HERE)
    assert code == 2
    wording(err, "'monkey=./bot.py'", "'monkey'")


def test_a_limit_goes_by_the_name(run: Run, wording: Wording) -> None:
    words = ("fight", "alice=./bot.py", "monkey", *HERE)
    assert run(*words, "--move-time", "alice=1.5").code == 0
    _, _, err = run(*words, "--move-time", "alce=1")
    wording(err, "'alce'", "'alice'")


@pytest.mark.slow
@pytest.mark.parametrize("command", [("check", "--positions", "2"), ("move", "____x____")])
def test_other_commands_take_a_name(run: Run, command: tuple[str, str]) -> None:
    ran = run(command[0], "al=./bot.py", *command[1:], "--isolation", "none", "--format", "json")
    assert json.loads(ran.out)["player"] == "al"


def test_what_is_set_for_a_player_is_merged_with_what_was() -> None:
    first = arena.Isolation(players={"bot.py": arena.Isolation(memory=64, move_time=1)})
    second = arena.Isolation(players={"./bot.py": arena.Isolation(move_time=3)})
    result = first.updated(second).limits("./bot.py")
    assert (result.memory, result.move_time) == (64, 3)


@pytest.mark.slow
def test_games_in_another_process_go_by_the_name_too() -> None:
    bot, monkey = arena.get_player("al=./bot.py", isolation="none"), arena.get_player("monkey")
    pairing = Pairing(arena.get_game("tictactoe"), bot, monkey, 2, 1)
    elsewhere = fight_for_real(pairing)
    assert elsewhere is not None
    moves = [[record.moves for record in pair.records] for pair in elsewhere]
    here = [
        [play_one(pairing, "calls", n, swapped)[0] for swapped in (False, True)] for n in (1, 2)
    ]
    assert moves == here


@pytest.mark.slow
def test_a_finding_names_the_player_so_that_it_can_be_shown_again(run: Run) -> None:
    command = ("check", "al=./bad.py", "--positions", "2", "--format", "json")
    record = json.loads(run(*command, "--isolation", "process").out)["findings"]
    shown = [finding["reproduction"] for finding in record if finding["level"] == "fail"]
    assert shown
    assert all("al=./bad.py" in text for text in shown)


@pytest.mark.slow
def test_a_baseline_has_where_its_players_come_from(
    run: Run, catalogue: Catalogue, wording: Wording
) -> None:
    update = ("regress", "al=bot.py", "--game", "mnk-2-2-2", "--panel", "al", "--update")
    assert run(*update, "--isolation", "none").code == 0
    assert json.loads(Path("arena-baseline.json").read_text())["specs"] == {"al": "./bot.py"}
    request = Request(catalogue, read_baseline(Path("arena-baseline.json"), catalogue))
    assert request.player("al").spec == "./bot.py"
    code, _, err = run("regress", "al=bot.py", "--panel", "x=monkey", "--update")
    assert (code, err.count("\n")) == (2, 1)
    wording(err, "'x=monkey'", "'x'")


@pytest.mark.slow
def test_an_older_run_keeps_the_name_and_the_limits_it_was_played_with(run: Run) -> None:
    assert run("fight", "bot.py", "monkey", "-n", "2", "--seed", "1", "--store", "S").code == 0
    with closing(sqlite3.connect("S")) as store:
        store.execute("update players set name = 'bot.py' where name = './bot.py'")
        store.execute(
            "update players set limits = json_set(limits, '$.move_time', 1.5)"
            " where limits is not null"
        )
        store.execute("delete from games where pair = 2")
        store.execute("update runs set finished = null")
        store.commit()
    record = json.loads(run("resume", "S", "--format", "json").out)
    assert record["first_lost"]["bot.py"].startswith("tictactoe/bot.py/monkey/1/")
    assert record["pairs"] == 2
    code, _, err = run("resume", "S", "--move-time", "bo.py=1")
    assert (code, "'./bot.py'" in err) == (2, True)
    limits = arena.Isolation(players={"bot.py": arena.Isolation(move_time=1.5)}).limits("bot.py")
    assert limits.move_time == 1.5


@pytest.mark.slow
@pytest.mark.parametrize("isolation", ["process", "none"])
def test_who_never_starts_is_withdrawn_under_its_name_and_nobody_else(
    run: Run, isolation: str
) -> None:
    Path("dave.py").write_text("def choose(\n")
    Path("ivan.sh").write_text("exit 3\n")
    words = ("dave=./dave.py", "al=bot.py", "ivan=cmd:sh ivan.sh", "-n", "1", "--seed", "1")
    ran = run("tournament", *words, "--isolation", isolation, "--format", "json")
    record = json.loads(ran.out)
    assert (ran.code, {*record["withdrawn"]}) == (4, {"dave", "ivan"})
    assert {fight["unfinished"] is None for fight in record["fights"]} == {False}


@pytest.mark.slow
def test_a_short_id_after_browse_leads_back_to_players_with_given_names(run: Run) -> None:
    run("fight", "al=bot.py", "bo=bad.py", *HERE, "--store", "S")
    listed = json.loads(run("browse", "S", "--player", "al", "--format", "json").out)
    assert listed["specs"] == {"al": "./bot.py", "bo": "./bad.py"}
    for word in ("1", "last", "last-loss"):
        ran = run("replay", word, "--isolation", "none", "--format", "json")
        assert (ran.code, json.loads(ran.out)["forfeit"]["reason"]) == (0, "exception")


@pytest.mark.slow
def test_browse_names_no_place_of_a_name_that_two_players_of_a_run_had(run: Run) -> None:
    run("tournament", "al=bot.py", "bo=bad.py", "monkey", *HERE, "--store", "S")
    assert run("resume", "S", "--replace", "bo=bo=bot.py").code == 0
    assert arena.browse("S").specs == {"al": "./bot.py"}
    assert run("browse", "S", "--player", "bo").code == 0
    assert run("replay", "1").err.endswith("add --player bo=FILE\n")


@pytest.mark.slow
def test_browse_finds_the_games_that_nobody_played(run: Run) -> None:
    run(
        "tournament",
        "bad.py",
        "monkey",
        "al=bot.py",
        *HERE[:2],
        "-n",
        "11",
        "--store",
        "S",
        *SERIAL,
    )
    assert len(arena.browse("S", reason="unplayed").rows) == 24


CONTEST = """
pairs = 1
seed = 7
store = "S"
isolation = "process"
[entrants.ben]
player = "bot.py"
limits = { move-time = 0.1 }
"""


@pytest.mark.slow
def test_a_short_id_has_the_limits_of_its_run_and_an_option_comes_first(run: Run) -> None:
    Path("bot.py").write_text("import time\ndef choose(position, rng):\n    time.sleep(60)\n")
    Path("contest.toml").write_text(CONTEST)
    played = "tournament", "contest.toml", "monkey", *SERIAL
    for words in (played, ("browse", "S")):
        assert run(*words).code in (0, 4)  # 4 where it forfeits every game
        assert "0.1 s" in run("replay", "last-forfeit").out
    longer = run("replay", "last-forfeit", "--move-time", "0.2")
    assert "0.2 s" in longer.out


def test_a_player_that_was_withdrawn_has_no_games_to_browse(run: Run, wording: Wording) -> None:
    Path("dave.py").write_text("def choose(\n")
    run("tournament", "dave=dave.py", "monkey", "heuristic", *HERE, *SERIAL, "--store", "S")
    assert arena.browse("S", player="dave", result="lost").rows == ()
    with wording.raises(arena.UsageError, match="'dan'"):
        arena.browse("S", player="dan")


@pytest.mark.parametrize("command", ["fight", "tournament"])
def test_a_file_that_is_not_there_is_named_as_the_entrant(
    run: Run, command: str, wording: Wording
) -> None:
    ran = run(command, "dave=./none.py", "monkey", "-n", "1")
    assert ran.code == 2
    wording(ran.err, "'dave=./none.py'")


@pytest.mark.parametrize("tier", ["none", "process"])
def test_a_file_that_does_not_load_is_named_as_the_entrant(
    run: Run, tier: str, wording: Wording
) -> None:
    Path("syn.py").write_text("import (\n")
    ran = run("fight", "dave=./syn.py", "monkey", "-n", "1", "--isolation", tier)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    wording(ran.err, "'dave=./syn.py'", "SyntaxError")
