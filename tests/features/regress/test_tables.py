"""The regression run at a game for more than two: an opponent has all other seats."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.features.regress.baseline import points_of_pair
from tests.conftest import Run
from tests.golden import Wording

GAME = "mnk-3-3-3-x3"
#: A player that takes a square at random, and wins if it can (or never does, if it ``AVOIDS``).
BOT = """
AVOIDS = {avoids}

def choose(position, rng):
    moves, seat = [*position.legal_moves()], position.to_move
    wins = [move for move in moves if is_won(position.play(move), seat)]
    if AVOIDS:
        return rng.choice([move for move in moves if move not in wins] or moves)
    return rng.choice(wins or moves)

def is_won(position, seat):
    paid = position.payoffs()
    return paid is not None and paid[seat] == 1
"""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Be in a folder with a player in a file."""
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text(BOT.format(avoids=False))


def check(run: Run, *words: str) -> tuple[int, dict[str, Any]]:
    ran = run("regress", "./bot.py", "--game", GAME, "--format", "json", "-j", "1", *words)
    return ran.code, json.loads(ran.out)


def record(run: Run, *words: str) -> dict[str, Any]:
    code, report = check(run, "--panel", "monkey", "--update", "-n", "100", *words)
    assert code == 0
    return report


@pytest.mark.slow
def test_a_player_that_has_not_changed_is_the_same(run: Run) -> None:
    record(run)
    code, report = check(run)
    [comparison] = report["comparisons"]
    assert (code, comparison["verdict"], comparison["seats"]) == (0, "same", 3)
    assert comparison["differing"] == 0
    [score] = comparison["panel"]
    assert score["opponent"] == "monkey"
    assert score["before"] == score["after"]
    text = run("regress", "./bot.py", "--game", GAME).out
    assert " blocks" in text
    assert " pairs" not in text


@pytest.mark.slow
def test_the_baseline_has_what_the_blocks_of_the_fight_paid(run: Run) -> None:
    record(run)
    entry = json.loads(Path("arena-baseline.json").read_text())["games"][GAME]["players"]
    recorded = entry["./bot.py"]["against"]["monkey"]
    fought = arena.table_fight(
        ["./bot.py", "monkey", "monkey"], 100, game=GAME, seed=recorded["seed"], executor="serial"
    )
    [table] = fought.tables
    payoffs = [Fraction(word) for line in recorded["payoffs"] for word in line.split()]
    assert len(payoffs) == 100
    assert sum(payoffs) / 300 == pytest.approx(table.rows[0].payoff)
    assert table.games == 300


@pytest.mark.slow
def test_a_player_that_never_wins_is_weaker_and_a_game_shows_it(run: Run, wording: Wording) -> None:
    record(run)
    Path("bot.py").write_text(BOT.format(avoids=True))
    code, report = check(run)
    [comparison] = report["comparisons"]
    assert (code, comparison["verdict"]) == (1, "weaker")
    assert comparison["line"]["side"] in ("seat 1", "seat 2", "seat 3")
    game = comparison["line"]["game"]
    assert sorted(game["players"]) == ["./bot.py", "monkey", "monkey#2"]
    replayed = arena.replay(game["game_id"], players=["./bot.py"])
    assert list(replayed.moves) == game["moves"]
    ran = run("regress", "./bot.py", "--game", GAME)
    assert ran.code == 1
    wording(ran.out.splitlines()[0])


@pytest.mark.slow
def test_a_player_that_breaks_the_rules_is_at_fault(run: Run) -> None:
    record(run)
    Path("bot.py").write_text("def choose(position, rng):\n    return -1\n")
    code, report = check(run)
    [comparison] = report["comparisons"]
    assert (code, comparison["verdict"]) == (4, "fault")
    assert comparison["line"]["forfeit"].startswith("illegal: ")
    assert comparison["message"] == "it forfeited 15 of 15 games"


@pytest.mark.slow
def test_the_verdict_is_the_same_for_any_number_of_workers(run: Run) -> None:
    record(run)
    Path("bot.py").write_text(BOT.format(avoids=True))
    reports = [check(run, "-j", workers)[1] for workers in ("1", "2", "3")]
    assert reports[0] == reports[1] == reports[2]


@pytest.mark.slow
@pytest.mark.parametrize(
    "payoffs", ["", "x", "1/0", "-1", "4", "nan"], ids=lambda text: text or "none"
)
def test_a_baseline_with_payoffs_that_cannot_be_is_refused(
    payoffs: str, run: Run, wording: Wording
) -> None:
    record(run)
    file = Path("arena-baseline.json")
    baseline = json.loads(file.read_text())
    recorded = baseline["games"][GAME]["players"]["./bot.py"]["against"]["monkey"]
    recorded["payoffs"] = [payoffs]
    file.write_text(json.dumps(baseline))
    ran = run("regress", "./bot.py", "--game", GAME)
    assert (ran.code, ran.out) == (2, "")
    wording(ran.err)


def test_a_claim_about_a_game_for_more_than_two_is_a_fault(run: Run, wording: Wording) -> None:
    Path("plugin.py").write_text(
        "from arena import hookimpl\n"
        f"def choose(position, rng):\n    return [*position.legal_moves()][0]\n"
        "@hookimpl\ndef arena_register_players(register):\n"
        f"    register('brave', choose, games=['{GAME}'], claims=['never-loses:{GAME}'])\n"
    )
    ran = run("-p", "plugin.py", "regress", "brave")
    assert ran.code == 4
    wording.line(ran.out, "never-loses:")


def test_points_of_blocks_and_pairs_have_one_scale() -> None:
    assert points_of_pair((2, 2)) == points_of_pair((2, 2, 2)) == 4
    assert points_of_pair((0, 0)) == points_of_pair((0, 0, 0, 0)) == 0
    assert points_of_pair((1, 2)) == 3
    assert points_of_pair((2, 0, 1, 0)) == Fraction(3, 2)


@pytest.mark.slow
def test_a_player_that_gets_nothing_is_recorded_and_compared(run: Run) -> None:
    # It turns back into its own body in the second turn. What snakes pays is more than a point.
    Path("bot.py").write_text(
        "def choose(view, rng):\n"
        "    body = view.board.snakes[view.seat].body\n"
        "    return 2 if len({*body}) == 1 else 3\n"
    )
    words = ("regress", "./bot.py", "--game", "snakes-3", "--format", "json", "-j", "1")
    assert run(*words, "--panel", "monkey", "--update", "-n", "60").code == 0
    ran = run(*words)
    [comparison] = json.loads(ran.out)["comparisons"]
    assert (ran.code, comparison["verdict"]) == (0, "same")
    assert 0 <= comparison["interval"][0] <= comparison["interval"][1] <= 1
    assert Fraction(comparison["after"]) < Fraction(1, 2)
    recorded = json.loads(Path("arena-baseline.json").read_text())["games"]["snakes-3"]
    [against] = recorded["players"]["./bot.py"]["against"].values()
    assert "0" in " ".join(against["payoffs"]).split()
