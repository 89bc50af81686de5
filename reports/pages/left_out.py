"""Say whose games in a tournament do not count any more, and why."""

from __future__ import annotations

from arena.errors import counted
from arena.records.left_out import LeftOut


def left_out(gone: LeftOut) -> str:
    """Say why a player's games do not count."""
    if gone.replaced_by == gone.player:
        earlier = f"{counted(gone.games, 'game')} of its earlier code"
        return f"{gone.player} has changed; not counted: {earlier}"
    what = f"replaced by {gone.replaced_by}" if gone.replaced_by else "withdrawn"
    return f"{gone.player} was {what}; not counted: its {counted(gone.games, 'game')}"
