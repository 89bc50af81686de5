"""Tell the author of an isolated player what the walls keep it from."""

from __future__ import annotations

import os
import re
import shlex

from arena.errors import Forfeited
from arena.sandbox.settings import Spec

#: Exit codes of a shell that cannot start a program, and what it says then.
_NOT_STARTED = (126, 127)
_NO_PROGRAM = re.compile(
    r": Permission denied|\b[Ff]ork\b.*(not permitted|unavailable)|Cannot fork"
)

#: Last words of a program that gets no more memory.
_NO_MEMORY = re.compile(
    r"bad_alloc|MemoryError|[Cc](annot|ould not) allocate|[Ff]ailed to allocate|[Oo]ut of memory"
)

#: Last words of interpreters of Python, and the sign in them that it was not about a file.
_NO_FILE = ("FileNotFoundError", "PermissionError")
_NO_CALL = "[Errno 1]"

#: Last words of a program that may change no file.
_NO_CHANGE = "Read-only file system"


def denied_action(message: str, code: int | None = None) -> str:
    """Return what a player's last words, and its exit code, say that it could not do.

    That is ``program``, to start one, ``memory``, or as :func:`arena.player.faults.barred` has it.
    """
    if _NO_MEMORY.search(message):
        return "memory"
    if code in _NOT_STARTED or _NO_PROGRAM.search(message):
        return "program"
    if _NO_NETWORK.search(message):
        return "network"
    if _NO_CHANGE in message:
        return "write"
    if any(name in message for name in _NO_FILE):
        return "call" if _NO_CALL in message else "file"
    return ""


#: Longest path in a hint.
MAX_HINTED_PATH = 200

#: The file at the end of an error of Python's.
_FILE = re.compile(r"\[Errno \d+\] [\w ]+: '([^'\\]+)'")

#: The last words of a program that reaches no other machine.
_NO_NETWORK = re.compile(
    "Network is unreachable|Connection refused|name resolution|Name or service not known"
    "|ECONNREFUSED|ENETUNREACH|EAI_AGAIN|ENOTFOUND"
)

#: The tiers in which a player reaches no other machine, nor another program of this one.
TIERS_WITHOUT_NETWORK = ("locked", "bwrap")

#: The hint at each, and the tiers that keep players from it.
_HINTS = {
    "memory": ("its memory is limited: see --memory", ("process", "locked", "bwrap")),
    "program": (
        "in tier locked a program starts no others: name the interpreter itself",
        ("locked",),
    ),
    "network": (
        "isolated, it has no network: with --isolation process a player that you trust has one",
        TIERS_WITHOUT_NETWORK,
    ),
    "write": (
        "isolated, it writes no files: print what you want to see",
        ("locked", "bwrap"),
    ),
    "call": ("isolated, it may not do this", ("locked", "bwrap")),
    "file": (
        "isolated, it reads only its own files: hand the file in with it in one zip,"
        " or name it with --readable",
        ("locked", "bwrap"),
    ),
}


#: What to do about the hints that an author can heed. Whoever hands in chooses no tier.
_REMEDIES = {
    "network": "Do without a network: hand in all that it needs",
    "write": "Write no files: keep what lasts in memory, and print what you want to see",
    "file": "Hand the file in with it in one zip, and open it by its name alone",
}


def remedy_of_hint(message: str) -> str:
    """Return what to do about the hint that a message has, or an empty text without one."""
    remedies = (remedy for key, remedy in _REMEDIES.items() if f"({_HINTS[key][0]}" in message)
    return next(remedies, "")


def with_hint(error: Forfeited, tier: str, spec: Spec) -> Forfeited:
    """Append a hint, such as at --readable, if the tier keeps the player from what it wanted."""
    hint, tiers = _HINTS.get(error.barred, ("", ()))
    if tier not in tiers:
        return error
    option = _readable(error.problem, spec) if error.barred == "file" else ""
    return error.worded(f"{error.problem} ({hint}{option})")


def _readable(problem: str, spec: Spec) -> str:
    """Return the option that lets a player read the file that its error names.

    The path is as the user of arena has to write it. The text is empty if the path is not known.
    Nothing looks whether the file exists, because the message would tell the player.
    """
    match = _FILE.search(problem)
    if match is None or not spec.file or len(match[1]) > MAX_HINTED_PATH:
        return ""
    path = os.path.normpath(spec.folder / match[1])
    folder = os.path.join(os.getcwd(), "")
    return f" {shlex.quote(path.removeprefix(folder))}"
