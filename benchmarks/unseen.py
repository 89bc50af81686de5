"""Measure games with luck and secrets by calls, and those of OpenSpiel by their rules."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import arena
from arena.features.check.secrets import find_leaks
from arena.game import CHANCE, Game
from arena.player import Choose
from benchmarks.openspiel import checked, play
from benchmarks.table import Bar, Row, Sign, cost, skipped, speed
from benchmarks.timing import PROCESSOR, minima

SEED = 1
HALF = Bar(Sign.AT_LEAST, 0.5)
AHEAD = Bar(Sign.ABOVE, 1)
NEAR = Bar(Sign.AT_MOST, 1.5)

#: Seconds within which all histories of Leduc poker should be followed.
FOLLOWED = 2

#: Games of arena's, the same games of OpenSpiel's, and how many make a batch.
GAMES = {"kuhn": ("kuhn_poker", 5000), "leduc": ("leduc_poker", 2500)}


def rows(quick: bool) -> list[Row]:
    """Measure on one core in this process."""
    rounds = 2 if quick else 20
    found: list[Row] = []
    for name, (library, games) in GAMES.items():
        found += _rates(name, library, 20 if quick else games, rounds)
    return [*found, _wrapped(20 if quick else 200, rounds), _followed(1 if quick else 3)]


def _followed(rounds: int) -> Row:
    """Measure how long the look for leaks takes at all histories of Leduc poker."""
    game = arena.get_game("leduc")
    found = find_leaks(game, random.Random(SEED))
    [seconds] = minima([partial(find_leaks, game, random.Random(SEED))], rounds, PROCESSOR)
    work = f"the look for leaks in the {found.histories} histories of leduc, against {FOLLOWED} s"
    return cost(work, seconds, FOLLOWED, Bar(Sign.AT_MOST, 1))


def _rates(name: str, library: str, games: int, rounds: int) -> list[Row]:
    game, monkey = arena.get_game(name), arena.get_player("monkey").player
    works: list[Callable[[], object]] = [
        partial(_engine, name, games),
        partial(_bare, game, monkey, games),
    ]
    bots = _bots(library)
    if bots is not None:
        works.append(partial(bots, games))
    engine, bare, *others = minima(works, rounds, PROCESSOR)
    work = f"`calls`, monkey against monkey at {name}, {games} games: speed against"
    spiel = f"{work} OpenSpiel's `evaluate_bots`"
    return [
        speed(f"{work} a bare loop over the same functions", engine, bare, HALF),
        speed(spiel, engine, others[0], AHEAD)
        if others
        else skipped(spiel, "OpenSpiel is not installed", AHEAD),
    ]


def _engine(name: str, games: int) -> None:
    arena.fight("monkey", "monkey", games // 2, game=name, seed=SEED, executor="serial")


def _bare(game: Game, choose: Choose, games: int) -> None:
    """Play with one generator for all, chance included: nothing caught, nothing counted."""
    rng = random.Random(SEED)
    for _ in range(games):
        position = game.start()
        while position.outcome() is None:
            seat = position.to_move
            if seat == CHANCE:
                moves, shares = zip(*position.chance_moves(), strict=True)
                position = position.play(rng.choices(moves, shares)[0])
            else:
                position = position.play(choose(position.observation(seat), rng))
        position.payoffs()


def _bots(name: str) -> Callable[[int], None] | None:
    """Return OpenSpiel's loop with two bots in Python; None where OpenSpiel is not installed."""
    try:
        import numpy as np
        import pyspiel
        from open_spiel.python.algorithms.evaluate_bots import evaluate_bots
        from open_spiel.python.bots.uniform_random import UniformRandomBot
    except ImportError:
        return None
    game, rng, chance = pyspiel.load_game(name), random.Random(SEED), np.random.RandomState(SEED)
    bots = [UniformRandomBot(seat, rng) for seat in (0, 1)]

    def evaluate(games: int) -> None:
        for _ in range(games):
            evaluate_bots(game.new_initial_state(), bots, chance)

    return evaluate


def _wrapped(games: int, rounds: int) -> Row:
    """Compare the rules of a game of OpenSpiel's with a loop that clones states and checks."""
    work = "a ply of `openspiel:leduc_poker`: time against a loop that clones and checks"
    try:
        game: Any = arena.get_game("openspiel:leduc_poker")
    except arena.UsageError as error:
        return skipped(work, str(error), NEAR)
    works = [partial(play, game, games), partial(checked, game.library, games)]
    times = minima(works, rounds, PROCESSOR)
    ours, careful = (time / run() for time, run in zip(times, works, strict=True))
    return cost(work, ours, careful, NEAR)
