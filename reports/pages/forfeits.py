"""Lay out why players forfeited, for their authors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.reports.page import CommandText, Note

if TYPE_CHECKING:
    from arena.records.entrants import ForfeitedGame, PlayerResult
    from arena.records.fought import Fought
    from arena.records.replays import ReplayReport


def forfeits_of(fight: Fought) -> list[str]:
    """Say of each player how often it forfeited, and how the first time."""
    return [line for player in fight.entrants for line in forfeits_by(player, fight)]


def forfeit_of(replay: ReplayReport) -> list[str]:
    """Say how the game was forfeited, if it was."""
    forfeits = replay.forfeits or (() if replay.forfeit is None else (replay.forfeit,))
    lines = []
    for forfeit in forfeits:
        position = f" at {forfeit.position}" if forfeit.position else ""
        words = f"{forfeit.player} forfeits ({forfeit.reason}){position}"
        lines += _forfeit_lines(words, forfeit)
    return lines


def shows_loss(player: PlayerResult) -> bool:
    """Return whether the player's first loss is a game that its forfeits do not show."""
    forfeit = player.first_forfeit
    return player.first_lost is not None and (
        forfeit is None or forfeit.game_id != player.first_lost
    )


def replayed(words: str, command: str) -> list[str]:
    """Say how to see a game. Nothing is said if no command shows it."""
    return [CommandText(words, command)] if command else []


def seen_with(words: str, command: str) -> str:
    """Say something of a game, and how to see it if a command shows it."""
    return CommandText(f"{words}; see it with", command) if command else words


def forfeits_by(player: PlayerResult, fight: Fought) -> list[str]:
    """Say how often a player of the fight forfeited, and how the first time."""
    first = player.first_forfeit
    if first is None:
        return [player.forfeited] if player.forfeits else []
    return [
        *_forfeit_lines(player.forfeited, first),
        *replayed("  see it with", fight.replay_of(first.game_id)),
    ]


def _forfeit_lines(words: str, forfeit: ForfeitedGame) -> list[str]:
    """Return the lines about one forfeit, after these words about it."""
    message = "" if forfeit.message == forfeit.reason else forfeit.message
    lines = _indented(message)
    if forfeit.where:
        lines.append(f"  {forfeit.where}")
    lines += _indented(forfeit.remedy)
    return [f"{words}:" if lines else words, *lines]


def _indented(text: str) -> list[str]:
    """Return a text of whatever lines as one note."""
    return [Note("  " + " ".join(text.splitlines()))] if text else []
