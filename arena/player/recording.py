"""Know the players whose answers are kept in a file, because no service repeats them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, runtime_checkable

from arena.player import PlayerInfo


@runtime_checkable
class RecordablePlayer(Protocol):
    """A player whose answers can be kept."""

    @property
    def answers(self) -> str:
        """The file that has its answers, as the user names it; empty without one."""

    def record(self, path: str, *, is_closed: bool) -> None:
        """Keep answers in a file, and take those that it has. Ask no service if it is closed."""


def answers_of(players: Iterable[PlayerInfo]) -> str:
    """Return the file that has the answers of these players, empty without one.

    All players of a run have the same one.
    """
    remotes: list[Any] = [player.remote for player in players]
    files = (remote.answers for remote in remotes if isinstance(remote, RecordablePlayer))
    return next(filter(None, files), "")
