"""Measure mcts beside OpenSpiel's MCTS bots at connect four: time for a move, and games.

``python -m benchmarks.mcts GAMES`` has mcts play so many games against OpenSpiel's bot in
C++, both with 500 simulations, and prints the score with its 95 % interval.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from arena.game import Position
from arena.games.connect4 import CONNECT4
from arena.games.uct import RESULT_POINTS
from arena.players import mcts
from arena.rng import named_stream
from arena.stats.interval import score_interval
from benchmarks.table import Bar, Row, Sign, skipped, speed
from benchmarks.timing import PROCESSOR, minima

SIMULATIONS = 500

#: Exploration of OpenSpiel's bots in its own example, for results from -1 to 1.
UCT_C = 2
SEED = 1

#: The columns of the moves so far.
Line = tuple[int, ...]
Bot = Callable[[Line], int]

#: Where moves are timed: the empty board, an opening, a middle game.
LINES: tuple[Line, ...] = ((), (3, 3, 2), (3, 3, 3, 2, 4, 0, 0, 6))


def rows(quick: bool) -> list[Row]:
    """Return a row for the time of a move."""
    work = f"mcts: moves of {SIMULATIONS} simulations at connect4, against OpenSpiel's Python bot"
    bar = Bar(Sign.AT_LEAST, 1)
    try:
        theirs = python_bot(SEED)
    except ImportError:
        return [skipped(work, "OpenSpiel is not installed", bar)]
    works = [partial(_moves, partial(ours, random.Random(SEED))), partial(_moves, theirs)]
    own, others = minima(works, 1 if quick else 5, PROCESSOR)
    return [speed(work, own, others, bar)]


def ours(rng: random.Random, line: Line) -> int:
    """Return the move of mcts."""
    return mcts.choose(_after(line), rng, simulations=SIMULATIONS)


def python_bot(seed: int) -> Bot:
    """Return OpenSpiel's bot in Python, which knows every line from its start."""
    import numpy as np
    from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator

    game = _spiel_game()
    evaluator = RandomRolloutEvaluator(1, np.random.RandomState(seed))
    draws = np.random.RandomState(seed + 1)
    return partial(_asked, game, MCTSBot(game, UCT_C, SIMULATIONS, evaluator, random_state=draws))


def cpp_bot(seed: int) -> Bot:
    """Return OpenSpiel's bot in C++: with results of subtrees that are certain, as in Python."""
    import pyspiel

    game, memory = _spiel_game(), 1000
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    bot = pyspiel.MCTSBot(game, evaluator, UCT_C, SIMULATIONS, memory, True, seed, False)
    return partial(_asked, game, bot)


def points(games: int) -> list[float]:
    """Return the points of mcts against the bot in C++ in every game; it begins every other one."""
    return [_points(number) for number in range(games)]


def _points(number: int) -> float:
    side, line = number % 2, Line()
    rng = named_stream(f"connect4/mcts/spiel/{SEED}/{number}")
    bots: list[Bot] = [partial(ours, rng), cpp_bot(SEED + number)]
    position: Position = CONNECT4.start()
    while (outcome := position.outcome()) is None:
        move = bots[position.to_move != side](line)
        position, line = position.play(move), (*line, move)
    return RESULT_POINTS[outcome][side]


def _spiel_game() -> Any:
    import pyspiel

    return pyspiel.load_game("connect_four")


def _asked(game: Any, bot: Any, line: Line) -> int:
    state = game.new_initial_state()
    for move in line:
        state.apply_action(move)
    return int(bot.step(state))


def _moves(bot: Bot) -> None:
    for line in LINES:
        bot(line)


def _after(line: Line) -> Position:
    position: Position = CONNECT4.start()
    for move in line:
        position = position.play(move)
    return position


def main() -> None:
    """Play the games and print the score."""
    found = points(int(sys.argv[1]))
    wins, draws, losses = (found.count(worth) for worth in (1.0, 0.5, 0.0))
    low, high = score_interval([losses, draws, wins]) or (0, 1)
    print(f"mcts against OpenSpiel's MCTSBot, {SIMULATIONS} simulations each, at connect4:")
    print(f"{wins} wins, {draws} draws, {losses} losses: {sum(found) / len(found):.1%}")
    print(f"95 % interval: {low:.1%} to {high:.1%}")


if __name__ == "__main__":
    main()
