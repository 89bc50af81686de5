"""Games of plugins that break their contract: one line, exit code 2, and no player is charged."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import arena
from arena.errors import GameFault
from arena.main import main
from tests.golden import Wording
from tests.samples import few

#: Which method of a position does what, at which ply.
RULES = """
from arena.errors import IllegalMove
from arena.game import Game, Outcome, Position
from arena.plugin.markers import hookimpl

BREAK, PLY = {what!r}, {ply}

class Strip(Position):
    def __init__(self, made=()):
        self.made = made

    def _breaks(self, method):
        return BREAK == method and self.ply >= PLY

    @property
    def game(self):
        return StripGame()

    @property
    def ply(self):
        return 0 if BREAK == "ply" else len(self.made)

    def legal_moves(self):
        if self._breaks("moves raise"):
            raise KeyError("moves")
        if self._breaks("moves garbage"):
            return "garbage"
        if self._breaks("no moves"):
            return ()
        if self._breaks("never"):
            return (0, 1)
        return (0, 1) if self.ply < 4 else ()

    def play(self, move):
        if self._breaks("play raise"):
            raise KeyError("play")
        if self._breaks("play none"):
            return None
        if move not in self.legal_moves():
            raise IllegalMove("no")
        return Strip((*self.made, move))

    def outcome(self):
        if self._breaks("outcome raise"):
            raise KeyError("outcome")
        if self._breaks("outcome garbage"):
            return "garbage"
        if self.ply < 4 or self._breaks("never"):
            return None
        return Outcome.FIRST_WINS if self.made[0] else Outcome.DRAW

    def picture(self):
        return str(self)

    def __str__(self):
        return "s" + "".join(map(str, self.made))

    def __eq__(self, other):
        return isinstance(other, Strip) and self.made == other.made

    def __hash__(self):
        return hash(self.made)

class StripGame(Game):
    name = "strip"
    max_plies = 4

    def start(self):
        if BREAK == "start raise":
            raise KeyError("start")
        return None if BREAK == "start none" else Strip()

    def parse(self, text):
        return Strip(tuple(map(int, text[1:])))

    def format_move(self, move):
        return str(move)

    def parse_move(self, text):
        return int(text)

@hookimpl
def arena_register_games(register):
    register("strip", StripGame)
"""

METHOD = {
    "start raise": "start()",
    "start none": "start()",
    "play raise": "play(",
    "play none": "play(",
    "outcome raise": "outcome()",
    "outcome garbage": "outcome()",
    "moves raise": "legal_moves()",
    "moves garbage": "legal_moves()",
    "no moves": "legal_moves()",
    "never": "outcome()",
    "ply": "ply",
}

COMMANDS = {
    "fight": ["fight", "monkey", "minimax", "-n", "3"],
    "calls": ["fight", "monkey", "monkey", "-n", "20", "--engine", "calls"],
    "serial": ["fight", "monkey", "monkey", "-n", "20", "--executor", "serial"],
    "table": ["fight", "monkey", "monkey", "-n", "10", "--engine", "table"],
    "isolated": ["fight", "cmd:sleep 9", "monkey", "-n", "2"],
    "tournament": ["tournament", "monkey", "minimax", "-n", "2"],
    "exact": ["exact", "monkey", "minimax"],
    "certify": ["certify", "monkey"],
    "move": ["move", "monkey", "s"],
    "check": ["check", "monkey"],
    "play": ["play", "monkey", "monkey"],
    "sprt": ["fight", "monkey", "minimax", "-n", "20", "--sprt"],
    "replay": ["replay", "strip/monkey/monkey/1/1.1"],
}


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    info = tmp_path / "strip-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: strip\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[arena]\nstrip = arena_test_strip\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.delitem(sys.modules, "arena_test_strip", raising=False)
    return tmp_path / "arena_test_strip.py"


def run(
    plugin: Path, what: str, ply: int, command: list[str], capsys: pytest.CaptureFixture[str]
) -> tuple[int, str]:
    plugin.write_text(RULES.format(what=what, ply=ply))
    seed = ["--seed", "1"] if command[0] in ("fight", "tournament", "check", "play") else []
    game = [] if command[0] == "replay" else ["--game", "strip"]
    code = main([*command, *game, *seed])
    return code, capsys.readouterr().err


@pytest.mark.parametrize("what", METHOD)
def test_a_breach_names_the_game_the_method_and_the_position_in_one_line(
    what: str, plugin: Path, capsys: pytest.CaptureFixture[str], wording: Wording
) -> None:
    code, err = run(plugin, what, 2, COMMANDS["fight"], capsys)
    assert code == 2
    [line] = err.splitlines()
    wording(line, "'strip'", f"{METHOD[what]}")
    assert " at 's" in line or what.startswith("start")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("what", ["outcome raise", "moves garbage", "never"])
def test_every_command_says_so(
    command: str, what: str, plugin: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, err = run(plugin, what, 3, COMMANDS[command], capsys)
    assert code == 2
    assert err.splitlines()[-1].startswith("arena: game 'strip' ")
    assert "Traceback" not in err


#: A breach that a game of first moves does not meet: only where the first move was 1.
HIDDEN = ["play raise", "play none", "outcome raise", "outcome garbage", "moves raise", "no moves"]


@pytest.mark.slow
@pytest.mark.parametrize("command", few(["calls", "check", "exact", "table", "serial", "play"], 2))
@pytest.mark.parametrize("what", few(["never", *HIDDEN, "moves garbage"], 3))
def test_a_breach_off_the_first_moves_is_charged_to_the_game(
    what: str, command: str, plugin: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = RULES.replace("self.ply >= PLY", "self.ply >= PLY and self.made[1] == 1")
    plugin.write_text(rules.format(what=what, ply=2))
    words = COMMANDS[command]
    tries = range(6) if command == "play" else [2]
    seeds = [[]] if command == "exact" else [["--seed", str(seed)] for seed in tries]
    codes = [main([*words, "--game", "strip", *seed]) for seed in seeds]
    err = capsys.readouterr().err
    assert set(codes) - {0} == {2}  # not every game gets there
    assert "arena: game 'strip' " in err
    assert "Traceback" not in err


@pytest.mark.slow
def test_a_game_that_keeps_its_contract_is_played(
    plugin: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in ("calls", "table", "exact", "play"):
        code, err = run(plugin, "nothing", 0, COMMANDS[command], capsys)
        assert (code, err) == (0, "") if command != "play" else code == 0


#: A position that changes itself, and is what its own play returns.
ITSELF = """
    def play(self, move):
        if move not in self.legal_moves():
            raise IllegalMove("no")
        if {branch}:
            self.made = (*self.made, move)
            return self
        return Strip((*self.made, move))
"""


@pytest.mark.slow
@pytest.mark.parametrize("command", few(["calls", "table", "serial"], 1))
@pytest.mark.parametrize("branch", ["True", "move"])
def test_a_game_that_changes_its_start_is_charged_with_it(
    branch: str, command: str, plugin: Path, capsys: pytest.CaptureFixture[str], wording: Wording
) -> None:
    rules = RULES.replace("class Strip(", "START = []\n\nclass Strip(", 1)
    rules = rules.replace("else Strip()", "else START[0]") + "\nSTART.append(Strip())\n"
    start, _, rest = rules.partition("    def play(self, move):")
    _, outcome, end = rest.partition("    def outcome(self):")
    rules = f"{start}{ITSELF.strip(chr(10))}\n{outcome}{end}"
    plugin.write_text(rules.format(what="nothing", ply=0, branch=branch))
    assert main([*COMMANDS[command], "--game", "strip", "--seed", "1"]) == 2
    [line] = capsys.readouterr().err.splitlines()
    wording(line, "'strip'", "play(")


def test_a_fault_of_a_game_is_a_plugin_error_with_exit_code_2() -> None:
    assert GameFault.exit_code == 2


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("tictactoe", "xx__oo___"),
        ("tictactoe", "xxxoo____"),
        ("tictactoe", "xoxxoooxx"),
        ("connect4", "_" * 42),
    ],
)
def test_a_position_shows_itself(game: str, text: str, wording: Wording) -> None:
    wording(repr(arena.get_game(game).parse(text)))
