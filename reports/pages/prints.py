"""Lay out what players printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.errors import counted
from arena.reports.pages.forfeits import replayed

if TYPE_CHECKING:
    from arena.records.fought import Fought
    from arena.records.replays import ReplayReport

#: The text before a printed line.
MARGIN = "   | "


def prints_of(fight: Fought) -> list[str]:
    """Say how many lines each player printed, and where to see them."""
    forfeits = [player.first_forfeit.game_id for player in fight.entrants if player.first_forfeit]
    shown_games = {*forfeits, *(player.first_lost for player in fight.entrants)}
    lines = []
    for player in fight.entrants:
        if player.printed:
            printed = f"{player.name} printed {counted(player.printed, 'line')}"
            lines.append(f"{printed}: arena replay shows them next to the moves")
            if player.first_printed not in shown_games:
                command = fight.replay_of(player.first_printed)
                lines += replayed("  see the first with", command)
                shown_games.add(player.first_printed)
    return lines


def printed_at(replay: ReplayReport, ply: int) -> list[str]:
    """Return what was printed for a move."""
    entries = [entry for entry in replay.printed if entry.ply == ply]
    return [f"{MARGIN}{line}" for entry in entries for line in entry.display_lines]


def printed_last(replay: ReplayReport) -> list[str]:
    """Return what a player printed for a move that it did not make."""
    ply = len(replay.moves)
    lines = printed_at(replay, ply)
    return [f"{replay.mover(ply)} printed last:", *lines] if lines else []
