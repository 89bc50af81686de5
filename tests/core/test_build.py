"""Both builds of arena: the same bytes, and which one runs."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import arena.core
from arena.core import VARIABLE, build, compiled
from arena.errors import describe
from arena.fights.engines import CallsEngine
from arena.match.record import PlayedPair
from tests.core.twins import needs_compiled
from tests.fights.test_play import pairing
from tests.golden import Wording

#: Fights of which all that does not depend on the clock is compared.
FIGHTS = (
    "tictactoe3 monkey -n 60",
    "heuristic tictactoe1 -n 40",
    "monkey minimax -n 4 --game connect4",
    "mcts:simulations=30 monkey -n 4 --game mnk-4-4-3-misere",
    "monkey monkey -n 2 --game chess",
    "minimax:depth=1 monkey -n 1 --game chess",
    "monkey monkey -n 5 --game hex-4",
    "cfr monkey -n 20 --game kuhn",
    "monkey random-p:p=0.3 -n 20 --game prisoners-dilemma-5",
    "monkey monkey -n 20 --game phantom-tictactoe",
    "monkey monkey -n 20 --game leduc --deals independent",
    "{bot} {bot} -n 10 --isolation none --game leduc",
    "monkey monkey -n 20 --openings random:3",
    "{bot} monkey -n 10 --isolation none",
    "{bot} monkey -n 3",
)

BOT = """
def choose(position, rng):
    print(position.ply)
    move = rng.randrange(11)
    return position.legal_moves()[move] if move < 8 else 99
"""


def run(words: list[str], pure: bool) -> Any:
    """Return what a command says in JSON, by one build."""
    environment = {**os.environ, VARIABLE: "1" if pure else "0"}
    ran = subprocess.run(
        [sys.executable, "-m", "arena", *words],
        capture_output=True,
        env=environment,
        text=True,
        check=False,
    )
    assert ran.returncode in (0, 1, 4), ran.stderr
    return json.loads(ran.stdout)


@pytest.mark.slow
@needs_compiled
@pytest.mark.parametrize("words", FIGHTS)
def test_a_fight_is_the_same_in_both_builds(words: str, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(BOT)
    argv = ["fight", *words.format(bot=bot).split(), "--seed", "7", "--format", "json"]
    argv += ["--engine", "calls", "--executor", "serial"]
    one, other = (without_times(run(argv, pure)) for pure in (False, True))
    assert one == other


def without_times(record: Any) -> Any:
    """Return a record without what a clock measured."""
    if isinstance(record, dict):
        return {k: without_times(v) for k, v in record.items() if "time" not in k}
    return [without_times(item) for item in record] if isinstance(record, list) else record


@needs_compiled
@pytest.mark.parametrize("game", ["tictactoe", "connect4-misere", "chess"])
def test_a_position_of_one_build_is_read_by_the_other(game: str) -> None:
    position = arena.get_game(game).start()
    position = position.play(position.legal_moves()[1])
    code = """
import pickle, sys
import arena
position = pickle.load(sys.stdin.buffer)
assert arena.core.build().startswith("pure")
pickle.dump(position.play(position.legal_moves()[0]), sys.stdout.buffer)
"""
    done = subprocess.run(
        [sys.executable, "-c", "import arena.core\n" + code],
        input=pickle.dumps(position),
        capture_output=True,
        env={**os.environ, VARIABLE: "1"},
        check=True,
    )
    assert pickle.loads(done.stdout) == position.play(position.legal_moves()[0])


@pytest.mark.slow
@needs_compiled
@pytest.mark.parametrize("player", ["minimax:budget=1000000000", "mcts:simulations=1000000"])
def test_ctrl_c_ends_a_compiled_search(player: str) -> None:
    words = ["fight", player, "monkey", "-n", "1", "--game", "mnk-7-7-5", "--executor", "serial"]
    running = subprocess.Popen(
        [sys.executable, "-m", "arena", *words, "--engine", "calls", "-v"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with pytest.raises(subprocess.TimeoutExpired):
        running.communicate(timeout=3)  # until it thinks
    running.send_signal(signal.SIGINT)
    _, complaint = running.communicate(timeout=20)
    assert running.returncode == 130
    assert b"Traceback" not in complaint


@needs_compiled
@pytest.mark.parametrize(
    ("players", "options"),
    [
        (("tictactoe1", "monkey"), {}),
        (("heuristic", "lms"), {}),
        (("monkey", "monkey"), {"game": "kuhn"}),
        (("monkey", "monkey"), {"game": "leduc", "deals": "independent"}),
        (("monkey", "monkey"), {"game": "pig-20"}),
        (("monkey", "monkey"), {"game": "liars-dice-1-3"}),
        (("monkey", "monkey"), {"game": "phantom-mnk-2-2-2"}),
        (("tit-for-tat", "random-p"), {"game": "prisoners-dilemma-3"}),
    ],
)
def test_pairs_are_the_same_in_the_compiled_loop(
    players: tuple[str, str],
    options: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    catalogue: Any,
) -> None:
    def played() -> list[PlayedPair]:
        engine = CallsEngine(pairing(catalogue, *players, 130, **options))
        return [pair._replace(seconds=(0.0, 0.0)) for pair in engine.pairs(1, 131)]

    looped = played()
    monkeypatch.setattr("arena.fights.engines.compiled", lambda room: None)
    assert looped == played()


@pytest.mark.slow
@needs_compiled
@pytest.mark.parametrize("game", ["tictactoe", "chess", "hex-4", "leduc", "pig-20"])
def test_a_player_is_asked_as_often_in_the_compiled_loop(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked() -> tuple[object, int]:
        calls = 0

        def choose(position: arena.Position, rng: Any) -> int:
            nonlocal calls
            calls += 1
            if calls == 30:
                raise arena.Unavailable(retry_after=0.01)
            if calls % 41 == 0:
                raise KeyError(calls)
            return 99_999 if calls % 17 == 0 else int(position.legal_moves()[0])

        options: dict[str, Any] = {"game": game, "seed": 1, "engine": "calls", "workers": 1}
        result = arena.fight(choose, "monkey", 12, keep_going=True, **options)
        return (result.joint, result.a.forfeits, result.a.first_forfeit), calls

    looped = asked()
    monkeypatch.setattr("arena.fights.engines.compiled", lambda room: None)
    assert looped == asked()


@pytest.mark.parametrize(
    "words",
    [
        *("play()", "play(1, 2)", "legal_moves(1)", "outcome(5)", "play(square=3)"),
        *("canonical(3)", "winning_moves()", "search_moves(1)", "free()"),
    ],
)
def test_a_wrong_call_has_the_complaint_of_python(words: str) -> None:
    position = arena.get_game("tictactoe").start()
    name = words.partition("(")[0]
    with pytest.raises(TypeError) as raised:
        eval(f"position.{words}", {"position": position})
    python = getattr(type(position), name)
    python = getattr(python, "__wrapped__", python)
    with pytest.raises(TypeError) as expected:
        eval(
            f"python(position, {words.partition('(')[2]}", {"python": python, "position": position}
        )
    assert describe(raised.value) == describe(expected.value)


@pytest.mark.parametrize("pure", [True, False])
def test_the_version_says_which_build_runs(pure: bool) -> None:
    environment = {**os.environ, VARIABLE: "1" if pure else "0"}
    words = [sys.executable, "-m", "arena", "--version", "-v"]
    out = subprocess.run(words, capture_output=True, env=environment, text=True, check=True).stdout
    assert (VARIABLE in out.splitlines()[1]) == pure
    assert out.splitlines()[2:] == [f"Python {sys.version.split()[0]}"]


@pytest.mark.parametrize(
    "error", [ModuleNotFoundError("No module"), ImportError("undefined symbol")], ids=str
)
def test_why_python_runs_alone_is_said(
    error: ImportError, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    def fail(name: str) -> None:
        raise error

    monkeypatch.setattr(arena.core, "compiled", compiled.__wrapped__)
    monkeypatch.setattr(arena.core, "import_module", fail)
    monkeypatch.delenv(VARIABLE, raising=False)
    wording(build())


@needs_compiled
def test_a_copy_of_a_module_does_not_take_the_twins_of_the_original() -> None:
    module = compiled("lines")
    before = dict(vars(module)["PURE"])
    with pytest.raises(ImportError, match=r"arena\.games\.mnk\.MnkPosition\.play"):

        @arena.core.twin("lines.play_square")
        def play(self: object, move: int) -> object:
            raise NotImplementedError

    assert vars(module)["PURE"] == before


@needs_compiled
def test_a_build_that_is_older_than_its_source_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = compiled("lines")
    assert module is not None
    monkeypatch.setattr(arena.core, "compiled", compiled.__wrapped__)
    built, source = tmp_path / "lines.so", tmp_path / "lines.pyx"
    built.touch()
    monkeypatch.setattr(module, "__file__", str(built))
    assert build() == "compiled"
    source.touch()
    os.utime(source, (2**31, 2**31))
    assert build() != "compiled"
