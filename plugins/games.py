"""The games that come with arena."""

from __future__ import annotations

from functools import partial

from arena.game import Game
from arena.games.connect4 import CONNECT4
from arena.games.lines import VARIANTS, load_lines, variant
from arena.games.mnk import MnkGame, mnk_game
from arena.plugin.markers import hookimpl
from arena.plugin.registry import GameRegister


def tictactoe(n: int = 3) -> MnkGame:
    """Tic-tac-toe on n by n squares, n in a row."""
    return mnk_game(n, n, n)


def load_chess() -> Game:
    """Chess, whose tables of attacks only those load who play it."""
    from arena.games.chess.rules import CHESS

    return CHESS


@hookimpl
def arena_register_games(register: GameRegister) -> None:
    register("tictactoe", tictactoe, summary="three in a row on 3 by 3 squares")
    register("tictactoe-{n}", tictactoe, summary="n in a row on n by n squares")
    register("mnk-{m}-{n}-{k}", mnk_game, summary="m columns, n rows, k in a row")
    for name, summary in VARIANTS.items():
        register(name, partial(variant, name), summary=summary)
    register(
        "lines:FILE",
        load_lines,
        summary="the size of the board and the winning lines are in a file",
    )
    register("chess", load_chess, summary="chess, with positions as FEN")
    register("connect4", lambda: CONNECT4, summary="discs fall in 7 columns of 6, four in a row")
