"""The commands that a report tells its reader to run."""

from __future__ import annotations

import shlex

from arena.game import Game


def move_command(player: str, position: str, game: Game) -> str:
    """Shows what a player does in a position."""
    return _command("move", player, position, game=game)


def certify_command(player: str, game: Game) -> str:
    """Proves that a player never loses, or shows how it does."""
    return _command("certify", player, game=game)


def replay_command(game_id: str) -> str:
    """Shows a game."""
    return _command("replay", game_id)


def _command(*words: str, game: Game | None = None) -> str:
    return shlex.join(["arena", *words, *(["--game", game.name] if game else [])])
