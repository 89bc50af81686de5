"""Compile WebAssembly modules once, and keep what the compiler wrote in the user's cache."""

from __future__ import annotations

import os
import platform
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

from arena.errors import PlayerFileError
from arena.files import problem_of, write_atomically
from arena.sandbox.wasm.raw import MAX_STACK, Code, engine, engine_version, wasmtime

#: Bytes of a module.
MAX_MODULE = 32 << 20

#: How a compiler ends that took too long: by a signal that Windows does not have.
_LATE = [-getattr(signal, name) for name in ("SIGXCPU", "SIGKILL") if hasattr(signal, name)]

#: Bytes of the digest before what the compiler wrote.
_DIGEST = 32


def read_module(name: str, path: Path) -> bytes:
    """Return the bytes of a module. Raises PlayerFileError for a file that is none."""
    try:
        size = path.stat().st_size
        if size > MAX_MODULE:
            most = f"a module has at most {MAX_MODULE >> 20} MiB"
            raise PlayerFileError(name, f"has {size:,} bytes, and {most}")
        module = path.read_bytes()
    except OSError as error:
        raise PlayerFileError(name, problem_of(error)) from None
    if not module.startswith(b"\0asm"):
        raise PlayerFileError(name, "is no WebAssembly module (it does not begin with \\0asm)")
    return module


def code_of(name: str, module: bytes, seconds: float) -> Code:
    """Return the code of a module in this process. Raises PlayerFileError if it does not compile.

    What was compiled on another kind of processor does not load, and is compiled again.
    """
    engine()  # says what the machine lacks
    try:
        return Code(compiled(name, module, seconds))
    except wasmtime().WasmtimeError:
        return Code(compiled(name, module, seconds, fresh=True))


def compiled(name: str, module: bytes, seconds: float, *, fresh: bool = False) -> bytes:
    """Return what the compiler makes of a module, or what it made of it before unless ``fresh``.

    Raises PlayerFileError for a module that is no player, and for one that takes the compiler
    longer.
    """
    digest = sha256(module).hexdigest()
    cached = _cache(digest)
    if cached is not None and not fresh and (before := _read(cached)) is not None:
        return before
    with _folder() as folder:
        source, target = folder / "player.wasm", folder / "player.cwasm"
        source.write_bytes(module)
        _compile(name, source, target, seconds)
        code = target.read_bytes()
    if cached is not None:
        with suppress(OSError):  # a full disk costs time alone
            cached.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_atomically(cached, sha256(code).digest() + code)
    return code


def _compile(name: str, source: Path, target: Path, seconds: float) -> None:
    whole = max(1, round(seconds))
    command = [sys.executable, "-P", "-m", "arena.sandbox.wasm.compiling"]
    late = f"takes the compiler more than {whole} s (--import-time allows more)"
    try:
        ran = subprocess.run(  # noqa: S603  (arena's own command)
            [*command, str(source), str(target), str(whole)],
            capture_output=True,
            timeout=2 * whole + 10,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise PlayerFileError(name, late) from None
    if ran.returncode in _LATE:
        raise PlayerFileError(name, late)
    if ran.returncode:
        raise PlayerFileError(
            name, "ends its compiler, or needs more memory there than it may have"
        )
    if ran.stdout:
        raise PlayerFileError(name, ran.stdout.decode("utf-8", "replace"))


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="arena-wasm-") as folder:
        yield Path(folder)


def _cache(digest: str) -> Path | None:
    """Return where the compiled module of a digest is kept, None for a user without a home."""
    home = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(home):  # the specification says to ignore it
        home = os.path.expanduser("~/.cache")
    if not os.path.isabs(home):
        return None
    engine = sha256(f"{engine_version()} {MAX_STACK} {platform.machine()}".encode()).hexdigest()
    return Path(home) / "arena" / "wasm" / f"{digest[:32]}-{engine[:16]}"


def _read(file: Path) -> bytes | None:
    """Return a compiled module that was kept, None if there is none, or another user's, or a part.

    It is machine code, so no other user may have written it.
    """
    try:
        with file.open("rb") as opened:
            facts = os.fstat(opened.fileno())
            if hasattr(os, "getuid") and (facts.st_uid != os.getuid() or facts.st_mode & 0o022):
                return None
            content = opened.read()
    except OSError:
        return None
    digest, code = content[:_DIGEST], content[_DIGEST:]
    return code if sha256(code).digest() == digest else None
