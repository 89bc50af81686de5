"""The processes of a player: they stop together while it is not on turn, and are timed together.

All of this happens at every move. So files of ``/proc`` are opened once and read again, and only a
player that can have a family is asked for one.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from arena import clock
from arena.sandbox.cores import Cores, bind
from arena.sandbox.fairness import CpuUsage, waited

#: The entries ``.`` and ``..``: a folder's links beyond them are the folders in it.
_OWN_LINKS = 2

#: Bytes of a file of ``/proc`` that are read at once.
_PIECE = 1 << 14

#: Ticks of the clock that ended children are counted with, in a second.
_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100

_NOTHING = CpuUsage(0.0, 0.0)

#: Seconds that may be missing when processes have ended: the system counts those in ticks.
MAX_MISSING_SECONDS = 5 / _TICKS


T = TypeVar("T")


class Member:
    """One process of a family, by open files: they never mean another process that has its number.

    Raises OSError if the process is gone.
    """

    def __init__(self, pid: int) -> None:
        self._tasks = os.open(f"/proc/{pid}/task", os.O_RDONLY | os.O_CLOEXEC)
        self._files = [self._tasks]
        try:
            self._children, self._stat = (
                self._opened(f"/proc/{pid}/{name}") for name in (f"task/{pid}/children", "stat")
            )
        except OSError:
            self.close()
            raise

    def _opened(self, name: str) -> int:
        self._files.append(os.open(name, os.O_RDONLY | os.O_CLOEXEC))
        return self._files[-1]

    def children(self) -> list[int]:
        """Return the processes that it has started and has not outlived, or none once it is
        gone.
        """
        if os.fstat(self._tasks).st_nlink == _OWN_LINKS + 1:  # one thread: no folder to go through
            return list(map(int, _whole(self._children).split()))
        pids: list[bytes] = []
        for task in os.listdir(self._tasks):
            with suppress(OSError):  # that thread has ended
                file = os.open(f"{task}/children", os.O_RDONLY, dir_fd=self._tasks)
                try:
                    pids += _whole(file).split()
                finally:
                    os.close(file)
        return list(map(int, pids))

    def seconds_of_ended_children(self) -> float:
        """Return the seconds that the children computed which it has outlived.

        Raises OSError if it is gone itself.
        """
        fields = os.pread(self._stat, _PIECE, 0).rpartition(b")")[2].split()
        return (int(fields[13]) + int(fields[14])) / _TICKS

    def close(self) -> None:
        """Close the files."""
        while self._files:
            os.close(self._files.pop())


class Accounts:
    """The seconds that the processes of a family computed, and how many of them vanished.

    A process that is waited for leaves its seconds to the one that waits for it. If its parent
    ignores its end, the system forgets them.
    """

    def __init__(self) -> None:
        #: Seconds of each process: its own, and those of its children that ended.
        self._entries: dict[int, tuple[float, float]] = {}
        #: Seconds that came from ended children at the last look, and that no process missed yet.
        self._unclaimed = 0.0
        #: Seconds that vanished.
        self.missing = 0.0

    def enter(self, entries: dict[int, tuple[float, float]]) -> float:
        """Enter what the processes have computed by now. Return all that was ever seen of it."""
        vanished = sum(sum(entry) for pid, entry in self._entries.items() if pid not in entries)
        claimed = sum(
            ended - self._entries[pid][1]
            for pid, (_, ended) in entries.items()
            if pid in self._entries
        )
        lost = vanished - claimed - self._unclaimed
        self.missing += max(0.0, lost)
        # A process may end during a look, before it is missed: so one more look may claim these.
        self._unclaimed = max(0.0, min(claimed, -lost))
        self._entries = entries
        return self.missing + sum(map(sum, entries.values()))


class Family:
    """The process that plays, and all that it has started if it is not ``alone``.

    The player is ``generations`` levels below the process that was started. It leads its group if
    there are none. One that is ``grouped`` is stopped with its group, which is quick, and not with
    what has left that.
    """

    def __init__(self, started: int, generations: int, alone: bool, grouped: bool = False) -> None:
        self._started, self._generations, self._alone = started, generations, alone
        self._grouped = (alone or grouped) and not generations
        self._accounts = Accounts()
        self._player: int | None = None
        #: The processes that a tier puts between, which compute nothing and are not stopped.
        self._around: set[int] = set()
        self._stopped: set[int] = set()
        self._members: dict[int, Member] = {}
        #: The count of how long the player waited for a processor.
        self._clock: int | None = None

    @property
    def player(self) -> int | None:
        """The process that plays, or None before it is there."""
        if self._player is None:
            line = lineage(self._started, self._generations)
            if line:
                *around, self._player = line
                self._around = {*around}
        return self._player

    def resume(self) -> None:
        """Let go on all that :meth:`stop` has stopped."""
        for pid in self._stopped:
            send(pid, signal.SIGCONT)
        self._stopped.clear()

    def stop(self) -> None:
        """Stop it and what it has started: a process not stopped yet may have started others."""
        if (player := self.player) is not None:
            # Processes that a tier lets it start mostly stay in its group.
            target = -player if self._grouped else player
            send(target, signal.SIGSTOP)
            self._stopped.add(target)
        if self._alone or self._grouped:
            return
        while others := self._descendants() - self._stopped:
            for pid in others:
                send(pid, signal.SIGSTOP)
            self._stopped |= others

    def bind(self, cores: Cores) -> None:
        """Bind the process that plays, with all its threads, to these processors."""
        with suppress(OSError):  # it is gone
            for task in os.listdir(f"/proc/{self.player}/task"):
                bind(int(task), cores)

    def used(self) -> CpuUsage:
        """Return the seconds that it has waited and computed, where the system tells them."""
        player = self.player
        if player is None:
            return _NOTHING
        if self._clock is None:
            with suppress(OSError):
                self._clock = os.open(f"/proc/{player}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        if self._clock is None:
            return _NOTHING
        if self._alone:
            return CpuUsage(waited(self._clock), computed(player))
        computed_by_all = self._accounts.enter(self._entries())
        return CpuUsage(
            waited(self._clock), computed_by_all, self._accounts.missing > MAX_MISSING_SECONDS
        )

    def _descendants(self) -> set[int]:
        """Return the process that plays and all that descends from it, or was left by these."""
        pids: set[int] = set()
        new = [self._started]
        while new:
            no_children: list[int] = []
            children = set(self._ask(new.pop(), Member.children, no_children)) - pids
            pids |= children
            new += children
        for pid in self._members.keys() - pids - {self._started}:
            self._members.pop(pid).close()
        player = set() if self.player is None else {self.player}
        return pids - self._around | player

    def _ask(self, pid: int, question: Callable[[Member], T], default: T) -> T:
        """Return what a process says of itself, the default if it is gone."""
        try:
            if pid not in self._members:
                self._members[pid] = Member(pid)
            return question(self._members[pid])
        except OSError:
            if pid in self._members:
                self._members.pop(pid).close()
            return default

    def _entries(self) -> dict[int, tuple[float, float]]:
        """Return what each process computed, and what its ended children did."""
        entries = {}
        for pid in self._descendants() | self._around:
            try:
                seconds = 0.0 if pid in self._around else clock.computed(pid)
            except OSError:  # it is gone
                continue
            ended = self._ask(pid, Member.seconds_of_ended_children, None)
            if ended is not None:
                entries[pid] = seconds, ended
        return entries

    def close(self) -> None:
        """Close all files."""
        for member in self._members.values():
            member.close()
        self._members.clear()
        if self._clock is not None:
            os.close(self._clock)
            self._clock = None


def computed(pid: int) -> float:
    """Return the seconds that a process has computed, or 0 if it is gone."""
    try:
        return clock.computed(pid)
    except OSError:
        return 0.0


def reserved(pid: int) -> float:
    """Return the MiB that a process reserved for its data, or 0 where the system does not tell."""
    kilobytes, _, _ = _status(pid).get("VmData", "").strip().partition(" ")
    return int(kilobytes) / 1024 if kilobytes.isdigit() else 0.0


def lineage(pid: int, generations: int) -> list[int]:
    """Return a process, its first child, and so on. The result is empty if they are not
    there yet.
    """
    line = [pid]
    try:
        for _ in range(generations):
            pid = int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])
            line.append(pid)
    except (OSError, IndexError):
        return []
    return line


def send(pid: int, number: int) -> None:
    """Send a signal to a process, if it is still there."""
    try:  # noqa: SIM105 (quicker than suppress(), twice a move)
        os.kill(pid, number)
    except (ProcessLookupError, PermissionError):
        pass


def handles(pid: int, number: int) -> bool:
    """Return whether a process runs a handler of its own for a signal once it gets a processor.

    One that is stopped or gone, or blocks the signal, does not. Where the system does not tell, any
    process may.
    """
    if not (status := _status(pid)):
        return not Path("/proc/self/status").exists()
    handled, blocked = (int(status[name], 16) >> number - 1 & 1 for name in ("SigCgt", "SigBlk"))
    return bool(handled and not blocked) and status["State"][0] not in "TtZX"


def awaits(pid: int, number: int) -> bool:
    """Return whether a process has yet to get a signal that was sent, where the system tells."""
    status = _status(pid)
    return bool(status) and bool(int(status["ShdPnd"], 16) >> number - 1 & 1)


def _status(pid: int) -> dict[str, str]:
    """Return what the system says of a process. The result is empty if it is gone."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text(errors="replace").splitlines()
    except OSError:
        return {}
    return dict(line.split(":\t", 1) for line in lines if ":\t" in line)


def _whole(file: int) -> bytes:
    whole = b""
    while piece := os.pread(file, _PIECE, len(whole)):
        whole += piece
    return whole
