"""Referees of more than two players, and those with the command line of CodinGame's."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import arena
from arena.errors import UsageError
from arena.game import as_seat
from arena.match.refereed import Verdict
from arena.plugins.referee import codingame_game, read_codingame, read_verdict, refereed_game
from tests.conftest import Run
from tests.golden import Wording
from tests.samples import few


@pytest.fixture
def folder(contest: Path) -> Path:
    """Return the current folder, with the examples and some bots that fail."""
    (contest / "wrong.py").write_text("for _ in range(3):\n    input()\n    print(5, flush=True)\n")
    (contest / "fails.py").write_text("input()\n1 / 0\n")
    (contest / "codingame.py").write_text(CODINGAME)
    return contest


#: A referee as cg-brutaltester has them: the options, and a score a line before the seed.
CODINGAME = """
import argparse, random, shlex, subprocess
parser = argparse.ArgumentParser(allow_abbrev=False)
for number in "12345678":
    parser.add_argument(f"-p{number}")
parser.add_argument("-d", default="seed=0")
parser.add_argument("-seed")
parser.add_argument("-s", action="store_true")
options = parser.parse_args()
assert not options.s, "it would start a server"
seed = options.seed or options.d.partition("=")[2]
print("INFO the game begins")
commands = [getattr(options, f"p{number}") for number in "12345678"]
for command in filter(None, commands):
    pipe = subprocess.PIPE
    with subprocess.Popen(command.split(), stdin=pipe, stdout=pipe, text=True) as player:
        answer, _ = player.communicate(seed + "\\n")
        print(int(answer) if answer.strip().isdigit() else -1)
print(f"seed={seed}")
"""


@pytest.mark.parametrize(
    ("lines", "verdict"),
    [
        (["3 2 1"], Verdict((3, 2, 1))),
        (["hello", "ERRATIC 4", "1.5 -2 0"], Verdict((1.5, -2, 0))),
        (["ERR 2 late", "1 9 0"], Verdict((1, 9, 0), as_seat(1), "late")),
        (["ERR\t2\tlate", "1 9 0"], Verdict((1, 9, 0), as_seat(1), "late")),
        (
            ["ERR 3", "a word", "ERR 1 late", "ERR 3 again", "1 2 3"],
            Verdict((1, 2, 3), as_seat(2), "no reason given", ((as_seat(0), "late"),)),
        ),
    ],
)
def test_of_three_the_last_line_has_the_scores(lines: list[str], verdict: Verdict) -> None:
    assert read_verdict(lines, 3) == verdict


@pytest.mark.parametrize("line", ["1 2", "1 2 3 4", "ERR 1 late", "1 2 x"])
def test_another_last_line_is_the_fault_of_the_referee(line: str, wording: Wording) -> None:
    with wording.raises(ValueError):
        read_verdict([line], 3)


@pytest.mark.parametrize("line", ["ERR 0 late", "ERR 4 late", "ERR 99999999999999999999"])
def test_a_forfeit_without_a_seat_is_the_fault_of_the_referee(line: str, wording: Wording) -> None:
    with wording.raises(ValueError):
        read_verdict([line, "1 2 3"], 3)


@pytest.mark.parametrize(
    ("lines", "verdict"),
    [
        (["1", "0"], Verdict((1, 0))),
        (["INFO 3 players", "7", "-1", "seed=5"], Verdict(None, as_seat(1), "score -1")),
        (["-1", "-2", "9"], Verdict((-1, -2))),
        (["4", "4", "4"], Verdict((4, 4))),
    ],
)
def test_of_codingame_the_first_numbers_are_the_scores(lines: list[str], verdict: Verdict) -> None:
    assert read_codingame(lines, 2) == verdict


@pytest.mark.parametrize("lines", [["1"], ["1", "seed=5", "2"], ["1.5", "2.5"], ["x"]])
def test_too_few_scores_of_codingame_are_its_fault(lines: list[str], wording: Wording) -> None:
    with wording.raises(ValueError):
        read_codingame(lines, 2)


@pytest.mark.parametrize("text", ["players=1:cat", "players=9:cat", "players=x:cat", "players=3:"])
def test_a_number_of_players_that_cannot_be_is_refused(text: str, wording: Wording) -> None:
    with wording.raises(UsageError):
        refereed_game(text)
    with wording.raises(UsageError):
        codingame_game(text)


@pytest.mark.slow
def test_four_play_goofspiel_and_two_forfeit(folder: Path, run: Run, wording: Wording) -> None:
    ran = run(
        *("fight", "bidders/low.py", "./wrong.py", "bidders/high.py", "./fails.py", "-n", "1"),
        *("--seed", "1", "--game", "referee:players=4:python3 goofspiel.py"),
        *("--isolation", "process", "--store", "games.db", "-j", "1"),
    )
    wording(ran.out, "which is not a card in its hand")
    assert arena.verify("games.db").holds
    rows = arena.browse("games.db").rows
    assert [sorted(row["forfeited"]) for row in rows] == [["./fails.py", "./wrong.py"]] * 4
    wording(run("replay", rows[0]["game"], "--store", "games.db").out, "scores ")
    again = run("replay", rows[0]["game"], "-v", "--isolation", "process")
    assert "ZeroDivisionError" in again.err
    assert "which is not a card in its hand" in again.out


@pytest.mark.needs("node")
def test_the_referee_for_node_plays_a_tournament(folder: Path, run: Run) -> None:
    words = ("tournament", "divers", "./fails.py", "-n", "1", "--seed", "7")
    game = ("--game", "paid-referee:0..375:players=4:node divers.mjs")
    ran = run(*words, *game, "--isolation", "process", "--format", "json")
    assert ran.code == 0, ran.err
    tables = json.loads(ran.out)
    last = tables["standings"][-1]
    assert (last["player"], last["payoff"]) == ("./fails.py", 0)
    assert last["forfeits"] == last["games"]
    assert all(row["payoff"] > 0 for row in tables["standings"][:-1])


@pytest.mark.slow
@pytest.mark.parametrize("game", few(["codingame.py -seed {seed}", "codingame.py"]))
def test_a_referee_of_codingame_plays_as_it_is(folder: Path, game: str) -> None:
    (folder / "seed.sh").write_text("read seed\necho $((seed % 1000))\n")
    (folder / "five.sh").write_text("echo 500\n")
    players = ("./seed.sh", "./five.sh", "./fails.py")
    result = arena.table_fight(
        [*players], 3, game=f"codingame:players=3:python3 {game}", seed=7, isolation="process",
        store="games.db", executor="serial",
    )  # fmt: skip
    assert result.tables[0].facts[2].forfeits == {"referee": 9}
    for row in arena.browse("games.db").rows:
        shown = arena.replay(row["game"], store="games.db")
        assert shown.referee is not None
        scores = dict(zip(shown.players, shown.referee.scores or (), strict=True))
        assert scores == {
            "./seed.sh": shown.referee.seed % 1000, "./five.sh": 500, "./fails.py": -1
        }  # fmt: skip
        assert shown.forfeits[0].message == "score -1"


@pytest.mark.parametrize(
    ("game", "script"),
    [
        ("referee:players=3", "print('ERR 1 late'); print('é' * 80_000); print(9, 1, 0)"),
        ("codingame", "print(1); print(9); print('log\\n' * 30_000); print(5); print(3)"),
    ],
)
def test_what_prints_too_much_is_at_fault_and_no_forfeit_is_lost(
    folder: Path, run: Run, wording: Wording, game: str, script: str
) -> None:
    (folder / "loud.py").write_text(script)
    players = ("a=cmd:cat", "b=cmd:cat", *["c=cmd:cat"] * ("3" in game))
    words = ("fight", *players, "-n", "1", "--isolation", "process", "--seed", "1")
    ran = run(*words, "--game", f"{game}:python3 loud.py", "-j", "1")
    assert (ran.code, ran.out) == (2, "")
    wording(ran.err, "64 KiB")


@pytest.mark.slow
def test_a_stored_game_that_differs_from_its_scores_is_found(folder: Path, run: Run) -> None:
    words = ("fight", "bidders/low.py", "bidders/same.py", "bidders/high.py", "-n", "1", "--seed")
    game = ("--game", "referee:players=3:python3 goofspiel.py", "--isolation", "process", "-j", "1")
    assert run(*words, "1", *game, "--store", "games.db").code == 0
    assert arena.verify("games.db").holds
    [name, *_] = [row["game"] for row in arena.browse("games.db").rows]
    saved = arena.replay(name, store="games.db").as_json()
    for change in ({"moves": ["1", "1", "1"]}, {"payoffs": ["1", "1", "1"]}):
        Path("game.json").write_text(json.dumps(saved | change))
        with pytest.raises(UsageError, match="by the"):
            arena.replay("game.json")
    with closing(sqlite3.connect("games.db")) as database:
        database.execute("UPDATE games SET moves = '1 1 1'")
        database.commit()
    assert not arena.verify("games.db").holds


@pytest.mark.slow
def test_two_play_codingame_as_well(folder: Path, run: Run) -> None:
    (folder / "five.sh").write_text("echo 500\n")
    words = ("fight", "./five.sh", "./fails.py", "-n", "2", "--game")
    ran = run(*words, "codingame:python3 codingame.py", "--isolation", "process")
    assert (ran.code, ran.err.count("\n")) == (4, 1)
    assert "score -1" in ran.out


@pytest.mark.slow
@pytest.mark.parametrize("end", ["\x0b", "\x0c", "\x85", "\u2028", "\r"])
def test_an_answer_that_a_referee_prints_adds_no_line(folder: Path, run: Run, end: str) -> None:
    referee = (
        "import sys\nsys.stdout.reconfigure(newline='\\n')\nprint('it says x' + {0!r} + 'ERR 1')\n"
    )
    (folder / "prints.py").write_text(referee.format(end) + "print(3, 2, 1)\n")
    players = ("a=cmd:cat", "b=cmd:cat", "c=cmd:cat")
    words = ("fight", *players, "-n", "1", "--isolation", "process", "--seed", "1")
    ran = run(*words, "--game", "referee:players=3:python3 prints.py", "-j", "1")
    assert ran.code == 0
    assert "forfeited" not in ran.out


@pytest.mark.slow
def test_a_word_of_a_command_may_be_long(folder: Path, run: Run) -> None:
    words = ("fight", "a=cmd:cat", "b=cmd:cat", "-n", "1", "--isolation", "process", "--seed", "1")
    ran = run(*words, "--game", f"referee:sh -c 'echo 1 2 # {'y' * 300}'", "-j", "1")
    assert (ran.code, ran.err) == (0, "")


@pytest.mark.slow
def test_the_log_of_protocols_has_what_referee_and_players_said(contest: Path, run: Run) -> None:
    players = [f"./bidders/{name}.py" for name in ("above", "high", "low", "same")]
    words = ("fight", *players, "-n", "1", "--seed", "1", "-j", "2", "--log-protocol", "log.txt")
    words = (*words, "--isolation", "process")
    assert run(*words, "--game", "referee:players=4:python3 goofspiel.py").code == 0
    log = Path("log.txt").read_text()
    for name in players:
        lines = re.findall(rf" {re.escape(name)} \((\d+)\) ([<>]) (.*)", log)
        games = {process for process, _, _ in lines}
        assert len(games) == 4
        for game in games:  # of 13 rounds, each with a line to the player and one from it
            messages = [(direction, text) for process, direction, text in lines if process == game]
            assert [direction for direction, _ in messages] == ["<", ">"] * 13
            assert len({text for direction, text in messages if direction == ">"}) == 13
