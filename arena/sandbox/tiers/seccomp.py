"""Write the filter of system calls that a player may not make, as a program for the kernel.

The filter is a list of denials, since the needs of all languages are not known. It cannot read
memory, so it does not know paths. Landlock or bubblewrap guard those.
"""

from __future__ import annotations

import platform
from collections.abc import Sequence
from errno import ENOSYS, EPERM

from arena.dataclass import dataclass

#: The filter's number of the processor (AUDIT_ARCH_*), and the column of the table.
ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}

#: Highest number that the filter covers; newer calls do not exist for players.
LAST_SYSCALL = 462

_TABLE = """
acct 163 89, add_key 248 217, adjtimex 159 171, bpf 321 280, chmod 90 -, chown 92 -, chroot 161 51,
clock_adjtime 305 266, clock_settime 227 112, clone 56 220, clone3 435 435, creat 85 -,
delete_module 176 106, execve 59 221, execveat 322 281, fanotify_init 300 262, fchmod 91 52,
fchmodat 268 53, fchmodat2 452 452, fchown 93 55, fchownat 260 54, fcntl 72 25,
finit_module 313 273, fork 57 -, fremovexattr 199 16, fsconfig 431 431, fsetxattr 190 7,
fsmount 432 432, fsopen 430 430, fspick 433 433, futimesat 261 -, init_module 175 105,
inotify_add_watch 254 27, inotify_init 253 -, inotify_init1 294 26, io_uring_enter 426 426,
io_uring_register 427 427, io_uring_setup 425 425, ioctl 16 29, ioperm 173 -, iopl 172 -,
ioprio_set 251 30, kcmp 312 272, kexec_file_load 320 294, kexec_load 246 104, keyctl 250 219,
kill 62 129, lchown 94 -, listmount 458 458, lookup_dcookie 212 18, lremovexattr 198 15,
lsetxattr 189 6, memfd_create 319 279, memfd_secret 447 447, migrate_pages 256 238, mmap 9 222,
modify_ldt 154 -, mount 165 40, mount_setattr 442 442, move_mount 429 429, move_pages 279 239,
mq_open 240 180, msgget 68 186, name_to_handle_at 303 264, open 2 -, open_by_handle_at 304 265,
open_tree 428 428, openat 257 56, openat2 437 437, perf_event_open 298 241, personality 135 92,
pidfd_getfd 438 438, pidfd_send_signal 424 424, pivot_root 155 41, prctl 157 167,
prlimit64 302 261, process_madvise 440 440, process_mrelease 448 448, process_vm_readv 310 270,
process_vm_writev 311 271, ptrace 101 117, quotactl 179 60, quotactl_fd 443 443, reboot 169 142,
removexattr 197 14, request_key 249 218, rt_sigqueueinfo 129 138, rt_tgsigqueueinfo 297 240,
sched_setaffinity 203 122, sched_setattr 314 274, sched_setparam 142 118,
sched_setscheduler 144 119, semget 64 190, setdomainname 171 162, sethostname 170 161,
setns 308 268, setpriority 141 140, settimeofday 164 170, setxattr 188 5, shmget 29 194,
socket 41 198, statmount 457 457, swapoff 168 225, swapon 167 224, syslog 103 116, tgkill 234 131,
timer_create 222 107, tkill 200 130, truncate 76 45, umount2 166 39, unshare 272 97,
userfaultfd 323 282, utime 132 -, utimensat 280 88, utimes 235 -, vfork 58 -, vhangup 153 58
"""


def numbers(machine: str) -> dict[str, int]:
    """Return the system calls by name. A processor lacks some."""
    column = ARCHITECTURES[machine][1]
    rows = (row.split() for row in _TABLE.replace("\n", " ").split(","))
    return {name: int(row[column]) for name, *row in rows if row[column] != "-"}


#: An instruction: code, jump if true, jump if false, operand. The operand ``pid`` is the number of
#: the process that loads the filter.
Instruction = tuple[int, int, int, int | str]


def _names(text: str) -> list[str]:
    return text.split()


#: Denied to every player: the kernel's inside, other processes' insides, namespaces, the machine,
#: and sockets of all families, since namespaces do not isolate all of them.
ALWAYS = _names(
    """
    acct add_key adjtimex bpf chroot clock_adjtime clock_settime delete_module fanotify_init
    finit_module fsconfig fsmount fsopen fspick init_module io_uring_enter io_uring_register
    io_uring_setup ioperm iopl kcmp kexec_file_load kexec_load keyctl listmount lookup_dcookie
    migrate_pages modify_ldt mount mount_setattr move_mount move_pages name_to_handle_at
    open_by_handle_at open_tree perf_event_open personality pidfd_getfd pivot_root
    process_madvise process_mrelease process_vm_readv process_vm_writev ptrace quotactl
    quotactl_fd reboot request_key setdomainname sethostname setns settimeofday socket statmount
    swapoff swapon syslog umount2 unshare userfaultfd vhangup
    """
)

#: Memory that limits do not count, or that outlives the process.
UNCOUNTED = _names("memfd_create memfd_secret mq_open msgget semget shmget")

#: A timer can send its process the signal to continue, which the arena has stopped.
TIMERS = _names("timer_create")

#: The arena decides which processor a player uses, and how much of it.
SCHEDULING = _names(
    """
    ioprio_set sched_setaffinity sched_setattr sched_setparam sched_setscheduler setpriority
    """
)

#: Denied without namespaces: other processes, and changes to files of the player's user that
#: Landlock permits.
OUTSIDE = _names(
    """
    chmod chown fchmod fchmodat fchmodat2 fchown fchownat fremovexattr fsetxattr futimesat
    inotify_add_watch inotify_init inotify_init1 lchown lremovexattr lsetxattr pidfd_send_signal
    removexattr setxattr truncate utime utimensat utimes
    """
)

#: Starting other processes and programs.
STARTING = ["fork", "vfork"]
RUNNING = ["execve", "execveat"]

#: Answered as unknown to the kernel: the C library then makes a call that can be judged.
UNKNOWN_CALLS = ["clone3", "openat2"]

_NEW_NAMESPACES = 0x7E020000
_THREAD = 0x10000
_TERMINAL = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX: type into a terminal
_OWNERS = (0x8901, 0x8902)  # FIOSETOWN, SIOCSPGRP: send signals to others
_FCNTL_SIGNALS = (8, 10, 15, 1026)  # F_SETOWN, F_SETSIG, F_SETOWN_EX, F_NOTIFY
_EXIT_SIGNAL, _SIGCONT = 0xFF, 18  # the signal of a child that ends, in the flags of clone
_SHARED_ANONYMOUS = 0x21  # MAP_SHARED and MAP_ANONYMOUS
_GROWS_DOWN = 0x100
_TRUNCATE = 0x200
_PDEATHSIG = 1

_LOAD, _EQUAL, _ABOVE, _FROM, _ANY_BIT = 0x20, 0x15, 0x25, 0x35, 0x45
_AND, _GO, _RETURN = 0x54, 0x05, 0x06
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER, _MACHINE, _X32 = 0, 4, 0x40000000


@dataclass(frozen=True)
class Rules:
    """The purpose of a filter."""

    #: Whether the player may start processes, and run programs.
    starts: bool
    runs: bool
    #: Whether namespaces isolate it already.
    has_namespaces: bool
    #: Whether something else keeps it from truncating files that it may read.
    cuts_guarded: bool = True


def is_available() -> bool:
    """Return whether there is a table for this processor."""
    return platform.machine() in ARCHITECTURES


def program(rules: Rules, machine: str | None = None) -> list[Instruction]:
    """Return the filter for a processor, this one's by default."""
    machine = machine or platform.machine()
    calls = numbers(machine)
    instructions: list[Instruction] = [
        (_LOAD, 0, 0, _MACHINE),
        (_EQUAL, 1, 0, ARCHITECTURES[machine][0]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
        (_FROM, 0, 1, _X32),
        (_RETURN, 0, 0, _KILL),
        (_ABOVE, 0, 1, LAST_SYSCALL),
        (_RETURN, 0, 0, _ERROR | ENOSYS),
    ]
    instructions += _refuse([calls[name] for name in UNKNOWN_CALLS], ENOSYS)
    denied = [*ALWAYS, *UNCOUNTED, *TIMERS, *SCHEDULING]
    denied += [] if rules.has_namespaces else OUTSIDE
    denied += [] if rules.starts else STARTING
    denied += [] if rules.runs else RUNNING
    instructions += _refuse([calls[name] for name in denied if name in calls], EPERM)
    for name, tests in _conditions(rules):
        if name in calls:
            instructions += _refuse_if(calls[name], tests)
    return [*instructions, (_RETURN, 0, 0, _ALLOW)]


#: Jump to the refusal at the block's end, or to the permission before it.
_REFUSE, _PERMIT = -1, -2


def _conditions(rules: Rules) -> list[tuple[str, list[Instruction]]]:
    """Return the system calls that are refused for some arguments."""
    namespaces: Instruction = (_ANY_BIT, _REFUSE, 0, _NEW_NAMESPACES)
    thread: Instruction = (_ANY_BIT, _PERMIT, _REFUSE, _THREAD)
    memory: list[Instruction] = [
        (_ANY_BIT, _REFUSE, 0, _GROWS_DOWN),
        (_AND, 0, 0, _SHARED_ANONYMOUS),
        (_EQUAL, _REFUSE, 0, _SHARED_ANONYMOUS),
    ]
    waking: list[Instruction] = [(_AND, 0, 0, _EXIT_SIGNAL), (_EQUAL, _REFUSE, 0, _SIGCONT)]
    conditions = [
        ("clone", [_argument(0), namespaces, *(waking if rules.starts else [thread])]),
        ("fcntl", [_argument(1), *_if_any(*_FCNTL_SIGNALS)]),
        ("ioctl", [_argument(1), *_if_any(*_TERMINAL, *_OWNERS)]),
        ("mmap", [_argument(3), *memory]),
        ("prctl", [_argument(0), *_if_any(_PDEATHSIG)]),
    ]
    if rules.has_namespaces:
        return conditions
    itself: list[Instruction] = [_argument(0), (_EQUAL, _PERMIT, _REFUSE, "pid")]
    signals = ("kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo")
    conditions += [(name, itself) for name in signals]
    conditions.append(("prlimit64", [_argument(0), (_EQUAL, _PERMIT, 0, 0), *itself[1:]]))
    if not rules.cuts_guarded:
        cut: Instruction = (_ANY_BIT, _REFUSE, 0, _TRUNCATE)
        conditions += [("open", [_argument(1), cut]), ("openat", [_argument(2), cut])]
    return conditions


def _argument(index: int) -> Instruction:
    """Load the lower half of an argument. The kernel ignores the upper one here."""
    return (_LOAD, 0, 0, 16 + 8 * index)


def _if_any(*values: int) -> list[Instruction]:
    return [(_EQUAL, _REFUSE, 0, value) for value in values]


def _refuse_if(number: int, tests: Sequence[Instruction]) -> list[Instruction]:
    """Judge a call by its arguments: the tests, then permission, then refusal."""
    block = [*tests, (_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _ERROR | EPERM)]

    def distance(jump: int, index: int) -> int:
        return len(block) + jump - index - 1 if jump < 0 else jump

    counted = [(c, distance(t, i), distance(f, i), k) for i, (c, t, f, k) in enumerate(block)]
    return [(_EQUAL, 0, len(block), number), *counted]


def _refuse(calls: Sequence[int], error: int) -> list[Instruction]:
    """Refuse calls for any arguments."""
    assert len(calls) < 255, "a jump goes no further"
    tests: list[Instruction] = [
        (_EQUAL, len(calls) - index, 0, number) for index, number in enumerate(sorted(calls))
    ]
    return [*tests, (_GO, 0, 0, 1), (_RETURN, 0, 0, _ERROR | error)]
