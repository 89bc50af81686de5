"""Players that are WebAssembly modules play, draw, forfeit and are measured alike everywhere."""

from __future__ import annotations

import json
import random
import resource
import shutil
from pathlib import Path

import pytest

import arena
from tests.conftest import Run
from tests.golden import Wording
from tests.sandbox.wasm.conftest import MakeModule
from tests.sandbox.wasm.modules import ANY, FIRST, FOREVER

#: Counts down from a thousand, and takes the first move.
COUNTED = """
  (local.set $length (i32.const 1000))
  (loop $again
    (br_if $again (local.tee $length (i32.sub (local.get $length) (i32.const 1)))))
  (i32.const 0)"""

#: Takes all memory that it gets, and gives up unless that is 16 MiB.
GROWS = """
  (loop $again (br_if $again (i32.ge_s (memory.grow (i32.const 1)) (i32.const 0))))
  (if (i32.ne (memory.size) (i32.const 256)) (then (unreachable)))
  (i32.const 0)"""


def forfeits_of(fight: arena.records.FightResult) -> dict[str, int]:
    return dict(fight.a.forfeits)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["tictactoe", "connect4", "kuhn", "othello-4", "mnk-3-3-3-x3"])
def test_a_module_plays_every_kind_of_game(game: str, module: MakeModule, run: Run) -> None:
    others = ["monkey", *["b=monkey"] * game.endswith("x3")]
    ran = run("fight", module("any", ANY), *others, "--game", game, "-n", "5", "--seed", "1")
    assert ran.code == 0
    assert "forfeited" not in ran.out
    assert ran.out.count("wasmtime ") == 1


@pytest.mark.slow
def test_the_bytes_do_not_depend_on_the_workers(module: MakeModule, run: Run) -> None:
    words = ("fight", module("any", ANY), "monkey", "-n", "20", "--seed", "3", "--format", "json")
    outs = {run(*words, "-j", workers).out for workers in ("1", "2", "4")}
    assert len(outs) == 1
    record = json.loads(outs.pop())
    assert record["isolation"] == {"./any.wasm": "wasm", "monkey": "none"}
    assert record["fuel_use"]["./any.wasm"]["moves"] > 60
    assert record["fuel_engines"]["./any.wasm"].startswith("wasmtime ")
    assert "time_use" not in record


def test_draws_are_those_of_arena(module: MakeModule) -> None:
    player = arena.get_player(module("any", ANY))
    start, positions = arena.get_game("tictactoe").start(), []
    for move in (4, 0, 8):
        positions.append(start)
        start = start.play(move)
    for seed in range(20):
        for position in positions:
            index = random.Random(seed).randrange(len(position.legal_moves()))
            assert player.player(position, random.Random(seed)) == position.legal_moves()[index]


@pytest.mark.slow
def test_its_probabilities_are_enumerated(module: MakeModule) -> None:
    exact = arena.exact(module("any", ANY), "tictactoe1")
    assert exact.total == arena.exact("monkey", "tictactoe1").total


@pytest.mark.slow
def test_it_keeps_the_contract(module: MakeModule, run: Run) -> None:
    assert (
        "conforms: no failures, no warnings"
        in run("check", module("any", ANY), "--positions", "50").out
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (FOREVER, "fuel"),
        ("(unreachable)", "crash"),
        ("(call $choose (local.get 0) (local.get 1))", "crash"),
        ("(i32.load (i32.const -4))", "crash"),
        ("(i32.div_u (i32.const 1) (i32.const 0))", "crash"),
        ("(i32.trunc_f32_s (f32.const nan))", "crash"),
        ("(call $random (i32.const 0))", "crash"),
        ("(call $random (i32.const -7))", "crash"),
        ("(i32.const 9)", "illegal"),
        ("(i32.const -1)", "illegal"),
    ],
)
def test_what_a_module_does_wrong_is_its_forfeit(
    body: str, reason: str, module: MakeModule, wording: Wording
) -> None:
    limits = arena.Isolation(fuel=1_000_000)
    fight = arena.fight(module("bad", body), "monkey", n=2, seed=1, isolation=limits)
    assert forfeits_of(fight) == {reason: 4}
    assert fight.a.first_forfeit is not None
    wording(fight.a.first_forfeit.message)


@pytest.mark.slow
@pytest.mark.parametrize(
    "place", ["(i32.const 65536)", "(i32.const -1)", "(i32.const 0)", "(unreachable)"]
)
def test_a_buffer_outside_of_its_memory_is_a_forfeit(
    place: str, module: MakeModule, wording: Wording
) -> None:
    fight = arena.fight(module("bad", FIRST, buffer=place), "monkey", n=1, seed=1)
    assert forfeits_of(fight) == {"crash": 2}
    assert fight.a.first_forfeit is not None
    wording(fight.a.first_forfeit.message)


@pytest.mark.slow
def test_fuel_runs_out_at_the_same_count_every_time(module: MakeModule, run: Run) -> None:
    name = module("slow", COUNTED)
    words = ("fight", name, "monkey", "-n", "3", "--seed", "1", "--format", "json")
    uses = {json.dumps(json.loads(run(*words).out)["fuel_use"]) for _ in range(3)}
    assert len(uses) == 1
    most = int(json.loads(uses.pop())["./slow.wasm"]["most"])
    enough = arena.fight(name, "monkey", n=3, seed=1, isolation=arena.Isolation(fuel=most))
    assert forfeits_of(enough) == {}
    short = arena.fight(name, "monkey", n=3, seed=1, isolation=arena.Isolation(fuel=most - 50))
    assert forfeits_of(short) == {"fuel": 6}


def test_the_fuel_of_a_game_is_limited(module: MakeModule) -> None:
    limits = arena.Isolation(game_fuel=1000)
    fight = arena.fight(module("first", ANY), "monkey", n=1, seed=1, isolation=limits)
    assert forfeits_of(fight) == {"fuel": 2}
    assert fight.a.first_forfeit is not None
    assert " 1,000 fuel " in fight.a.first_forfeit.message


@pytest.mark.slow
def test_memory_is_limited(module: MakeModule) -> None:
    limits = arena.Isolation(memory=16)
    fight = arena.fight(module("grows", GROWS), "monkey", n=1, seed=1, isolation=limits)
    assert forfeits_of(fight) == {}


#: Counts what it is told, and puts the text of the start at 2048.
TOLD = """
  (global $told (mut i32) (i32.const 0))
  (func (export "start") (param i32) (param i32)
    (memory.copy (i32.const 2048) (local.get 0) (local.get 1)))
  (func (export "observe") (param i32) (param i32)
    (global.set $told (i32.add (global.get $told) (i32.const 1))))"""


@pytest.mark.slow
def test_a_module_with_a_start_remembers_within_a_game(module: MakeModule) -> None:
    """It moves to the square of the number of moves that it was told of, if that is free."""
    player = arena.get_player(module("told", "(global.get $told)", TOLD))
    assert not player.stateless
    game = arena.get_game("tictactoe")
    assert player.remote is not None
    for _ in range(2):  # the second game begins anew
        seat = player.remote()
        seat.start(game, arena.Side.SECOND, random.Random(1))
        position = game.start().play(0)
        seat.observe(0)
        assert seat.choose(position) == position.legal_moves()[1]
        position = position.play(4).play(8)
        seat.observe(8)
        assert seat.choose(position) == position.legal_moves()[2]


@pytest.mark.slow
def test_it_is_told_the_game_and_its_seat(module: MakeModule) -> None:
    player = arena.get_player(module("told", "(i32.load8_u (i32.const 2058))", TOLD))
    game = arena.get_game("tictactoe")
    assert player.remote is not None
    seat = player.remote()
    seat.start(game, arena.Side.SECOND, random.Random(1))
    with pytest.raises(arena.errors.Forfeited, match=f"chose move {ord('1')} of 9"):
        seat.choose(game.start())


@pytest.mark.slow
def test_a_fault_between_turns_is_a_forfeit_at_the_next(module: MakeModule) -> None:
    more = '(func (export "observe") (param i32) (param i32) (unreachable))'
    fight = arena.fight(module("bad", FIRST, more), "monkey", n=2, seed=1)
    assert set(forfeits_of(fight)) == {"crash"}


def test_a_module_takes_no_clock(module: MakeModule, run: Run, wording: Wording) -> None:
    ran = run("fight", module("any", ANY), "monkey", "--clock", "10+1")
    assert ran.code == 2
    wording(ran.err)


def test_the_tier_takes_modules_alone(module: MakeModule, run: Run, wording: Wording) -> None:
    with open("bot.py", "w") as file:
        file.write("def choose(position, rng):\n    return position.legal_moves()[0]\n")
    for player in ("./bot.py", "cmd:true"):
        ran = run("fight", module("any", ANY), player, "--isolation", "wasm")
        assert ran.code == 2
        wording(ran.err)
    assert run("fight", "./any.wasm", "monkey", "--isolation", "wasm", "-n", "2").code == 0


@pytest.mark.slow
def test_another_engine_does_not_go_on_with_a_run(
    module: MakeModule, run: Run, wording: Wording, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = module("any", ANY)
    assert run("fight", name, "monkey", "-n", "2", "--seed", "1", "--store", "s.db").code == 0
    assert run("verify", "s.db").code == 0
    monkeypatch.setattr("arena.sandbox.wasm.player.engine_version", lambda: "wasmtime 99.0")
    ran = run("resume", "s.db", "1")
    assert ran.code == 2
    wording(ran.err)


@pytest.mark.slow
def test_a_module_has_another_name(module: MakeModule, run: Run) -> None:
    name = f"alice={module('any', ANY)}"
    player = arena.get_player(name)
    start = arena.get_game("tictactoe").start()
    assert player.player(start, random.Random(1)) in start.legal_moves()
    assert "conforms" in run("check", name, "--positions", "20").out
    assert "alice" in run("fight", name, "monkey", "-n", "2").out
    assert run("exact", name, "monkey").code == 0


#: Draws five times in a row, without a loop.
DRAWS = "(drop (call $random (i32.const 2)))" * 5 + FIRST


@pytest.mark.slow
def test_draws_take_fuel_in_code_without_loops(module: MakeModule) -> None:
    name = module("draws", DRAWS)
    short = arena.fight(name, "monkey", n=1, seed=1, isolation=arena.Isolation(fuel=49_000))
    assert forfeits_of(short) == {"fuel": 2}
    enough = arena.fight(name, "monkey", n=1, seed=1, isolation=arena.Isolation(fuel=51_000))
    assert forfeits_of(enough) == {}


@pytest.mark.slow
def test_a_module_without_a_start_keeps_nothing(module: MakeModule) -> None:
    """It would take another square each time if it counted its moves."""
    counts = "(global.set $end (i32.add (global.get $end) (i32.const 1))) (global.get $end)"
    player = arena.get_player(module("counts", counts))
    assert player.remote is not None
    seat, position = player.remote(), arena.get_game("tictactoe").start()
    seat.start(position.game, arena.Side.FIRST, random.Random(1))
    assert [seat.choose(position) for _ in range(3)] == [position.legal_moves()[1]] * 3


@pytest.mark.slow
def test_what_comes_before_a_game_takes_of_its_fuel(module: MakeModule) -> None:
    init = f'(func (export "_initialize") {COUNTED[: COUNTED.index("(i32.const 0)")]})'
    init = init.replace("$length", "$left").replace(
        '"_initialize")', '"_initialize") (local $left i32)'
    )
    name = module("init", ANY, init)
    short = arena.Isolation(game_fuel=20_000)
    assert set(forfeits_of(arena.fight(name, "monkey", n=1, seed=1, isolation=short))) == {"fuel"}


@pytest.mark.slow
def test_the_memory_of_games_that_end_by_a_fault_is_freed(module: MakeModule) -> None:
    fills = (
        "(drop (memory.grow (i32.const 800)))"
        " (memory.fill (i32.const 0) (i32.const 1) (i32.const 52000000)) (unreachable)"
    )
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    name = module("fills", fills)
    fight = arena.fight(name, "monkey", n=20, seed=1, executor="serial", keep_going=True)
    assert forfeits_of(fight) == {"crash": 40}
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200 << 10  # kilobytes


@pytest.mark.slow
def test_the_printed_command_has_the_whole_fuel(module: MakeModule, run: Run) -> None:
    ran = run("fight", module("any", ANY), "monkey", "-n", "3", "--fuel", "1234567")
    assert " --fuel 1234567" in ran.out


@pytest.mark.slow
def test_a_run_keeps_its_fuel(module: MakeModule, run: Run, wording: Wording) -> None:
    fight = ("fight", module("any", ANY), "monkey", "-n", "2", "--seed", "1", "--fuel", "50000")
    assert run(*fight, "--store", "s.db").code == 0
    assert run("verify", "s.db", "--replay").code == 0
    ran = run("resume", "s.db", "1", "--fuel", "1e6")
    assert ran.code == 2
    wording(ran.err)


@pytest.mark.slow
def test_a_folder_has_modules(module: MakeModule, run: Run, folder: Path) -> None:
    (folder / "entrants").mkdir()
    for name in ("one", "two"):
        shutil.copy(module("any", ANY), folder / "entrants" / f"{name}.wasm")
        (folder / "entrants" / f"{name}.wasm").chmod(0o755)
    ran = run("tournament", "entrants", "-n", "2", "--isolation", "wasm")
    assert ran.code == 0
    assert "one" in ran.out
    assert "'./any.wasm'" in run("fight", "any", "monkey").err


@pytest.mark.slow
def test_a_module_plays_itself_and_does_so_again(module: MakeModule, run: Run) -> None:
    name = module("any", ANY)
    assert run("fight", name, name, "-n", "2", "--seed", "1", "--store", "s.db").code == 0
    assert run("verify", "s.db", "--replay").code == 0


@pytest.mark.slow
def test_the_strongest_wall_can_be_required(module: MakeModule, run: Run) -> None:
    name = module("any", ANY)
    assert run("fight", name, "monkey", "-n", "1", "--require-isolation", "wasm").code == 0


def test_a_referee_starts_no_module(module: MakeModule, run: Run, wording: Wording) -> None:
    name = module("any", ANY)
    ran = run("fight", name, name, "--game", "referee:true", "-n", "1")
    assert ran.code == 2
    wording(ran.err)


@pytest.mark.slow
def test_what_a_module_cannot_do_is_passed(module: MakeModule, run: Run) -> None:
    shown = run("check", module("any", ANY), "--positions", "20", "--format", "json").out
    levels = {each["check"]: each["level"] for each in json.loads(shown)["findings"]}
    assert levels["position"] == levels["output"] == levels["global random"] == "pass"
