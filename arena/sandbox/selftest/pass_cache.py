"""Remember the self-tests that passed since this machine started, so that each runs once.

Only passes are remembered: a repair counts at once. A pass holds for one user, one interpreter and
one set of namespaces and filters, in a file of the user's own.
"""

from __future__ import annotations

import os
import shutil
import stat
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path

from arena.sandbox.executable import executable
from arena.sandbox.selftest import attempts
from arena.sandbox.tiers import bwrap, landlock, locked, orders, seccomp

_BOOT = Path("/proc/sys/kernel/random/boot_id")
#: A change of these asks for another self-test.
_MODULES = (attempts, bwrap, landlock, locked, orders, seccomp)

_STATUS = Path("/proc/self/status")


def was_passed(tier: str) -> bool:
    """Return whether this user's arena has seen the tier's self-test pass since the start."""
    try:
        file = _file(tier).lstat()
    except OSError:
        return False
    others = stat.S_IWGRP | stat.S_IWOTH
    return stat.S_ISREG(file.st_mode) and file.st_uid == os.getuid() and not file.st_mode & others


def remember(tier: str, passed: bool) -> None:
    """Keep a pass, where there is room for it, and forget earlier results."""
    with suppress(OSError):
        file = _file(tier)
        file.parent.mkdir(parents=True, exist_ok=True)
        for old in file.parent.glob(f"isolation-{tier}-*"):
            if old != file or not passed:
                old.unlink(missing_ok=True)
        if passed:
            os.close(os.open(file, os.O_CREAT | os.O_WRONLY | os.O_NOFOLLOW, 0o600))


def _file(tier: str) -> Path:
    """Return the file that exists if the tier passed.

    Raises OSError on a machine without a boot id, and for users without a home.
    """
    cache_home = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(cache_home):  # the specification says to ignore it
        cache_home = os.path.expanduser("~/.cache")
    if not os.path.isabs(cache_home) or os.environ.get("HOME") == "":
        raise OSError("there is no home")
    return Path(cache_home) / "arena" / f"isolation-{tier}-{_circumstances()}"


@cache
def _circumstances() -> str:
    """Return all that a result depends on: the start, the user, the programs, the restrictions."""
    programs = [executable(), shutil.which("bwrap") or ""]
    modules = [module.__file__ or "" for module in _MODULES]
    files = [*programs, *modules, str(orders.LOCKER)]
    changed = [str(os.stat(file).st_mtime_ns) for file in files if file]
    spaces = [os.readlink(f"/proc/self/ns/{name}") for name in ("user", "mnt", "pid", "net")]
    restricted = [
        line
        for line in _STATUS.read_text().splitlines()
        if line.startswith(("Seccomp:", "NoNewPrivs:", "CapBnd:"))
    ]
    facts = [_BOOT.read_text(), str(os.getuid()), *programs, *changed, *spaces, *restricted]
    return blake2b("\n".join(facts).encode(), digest_size=8).hexdigest()
