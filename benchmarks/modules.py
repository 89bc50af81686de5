"""Players that are WebAssembly modules, against Python files in processes of their own."""

from __future__ import annotations

import tempfile
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from arena.game import Game
from arena.match import play_game
from arena.player import PlayerInfo
from arena.plugin.manager import load_catalogue
from arena.rng import Stream
from arena.sandbox.choice import choose_tier
from arena.sandbox.cores import one_core
from arena.sandbox.players import file_player
from arena.sandbox.remote import Remote
from arena.sandbox.settings import PlayerLimits
from arena.sandbox.wasm.player import WasmBot, wasm_player
from benchmarks.table import Bar, Row, Sign, cost, skipped
from benchmarks.timing import minima

#: Any legal move, as a file and as a module.
FILE = "def choose(position, rng):\n    return rng.choice(position.legal_moves())\n"
MODULE = """(module
  (import "arena" "random" (func $random (param i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "buffer") (param i32) (result i32) (i32.const 1024))
  (func (export "choose") (param $text i32) (param $length i32) (result i32) (local $moves i32)
    (local.set $moves (i32.const 1))
    (block $done (loop $next
      (br_if $done (i32.eq (i32.load8_u (local.get $text)) (i32.const 10)))
      (local.set $moves (i32.add (local.get $moves)
        (i32.eq (i32.load8_u (local.get $text)) (i32.const 32))))
      (local.set $text (i32.add (local.get $text) (i32.const 1)))
      (br $next)))
    (call $random (local.get $moves))))"""

#: A loop of this many rounds, each of which adds one number.
ROUNDS = 10_000_000
LOOP = f"""(module (func (export "run") (result i32) (local $left i32) (local $sum i32)
  (local.set $left (i32.const {ROUNDS}))
  (loop $again
    (local.set $sum (i32.add (i32.mul (local.get $sum) (i32.const 3)) (local.get $left)))
    (br_if $again (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))
  (local.get $sum)))"""

#: A move of a module against one of an isolated file, and an instance against a process.
MOVE = Bar(Sign.AT_MOST, 0.7)
INSTANCE = Bar(Sign.AT_MOST, 1 / 500)


def rows(quick: bool) -> list[Row]:
    """Measure whole games, starts, and what counting costs."""
    if find_spec("wasmtime") is None:
        return [skipped("modules", "needs wasmtime: pip install 'proving-arena[wasm]'")]
    games, starts, rounds = (20, 2, 1) if quick else (300, 20, 5)
    catalogue = load_catalogue()
    game, other = catalogue.game("tictactoe"), catalogue.player("tictactoe1")
    tier = choose_tier().name
    with tempfile.TemporaryDirectory() as folder:
        file, module = _players(Path(folder), tier)
        works = [partial(_play, game, player, other, games) for player in (file, module)]
        with one_core():
            slow, fast = minima(works, rounds)
        remote, bot = file.remote, module.remote
        assert isinstance(remote, Remote)
        assert isinstance(bot, WasmBot)
        process, instance = minima(
            [partial(_start, remote, starts), partial(_instances, bot, 100 * starts)], rounds
        )
    plain, counting = minima([_Loop(False), _Loop(True)], rounds)
    return [
        cost(
            f"any move as a module, {2 * games} games: time against a Python file in tier {tier}",
            fast,
            slow,
            MOVE,
        ),
        cost(
            "an instance of a module: time against the start of a process in that tier",
            instance / (100 * starts),
            process / starts,
            INSTANCE,
        ),
        cost(f"a loop of {ROUNDS:,} rounds: time with fuel against without", counting, plain),
    ]


def _players(folder: Path, tier: str) -> tuple[PlayerInfo, PlayerInfo]:
    from wasmtime import wat2wasm

    (folder / "any.py").write_text(FILE)
    (folder / "any.wasm").write_bytes(bytes(wat2wasm(MODULE)))
    return (
        file_player(str(folder / "any.py"), PlayerLimits(tier=tier)),
        wasm_player(str(folder / "any.wasm"), PlayerLimits()),
    )


def _play(game: Game, player: PlayerInfo, opponent: PlayerInfo, games: int) -> None:
    streams = (Stream(), Stream())
    for number in range(games):
        play_game(game, (player, opponent), f"benchmark/{number}.1", streams)
        play_game(game, (opponent, player), f"benchmark/{number}.2", streams)


def _start(remote: Remote, times: int) -> None:
    for _ in range(times):
        remote.start().end()


def _instances(bot: WasmBot, times: int) -> None:
    for _ in range(times):
        bot.instance(bot.bounds.fuel).close()


class _Loop:
    """Runs the loop, with fuel or without."""

    def __init__(self, has_fuel: bool) -> None:
        import wasmtime

        config = wasmtime.Config()
        config.consume_fuel = has_fuel
        self._store = wasmtime.Store(wasmtime.Engine(config))
        if has_fuel:
            self._store.set_fuel(1 << 62)
        module = wasmtime.Module(self._store.engine, LOOP)
        self._run = wasmtime.Instance(self._store, module, []).exports(self._store)["run"]

    def __call__(self) -> None:
        self._run(self._store)  # type: ignore[operator]
