"""Files that are modules, and those that are none: a wrong one is refused in one line."""

from __future__ import annotations

import os
import pickle
import resource
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

import arena
from arena.sandbox.wasm import modules
from arena.sandbox.wasm.compiling import NEEDED, OPTIONAL
from tests.conftest import Run
from tests.golden import Wording
from tests.sandbox.wasm.conftest import MakeModule
from tests.sandbox.wasm.modules import ANY, text_of, write

#: What makes each text wrong.
WRONG = {
    "a memory": ('(memory (export "memory") 1)', "(memory 1)"),
    "a buffer": ('(export "buffer")', '(export "puffer")'),
    "a choice": ('(export "choose")', '(export "chose")'),
    "another buffer": ('(export "buffer") (param i32)', '(export "buffer") (param i64)'),
    "a clock": ('(import "arena" "random"', '(import "wasi_snapshot_preview1" "clock_time_get"'),
    "an import": ('(import "arena" "random"', '(import "arena" "cheat"'),
    "a draw": (
        '(import "arena" "random" (func $random (param i32) (result i32)))',
        '(import "arena" "random" (global $r i32)) (func $random (param i32) (result i32) '
        "(global.get $r))",
    ),
    "too much memory": ('(memory (export "memory") 1)', '(memory (export "memory") 9000)'),
    "a giant table": ("(global $moves", "(table 10000000 funcref) (global $moves"),
    "a start that loops": (
        "(global $moves",
        "(start $s) (func $s (loop $again (br $again))) (global $moves",
    ),
    "a start that draws": (
        "(global $moves",
        "(start $s) (func $s (drop (call $random (i32.const 2)))) (global $moves",
    ),
    "a start that gives up": (
        "(global $moves",
        "(start $s) (func $s (unreachable)) (global $moves",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_module_that_is_no_player_is_refused(name: str, run: Run, wording: Wording) -> None:
    old, new = WRONG[name]
    text = text_of()
    assert old in text
    player = write(Path("bad.wasm"), text.replace(old, new, 1))
    ran = run("fight", player, "monkey", "--fuel", "1e6")
    assert ran.code == 2
    wording(ran.err)


@pytest.mark.parametrize("content", [b"", b"\0", b"def choose", b"\0asm", b"\0asm\1\0\0\0\xff"])
def test_a_file_that_is_no_module_is_refused(content: bytes, run: Run, wording: Wording) -> None:
    Path("bad.wasm").write_bytes(content)
    ran = run("fight", "./bad.wasm", "monkey")
    assert ran.code == 2
    wording(ran.err)


def test_a_file_that_is_too_large_is_not_read(run: Run, wording: Wording) -> None:
    with open("bad.wasm", "wb") as file:
        file.truncate(2 << 30)
    ran = run("fight", "./bad.wasm", "monkey")
    assert ran.code == 2
    wording(ran.err)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 1 << 20  # kilobytes


def test_a_file_that_is_not_there_is_refused(run: Run, wording: Wording) -> None:
    ran = run("fight", "./nothing.wasm", "monkey")
    assert ran.code == 2
    wording(ran.err)


def test_a_module_is_compiled_once(module: MakeModule, monkeypatch: pytest.MonkeyPatch) -> None:
    name = module("any", ANY)
    content = Path(name).read_bytes()
    made = modules.compiled(name, content, 10.0)
    monkeypatch.setattr(modules, "_compile", None)
    assert modules.compiled(name, content, 10.0) == made


def kept_files() -> list[Path]:
    return list(Path(os.environ["XDG_CACHE_HOME"], "arena", "wasm").iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("harm", ["cut", "changed", "writable", "empty"])
def test_what_is_not_as_it_was_kept_is_not_loaded(
    harm: str, folder: Path, module: MakeModule, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "own"))
    name = module("any", ANY)
    content = Path(name).read_bytes()
    made = modules.compiled(name, content, 10.0)
    [file] = kept_files()
    whole = file.read_bytes()
    if harm == "writable":
        file.chmod(0o666)
    else:
        harmed = {"cut": whole[:-1], "changed": whole[:-1] + b"x", "empty": b""}
        file.write_bytes(harmed[harm])
    assert modules._read(file) is None
    assert modules.compiled(name, content, 10.0) == made


@pytest.mark.slow
def test_a_cache_that_cannot_be_written_costs_time_alone(
    folder: Path, module: MakeModule, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "file"))
    assert arena.fight(module("any", ANY), "monkey", n=1, seed=1).unfinished is None


def bomb(calls: int) -> bytes:
    """Return a module with a function that calls another one this often, which compiles slowly."""

    def number(value: int) -> bytes:
        low, high = value & 127, value >> 7
        return bytes([low | 128]) + number(high) if high else bytes([low])

    def section(kind: int, *items: bytes) -> bytes:
        content = number(len(items)) + b"".join(items)
        return bytes([kind]) + number(len(content)) + content

    def body(code: bytes) -> bytes:
        return number(len(code) + 2) + b"\0" + code + b"\x0b"

    zero = b"\x41\0\x6c"  # times 0: the first move
    exports = [(b"memory", b"\2\0"), (b"buffer", b"\0\0"), (b"choose", b"\0\1")]
    return b"".join(
        [
            b"\0asm\1\0\0\0",
            section(1, b"\x60\1\x7f\1\x7f", b"\x60\2\x7f\x7f\1\x7f"),
            section(3, b"\0", b"\1"),
            section(5, b"\0\1"),
            section(7, *(number(len(name)) + name + what for name, what in exports)),
            section(10, body(b"\x41\x80\x08"), body(b"\x20\0" + b"\x10\0" * calls + zero)),
        ]
    )


@pytest.mark.slow
def test_a_module_that_takes_the_compiler_long_is_refused(run: Run, wording: Wording) -> None:
    Path("bomb.wasm").write_bytes(bomb(1))
    assert run("fight", "./bomb.wasm", "monkey", "-n", "1").code == 0
    Path("bomb.wasm").write_bytes(bomb(1_000_000))
    ran = run("fight", "./bomb.wasm", "monkey", "--import-time", "1")
    assert ran.code == 2
    wording(ran.err)


@pytest.mark.slow
def test_a_player_of_a_module_can_be_sent_elsewhere(module: MakeModule) -> None:
    player = arena.get_player(module("any", ANY))
    os.unlink("any.wasm")
    sent = pickle.loads(pickle.dumps(player))
    assert (
        arena.fight(sent, "monkey", n=2, seed=1).joint
        == arena.fight(player, "monkey", n=2, seed=1).joint
    )


def test_wasmtime_is_named_where_it_is_missing(
    module: MakeModule, run: Run, wording: Wording, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = module("any", ANY)
    monkeypatch.setitem(__import__("sys").modules, "wasmtime", None)
    from arena.sandbox.wasm import raw

    raw._engine.cache_clear()
    ran = run("fight", name, "monkey")
    raw._engine.cache_clear()
    assert ran.code == 2
    wording(ran.err)


def test_the_functions_of_a_module_are_documented() -> None:
    text = Path(__file__).parents[3].joinpath("docs", "wasm.md").read_text()
    for name in (*NEEDED, *OPTIONAL):
        assert f"`{name}" in text


@pytest.mark.slow
def test_what_another_machine_compiled_is_compiled_again(
    module: MakeModule, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A whole file with a right digest that wasmtime refuses to load here."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "own"))
    name = module("any", ANY)
    assert arena.fight(name, "monkey", n=1, seed=1).unfinished is None
    [file] = kept_files()
    other = b"\x7fELF of another machine"
    file.write_bytes(sha256(other).digest() + other)
    assert arena.fight(name, "monkey", n=1, seed=1).unfinished is None
    assert file.read_bytes()[32:] != other


@pytest.mark.slow
def test_a_small_stack_is_refused(module: MakeModule, wording: Wording) -> None:
    name = module("deep", "(call $choose (local.get 0) (local.get 1))")
    limited = f"ulimit -s 1024; {sys.executable} -m arena fight {name} monkey -n 1"
    ran = subprocess.run(["bash", "-c", limited], capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert ran.stderr.count("\n") == 1
    wording(ran.stderr, " ulimit -s 2048 ")
