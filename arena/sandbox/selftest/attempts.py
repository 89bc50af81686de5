"""Attempt everything forbidden: the program that ``probes.py`` runs within a tier.

It stands alone: it cannot import arena where it runs. ``python attempts.py FACTS`` reads a number
and answers with the next one and with the result of each attempt.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import mmap
import os
import select
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from errno import ENOSYS, EPERM
from typing import Any

#: The system's numbers of a clock, a timer that sends a signal, and a setting of files.
MONOTONIC, SIGEV_SIGNAL, F_SETSIG = 1, 0, 10


class Rogue:
    """A player that attempts what it must not: each method is one attempt."""

    def __init__(self, facts: dict[str, Any]) -> None:
        self.facts = facts

    def _read_a_file_beside_it(self) -> object:
        return _read(self.facts["beside"])

    def _read_a_file_elsewhere(self) -> object:
        return _read(self.facts["elsewhere"])

    def _read_a_file_by_a_detour(self) -> object:
        return _read("/proc/self/root" + self.facts["elsewhere"])

    def _list_its_folder(self) -> object:
        folder, name = os.path.split(self.facts["beside"])
        return name in os.listdir(folder)

    def _write_its_own_file(self) -> object:
        with open(__file__, "a") as file:
            return file.write("\n")

    def _write_a_new_file(self) -> object:
        with open(self.facts["new"], "w") as file:
            file.write("\n")
        return False  # it may be in another file system: the probe looks for it

    def _change_a_mode(self) -> object:
        os.chmod(self.facts["elsewhere"], 0o600)
        return True

    def _cut_a_file(self) -> object:
        os.truncate(self.facts["elsewhere"], 0)
        return True

    def _connect_by_tcp(self) -> object:
        with socket.create_connection(("127.0.0.1", self.facts["tcp"]), timeout=0.2):
            return True

    def _send_by_udp(self) -> object:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.sendto(b"probe", ("127.0.0.1", self.facts["udp"]))
        return False  # it may not have arrived: the probe listens

    def _connect_to_a_socket_in_a_folder(self) -> object:
        return _connect(self.facts["unix"])

    def _connect_to_an_abstract_socket(self) -> object:
        return _connect("\0" + self.facts["abstract"])

    def _signal_another(self) -> object:
        os.kill(self.facts["bystander"], 0)
        return True

    def _slow_another_down(self) -> object:
        other = os.PRIO_PROCESS, self.facts["bystander"]
        os.setpriority(*other, os.getpriority(*other) + 1)
        return True

    def _move_to_another_core(self) -> object:
        os.sched_setaffinity(0, os.sched_getaffinity(0))
        return True

    def _see_another_environment(self) -> object:
        return self.facts["token"].encode() in _read(f"/proc/{self.facts['bystander']}/environ")

    def _see_the_parents_environment(self) -> object:
        seen = _read(f"/proc/{self.facts['parent']}/environ")
        return seen not in (b"", _read("/proc/self/environ"))

    def _open_another_memory(self) -> object:
        with open(f"/proc/{self.facts['bystander']}/mem", "rb"):
            return True

    def _take_memory(self) -> object:
        return len(bytearray(2 * self.facts["memory"]))

    def _take_shared_memory(self) -> object:
        size = 2 * self.facts["memory"]
        with suppress(OSError), mmap.mmap(-1, size) as memory:
            return len(memory)
        with open("/dev/zero", "r+b") as zero, mmap.mmap(zero.fileno(), size) as memory:
            return len(memory)

    def _start_a_process(self) -> object:
        child = os.fork()
        if child == 0:
            os._exit(0)
        return os.waitpid(child, 0)

    def _run_a_program(self) -> object:
        return subprocess.run(["/bin/true"], check=True, timeout=1)

    def _continue_by_a_timer(self) -> object:
        number = {"x86_64": 222, "aarch64": 107}[os.uname().machine]
        event = struct.pack("=QiiQQ", 0, signal.SIGCONT, SIGEV_SIGNAL, 0, 0).ljust(64, b"\0")
        return _call(number, MONOTONIC, event, ctypes.create_string_buffer(8))

    def _continue_by_a_signal_of_a_file(self) -> object:
        reading, writing = os.pipe()
        try:
            return fcntl.fcntl(reading, F_SETSIG, signal.SIGCONT) == 0
        finally:
            os.close(reading)
            os.close(writing)

    def _use_io_uring(self) -> object:
        return _call(425, 1, ctypes.create_string_buffer(256))

    def _open_a_file_by_its_number(self) -> object:
        number = {"x86_64": 304, "aarch64": 265}[os.uname().machine]
        return _call(number, -1, ctypes.create_string_buffer(256), 0)

    def _outlive_the_arena(self) -> object:
        return _succeeded(ctypes.CDLL(None, use_errno=True).prctl(1, 0, 0, 0, 0))

    def _leave_a_daemon(self) -> object:
        child = os.fork()
        if child == 0:
            os.setsid()
            if os.fork() == 0:  # it holds the probe's pipe for a while
                select.select([], [], [], 1)
            os._exit(0)
        os.waitpid(child, 0)
        return False  # the probe reads the pipe

    def _make_a_namespace(
        self,
    ) -> object:  # the last: it may change the user of this process
        return _succeeded(ctypes.CDLL(None, use_errno=True).unshare(0x10000000))


#: The attempts, in words, in their order.
ATTEMPTS = {
    name[1:].replace("_", " "): attempt
    for name, attempt in vars(Rogue).items()
    if not name.startswith("__")
}


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _connect(address: str) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(0.2)
        client.connect(address)
    return True


def _call(*arguments: Any) -> bool:
    """Make a system call. A call that failed only for its arguments was not refused."""
    return _succeeded(ctypes.CDLL(None, use_errno=True).syscall(*arguments))


def _succeeded(result: int) -> bool:
    return result >= 0 or ctypes.get_errno() not in (EPERM, ENOSYS)


def attempted(attempt: Callable[[Rogue], object], rogue: Rogue) -> str:
    """Return how it was refused. The result is empty if it was not, or if the probe must say."""
    try:
        return "" if attempt(rogue) else "no effect"
    except BaseException as error:
        return f"{type(error).__name__}: {error}"


def main() -> None:
    """Answer the question, then attempt everything."""
    rogue = Rogue(json.loads(sys.argv[1]))
    number = int(sys.stdin.readline())
    os.write(rogue.facts["lifeline"], b"alive")
    refused = {name: attempted(attempt, rogue) for name, attempt in ATTEMPTS.items()}
    print(json.dumps({"next": number + 1, "refused": refused}), flush=True)
    sys.stdin.readline()  # until it is ended


if __name__ == "__main__":
    main()
