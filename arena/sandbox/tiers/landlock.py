"""Use Landlock: the kernel lets a process give up files, connections and signals for good.

The kernel's version (ABI) number decides what a process can give up.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

#: The system call, the same on all processors; the locker makes the other two.
_CREATE_RULESET = 444
_ASK_VERSION = 1

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, TRUNCATE = 1, 2, 4, 8, 1 << 14
MAKE_BLOCK = 1 << 11
_OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE

#: Rights to files by the version that brought them: 13 at first, then to move files between
#: folders, to truncate them, and to control devices.
_FILES = {1: (1 << 13) - 1, 2: 1 << 13, 3: TRUNCATE, 5: 1 << 15}
_NETWORK = {4: 0b11}  # TCP: bind, connect
_SCOPES = {6: 0b11}  # abstract unix sockets, signals


@cache
def version() -> int:
    """Return the kernel's version of Landlock, 0 without."""
    if sys.platform != "linux":
        return 0
    answer: int = ctypes.CDLL(None).syscall(_CREATE_RULESET, None, 0, _ASK_VERSION)
    return max(0, answer)


def guards_cuts() -> bool:
    """Return whether a read-only file cannot be truncated either."""
    return version() >= 3


def ruleset(
    readable: Iterable[Path], writable: Iterable[Path], runs: bool, abi: int | None = None
) -> dict[str, Any]:
    """Return the locker's orders: give up all but reading and writing these files.

    With ``runs`` the process may run what it may read.
    """
    abi = version() if abi is None else abi
    files = _sum(_FILES, abi)
    read = READ_FILE | READ_DIR | (EXECUTE if runs else 0)
    rules = [*((path, read) for path in readable)]
    rules += [(path, READ_FILE | WRITE_FILE | TRUNCATE) for path in writable]
    return {
        "attributes": _attributes(abi, files, _sum(_NETWORK, abi), _sum(_SCOPES, abi)),
        "rules": [
            [str(path), access & files & (-1 if path.is_dir() else _OF_FILES)]
            for path, access in rules
            if path.exists()
        ],
    }


def process_scope() -> dict[str, Any] | None:
    """Return the locker's orders to inspect only the player's processes, or None without Landlock.

    Any Landlock rule brings this. Here the rule forbids making block devices.
    """
    return {"attributes": [MAKE_BLOCK], "rules": []} if version() else None


def _sum(rights: dict[int, int], abi: int) -> int:
    return sum(bits for version, bits in rights.items() if version <= abi)


def _attributes(abi: int, files: int, network: int, scopes: int) -> list[int]:
    """Return what to give up, in as many words as that version of the kernel knows."""
    return [files, network, scopes][: 1 + (abi >= 4) + (abi >= 6)]
