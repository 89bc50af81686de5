"""Lock a player's process in, then become the player.

Usage: ``python locker.py ORDERS PROGRAM [ARGUMENT...]``. ORDERS is the JSON object that
``orders.py`` makes. The locker runs a Python script right here. A program takes the process's
place. A right that is given up never comes back. If a lock fails, the player does not start.

It stands alone: it cannot import arena where it runs.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import struct
import sys
from contextlib import suppress
from types import ModuleType
from typing import Any

PDEATHSIG, DUMPABLE, KEEPCAPS, SECCOMP, NO_NEW_PRIVS, AMBIENT = 1, 4, 8, 22, 38, 47
SUBREAPER = 36
FILTER = 2  # SECCOMP_MODE_FILTER
RAISE = 2  # PR_CAP_AMBIENT_RAISE
READ_ALL = 1 << 2  # CAP_DAC_READ_SEARCH
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
BENEATH = 1  # LANDLOCK_RULE_PATH_BENEATH
CAPABILITIES = 0x20080522  # the version of capset's arguments
KILLED_CODE = 128  # what a guard ends with when the program was killed, less the signal's number
STACK = 8 << 20


def main() -> None:
    """Lock the process in and become the player."""
    orders, argv = json.loads(sys.argv[1]), sys.argv[2:]
    try:
        lock(orders)
    except (OSError, ValueError) as error:
        sys.exit(f"arena: the player cannot be locked in: {error}")
    if orders["script"]:
        run(argv)
        return
    if orders["guarded"] and sys.platform == "linux":
        sys.exit(guard(argv))
    become_program(argv)


def become_program(argv: list[str]) -> None:
    """Run the program in place of this process."""
    try:
        os.execv(argv[0], argv)  # noqa: S606 (a shell is not wanted)
    except OSError as error:
        sys.exit(f"arena: the system does not run the program: {error.strerror}")


def guard(argv: list[str]) -> int:
    """Run the program in a child. Return its exit code once all that it has started is gone.

    Orphans become children of this process. The kernel tells it when arena ends.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    prctl(libc, SUBREAPER, 1)
    arena, pid = os.getppid(), os.getpid()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(KILLED_CODE + signal.SIGTERM))
    die_with(libc, arena, signal.SIGTERM)
    child = os.fork()
    if not child:
        die_with(libc, pid)
        become_program(argv)
    try:
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return KILLED_CODE - code if code < 0 else code
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        end_children()


def end_children() -> None:
    """Kill all children, and those that they leave behind, until there are none."""
    pid = os.getpid()
    while True:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            for child in file.read().split():
                with suppress(OSError):
                    os.kill(int(child), signal.SIGKILL)
        try:
            os.wait()
        except ChildProcessError:
            return


def lock(orders: dict[str, Any]) -> None:
    """Give up all that the orders name, the filter last: it forbids some of the rest."""
    close_others(orders["keep"])
    limit(orders["resources"])
    os.chdir(orders["folder"])
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None, use_errno=True)
    if orders["user"] is not None:
        become(libc, orders["user"])
    if orders["locked"]:
        give_up_power(libc, READ_ALL if orders["read_all"] else 0)
    if orders["parent"] is not None:
        die_with(libc, orders["parent"])
    if orders["locked"]:
        prctl(libc, DUMPABLE, 0)
        prctl(libc, NO_NEW_PRIVS, 1)
    if orders["landlock"] is not None:
        give_up_files(libc, orders["landlock"])
    if orders["seccomp"] is not None:
        filter_calls(libc, orders["seccomp"])


def limit(resources: dict[str, int]) -> None:
    """Set those limits that this system has."""
    for name, value in resources.items():
        kind = getattr(resource, name, None)
        if kind is None:
            continue
        soft, hard = resource.getrlimit(kind)
        hard = value if hard == resource.RLIM_INFINITY else min(value, hard)
        # The stack is the first thread's; other threads reserve the same size at once.
        soft = min(hard, STACK) if name == "RLIMIT_STACK" else hard
        try:
            resource.setrlimit(kind, (soft, hard))
        except (OSError, ValueError):  # macOS has limits of memory that cannot be set
            if sys.platform == "linux":
                raise


def close_others(keep: list[int]) -> None:
    """Close all descriptors but 0, 1, 2 and these."""
    last = 2
    for descriptor in sorted(keep):
        os.closerange(last + 1, descriptor)
        last = descriptor
    os.closerange(last + 1, max(last, resource.getrlimit(resource.RLIMIT_NOFILE)[0]) + 1)


def become(libc: Any, user: int) -> None:
    """Stop being root: become a user that owns nothing."""
    prctl(libc, KEEPCAPS, 1)
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def give_up_power(libc: Any, capabilities: int) -> None:
    """Drop root's capabilities, except reading, which Landlock then decides about."""
    sets = struct.pack("=6I", capabilities, capabilities, capabilities, 0, 0, 0)
    check(libc.capset(struct.pack("=Ii", CAPABILITIES, 0), sets), "capset")
    if capabilities:
        prctl(libc, AMBIENT, RAISE, capabilities.bit_length() - 1)


def die_with(libc: Any, parent: int, by: int = signal.SIGKILL) -> None:
    """Let the kernel send this process a signal when the parent ends, or leave now if it has."""
    prctl(libc, PDEATHSIG, by)
    if os.getppid() != parent:
        os._exit(1)


def give_up_files(libc: Any, ruleset: dict[str, Any]) -> None:
    """Give up files, TCP, signals and abstract sockets by Landlock."""
    words = ruleset["attributes"]
    attributes = struct.pack(f"={len(words)}Q", *words)
    rules = check(libc.syscall(CREATE_RULESET, attributes, len(attributes), 0), "landlock")
    for path, access in ruleset["rules"]:
        file = os.open(path, os.O_PATH | os.O_CLOEXEC)
        rule = struct.pack("=Qi", access, file)
        check(libc.syscall(ADD_RULE, rules, BENEATH, rule, 0), f"landlock: {path}")
        os.close(file)
    check(libc.syscall(RESTRICT_SELF, rules, 0), "landlock")
    os.close(rules)


def filter_calls(libc: Any, program: list[tuple[int, int, int, int | str]]) -> None:
    """Give up system calls by seccomp."""
    pid = os.getpid()
    code = b"".join(
        struct.pack("=HBBI", code, true, false, pid if value == "pid" else value)
        for code, true, false, value in program
    )
    buffer = ctypes.create_string_buffer(code)
    prctl(libc, SECCOMP, FILTER, struct.pack("HP", len(program), ctypes.addressof(buffer)))


def prctl(libc: Any, option: int, first: int | bytes, second: int | bytes = 0) -> None:
    """Change a setting of this process in the kernel."""
    arguments = (a if isinstance(a, bytes) else ctypes.c_ulong(a) for a in (first, second))
    check(libc.prctl(option, *arguments, ctypes.c_ulong(0), ctypes.c_ulong(0)), f"prctl {option}")


def check(result: int, what: str) -> int:
    """Return the result of a C function. Raises OSError if it failed."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def run(argv: list[str]) -> None:
    """Run the script in this process, which then need not be able to run programs."""
    sys.argv = argv
    module = sys.modules["__main__"] = ModuleType("__main__")
    module.__file__ = argv[0]
    with open(argv[0], "rb") as file:
        code = compile(file.read(), argv[0], "exec")
    exec(code, module.__dict__)  # noqa: S102 (this is its purpose)


if __name__ == "__main__":
    main()
