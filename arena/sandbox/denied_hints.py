"""Tell the author of an isolated player what the walls keep it from."""

from __future__ import annotations

import re

from arena.errors import Forfeited

#: Exit codes of a shell that cannot start a program, and what it says then.
_NOT_STARTED = (126, 127)
_NO_PROGRAM = re.compile(
    r": Permission denied|\b[Ff]ork\b.*(not permitted|unavailable)|Cannot fork"
)

#: Last words of interpreters of Python, and the sign in them that it was not about a file.
_NO_FILE = ("FileNotFoundError", "PermissionError")
_NO_CALL = "[Errno 1]"


def denied_action(message: str, code: int | None = None) -> str:
    """Return what a player's last words, and its exit code, say that it could not do.

    That is ``program``, to start one, or as :func:`arena.player.faults.barred` has it.
    """
    if code in _NOT_STARTED or _NO_PROGRAM.search(message):
        return "program"
    if _NO_NETWORK.search(message):
        return "network"
    if any(name in message for name in _NO_FILE):
        return "call" if _NO_CALL in message else "file"
    return ""


#: The last words of a program that reaches no other machine.
_NO_NETWORK = re.compile(
    "Network is unreachable|Connection refused|name resolution|Name or service not known"
    "|ECONNREFUSED|ENETUNREACH|EAI_AGAIN|ENOTFOUND"
)

#: The tiers in which a player reaches no other machine, nor another program of this one.
TIERS_WITHOUT_NETWORK = ("locked", "bwrap")

#: The hint at each, and the tiers that keep players from it.
_HINTS = {
    "program": (
        "in tier locked a program starts no others: name the interpreter itself",
        ("locked",),
    ),
    "network": (
        "isolated, it has no network: with --isolation process a player that you trust has one",
        TIERS_WITHOUT_NETWORK,
    ),
    "call": ("isolated, it may not do this", ("locked", "bwrap")),
    "file": (
        "isolated, it reads only its own files: hand the file in with it in one zip,"
        " or name it with --readable",
        ("locked", "bwrap"),
    ),
}


def with_hint(error: Forfeited, tier: str) -> Forfeited:
    """Append a hint, such as at --readable, if the tier keeps the player from what it wanted."""
    hint, tiers = _HINTS.get(error.barred, ("", ()))
    return error.worded(f"{error.problem} ({hint})") if tier in tiers else error
