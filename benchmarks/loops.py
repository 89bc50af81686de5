"""Play games in loops that check nothing, for comparison with the engine."""

from __future__ import annotations

import random
from collections.abc import Callable

from arena.game import Game
from arena.player import Choose

Board = list[list[str | None]]
Move = tuple[int, int]


def bare_loop(game: Game, a: Choose, b: Choose, games: int, seed: int) -> None:
    """Play games between two functions: one generator for all, nothing caught, nothing counted."""
    rng = random.Random(seed)
    for first, second in ((a, b), (b, a)):
        for _ in range(games // 2):
            position = game.start()
            mover, other = first, second
            while position.outcome() is None:
                position = position.play(mover(position, rng))
                mover, other = other, mover


def exercise_loop(games: int) -> None:
    """Play monkey against monkey as in a first draft: lists of lists, copied for every move."""
    for _ in range(games):
        board: Board = [[None] * 3 for _ in range(3)]
        player, other = "X", "O"
        while _winner(board) is None and _moves(board):
            board = _make_move(board, _monkey(board), player)
            player, other = other, player


def spiel_loop() -> Callable[[int], None] | None:
    """Return OpenSpiel's loop with two bots in Python; None where OpenSpiel is not installed."""
    try:
        import pyspiel
        from open_spiel.python.algorithms.evaluate_bots import evaluate_bots
        from open_spiel.python.bots.uniform_random import UniformRandomBot
    except ImportError:
        return None
    game, rng = pyspiel.load_game("tic_tac_toe"), random.Random(1)  # faster than NumPy's choice
    bots = [UniformRandomBot(side, rng) for side in (0, 1)]

    def play(games: int) -> None:
        for _ in range(games):
            evaluate_bots(game.new_initial_state(), bots, rng)

    return play


def _winner(board: Board) -> str | None:
    columns = [[row[j] for row in board] for j in range(3)]
    diagonals = [[board[i][i] for i in range(3)], [board[i][2 - i] for i in range(3)]]
    for line in [*board, *columns, *diagonals]:
        if line[0] is not None and line == [line[0]] * 3:
            return line[0]
    return None


def _moves(board: Board) -> list[Move]:
    return [(i, j) for i in range(3) for j in range(3) if board[i][j] is None]


def _make_move(board: Board, move: Move, player: str) -> Board:
    copied = [list(row) for row in board]
    copied[move[0]][move[1]] = player
    return copied


def _monkey(board: Board) -> Move:
    return random.choice(_moves(board))
