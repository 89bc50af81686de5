"""Log what is said to players that are programs, and what they answer."""

from __future__ import annotations

import logging

#: The log. It is silent above DEBUG.
_conversations = logging.getLogger("arena.protocol")

#: The directions of a line.
TO_PLAYER, FROM_PLAYER = "<", ">"

#: Characters of a line that the log has.
_MAX_CHARACTERS = 500


def are_logged() -> bool:
    """Return whether the log has a handler."""
    return _conversations.isEnabledFor(logging.DEBUG)


def log_line(player: str, direction: str, line: str) -> None:
    """Log a line of a conversation with a player, which a name and a process identify."""
    excerpt = line[:_MAX_CHARACTERS]
    more = "" if excerpt == line else f" ... ({len(line)} characters)"
    _conversations.debug("%s %s %s%s", player, direction, excerpt, more)
