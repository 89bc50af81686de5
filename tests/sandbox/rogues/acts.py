"""More rogues: what they take, write, change in their process and are after."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import io
import mmap
import os
import resource
import signal
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.sandbox.rogues.answers import LEGAL, fail_with, forever, rogue

# What it takes.


@rogue
def deep_memory(position: Any) -> Any:
    sys.setrecursionlimit(10**9)

    def down(n: list[int]) -> int:
        return down([0] * 1000) + 1

    return down([0])


@rogue
def nested(position: Any) -> Any:
    thing: list[Any] = []
    for _ in range(1_000_000):
        thing = [thing]
    sys.setrecursionlimit(10**9)
    return len(repr(thing))


gulp = rogue(lambda position: bytearray(4 << 30))


@rogue
def shared_memory(position: Any) -> Any:
    for folder in ("/dev/shm", "/tmp", "/", os.getcwd(), os.path.expanduser("~")):
        try:
            with open(os.path.join(folder, "arena-rogue"), "wb") as file:
                file.write(bytes(1 << 20))
        except OSError:
            pass
    return LEGAL


@rogue
def maps_a_device(position: Any) -> Any:
    """Take memory that is shared, so that its limit does not count it."""
    with open("/dev/zero", "r+b") as zero, mmap.mmap(zero.fileno(), 600 << 20) as memory:
        for at in range(0, len(memory), mmap.PAGESIZE):
            memory[at] = 1
    return LEGAL


def _folders() -> set[str]:
    """All that it may hope to write in: its own, those of the system, what is mounted."""
    mounted = [line.split()[1] for line in Path("/proc/mounts").read_text().splitlines()]
    own = [os.getcwd(), os.path.expanduser("~"), os.path.dirname(__file__), sys.prefix]
    system = ["/tmp", "/var/tmp", "/dev/shm", "/run", "/usr/local", "/home", "/root"]
    return {*mounted, *own, *system, *filter(os.path.isdir, sys.path)}


def _attempted(make: Callable[[str], object], names: list[str]) -> Any:
    """Make each of the names in each folder; OSError if nothing could be made anywhere."""
    made = 0
    for folder in _folders():
        for name in names:
            with contextlib.suppress(OSError):
                make(os.path.join(folder, name))
                made += 1
    if made:
        return LEGAL
    raise OSError("nothing can be written")


def _fill(path: str) -> None:
    with open(path, "wb") as file:
        for _ in range(64):
            file.write(bytes(1 << 20))


fills_the_disk = rogue(lambda position: _attempted(_fill, ["arena-rogue"]))


@rogue
def leaves_files(position: Any) -> Any:
    ways: list[Callable[[str], object]] = [
        os.mkdir,
        os.mkfifo,
        lambda path: os.symlink("/etc/passwd", path),
        lambda path: os.link(__file__, path),
        lambda path: os.close(os.open(path, os.O_CREAT | os.O_WRONLY)),
    ]
    done = [way for way in ways if not _fails(way)]
    if done:
        return LEGAL
    raise OSError("nothing can be made")


def _fails(way: Callable[[str], object]) -> bool:
    try:
        return not _attempted(way, ["arena-rogue"])
    except OSError:
        return True


@rogue
def plants_code(position: Any) -> Any:
    """For the next Python that starts here to run."""
    names = ["sitecustomize.py", "usercustomize.py", "evil.pth", "json.py", ".pythonrc", ".profile"]
    return _attempted(lambda path: Path(path).write_text("import os; os.abort()\n"), names)


@rogue
def leaks_descriptors(position: Any) -> Any:
    while True:
        os.dup(0)


@rogue
def forks(position: Any) -> Any:
    for _ in range(50):
        try:
            if os.fork() == 0:
                time.sleep(20)
                os._exit(0)
        except OSError:
            break
    return LEGAL


@rogue
def threads(position: Any) -> Any:
    try:
        for _ in range(300):
            threading.Thread(target=time.sleep, args=(20,)).start()
    except RuntimeError:
        pass
    return LEGAL


@rogue
def daemonises(position: Any) -> Any:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(20)
        os._exit(0)
    return LEGAL


@rogue
def zombies(position: Any) -> Any:
    for _ in range(10):
        try:
            if os.fork() == 0:
                os._exit(0)
        except OSError:
            break
    return LEGAL


# What it writes.


@rogue
def prints_much(position: Any) -> Any:
    for _ in range(20):
        sys.stdout.write("x" * 1_000_000)
    return LEGAL


@rogue
def prints_escapes(position: Any) -> Any:
    print("\x1b[2J\x1b]0;owned\x07" * 100)
    os.write(2, bytes(range(256)))
    return LEGAL


@rogue
def prints_forever(position: Any) -> Any:
    while True:
        os.write(2, b"flood " * 10_000)


def _others() -> Iterator[int]:
    for descriptor in range(3, 64):
        try:
            os.fstat(descriptor)
        except OSError:
            continue
        yield descriptor


def _write_all(text: bytes) -> None:
    for descriptor in _others():
        with contextlib.suppress(OSError):
            os.write(descriptor, text)


@rogue
def junk(position: Any) -> Any:
    _write_all(b"junk\n")
    return LEGAL


@rogue
def endless(position: Any) -> Any:
    while True:
        _write_all(b"x" * 10_000)


def _frame(number: int, payload: bytes) -> bytes:
    """As arena's own shim answers."""
    return struct.pack("<II", len(payload), number) + payload


@rogue
def half(position: Any) -> Any:
    _write_all(_frame(2, b"m" * 10)[:-3])
    forever()


@rogue
def drips(position: Any) -> Any:
    for byte in _frame(2, b"m" * 60_000):
        _write_all(bytes([byte]))
        time.sleep(0.01)


@rogue
def forges(position: Any) -> Any:
    """Answers, and answers the next question too."""
    _write_all(_frame(2, b"m2") + _frame(3, b"m3"))
    time.sleep(60)


@rogue
def closes_output(position: Any) -> Any:
    os.closerange(0, 2)
    return LEGAL


@rogue
def closes_output_and_raises(position: Any) -> Any:
    os.closerange(0, 3)
    raise ValueError("silently")


# What it does to its process, which is nobody else's.


@rogue
def tampers(position: Any) -> Any:
    import json
    import random

    os.chdir("/")
    os.umask(0)
    os.environ["LD_PRELOAD"] = os.environ["PYTHONSTARTUP"] = "/tmp/evil"
    random.seed(1)
    sys.setrecursionlimit(50_000)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    sys.stdout = sys.stderr = io.StringIO()
    for module in (json, os.path, random):
        for name in ("dumps", "loads", "join", "choice"):
            setattr(module, name, fail_with)
    for name in ("json", "random", "arena.game", "arena.match", "tampered"):
        sys.modules[name] = sys  # anything
    return LEGAL


@rogue
def leaves_threads(position: Any) -> Any:
    threading.Thread(target=forever).start()
    return LEGAL


class _HangsAtTheEnd:
    def __del__(self) -> None:
        forever()


@rogue
def hangs_at_exit(position: Any) -> Any:
    import atexit

    atexit.register(forever)
    sys.modules["kept"] = _HangsAtTheEnd()  # type: ignore[assignment]
    return LEGAL


@rogue
def raises_limits(position: Any) -> Any:
    for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA, resource.RLIMIT_NOFILE):
        hard = resource.getrlimit(kind)[1]
        resource.setrlimit(kind, (hard, hard + 1))
    return LEGAL


# What it is after. Each raises if it cannot have it.


@rogue
def looks_for_the_opponent(position: Any) -> Any:
    results = [x for x in gc.get_objects() if type(x).__name__ in ("Remote", "PlayerProcess")]
    frames = sys._current_frames().values()
    names = {frame.f_code.co_name for frame in frames}
    if results or "play_game" in names:
        return LEGAL
    raise LookupError("nobody here")


reads_passwords = rogue(lambda position: Path("/etc/passwd").read_text() and LEGAL)
reads_environment = rogue(lambda position: os.environ["ARENA_SECRET"] and LEGAL)
reads_neighbour = rogue(
    lambda position: Path(__file__).with_name("opponent.txt").read_text() and LEGAL
)
runs_a_shell = rogue(lambda position: os.execv("/bin/sh", ["sh", "-c", "exit 7"]))


@rogue
def reads_parents_memory(position: Any) -> Any:
    with open(f"/proc/{os.getppid()}/mem", "rb"):
        return LEGAL


@rogue
def signals_parent(position: Any) -> Any:
    os.kill(os.getppid() or 1, 0)
    return LEGAL


@rogue
def overwrites_itself(position: Any) -> Any:
    with open(__file__, "a") as file:
        file.write("# by me\n")
    return LEGAL


def _port() -> int:
    return int(Path(__file__).read_text().rpartition("# port ")[2])


@rogue
def connects(position: Any) -> Any:
    socket.create_connection(("127.0.0.1", _port()), 0.1).close()
    return LEGAL


@rogue
def sends(position: Any) -> Any:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        udp.sendto(b"hello", ("127.0.0.1", _port()))
    return LEGAL


@rogue
def escapes(position: Any) -> Any:
    libc = ctypes.CDLL(None, use_errno=True)
    for flag in (0x10000000, 0x40000000, 0x20000000):  # new namespaces: users, network, processes
        if libc.unshare(flag) == 0:
            return LEGAL
    raise OSError(ctypes.get_errno(), "cannot unshare")
