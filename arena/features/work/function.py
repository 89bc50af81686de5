"""Play games for a server that hands them out."""

from __future__ import annotations

from collections.abc import Callable

from arena.executors.base import usable_cores
from arena.volunteers.channel import SOCKET_PREFIX, line_to
from arena.volunteers.worker import Volunteer

__all__ = ["SOCKET_PREFIX", "work"]


def work(
    url: str,
    token: str,
    *,
    workers: int | None = None,
    patience: float | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> int:
    """Play games for the server at this URL, and return how many it took.

    It ends when the server is away, or has nothing to play, for ``patience`` seconds. Without a
    number it waits on. ``tell`` hears what the user may want to know.

    Raises UsageError if the server refuses the token or this machine, and ServerError for a server
    that does not answer.
    """
    line = line_to(url, token)
    volunteer = Volunteer(
        line, workers or usable_cores(), patience, tell, is_own=url.startswith(SOCKET_PREFIX)
    )
    volunteer.run()
    return volunteer.delivered
