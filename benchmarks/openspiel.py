"""Measure games of OpenSpiel, played by arena, against loops over the library itself."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import arena
from arena.game import Game
from benchmarks.table import Bar, Row, Sign, cost, skipped
from benchmarks.timing import PROCESSOR, minima

SEED = 1
BAR = Bar(Sign.AT_MOST, 1.5)

#: Games, and how many of each make a batch.
GAMES = {"connect_four": 100, "hex": 20, "go(board_size=9)": 10, "breakthrough": 40, "chess": 3}


def rows(quick: bool) -> list[Row]:
    """Measure the time of a ply of random games, on one core in this process."""
    found: list[Row] = []
    for name, games in GAMES.items():
        try:
            game = arena.get_game(f"openspiel:{name}")
        except arena.UsageError as error:
            return [skipped("a ply of `openspiel:` games", str(error), BAR)]
        found += _compared(name, game, 1 if quick else games, 2 if quick else 20)
    return found


def _compared(name: str, game: Game, games: int, rounds: int) -> list[Row]:
    library: Any = game.library  # type: ignore[attr-defined]
    works = [
        partial(play, game, games),
        partial(checked, library, games),
        partial(bare, library, games),
    ]
    times = minima(works, rounds, PROCESSOR)
    ours, careful, fast = (time / work() for time, work in zip(times, works, strict=True))
    work = f"a ply of `openspiel:{name}`: time against"
    return [
        cost(f"{work} a loop that clones states and checks moves", ours, careful, BAR),
        cost(f"{work} a bare loop", ours, fast),
    ]


def play(game: Game, games: int) -> int:
    """Play random games by the rules in arena; return the number of plies."""
    rng, plies = random.Random(SEED), 0
    for _ in range(games):
        position = game.start()
        while position.outcome() is None:
            position = position.play(rng.choice(position.legal_moves()))
            plies += 1
    return plies


def checked(library: Any, games: int) -> int:
    """Play them in the library, with a state of its own and a check of the move for every ply."""
    rng, plies = random.Random(SEED), 0
    for _ in range(games):
        state = library.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            action = rng.choice(actions)
            if action not in actions:
                raise ValueError(action)
            state = state.clone()
            state.apply_action(action)
            plies += 1
    return plies


def bare(library: Any, games: int) -> int:
    """Play them in the library and check nothing."""
    rng, plies = random.Random(SEED), 0
    for _ in range(games):
        state = library.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            plies += 1
    return plies
