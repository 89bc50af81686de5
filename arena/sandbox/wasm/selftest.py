"""Let modules attempt what they may not, and report how each attempt ended."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from arena.errors import Forfeited, PlayerFileError, UsageError, one_line
from arena.games.mnk import mnk_game
from arena.rng import Stream
from arena.sandbox.selftest.probes import Probe
from arena.sandbox.settings import PlayerLimits
from arena.sandbox.wasm.player import wasm_player
from arena.sandbox.wasm.raw import INSTALL, wasmtime

#: A module whose `choose` has a body, with what it imports and more parts.
_FRAME = """(module {imports}
  (memory (export "memory") 1)
  (func (export "buffer") (param i32) (result i32) (i32.const 1024))
  (func $choose (export "choose") (param i32) (param i32) (result i32) {body}) {more})"""

_FIRST = "(i32.const 0)"
_LOOP = "(loop $again (br $again)) (i32.const 0)"
_GROW = """
  (if (i32.lt_s (memory.grow (i32.const 4096)) (i32.const 0)) (then (unreachable)))
  (i32.const 0)"""

#: The attempts: the body of `choose`, what is imported, and more parts.
MODULE_ATTEMPTS = {
    "reach outside of its memory": ("(i32.load (i32.const -4))", "", ""),
    "fill the stack": ("(call $choose (local.get 0) (local.get 1))", "", ""),
    "compute without end": (_LOOP, "", ""),
    "compute before the game": (_FIRST, "", "(start $s) (func $s (loop $again (br $again)))"),
    "take more memory": (_GROW, "", ""),
    "take a giant table": (_FIRST, "", "(table 1000000000 funcref)"),
    "import a clock": (
        _FIRST,
        '(import "wasi_snapshot_preview1" "clock_time_get"'
        " (func (param i32 i64 i32) (result i32)))",
        "",
    ),
    "import files": (
        _FIRST,
        '(import "wasi_snapshot_preview1" "path_open" (func (param i32) (result i32)))',
        "",
    ),
}

#: The limits of the attempts.
_LIMITS = PlayerLimits(fuel=1_000_000, memory=16)


def run_module_probes() -> Iterator[Probe]:
    """Yield whether each attempt was refused, after whether a module plays at all."""
    try:
        wasmtime()
    except UsageError as error:
        yield Probe("play at all", False, str(error), INSTALL)
        return
    problem = _attempt(_FIRST, "", "")
    yield Probe("play at all", not problem, problem or "made a move")
    for name, parts in MODULE_ATTEMPTS.items():
        problem = _attempt(*parts)
        yield Probe(name, bool(problem), problem or "made a move")


def _attempt(body: str, imports: str, more: str) -> str:
    """Return what kept a module from its move, empty if nothing did."""
    text = _FRAME.format(body=body, imports=imports, more=more)
    with tempfile.TemporaryDirectory(prefix="arena-wasm-") as folder:
        path = Path(folder) / "attempt.wasm"
        path.write_bytes(bytes(wasmtime().wat2wasm(text)))
        try:
            player = wasm_player("module", _LIMITS, str(path))
            player.player(mnk_game(3, 3, 3).start(), Stream())
        except PlayerFileError as error:
            return one_line(error.problem)
        except Forfeited as error:
            return error.problem
    return ""
