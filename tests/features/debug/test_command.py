"""``arena debug`` as somebody with a broken bot uses it."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.golden import Wording
from tests.samples import few

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Ran, Run

BOT = """
TABLE = {}


def choose(position, rng):
    moves = position.legal_moves()
    if position.ply == 4:
        return TABLE[str(position)]
    return moves[0]
"""
STATEFUL = """
import arena


class Bot(arena.StatefulPlayer):
    def choose(self, position):
        self.seen = getattr(self, "seen", 0) + 1
        if self.seen == 3:
            breakpoint()
        return position.legal_moves()[0]
"""
GAME = "tictactoe/.%2Fbot.py/monkey/1/1.1"


@pytest.fixture
def debug(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str, str, str], Ran]:
    """Run ``arena debug`` with these lines typed into the debugger."""

    def debug(text: str, typed: str, *options: str) -> Ran:
        monkeypatch.chdir(tmp_path)
        Path("bot.py").write_text(text)
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        return run("debug", "./bot.py", GAME, *options)

    return debug


def test_it_stands_where_the_player_raised(debug: Callable[..., Ran], wording: Wording) -> None:
    ran = debug(BOT, "p len(moves)\nq\n")
    assert ran.code == 0
    assert "(Pdb) 5\n" in ran.out
    wording.line(ran.out, "./bot.py", "(exception)")
    frames = [line for line in ran.err.splitlines() if line.startswith("  File")]
    assert len(frames) == 1
    assert "bot.py" in frames[0]


@pytest.mark.slow
def test_it_stops_before_the_move_that_is_named(debug: Callable[..., Ran]) -> None:
    ran = debug(BOT, "n\np position.ply\nq\n", "--move", "3")
    assert (ran.code, ran.err) == (0, "")
    assert "(Pdb) 2\n" in ran.out
    assert "forfeits" not in ran.out, "who leaves has seen enough"


@pytest.mark.slow
def test_a_breakpoint_of_the_players_own_works(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(STATEFUL)
    command = [sys.executable, "-m", "arena", "debug", "./bot.py", GAME]
    ran = subprocess.run(  # elsewhere, for pytest has a breakpoint of its own
        command, cwd=tmp_path, input="p self.seen\nq\n", capture_output=True, text=True, check=True
    )
    assert ran.stderr == ""
    assert "(Pdb) 3\n" in ran.stdout
    assert "plays" not in ran.stdout, "who leaves has seen enough"


@pytest.mark.slow
def test_who_goes_on_sees_the_same_game_as_the_fight(debug: Callable[..., Ran], run: Run) -> None:
    typed = "c\n" * 9
    assert debug(BOT.replace("ply == 4", "ply == 99"), typed, "--move", "1").out.endswith(
        run("replay", GAME).out
    )


def test_moves_are_counted_as_replay_shows_them(
    debug: Callable[..., Ran], run: Run, wording: Wording
) -> None:
    opened = "tictactoe/monkey/.%2Fbot.py/1/@_o_____x_/1.2"
    debug(BOT.replace("ply == 4", "ply == 99"), "c\n")
    ran = run("debug", "./bot.py", opened, "--move", "9")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    wording(ran.err, "'./bot.py'")


def test_of_two_of_one_name_the_one_that_is_named_is_watched(
    run: Run, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    for name, turn in (("monkey", "3"), ("monkey#2", "2")):
        monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
        ran = run("debug", name, "tictactoe/monkey/monkey/1/1.1", "--move", turn)
        assert (ran.code, "plays" in ran.out) == (0, False), "it stopped, and was left"
    ran = run("debug", "monkey#2", "tictactoe/monkey/monkey/1/1.1", "--move", "3")
    wording(ran.err)


def test_an_answer_that_is_not_legal_is_shown(debug: Callable[..., Ran], wording: Wording) -> None:
    ran = debug("def choose(position, rng):\n    pass\n", "")
    wording.line(ran.out, "None", "_________")


@pytest.mark.slow
def test_it_stands_where_the_player_gave_up(debug: Callable[..., Ran]) -> None:
    ran = debug("def choose(position, rng):\n    raise SystemExit('enough')\n", "p 6 * 7\nq\n")
    assert "(Pdb) 42\n" in ran.out


@pytest.mark.parametrize(
    ("player", "game"),
    few(
        [
            ("./bot", GAME),
            ("./bot.py", "lost"),
            ("./bot.py", "tictactoe/.%2Fbot.py/monkey/1/table/300.1"),
            ("cmd:cat", "tictactoe/cmd%3Acat/monkey/1/1.1"),
        ],
        2,
    ),
)
def test_a_mistake_is_one_line(
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    player: str,
    game: str,
    wording: Wording,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text(BOT)
    ran = run("debug", player, game)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    wording(ran.err)


@pytest.mark.slow
def test_the_player_goes_by_the_short_name_that_tables_show(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text(BOT)
    shown = []
    for name in ("./bot.py", "bot"):
        monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
        shown.append(run("debug", name, GAME))
    assert shown[0] == shown[1]
    assert shown[0].code == 0


@pytest.mark.slow
def test_the_dialogue_keeps_out_of_what_a_program_reads(
    debug: Callable[..., Ran], run: Run
) -> None:
    ran = debug(BOT, "p len(moves)\nq\n", "--format", "json")
    assert "(Pdb) 5\n" in ran.err
    assert json.loads(ran.out) == json.loads(run("replay", GAME, "--format", "json").out)


@pytest.mark.parametrize("tier", ["none", "auto"])
def test_a_breakpoint_in_a_fight_says_where_it_works(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tier: str, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONBREAKPOINT", "pdb.set_trace")  # pytest has one of its own
    monkeypatch.setattr("sys.breakpointhook", sys.__breakpointhook__)
    Path("bot.py").write_text("def choose(position, rng):\n    breakpoint()\n")
    ran = run("fight", "./bot.py", "monkey", "-n", "1", "--seed", "1", "--isolation", tier)
    assert ran.code == 4
    wording.line(ran.out, "breakpoint()")
