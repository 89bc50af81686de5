"""Lay out why players forfeited, for their authors."""

from __future__ import annotations

import textwrap

from arena.records.fights import FightResult, ForfeitedGame, PlayerResult
from arena.records.replays import ReplayReport

#: Columns of a line; only an id or a line of code may be longer.
WIDTH = 80


def forfeits_of(fight: FightResult) -> list[str]:
    """Say of each player how often it forfeited, and how the first time."""
    return [line for player in fight.both for line in forfeits_by(player, fight)]


def forfeit_of(replay: ReplayReport) -> list[str]:
    """Say how the game was forfeited, if it was."""
    forfeit = replay.forfeit
    if forfeit is None:
        return []
    at = f" at {forfeit.position}" if forfeit.position else ""
    return _told(f"{forfeit.player} forfeits ({forfeit.reason}){at}", forfeit)


def shows_loss(player: PlayerResult) -> bool:
    """Return whether the player's first loss is a game that its forfeits do not show."""
    forfeit = player.first_forfeit
    return player.first_lost is not None and (
        forfeit is None or forfeit.game_id != player.first_lost
    )


def replayed(told: str, command: str) -> list[str]:
    """Say how to see a game; the command has a line of its own if it would be broken in two."""
    line = f"{told}: {command}"
    return [line] if len(line) <= WIDTH else [f"{told}:", f"  {command}"]


def forfeits_by(player: PlayerResult, fight: FightResult) -> list[str]:
    """Say how often a player of the fight forfeited, and how the first time."""
    first = player.first_forfeit
    if first is None:
        return [player.forfeited] if player.forfeits else []
    return [
        *_told(player.forfeited, first),
        *replayed("  see it with", fight.replay_of(first.game_id)),
    ]


def _told(said: str, forfeit: ForfeitedGame) -> list[str]:
    """Return the lines about one forfeit, after these words about it."""
    message = "" if forfeit.message == forfeit.reason else forfeit.message
    lines = _indented(message)
    if forfeit.where:
        lines.append(f"  {forfeit.where}")
    lines += _indented(forfeit.remedy)
    return [f"{said}:" if lines else said, *lines]


def _indented(text: str) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent="  ",
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
