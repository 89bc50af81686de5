"""The filter of system calls: a small machine runs it, for every processor that it is made for."""

from __future__ import annotations

import re
from errno import ENOSYS, EPERM
from pathlib import Path

import pytest

from arena.sandbox.tiers import seccomp
from arena.sandbox.tiers.seccomp import ARCHITECTURES, LAST_SYSCALL, numbers

ALLOW, KILL, PID = 0x7FFF0000, 0x80000000, 4711
PYTHON = seccomp.Rules(starts=False, runs=False, has_namespaces=False)
PROGRAM = seccomp.Rules(starts=False, runs=True, has_namespaces=False, cuts_guarded=False)
WITH_NAMESPACES = seccomp.Rules(starts=True, runs=True, has_namespaces=True)
MACHINES = sorted(ARCHITECTURES)


def verdict(
    rules: seccomp.Rules, machine: str, call: str | int, *arguments: int, audit: int | None = None
) -> int:
    """Return what the filter says: 0 for yes, an error number, or KILL."""
    number = numbers(machine)[call] if isinstance(call, str) else call
    data = {0: number, 4: ARCHITECTURES[machine][0] if audit is None else audit}
    data |= {16 + 8 * at: value & 0xFFFFFFFF for at, value in enumerate(arguments)}
    program, at, register = seccomp.program(rules, machine), 0, 0
    while True:
        code, true, false, operand = program[at]
        value = PID if operand == "pid" else operand
        assert isinstance(value, int)
        at += 1
        if code == 0x20:
            register = data.get(value, 0)
        elif code == 0x54:
            register &= value
        elif code == 0x05:
            at += value
        elif code == 0x06:
            return 0 if value == ALLOW else value if value == KILL else value & 0xFFFF
        else:
            holds = {
                0x15: register == value,
                0x25: register > value,
                0x35: register >= value,
                0x45: bool(register & value),
            }[code]
            at += true if holds else false


@pytest.mark.parametrize("machine", MACHINES)
def test_programs_are_valid(machine: str) -> None:
    for rules in (PYTHON, PROGRAM, WITH_NAMESPACES):
        program = seccomp.program(rules, machine)
        assert len(program) <= 4096
        for at, (code, true, false, _) in enumerate(program):
            if code in (0x15, 0x25, 0x35, 0x45):
                assert max(true, false) < 256
                assert at + 1 + max(true, false) < len(program)
        assert program[-1][0] == 0x06


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("rules", [PYTHON, PROGRAM, WITH_NAMESPACES])
def test_what_is_for_nobody(machine: str, rules: seccomp.Rules) -> None:
    for name in ("socket", "unshare", "ptrace", "bpf", "io_uring_setup", "memfd_create", "keyctl"):
        assert verdict(rules, machine, name) == EPERM
    assert verdict(rules, machine, "timer_create") == EPERM
    for command in (8, 10, 15, 1026):  # signals of files
        assert verdict(rules, machine, "fcntl", 0, command) == EPERM
    assert verdict(rules, machine, "clone3") == ENOSYS
    assert verdict(rules, machine, LAST_SYSCALL + 1) == ENOSYS
    assert verdict(rules, machine, LAST_SYSCALL) == 0
    assert verdict(rules, machine, "clone", 0x10000000 | 0x10000) == EPERM
    assert verdict(rules, machine, "ioctl", 0, 0x5412) == EPERM
    assert verdict(rules, machine, "ioctl", 0, 0x5401) == 0
    assert verdict(rules, machine, "prctl", 1) == EPERM
    assert verdict(rules, machine, "prctl", 15) == 0
    assert verdict(rules, machine, "mmap", 0, 9, 3, 0x22) == 0
    assert verdict(rules, machine, "mmap", 0, 9, 3, 0x21) == EPERM
    assert verdict(rules, machine, "mmap", 0, 9, 3, 0x01) == 0
    assert verdict(rules, machine, "mmap", 0, 9, 3, 0x122) == EPERM


@pytest.mark.parametrize("machine", MACHINES)
def test_what_depends_on_the_tier_and_the_player(machine: str) -> None:
    thread, fork = 0x3D0F00, 17
    for rules in (PYTHON, PROGRAM, WITH_NAMESPACES):
        assert verdict(rules, machine, "clone", thread) == 0
        assert verdict(rules, machine, "clone", fork) == (0 if rules.starts else EPERM)
        assert verdict(rules, machine, "execve") == (0 if rules.runs else EPERM)
        outside = 0 if rules.has_namespaces else EPERM
        assert verdict(rules, machine, "fchmod") == outside
        for call in ("kill", "tgkill"):
            assert verdict(rules, machine, call, PID, 6) == 0
            for other in (PID + 1, 0, -1):
                assert verdict(rules, machine, call, other, 6) == outside
        assert verdict(rules, machine, "prlimit64", 0) == 0
        assert verdict(rules, machine, "prlimit64", 1) == outside
        assert verdict(rules, machine, "clone", fork + 1) == EPERM  # SIGCONT when it ends
        assert verdict(rules, machine, "fcntl", 0, 4) == 0
        cut = EPERM if rules is PROGRAM else 0
        assert verdict(rules, machine, "openat", 0, 0, 0x200) == cut
        assert verdict(rules, machine, "openat", 0, 0, 0) == 0


def test_other_instruction_sets_are_death() -> None:
    assert verdict(PYTHON, "x86_64", 1, audit=0x40000003) == KILL  # i386, by int 0x80
    assert verdict(PYTHON, "x86_64", 0x40000001) == KILL  # x32
    assert verdict(PYTHON, "x86_64", 1) == 0


def test_numbers_are_those_of_the_system() -> None:
    header = Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")
    if not header.exists():
        pytest.skip("the headers of Linux are not installed")
    matches = dict(re.findall(r"#define __NR_(\w+) (\d+)", header.read_text()))
    known = {name: str(number) for name, number in numbers("x86_64").items() if name in matches}
    assert known == {name: matches[name] for name in known}
    assert len(known) > 100


def test_all_names_have_numbers() -> None:
    lists = (seccomp.ALWAYS, seccomp.UNCOUNTED, seccomp.TIMERS, seccomp.SCHEDULING, seccomp.OUTSIDE)
    names = {name for names in lists for name in names}
    assert names <= set(numbers("x86_64"))
    missing = {name for name in names if name not in numbers("aarch64")}
    assert missing == {
        *("chmod", "chown", "lchown", "futimesat", "utime", "utimes"),
        *("inotify_init", "ioperm", "iopl", "modify_ldt"),
    }
