"""Measure games for more than two by calls, against a bare loop over the same functions."""

from __future__ import annotations

import random
from functools import partial

import arena
from arena.fights.blocks import BlocksEngine
from arena.fights.pairing import Pairing
from arena.fights.table_schedule import balanced_tables
from arena.game import Game
from arena.player import Choose, PlayerInfo
from benchmarks.table import Bar, Row, Sign, speed
from benchmarks.timing import PROCESSOR, minima

SEED = 1
HALF = Bar(Sign.AT_LEAST, 0.5)

#: The entrants of the tournament, which meet at 220 tables of three.
ENTRANTS = 12

#: Games of a block of three seats.
GAMES_A_BLOCK = 3


def rows(quick: bool) -> list[Row]:
    """Measure on one core in this process."""
    blocks, rounds = (1, 1) if quick else (15, 5)
    game = arena.get_game("mnk-4-4-3-x3")
    names = [f"player{number}=monkey" for number in range(ENTRANTS)]
    tables = balanced_tables(ENTRANTS, game.seats)
    games = len(tables) * blocks * GAMES_A_BLOCK
    players = [arena.get_player(name) for name in names]
    calls, whole, bare = minima(
        [
            partial(
                _calls, [[players[place] for place in table] for table in tables], blocks, game
            ),
            partial(_tournament, names, blocks, game),
            partial(_bare, game, arena.get_player("monkey").player, games),
        ],
        rounds,
        PROCESSOR,
    )
    at, loop = f"{ENTRANTS} monkeys at {game.name}, {games} games", "a bare loop over the same"
    return [
        speed(f"`calls`, {at}: speed against {loop} functions", calls, bare, HALF),
        speed(f"`arena tournament`, {at}, with standings and ratings: the same", whole, bare),
    ]


def _calls(tables: list[list[PlayerInfo]], blocks: int, game: Game) -> None:
    """Play and count the blocks of every table."""
    for a, b, *others in tables:
        pairing = Pairing(game, a, b, blocks, SEED, others=tuple(others))
        BlocksEngine(pairing).play(1, blocks + 1)


def _tournament(names: list[str], blocks: int, game: Game) -> None:
    arena.table_tournament(names, blocks, game=game, seed=SEED, executor="serial")


def _bare(game: Game, choose: Choose, games: int) -> None:
    """Play with one generator for all: nothing caught, nothing counted."""
    rng = random.Random(SEED)
    for _ in range(games):
        position = game.start()
        while position.outcome() is None:
            position = position.play(choose(position, rng))
        position.payoffs()
