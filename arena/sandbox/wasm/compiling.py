"""Compile a WebAssembly module: ``python -m arena.sandbox.wasm.compiling MODULE TARGET SECONDS``.

It does so in a process of its own, with limits of time and memory, because a module may be made so
that a compiler takes long. It prints why a module is no player, and nothing if it wrote the target.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from arena.errors import UsageError, counted, one_line, quoted
from arena.sandbox.wasm.raw import IMPORT, cause, engine, wasmtime

#: Bytes of memory that the compiler may have.
MAX_MEMORY = 2 << 30

#: Bytes of a compiled module.
MAX_COMPILED = 256 << 20

#: The functions that a module exports, with their parameters and results: all numbers of 32 bits.
NEEDED = {"buffer": (1, 1), "choose": (2, 1)}

#: Those that it may export too.
OPTIONAL = {"start": (2, 0), "observe": (2, 0), "_initialize": (0, 0)}


def main(path: str, target: str, seconds: str) -> str:
    """Compile the module. Return why it is no player, empty if it is one."""
    with suppress(ImportError):  # Windows has no such limits
        _limit(int(seconds))
    library = wasmtime()
    try:
        module = library.Module(engine(), Path(path).read_bytes())
    except library.WasmtimeError as error:
        return f"is no module that wasmtime takes: {one_line(cause(str(error)))}"
    if problem := misfit(module):
        return problem
    Path(target).write_bytes(module.serialize())
    return ""


def _limit(seconds: int) -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_COMPILED, MAX_COMPILED))


def misfit(module: Any) -> str:
    """Return what a module imports or exports that a player does not, empty if nothing."""
    for each in module.imports:
        named = quoted(f"{each.module}.{each.name}")
        if (each.module, each.name) != IMPORT:
            return f"imports {named}: arena offers {'.'.join(IMPORT)} alone"
        if _shape(each.type) != (1, 1):
            return (
                f"imports {quoted('.'.join(IMPORT))} as another thing than a function of a number"
            )
    exports = {each.name: each.type for each in module.exports}
    if not isinstance(exports.get("memory"), wasmtime().MemoryType):
        return 'exports no "memory"'
    for name, shape in (NEEDED | OPTIONAL).items():
        if name not in exports and name in NEEDED:
            return f"exports no function {quoted(name)}"
        if name in exports and _shape(exports[name]) != shape:
            takes, gives = counted(shape[0], "number"), "one" if shape[1] else "none"
            right = f"it takes {takes} of 32 bits and returns {gives}"
            return f"exports {quoted(name)} of another type: {right}"
    return ""


def _shape(kind: Any) -> tuple[int, int] | None:
    """Return how many parameters and results a function has, None for anything else."""
    library = wasmtime()
    if not isinstance(kind, library.FuncType):
        return None
    numbers = {str(each) for each in (*kind.params, *kind.results)}
    return (len(kind.params), len(kind.results)) if numbers <= {"i32"} else None


if __name__ == "__main__":
    try:
        print(main(*sys.argv[1:]), end="")
    except (UsageError, MemoryError, OSError) as failure:
        print(f"cannot be compiled: {one_line(str(failure) or type(failure).__name__)}", end="")
