"""Write the tiers' orders to the locker, from what they know of this system."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from arena.sandbox.executable import executable
from arena.sandbox.tiers.box import Box, BoxLimits, is_within

LOCKER = Path(__file__).with_name("locker.py")

#: First unused user and their number, by the convention of systemd; the user ``nobody``.
NOBODYS, MANY, NOBODY = 1_879_048_192, 1 << 28, 65_534

#: Bytes of a script's first line that the system reads, and more.
_MAX_LINE_BYTES = 4096

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store")
_SETTINGS = (
    *("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "localtime"),
    *("ssl/openssl.cnf", "pki/tls/openssl.cnf"),  # node reads one, and will not start without
)


def system() -> list[Path]:
    """Return the system's folders and files that programs need and that do not reveal users."""
    settings = [Path("/etc", name) for name in _SETTINGS] + sorted(Path("/etc").glob("java-*"))
    return [path for path in (*map(Path, _SYSTEM), *settings) if path.exists()]


def interpreter() -> list[Path]:
    """Return the folders of this Python, wherever they are: a venv's and its base's."""
    folders = [Path(sys.prefix), Path(sys.base_prefix), Path(sys.exec_prefix)]
    folders.append(Path(executable()).resolve().parents[1])
    return sorted({path for folder in folders for path in (folder, folder.resolve())})


def identity() -> int | None:
    """Return the user that a player of root's becomes, a new one each time, or None if not root."""
    if sys.platform == "win32" or os.geteuid() != 0:
        return None
    users = _known_users()
    if users >= NOBODYS + MANY:
        return NOBODYS + secrets.randbelow(MANY)
    return NOBODY if users > NOBODY else None


def _known_users() -> int:
    """Return how many users there are from 0 on. A container may have only one."""
    try:
        rows = [row.split() for row in Path("/proc/self/uid_map").read_text().splitlines()]
    except OSError:
        return 1 << 32
    return max((int(count) for inside, _, count in rows if inside == "0"), default=0)


def with_locker(argv: Sequence[str], box: Box, **orders: Any) -> list[str]:
    """Return the command that starts the locker, which then becomes ``argv``."""
    orders = {
        "resources": resources(box.limits, box.is_python),
        "folder": str(box.folder),
        "keep": list(box.keep_fds),
        "script": box.is_python,
        "locked": False,
        "parent": None,
        "guarded": False,
        "user": None,
        "read_all": False,
        "landlock": None,
        "seccomp": None,
    } | orders
    text = json.dumps(orders, separators=(",", ":"))
    if not box.is_python:
        program = str(program_files(argv[0])[0])
        return [executable(), "-I", "-S", str(LOCKER), text, program, *argv[1:]]
    interpreter, *rest = argv
    flags = next(index for index, word in enumerate(rest) if not word.startswith("-"))
    return [interpreter, *rest[:flags], str(LOCKER), text, *rest[flags:]]


def program_path(program: str) -> str:
    """Return the whole path of a program. Raises FileNotFoundError without one."""
    path = shutil.which(program)
    if path is None:
        raise FileNotFoundError(2, "there is no such program", program)
    return os.path.abspath(path)


def program_files(program: str) -> list[Path]:
    """Return the files that a program needs: its own, and its interpreter's.

    They include the library of a Python. Raises FileNotFoundError if the interpreter is missing.
    The folder above a Python's ``bin`` may be a home or a project, so only the parts of the Python
    are returned.
    """
    path = Path(program_path(program))
    interpreter = _script_interpreter(path)
    if interpreter is None:
        return [path, *_pythons(path)]
    if not os.path.exists(interpreter):
        raise FileNotFoundError(2, f"its interpreter {interpreter!r} does not exist")
    return [path, Path(interpreter), *_pythons(Path(interpreter))]


def _script_interpreter(program: Path) -> str | None:
    """Return the interpreter in a script's first line, or None without one, or if it is
    unreadable.
    """
    try:
        with program.open("rb") as file:
            start, line = file.read(2), file.readline(_MAX_LINE_BYTES)
    except OSError:
        return None
    words = line.strip(b" \t\n").replace(b"\t", b" ").split(b" ")
    return os.fsdecode(words[0]) if start == b"#!" and words[0] else None


def _pythons(program: Path) -> list[Path]:
    """Return the libraries of a Python, and of the base of its virtual environment."""
    paths = [path for path in (program, program.resolve()) if not is_within(path, system())]
    folders = {path.parents[1] for path in paths if len(path.parts) > 2}
    homes = [folder for folder in folders if any(folder.glob("lib/python3*/"))]
    names = ("lib/python3*", "lib64", "lib/libpython3*", "pyvenv.cfg")
    return sorted(path for folder in homes for name in names for path in folder.glob(name))


def process_limits(box: Box) -> dict[str, int]:
    """Return the limit of processes and threads, where those of other players do not count."""
    return resources(box.limits, box.is_python) | {"RLIMIT_NPROC": tasks(box.limits)}


#: Address space per byte of memory: much of it is reserved, and never used.
SPACE = 4

#: Descriptors, and threads of a player that may have only one process.
DESCRIPTORS = 64
THREADS = 64

_MIB = 1 << 20
_STACK = 64 * _MIB


def resources(limits: BoxLimits, is_python: bool) -> dict[str, int]:
    """Return the limits by their names in the module ``resource``.

    Programs may reserve any address space, as some runtimes do.
    """
    space = {"RLIMIT_AS": SPACE * limits.memory * _MIB} if is_python else {}
    return space | {
        "RLIMIT_DATA": limits.memory * _MIB,
        "RLIMIT_STACK": min(limits.memory * _MIB, _STACK),
        "RLIMIT_CPU": limits.cpu,
        "RLIMIT_FSIZE": limits.output,
        "RLIMIT_NOFILE": DESCRIPTORS,
        "RLIMIT_CORE": 0,
        "RLIMIT_MSGQUEUE": 0,
    }


def tasks(limits: BoxLimits) -> int:
    """Return how many processes and threads it may have."""
    return limits.processes if limits.processes > 1 else THREADS
