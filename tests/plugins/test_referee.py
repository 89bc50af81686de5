"""The referee in another program: its convention, its faults, and whole contests with it."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import pytest

import arena
from arena.errors import UsageError
from arena.game import Side
from arena.match.refereed import Verdict
from arena.model.codec import encode
from arena.plugins.referee import MAX_SCORE_DIGITS, read_verdict
from tests.conftest import Run
from tests.golden import Wording


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        ("3 2", Verdict((3, 2))),
        ("-0.5\t+120.25", Verdict((-0.5, 120.25))),
        ("9" * MAX_SCORE_DIGITS + " 0", Verdict((10**MAX_SCORE_DIGITS - 1, 0))),
        ("ERR 1 too late", Verdict(forfeits=Side.FIRST, reason="too late")),
        ("ERR 2", Verdict(forfeits=Side.SECOND, reason="no reason given")),
    ],
)
def test_the_last_line_is_two_scores_or_a_forfeit(line: str, verdict: Verdict) -> None:
    assert read_verdict(["0 0", line], 2) == verdict


@pytest.mark.parametrize(
    "line",
    [
        "hello",
        "1",
        "1 2 3",
        "nan 1",
        "inf 1",
        "1e9 1",
        "٣ 1",
        "ERR 3 x",
        "ERR1 x",
        "1" * 400 + " 1",
    ],
)
def test_any_other_line_is_the_fault_of_the_referee(line: str, wording: Wording) -> None:
    with wording.raises(ValueError):
        read_verdict([line], 2)


@pytest.fixture
def folder(contest: Path) -> Path:
    """Return the current folder, with the examples and two bots for the referee in sh."""
    # One that goes by the seed, and one that does not look.
    (contest / "seed.sh").write_text("read seed\necho $((seed % 10))\n")
    (contest / "five.sh").write_text("echo 5\n")
    return contest


def fight(*options: str) -> tuple[str, ...]:
    words = ("fight", "./seed.sh", "./five.sh", "-n", "2", "--seed", "7")
    return (*words, "--game", "referee:sh highest.sh", "--isolation", "process", *options)


@pytest.mark.slow
def test_a_referee_in_sh_gives_the_scores_that_the_seed_decides(folder: Path, run: Run) -> None:
    assert run(*fight("--store", "games.db", "-j", "1")).code == 0
    names = [row["game"] for row in arena.browse("games.db").rows]
    games = [arena.replay(name, store="games.db") for name in names]
    for game in games:
        assert game.referee is not None
        digit = game.referee.seed % 10
        scores = {"./five.sh": 5, "./seed.sh": digit}
        assert encode(game.referee)["scores"] == [scores[name] for name in game.players]
        assert (game.winner == "./seed.sh") == (digit > 5)
    assert arena.verify("games.db").holds


@pytest.mark.slow
def test_a_run_that_was_interrupted_goes_on_to_the_same_result(folder: Path, run: Run) -> None:
    whole = run(*fight("--format", "json", "-j", "2"))
    assert whole.code == 0

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(arena.Interrupted):
        arena.fight(
            *("./seed.sh", "./five.sh", 2), game="referee:sh highest.sh", seed=7, store="games.db",
            isolation="process", executor="serial", on_progress=interrupt,
        )  # fmt: skip
    assert run("resume", "games.db", "--format", "json") == whole


def test_what_a_referee_forfeits_is_told_with_its_words(
    folder: Path, run: Run, wording: Wording
) -> None:
    (folder / "silent.sh").write_text("exit 0\n")
    words = ("fight", "./silent.sh", "./five.sh", "-n", "1", "--seed", "7", "--isolation")
    ran = run(*words, "process", "--game", "referee:./highest.sh", "-j", "1")
    wording(ran.out)
    assert ran.code == 4


def test_a_fault_of_the_referee_ends_the_run(folder: Path, run: Run, wording: Wording) -> None:
    (folder / "fails.sh").write_text("echo 1 0\necho out of dice >&2\nexit 3\n")
    ran = run(*fight("-j", "1")[:-1], "1", "--game", "referee:sh fails.sh")
    assert (ran.code, ran.out) == (2, "")
    wording(ran.err, "'referee:sh fails.sh'", "'out of dice'")


@pytest.mark.slow
def test_a_referee_with_other_code_is_another_version_of_the_game(
    folder: Path, run: Run, wording: Wording
) -> None:
    assert run(*fight("--store", "games.db", "-j", "1")).code == 0
    with (folder / "highest.sh").open("a") as file:
        file.write("# changed\n")
    ran = run("show", "games.db")
    assert ran.code == 2
    wording(ran.err)


def test_a_file_is_started_whole(folder: Path, wording: Wording) -> None:
    with wording.raises(UsageError):
        arena.fight("./five.sh:choose", "./seed.sh", 1, game="referee:sh highest.sh")
    with wording.raises(UsageError, match="'./nobody.sh'"):
        arena.fight("./nobody.sh", "./seed.sh", 1, game="referee:sh highest.sh")


@pytest.mark.slow
def test_the_referee_in_python_plays_a_tournament_of_a_folder(
    folder: Path, run: Run, wording: Wording
) -> None:
    (folder / "bots" / "bold.py").unlink()
    (folder / "bots" / "late.py").write_text("input()\ninput()\n")
    (folder / "bots" / "wrong.py").write_text("print('HOLD IT', flush=True)\ninput()\ninput()\n")
    words = ("tournament", "bots", "-n", "1", "--seed", "7", "--game", "referee:python3 pig.py")
    ran = run(*words, "--isolation", "process", "--format", "json")
    assert ran.code == 0
    best, *_ = json.loads(ran.out)["standings"]
    assert (best["player"], best["score"]) == ("careful", 1.0)
    assert "'HOLD IT'" in ran.out
    assert " 2 s" in ran.out


PAID = "paid-referee:0..10:sh highest.sh"


@pytest.mark.slow
def test_the_scores_of_a_paid_referee_are_payoffs(folder: Path, run: Run, wording: Wording) -> None:
    (folder / "half.sh").write_text("echo 2.5\n")
    ran = run(
        *("fight", "./seed.sh", "./half.sh", "-n", "3", "--seed", "7", "--game", PAID),
        *("--isolation", "process", "--store", "games.db", "-j", "1", "--format", "json"),
    )
    assert ran.code == 0
    names = [row["game"] for row in arena.browse("games.db").rows]
    games = [arena.replay(name, store="games.db") for name in names]
    seeds = [game.referee.seed for game in games if game.referee is not None]
    paid = [Fraction(seed % 10) for seed in seeds]
    fight = arena.show("games.db", 1)
    assert isinstance(fight, arena.records.FightResult)
    assert fight.paid is not None
    mean = sum(paid, Fraction(0)) / 6
    assert (fight.paid.mean, fight.paid.opponents_mean) == (mean, Fraction(5, 2))
    assert fight.paid.unit == "points"
    assert arena.verify("games.db").holds
    with closing(sqlite3.connect("games.db")) as database:
        database.execute("UPDATE games SET payoffs = '9 9' WHERE pair = 1 AND half = 1")
        database.commit()
    report = arena.verify("games.db")
    assert report.divergence is not None
    wording(report.divergence.problem, "9 9")


@pytest.mark.parametrize(
    "name",
    [
        "paid-referee:0..4:sh highest.sh",
        "paid-referee:sh highest.sh",
        "paid-referee:5..5:sh highest.sh",
        "paid-referee:0..x:sh highest.sh",
        "paid-referee:0..9:",
        "paid-referee:0..9:zzqxvk highest.sh",
        "paid-referee:0..9:highest.sh",
        "paid-referee:0.." + "9" * 5000 + ":sh highest.sh",
    ],
)
def test_a_score_or_a_range_that_cannot_be_is_one_line(
    folder: Path, run: Run, wording: Wording, name: str
) -> None:
    words = ("fight", "./five.sh", "./five.sh", "-n", "1", "--seed", "7", "--isolation", "process")
    ran = run(*words, "--game", name, "-j", "1")
    assert ran.out == ""
    assert ran.code == 2
    wording(ran.err)


@pytest.mark.slow
def test_who_forfeits_to_a_paid_referee_gets_the_least(folder: Path) -> None:
    (folder / "silent.sh").write_text("exit 0\n")
    fight = arena.fight(
        *("./silent.sh", "./five.sh", 1), seed=7, game=PAID, isolation="process", executor="serial"
    )
    assert fight.paid is not None
    assert fight.paid.mean == 0
    assert fight.paid.opponents_mean == 10
