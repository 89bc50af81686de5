"""Put a command in the place of a player that another program starts, and the player elsewhere.

A referee starts players by commands. It gets those of bridges, which pass on all that it writes to
a player and all that the player answers. The player itself runs in a box of its own, where it sees
neither the referee nor the others. A bridge is some named pipes. It needs ``sh`` and ``cat``. What
passes it can be noted at the near end, for arena to read: there the player cannot write.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from shlex import join
from shutil import rmtree
from tempfile import gettempdir, mkdtemp
from typing import NamedTuple

from arena.sandbox import noted_copy
from arena.sandbox.executable import executable
from arena.sandbox.referee_log import mark
from arena.sandbox.tiers.orders import program_files
from arena.sandbox.wire.conversations import FROM_PLAYER, TO_PLAYER

#: The shell of both ends.
SHELL = "/bin/sh"

#: The beginning of the name of a folder with bridges.
_PREFIX = "arena-bridges-"

#: Each start of a player has a pair of pipes of its own, of which there are so many, by turns. What
#: ends late of an earlier start is at the end of another pair.
_STARTS = 8

#: The pipes: a number when the player can be started, and what it then reads and writes.
_PIPES = ("ready", *(f"{name}{start}" for name in ("in", "out") for start in range(_STARTS)))


def _near(to_player: Sequence[str] = ("cat",), from_player: Sequence[str] = ("cat",)) -> str:
    """Return the script of a near end, from the commands that copy.

    The referee starts it. It ends when the player closes its output. A job in the background has
    its standard input under another number only, and leaves the referee's pipes for output alone:
    a referee may read those to their end. The job goes on reading when the player has ended, so
    that a referee which writes to it meets no broken pipe.
    """
    return f"""\
until read -r start <"${{0%/*}}/ready"; do :; done
exec 3<&0
{{ {join(to_player)} >"${{0%/*}}/in$start"; exec cat; }} <&3 3<&- >/dev/null 2>&1 &
exec {join(from_player)} <"${{0%/*}}/out$start" 3<&-
"""


#: The far end, which starts the player each time that a near end is there. It ends with its own
#: standard input, which arena holds open: nothing else may tell it that arena was killed.
_FAR = f"""\
exec 4<&0
{{ read -r _ <&4; kill -KILL $$; }} &
exec 4<&-
start=0
while :; do
    echo "$start" >"$0/ready"
    "$@" <"$0/in$start" >"$0/out$start"
    start=$(((start + 1) % {_STARTS}))
done
"""


class Bridge(NamedTuple):
    """The two ends of a bridge, which is a folder."""

    folder: Path
    #: The pipe for the notes of what passes all bridges, in its own folder. None without notes.
    notes: Path | None

    @property
    def near(self) -> tuple[str, ...]:
        """The command that stands for the player."""
        return SHELL, str(self.folder / "player")

    @property
    def near_files(self) -> tuple[Path, ...]:
        """The files and folders that the near end needs."""
        if self.notes is None:
            return (self.folder,)
        script = Path(noted_copy.__file__)
        return (self.folder, self.notes.parent, script, *program_files(executable()))

    def far(self, command: Sequence[str]) -> tuple[str, ...]:
        """Return the command that starts the player of this command."""
        return SHELL, "-c", _FAR, str(self.folder), *command


@contextmanager
def bridges(number: int, *, are_noted: bool = False) -> Iterator[list[Bridge]]:
    """Make this many bridges, and remove them at the end. If they are noted, read their notes.

    Only their user can enter the folder around them. All users may use the pipes in it, because a
    player may run as another user.
    """
    with _folder() as around:
        notes = None
        if are_noted:
            notes = _make_folder(around / "notes") / "notes"
            _make_pipe(notes)
        yield [_built(around, place, notes) for place in range(number)]


def _built(around: Path, place: int, notes: Path | None) -> Bridge:
    folder, near = _make_folder(around / str(place)), _near()
    for pipe in _PIPES:
        _make_pipe(folder / pipe)
    if notes is not None:
        marks = (mark(place, direction) for direction in (TO_PLAYER, FROM_PLAYER))
        near = _near(*(noted_copy.command(str(notes), each) for each in marks))
    file = folder / "player"
    file.write_text(near)
    file.chmod(0o644)
    return Bridge(folder, notes)


def _make_folder(folder: Path) -> Path:
    """Make a folder that all users may enter."""
    folder.mkdir()
    folder.chmod(0o755)
    return folder


def _make_pipe(path: Path) -> None:
    """Make a named pipe that all users may use."""
    os.mkfifo(path)
    path.chmod(0o666)


@contextmanager
def _folder() -> Iterator[Path]:
    """Make a folder and lock it, and remove it at the end.

    It gets its last name once it is locked. A process that is killed leaves its folder, so each
    call removes those that no process locks.
    """
    where = Path(gettempdir())
    for abandoned in where.glob(f"{_PREFIX}*"):
        with suppress(OSError), _locked(abandoned):
            rmtree(abandoned, ignore_errors=True)
    folder = Path(mkdtemp(prefix="."))
    with ExitStack() as stack:
        stack.callback(lambda: rmtree(folder, ignore_errors=True))
        stack.enter_context(_locked(folder))
        folder = folder.rename(where / f"{_PREFIX}{folder.name[1:]}")
        yield folder


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Lock a folder. Raises OSError if another process has it locked, or if it is no folder."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        flock(descriptor, LOCK_EX | LOCK_NB)
        yield
    finally:
        os.close(descriptor)
