"""Where tables are printed: terminals, pipes and files, with colours and without."""

from __future__ import annotations

import io
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena.cli.output import screen_of
from arena.features.commands import COMMANDS
from arena.reports.screen import PIPE, Screen
from tests.golden import Wording

if TYPE_CHECKING:
    from tests.conftest import Run

GAME = ("move", "tictactoe3", "xx_oo____")


@pytest.mark.parametrize(
    ("option", "variables", "on_terminal", "in_pipe"),
    [
        ("auto", {}, True, False),
        ("auto", {"NO_COLOR": "1"}, False, False),
        ("auto", {"NO_COLOR": ""}, True, False),
        ("auto", {"FORCE_COLOR": "1"}, True, True),
        ("auto", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
        ("auto", {"TERM": "dumb"}, False, False),
        ("always", {"NO_COLOR": "1"}, True, True),
        ("never", {"FORCE_COLOR": "1"}, False, False),
    ],
)
def test_colours_are_shown_where_they_are_wanted(
    monkeypatch: pytest.MonkeyPatch,
    option: str,
    variables: dict[str, str],
    on_terminal: bool,
    in_pipe: bool,
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert screen_of(option) == Screen(PIPE.width, in_pipe, False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setattr("shutil.get_terminal_size", lambda **_: os.terminal_size((120, 40)))
    assert screen_of(option) == Screen(120, on_terminal, True)


@pytest.mark.slow
def test_colours_are_in_a_printed_table_alone(run: Run, tmp_path: Path) -> None:
    assert "\x1b[31mloss in 2\x1b[0m" in run(*GAME, "--color", "always").out
    assert "\x1b" not in run(*GAME).out
    assert "\x1b" not in run(*GAME, "--color", "always", "--format", "markdown").out
    run(*GAME, "--color", "always", "--output", str(tmp_path / "move.txt"))
    assert "\x1b" not in (tmp_path / "move.txt").read_text()


def test_one_player_and_one_game_have_pages(run: Run, wording: Wording) -> None:
    assert "depth=1..400" in run("players", "minimax").out
    shown = run("games", "connect4").out
    for row in (
        "summary       discs fall in 7 columns of 6, four in a row",
        "board         7 by 6",
        "longest game  42",
        "players       mcts, minimax, monkey",
        "from          proving-arena ",
    ):
        assert f"\n{row}" in shown
    shown = run("games", "mnk-15-15-5").out
    assert "\nfirst moves   a15, b15, c15" in shown
    assert " and\n              213 more\n" in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert "\nstart         " not in shown
    assert "\nclaims        minimax never-loses:tictactoe, " in run("games", "tictactoe").out
    ran = run("plugins", "minimx")
    assert (ran.code, ran.out) == (2, "")
    wording(ran.err, "'minimx'", "'minimax'")


def test_a_plugin_is_shown_with_what_it_brings_and_its_file(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "one.py"
    file.write_text(
        "import arena\ndef one(position, rng): return position.legal_moves()[0]\n"
        "@arena.hookimpl\ndef arena_register_players(register): register('one', one)\n"
    )
    shown = run("-p", str(file), "plugins", str(file)).out
    assert "\noffers  player one\n" in shown
    assert "\nhooks   arena_register_players\n" in shown
    assert f"\nfile    {file}\n" in shown
    shown = run("games", "tictactoe").out
    assert "minimax never-loses:tictactoe" in shown
    assert run("players", "nobody").code == run("games", "nothing").code == 2


def test_plugins_say_what_they_offer_and_where_they_come_from(run: Run) -> None:
    (line,) = [line for line in run("plugins").out.splitlines() if line.startswith("monkey")]
    assert "player monkey" in line
    assert "proving-arena" in line


@pytest.mark.slow
def test_v_shows_more_and_vv_logs_too(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    fight = ("fight", "monkey", "triples", "-n", "2", "--seed", "1")
    plain, full, logged = (run(*fight, *option) for option in ((), ("-v",), ("-vv",)))
    pairs = "pairs by monkey's points in them, from 0 to 2 by halves: 2 0 0 0 0\n"
    assert (pairs in plain.out, pairs in full.out) == (False, True)
    assert full.out.replace(pairs, "") == plain.out
    assert (plain.err, full.err, logged.out) == ("", "", full.out)
    assert "1 fight, 4 games" in logged.err
    assert re.search(r"arena fight took \d+\.\d\d s\n$", logged.err)
    assert "with -v" not in run("players").out
    assert "claims never-loses:tictactoe" in run("players", "-v").out
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    played = run("play", "triples", "-vv")
    assert "position _________" in played.out
    assert "arena play took" in played.err


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_tells_of_v_and_vv(run: Run, command: str) -> None:
    helped = re.sub(r"\s+", " ", run(command, "--help").out)
    assert "-v, --verbose" in helped
    assert "-vv" in helped
