"""Every command that takes a game, on square boards of other sizes than three."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena import adapt
from arena.games.mnk import mnk_game
from tests.golden import Wording
from tests.samples import few

if TYPE_CHECKING:
    from tests.conftest import Run

pytestmark = pytest.mark.usefixtures("in_a_folder_of_its_own")

BOT = str(Path(__file__).parents[2] / "examples" / "bots" / "adapted.py")
SIZES = (1, 2, 4, 5)

#: What is played, moved and checked on a board of any size.
COMMANDS = {
    "fight": ("fight", BOT, "monkey", "-n", "4", "--seed", "1"),
    "fight --sprt": ("fight", BOT, "monkey", "--sprt", "--elo0", "0", "--elo1", "99", "-n", "9"),
    "tournament": ("tournament", BOT, "monkey", "-n", "2", "--seed", "1"),
    "move": ("move", BOT, "EMPTY"),
    "check": ("check", BOT, "--positions", "20", "--seed", "1"),
    "plan": ("plan", BOT, "monkey", "-n", "20", "--seed", "1"),
}


@pytest.mark.slow
@pytest.mark.parametrize("size", few([2, 1, 5]))
@pytest.mark.parametrize("command", few(COMMANDS, 3))
def test_a_command_does_on_any_board_what_it_does(run: Run, command: str, size: int) -> None:
    name = f"tictactoe-{size}"
    words = ["_" * size**2 if word == "EMPTY" else word for word in COMMANDS[command]]
    ran = run(*words, "--game", name, "--format", "json")
    assert (ran.code in ((0, 1, 3) if "--sprt" in words else (0,)), ran.err) == (True, "")
    assert json.loads(ran.out)["game"] == name


@pytest.mark.slow
@pytest.mark.parametrize(
    "size", [SIZES[0], *(pytest.param(size, marks=pytest.mark.slow) for size in SIZES[1:])]
)
def test_games_of_any_board_are_kept_shown_verified_and_replayed(run: Run, size: int) -> None:
    fight = (*COMMANDS["fight"], "--game", f"tictactoe-{size}")
    plain = run(*fight)
    assert run(*fight, "--store", "S") == plain
    assert run("show", "--store", "S") == run("resume", "S") == plain
    assert run("verify", "S").code == 0
    for look in ("runs", "export"):
        assert f"tictactoe-{size}" in run(look, "--store", "S").out
    ran = run("replay", f"tictactoe-{size}/monkey/monkey/7/1.1", "--format", "json")
    position = mnk_game(size, size, size).start()
    for step in json.loads(ran.out)["moves"]:
        position = position.play(position.game.parse_move(step))
    assert position.outcome() is not None


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 2])
def test_what_is_small_is_proved(run: Run, size: int) -> None:
    game = ("--game", f"tictactoe-{size}")
    exact = json.loads(run("exact", "monkey", "minimax", *game, "--format", "json").out)
    # Whoever moves first has a line after its first move, or its second.
    assert exact["first"]["win"] == exact["second"]["loss"] == "1"
    certificate = run("certify", "minimax", *game, "--output", "c.json")
    assert certificate.code == 1
    assert run("certify", "--check", "c.json").code == 0
    regress = run("regress", "minimax", *game, "--baseline", "b.json", "--update")
    assert regress.code == 0
    assert run("regress", "minimax", *game, "--baseline", "b.json").code == 0


@pytest.mark.parametrize("size", few([4, 5], 0))
def test_what_is_large_is_given_up_in_one_line(run: Run, size: int) -> None:
    game = ("--game", f"tictactoe-{size}", "--max-positions", "1000")
    for words in (("exact", "monkey", "monkey"), ("certify", "monkey")):
        ran = run(*words, *game)
        assert (ran.code, ran.out) == (3, "")
        assert "--max-positions is 1,000" in ran.err
        assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    "text",
    [
        "_" * 15,
        "xx" + "_" * 14,
        "q" + "_" * 15,
        "xxxx/oooo/____/____",
        "xxxx/ooo_/o___/____",
        "xxxx/ooo_/____/____",
    ],
)
def test_a_position_of_any_board_is_refused_with_the_reason(
    run: Run, text: str, wording: Wording
) -> None:
    ran = run("move", "monkey", text, "--game", "tictactoe-4")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    wording(ran.err)


def test_a_diagonal_that_is_not_the_longest_does_not_win() -> None:
    board = ["O _ X _", "_ X O _", "X O _ _", "_ _ _ _"]
    position = adapt.read_board([row.split() for row in board])
    assert (position.game.name, position.outcome()) == ("tictactoe-4", None)
