"""Programs as players: the examples of the documentation, and games against them."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.game import Game
from arena.match import play_game
from arena.match.record import GameRecord
from arena.player import PlayerInfo
from arena.rng import Stream

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "programs.md"

#: The examples: how they are named as players.
EXAMPLES = {
    "any_move.py": "cmd:python3 any_move.py",
    "shadow.js": "cmd:node shadow.js",
    "perfect.c": "cmd:./perfect",
    "triples.scm": "cmd:guile --no-auto-compile triples.scm",
    "poker.c": "cmd:./poker",
    "cautious.js": "cmd:node cautious.js",
}
#: Those that play tic-tac-toe, each with its file, for the tests of all, and of any game.
FILES = [
    pytest.param(file, marks=pytest.mark.needs(program), id=file)
    for file, program in zip(EXAMPLES, ("python3", "node", "cc", "guile"), strict=False)
]


def play(game: Game, first: PlayerInfo, second: PlayerInfo, name: str = "1") -> GameRecord:
    return play_game(game, (first, second), name, (Stream(), Stream()))


def play_pairs(game: Game, player: PlayerInfo, opponent: PlayerInfo) -> list[GameRecord]:
    return [
        play(game, *players, f"{number}.{players[0].name}")
        for number in range(3)
        for players in ((player, opponent), (opponent, player))
    ]
