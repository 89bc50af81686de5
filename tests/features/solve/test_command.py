"""``arena solve``, as its user sees it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import arena
from arena.errors import UsageError
from tests.conftest import Run
from tests.golden import Wording
from tests.pages import files

DOCS = Path(__file__).parents[3] / "docs"


@pytest.mark.parametrize(
    ("game", "value"),
    [
        ("tictactoe", "draw"),
        ("mnk-4-3-3", "win"),
        ("mnk-3-1-3", "draw"),
        pytest.param("connect-4-4-4", "draw", marks=pytest.mark.slow),
        ("connect-3-4-3-misere", None),
        ("tictactoe-squares", "win"),
        ("nim-3-4-5", "win"),
    ],
)
def test_a_certificate_proves_the_value(
    run: Run, tmp_path: Path, game: str, value: str | None
) -> None:
    file = tmp_path / "proof.cert"
    ran = run("solve", game, "--certificate", str(file), "--format", "json")
    assert (ran.code, ran.err) == (0, "")
    report = json.loads(ran.out)
    assert value in (None, report["value"])
    theorem = arena.check_certificate(file)
    assert isinstance(theorem, arena.records.Theorem)
    assert theorem.value == report["value"]
    sizes = [(claim.claim, claim.positions, claim.moves) for claim in theorem.claims]
    assert [tuple(claim.values()) for claim in report["claims"]] == sizes


def test_a_position_is_solved_for_the_side_to_move(run: Run) -> None:
    ran = run("solve", "tictactoe", "--position", "xx_oo____", "--format", "json")
    report = json.loads(ran.out)
    result = (report["to_move"], report["value"], report["plies"], report["move"])
    assert result == ("first", "win", 1, "3")
    assert "certificate" not in report


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (("chess",), 3),
        (("tictactoe", "--max-positions", "10"), 3),
        (("tictactoe", "--position", "xxxoo____"), 2),
        (("tictactoe", "--position", "xy"), 2),
        (("tictactoe", "--certificate", "/nowhere/proof.cert"), 2),
        (("tictactoe", "--checkpoint", "/nowhere/state"), 2),
        (("kuhn", "--value-only"), 2),
        (("kuhn", "--position", "K J"), 2),
        (("prisoners-dilemma-5",), 2),
        (("phantom-tictactoe",), 3),
        (("pig-5",), 3),
        (("leduc", "--max-positions", "100"), 3),
    ],
)
def test_a_mistake_is_one_line(
    run: Run, argv: tuple[str, ...], code: int, wording: Wording
) -> None:
    ran = run("solve", *argv)
    assert ran.code == code
    assert len(ran.err.splitlines()) == 1
    wording(ran.err)


ENDLESS = """\
import arena

class Going(arena.Position):
    game, ply = property(lambda self: GAME), 0
    def legal_moves(self): return 0, 1
    def outcome(self): return None
    def picture(self): return str(self)
    def __str__(self): return str(self.ply)
    def play(self, move):
        after = Going()
        after.ply = self.ply + 1
        return after

class Endless(arena.Game):
    name, max_plies = "endless", 30
    def start(self): return Going()
    def parse(self, text): raise ValueError(text)
    def format_move(self, move): return str(move)
    def parse_move(self, position, text): return int(text)

GAME = Endless()

@arena.hookimpl
def arena_register_games(register):
    register("endless", lambda: GAME)
"""


@pytest.mark.parametrize(
    "words",
    ["solve endless", "exact monkey monkey --game endless", "certify monkey --game endless"],
)
def test_a_game_without_an_end_is_refused_in_one_line(
    run: Run, tmp_path: Path, words: str, wording: Wording
) -> None:
    plugin = tmp_path / "endless.py"
    plugin.write_text(ENDLESS)
    ran = run("-p", str(plugin), *words.split())
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    wording(ran.err, "max_plies", "30")


#: If that is asked, it keeps every state, and after some of them ends the process as kill -9 does.
DEADLY = """
import os, signal
import arena
from arena.proof import progress
from arena.solver import checkpoint

told = []

def tell(*_):
    told.extend([None] * os.path.exists("state/search.npz"))
    if len(told) == 5:
        os.kill(os.getpid(), signal.SIGKILL)

if "DEADLY" in os.environ:
    checkpoint.STATE_SECONDS, progress.tell = 0.0, tell
"""


@pytest.mark.parametrize(
    ("game", "page"),
    [
        pytest.param("flips-4", "tutorial-game.md", marks=pytest.mark.slow, id="plugin"),
        pytest.param(
            "openspiel:connect_four(columns=4,rows=3)",
            None,
            marks=pytest.mark.needs("open_spiel"),
            id="openspiel",
        ),
    ],
)
def test_a_game_of_others_goes_on_after_kill_9(game: str, page: str | None, tmp_path: Path) -> None:
    (tmp_path / "deadly.py").write_text(DEADLY)
    plugins = ["-p", "./deadly.py"]
    if page is not None:
        (tmp_path / "own.py").write_text(files((DOCS / page).read_text())["flips.py"])
        plugins += ["-p", "./own.py"]
    solve = [sys.executable, "-m", "arena", *plugins, "solve", game, "--format", "json"]
    argv = [*solve, "--checkpoint", "state", "--certificate", "game.cert"]

    def ran(command: list[str], **own: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": str(DOCS.parent), **own}
        return subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )

    killed = ran(argv, DEADLY="1")
    assert (killed.returncode, killed.stdout) == (-signal.SIGKILL, "")
    with np.load(tmp_path / "state" / "search.npz") as state:
        reached = int(state["reached"])
    assert reached > 0
    assert not (tmp_path / "game.cert").exists()
    again, fresh = ran(argv), ran(solve)
    assert (again.returncode, fresh.returncode) == (0, 0), again.stderr
    record, truth = json.loads(again.stdout), json.loads(fresh.stdout)
    for key in ("value", "plies", "to_move"):
        assert record[key] == truth[key]
    assert reached < record["positions"] < 1.25 * truth["positions"]
    checked = ran([*solve[:3], *plugins, "certify", "--check", "game.cert", "--format", "json"])
    assert json.loads(checked.stdout)["value"] == truth["value"]


def test_a_game_without_luck_and_secrets_is_for_the_other_function() -> None:
    with pytest.raises(UsageError, match=r"arena\.solve"):
        arena.game_value("tictactoe")


def test_without_highs_it_says_what_to_install(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "highspy", None)
    ran = run("solve", "kuhn")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "proving-arena[solve]" in ran.err
