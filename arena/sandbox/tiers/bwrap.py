"""Isolate by namespaces, through bubblewrap.

The player sees a file system, a network, and processes of its own. They end with it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import ClassVar

from arena.sandbox.tiers import access, ending, landlock, orders, seccomp
from arena.sandbox.tiers.box import Box, is_within

#: Not ``zero``: a shared mapping of it is memory that no limit counts.
_DEVICES = ("null", "random", "urandom")
_NAMESPACES = ("ipc", "pid", "net", "uts", "cgroup-try")


class Bubblewrap:
    """Isolate by namespaces. See Tier."""

    name: ClassVar[str] = "bwrap"
    stops: ClassVar[frozenset[str] | None] = None

    def command(self, argv: Sequence[str], box: Box) -> list[str]:
        """Return the command. See Tier."""
        if sys.platform != "linux":
            raise OSError("only Linux has namespaces")
        bubblewrap = shutil.which("bwrap")
        if bubblewrap is None:
            raise FileNotFoundError(2, "bubblewrap is not installed")
        user = orders.identity()
        # Bubblewrap's own first process counts within a namespace of users.
        allowed = orders.process_limits(box)
        allowed["RLIMIT_NPROC"] += user is None
        starts = box.limits.processes > 1
        rules = seccomp.Rules(starts=starts, runs=starts or not box.is_python, has_namespaces=True)
        locked = orders.with_locker(
            argv,
            box,
            resources=allowed,
            locked=True,
            user=user,
            # For an ordinary user bubblewrap's own inner process belongs to the player's user as
            # well.
            landlock=landlock.process_scope(),
            seccomp=seccomp.program(rules) if seccomp.is_available() else None,
        )
        files = _files([*box.readable, *orders.program_files(argv[0])], box)
        return [bubblewrap, *_namespaces(user), *files, "--", *locked]

    def denied(self, path: Path) -> str:
        """Return why a player may not read a path. See Tier. One of root's becomes another user."""
        user = orders.identity()
        if user is None:
            return access.denied(path)
        return access.denied_to(user, path, [*orders.interpreter(), *orders.system()])

    def end(self, process: subprocess.Popen[bytes]) -> None:
        """End the player. See Tier."""
        ending.end_family(process)


def _namespaces(user: int | None) -> Iterator[str]:
    """Yield options for namespaces, but not one of users if the process changes its user."""
    if user is None:
        yield "--unshare-user-try"
    yield from (f"--unshare-{name}" for name in _NAMESPACES)
    yield from ("--hostname", "player", "--die-with-parent", "--new-session")
    yield from ("--cap-drop", "ALL")
    if user is not None:
        yield from ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")


def _files(readable: Iterable[Path], box: Box) -> Iterator[str]:
    yield from ("--proc", "/proc", "--dir", "/dev")
    for device in _DEVICES:
        yield from ("--dev-bind", f"/dev/{device}", f"/dev/{device}")
    folders = [Path("/"), Path("/proc"), Path("/dev")]
    mounted: list[Path] = []
    wanted = {*orders.interpreter(), orders.LOCKER, *readable, *orders.system()}
    for path in sorted({Path(os.path.abspath(path)) for path in wanted}):
        if not is_within(path, mounted):
            yield from _parents(path, folders)
            yield from _mount_options(path)
            mounted.append(path)
    for folder in (Path("/tmp"), box.folder):  # noqa: S108 (it only exists)
        if not is_within(folder, mounted):
            yield from _parents(folder / "file", folders)
    # Nothing is writable: an empty file costs memory too, and limits do not count it.
    yield from ("--remount-ro", "/", "--chdir", "/")


def _parents(path: Path, folders: list[Path]) -> Iterator[str]:
    """Make the folders above. Bubblewrap itself would make them for the owner alone."""
    for folder in reversed(path.parents):
        if folder not in folders:
            yield from ("--perms", "0755", "--dir", str(folder))
            folders.append(folder)


def _mount_options(path: Path) -> Iterator[str]:
    if path.is_symlink() and path.parent == Path("/"):
        yield from ("--symlink", os.readlink(path), str(path))
    else:
        yield from ("--ro-bind", str(path), str(path))
