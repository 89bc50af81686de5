"""The openings of pairs, as texts."""

from __future__ import annotations

from arena.fights.openings import openings_of
from arena.game import Game
from arena.games.mnk import mnk_game

TICTACTOE = mnk_game(3, 3, 3)


def texts(name: str, seed: int, pairs: int, game: Game = TICTACTOE) -> list[str]:
    openings = openings_of(name, game)
    return [str(openings.of_pair(game, seed, pair)) for pair in range(1, pairs + 1)]
