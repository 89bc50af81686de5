"""Register the executor whose workers are volunteers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.plugin.markers import hookimpl
from arena.plugin.registers import ExecutorRegister

if TYPE_CHECKING:
    from arena.volunteers.executor import VolunteerExecutor


def make(workers: int, share: str) -> VolunteerExecutor:
    """Return the executor of a server: ``SHARE@SOCKET`` is the share and the server's socket.

    Raises UsageError for another text.
    """
    from arena.errors import UsageError, quoted
    from arena.volunteers.executor import VolunteerExecutor

    number, at, path = share.partition("@")
    try:
        played_again = float(number)
    except ValueError:
        played_again = -1.0
    if not at or not path or not 0 <= played_again <= 1:
        text = quoted(f"volunteers:{share}")
        raise UsageError(f"executor {text}: only arena serve STORE --workers FILE starts it")
    return VolunteerExecutor(workers, path, played_again)


@hookimpl
def arena_register_executors(register: ExecutorRegister) -> None:
    """Register the executor that ``arena serve`` starts."""
    register("volunteers", make, argument="SHARE")
