"""Measure arena compiled against arena as Python alone: each build in processes of its own.

``python -m benchmarks.builds NAME`` does one work in the build that runs, and prints its seconds.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from math import inf
from time import perf_counter

import arena
from arena.core import VARIABLE, build, compiled
from arena.games import uct
from arena.games.chess import moves
from arena.games.search import Search
from arena.plugin.manager import load_catalogue
from arena.proof.outcome import exact_result
from arena.proof.policy import Policy
from benchmarks.loops import bare_loop, spiel_loop
from benchmarks.table import Bar, Row, Sign, skipped, speed

#: Runs of a work in a process, of which the fastest counts, and processes of each build.
RUNS, PROCESSES = 5, 3

SEED = 1

#: Games of two monkeys: so many that what a fight costs once is little.
GAMES = 10_000

#: Simulations of a move of mcts.
SIMULATIONS = 500

#: Random moves of chess.
PLIES = 4000

#: A position of chess in the opening.
ITALIAN = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"


#: Something to time. What it needs is made before.
Work = Callable[[], object]


def _fight(a: str, b: str, game: str, pairs: int) -> Work:
    return partial(
        arena.fight, a, b, pairs, game=game, seed=SEED, engine="calls", executor="serial",
        catalogue=load_catalogue(),
    )  # fmt: skip


def forget_moves() -> None:
    """Forget the legal moves of chess: other games have other positions."""
    getattr(moves.legal_moves, "cache_clear", lambda: None)()


def _bare() -> Work:
    monkey = arena.get_player("monkey").player
    return partial(bare_loop, arena.get_game("tictactoe"), monkey, monkey, GAMES, SEED)


def _spiel() -> Work:
    loop = spiel_loop()
    assert loop is not None
    return partial(loop, GAMES)


def _look(game: str, text: str, depth: int) -> Work:
    rules = arena.get_game(game)
    position = rules.parse(text) if text else rules.start()

    def look() -> None:
        forget_moves()
        search = Search()
        for plies in range(1, depth + 1):
            search.best_moves(position, plies)

    return look


def _mcts() -> Work:
    start = arena.get_game("connect4").start()
    return lambda: [
        uct.choose(start, random.Random(seed), SIMULATIONS, uct.DEFAULT_EXPLORATION)
        for seed in range(5)
    ]


def _spiel_mcts() -> Work:
    import pyspiel

    game = pyspiel.load_game("connect_four")

    def move(seed: int) -> None:
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.MCTSBot(game, evaluator, 1.0, SIMULATIONS, 1000, True, seed, False)
        bot.step(game.new_initial_state())

    def play() -> None:
        for seed in range(5):
            move(seed)

    return play


def _chess_plies() -> Work:
    game = arena.get_game("chess")

    def play() -> None:
        forget_moves()
        rng, position = random.Random(SEED), game.start()
        for _ in range(PLIES):
            position = position.play(rng.choice(position.legal_moves()))
            if position.outcome() is not None:
                position = game.start()

    return play


def _spiel_chess_plies() -> Work:
    import pyspiel

    game = pyspiel.load_game("chess")

    def play() -> None:
        rng, state = random.Random(SEED), game.new_initial_state()
        for _ in range(PLIES):
            state.apply_action(rng.choice(state.legal_actions()))
            if state.is_terminal():
                state = game.new_initial_state()

    return play


def _exact() -> Work:
    game = arena.get_game("tictactoe")
    one, other = (arena.get_player(name) for name in ("heuristic", "monkey"))
    return lambda: exact_result(Policy(one, game), Policy(other, game))


def _certify() -> Work:
    return partial(arena.certify, "heuristic", catalogue=load_catalogue())


def _check() -> Work:
    return partial(arena.check, "heuristic", catalogue=load_catalogue())


#: What each build does.
WORKS: dict[str, Callable[[], Work]] = {
    "calls": partial(_fight, "monkey", "monkey", "tictactoe", GAMES // 2),
    "calls tictactoe3": partial(_fight, "tictactoe3", "monkey", "tictactoe", 1000),
    "calls heuristic": partial(_fight, "heuristic", "monkey", "tictactoe", 1000),
    "calls connect4": partial(_fight, "monkey", "monkey", "connect4", 300),
    "calls mnk-5-5-4": partial(_fight, "monkey", "monkey", "mnk-5-5-4", 300),
    "calls leduc": partial(_fight, "monkey", "monkey", "leduc", 1000),
    "calls chess": partial(_fight, "monkey", "monkey", "chess", 5),
    "bare": _bare,
    "spiel": _spiel,
    "search mnk-5-5-4": partial(_look, "mnk-5-5-4", "", 5),
    "search chess": partial(_look, "chess", ITALIAN, 3),
    "mcts": _mcts,
    "spiel mcts": _spiel_mcts,
    "chess": _chess_plies,
    "spiel chess": _spiel_chess_plies,
    "exact": _exact,
    "certify": _certify,
    "check": _check,
}

#: What is compared: the work, the build and the work beside it, the words, and the bar.
PURE, COMPILED = "1", "0"
COMPARED: tuple[tuple[str, str, str, str, float], ...] = (
    ("calls", PURE, "calls", "`calls`, monkey against monkey", 4),
    ("calls", PURE, "bare", "`calls`, monkey against monkey: speed against a bare loop", 2),
    ("calls", PURE, "spiel", "`calls`, monkey against monkey: speed against `evaluate_bots`", 3),
    ("calls tictactoe3", PURE, "calls tictactoe3", "`calls`, tictactoe3 against monkey", 3),
    ("calls heuristic", PURE, "calls heuristic", "`calls`, heuristic against monkey", 3),
    ("calls connect4", PURE, "calls connect4", "`calls`, monkeys at connect4", 3),
    ("calls mnk-5-5-4", PURE, "calls mnk-5-5-4", "`calls`, monkeys at mnk-5-5-4", 3),
    ("calls leduc", PURE, "calls leduc", "`calls`, monkeys at leduc", 0),
    ("calls chess", PURE, "calls chess", "`calls`, monkeys at chess", 0),
    ("search mnk-5-5-4", PURE, "search mnk-5-5-4", "minimax, 5 plies of mnk-5-5-4", 10),
    ("search chess", PURE, "search chess", "minimax, 3 plies of chess", 5),
    ("mcts", PURE, "mcts", "mcts, 500 simulations at connect4", 0),
    ("mcts", PURE, "spiel mcts", "mcts at connect4: speed against OpenSpiel's bot in C++", 1),
    ("chess", PURE, "chess", "chess, random plies", 0),
    ("chess", PURE, "spiel chess", "chess, random plies: speed against OpenSpiel", 1),
    ("exact", PURE, "exact", "`exact`, heuristic and monkey", 2),
    ("certify", PURE, "certify", "`certify`, heuristic", 2),
    ("check", PURE, "check", "`check`, heuristic", 2),
)


def rows(quick: bool) -> list[Row]:
    """Measure each work in both builds, in turn."""
    if compiled("lines") is None:
        return [skipped("the compiled core", f"this arena is {build()}")]
    try:
        import pyspiel
    except ImportError:
        pyspiel = None
    measured = []
    for work, other_build, other, words, limit in COMPARED:
        bar = Bar(Sign.AT_LEAST, limit) if limit else None
        if other.startswith("spiel") and pyspiel is None:
            measured.append(skipped(words, "OpenSpiel is not installed", bar))
            continue
        ours = theirs = inf
        for _ in range(1 if quick else PROCESSES):
            ours = min(ours, _seconds(work, COMPILED, quick))
            theirs = min(theirs, _seconds(other, other_build, quick))
        measured.append(speed(words, ours, theirs, bar))
    return measured


def _seconds(work: str, pure: str, quick: bool) -> float:
    """Return the seconds of a work in a process of that build."""
    words = [sys.executable, "-m", "benchmarks.builds", work, str(1 if quick else RUNS)]
    environment = {**os.environ, VARIABLE: pure}
    done = subprocess.run(words, capture_output=True, check=True, env=environment, text=True)
    return float(done.stdout)


def main(name: str, runs: str = str(RUNS)) -> None:
    """Do a work some times, and print the seconds of the fastest."""
    best, work = inf, WORKS[name]()
    for _ in range(int(runs)):
        start = perf_counter()
        work()
        best = min(best, perf_counter() - start)
    print(best)


if __name__ == "__main__":
    main(*sys.argv[1:])
