"""Put a command in the place of a player that another program starts, and the player elsewhere.

A referee starts players by commands. It gets those of bridges, which pass on all that it writes to
a player and all that the player answers. The player itself runs in a box of its own, where it sees
neither the referee nor the others. A bridge is two named pipes, and needs ``sh`` and ``cat``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from shutil import rmtree
from tempfile import gettempdir, mkdtemp
from typing import NamedTuple

#: The shell of both ends.
SHELL = "/bin/sh"

#: The beginning of the name of a folder that is in use, or was.
_PREFIX = "arena-bridges-"

#: What stands for a player: it ends when the player closes its output. A job in the background has
#: no standard input but by another number.
_NEAR = """\
exec 3<&0
cat <&3 3<&- >{folder}/in &
exec cat <{folder}/out 3<&-
"""

#: What starts a player when somebody is at the other end, and again for the next one. It reads what
#: a player leaves unread: a program that writes to one that has ended is not to fail for it.
_FAR = """\
while :; do
    exec 3<"$0/in"
    "$@" <&3 3<&- >"$0/out"
    cat <&3 >/dev/null
    exec 3<&-
done
"""


class Bridge(NamedTuple):
    """The two ends of a bridge, which is a folder."""

    folder: Path

    @property
    def near(self) -> tuple[str, ...]:
        """The command that stands for the player."""
        return SHELL, str(self.folder / "player")

    def far(self, command: Sequence[str]) -> tuple[str, ...]:
        """Return the command that starts the player of this command."""
        return SHELL, "-c", _FAR, str(self.folder), *command


@contextmanager
def bridges(number: int) -> Iterator[list[Bridge]]:
    """Make this many bridges, and remove them at the end.

    The folder around them keeps other users of the machine out. What is in a bridge may be used by
    all, because a player may run as another user.
    """
    with _folder() as around:
        made = [Bridge(around / str(place)) for place in range(number)]
        for bridge in made:
            bridge.folder.mkdir()
            bridge.folder.chmod(0o755)
            for name in ("in", "out"):
                os.mkfifo(bridge.folder / name)
                (bridge.folder / name).chmod(0o666)
            file = bridge.folder / "player"
            file.write_text(_NEAR.format(folder=bridge.folder))
            file.chmod(0o644)
        yield made


@contextmanager
def _folder() -> Iterator[Path]:
    """Make a folder and lock it, and remove it at the end.

    It has a name to be found by once it is locked. Who is killed cannot remove its own, so this
    removes what nobody locks any more.
    """
    where = Path(gettempdir())
    for old in where.glob(f"{_PREFIX}*"):
        with suppress(OSError), _locked(old):
            rmtree(old, ignore_errors=True)
    made = Path(mkdtemp(prefix="."))
    with ExitStack() as stack:
        stack.callback(lambda: rmtree(folder, ignore_errors=True))
        folder = made
        stack.enter_context(_locked(made))
        folder = made.rename(where / f"{_PREFIX}{made.name[1:]}")
        yield folder


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Lock a folder. Raises OSError if another process has it locked."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        flock(descriptor, LOCK_EX | LOCK_NB)
        yield
    finally:
        os.close(descriptor)
