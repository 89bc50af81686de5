"""Measure the engine ``calls``, which seeds every game, checks every rule and counts everything."""

from __future__ import annotations

from functools import partial

import arena
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from benchmarks.loops import bare_loop, exercise_loop, spiel_loop
from benchmarks.table import Bar, Row, Sign, skipped, speed
from benchmarks.timing import PROCESSOR, minima

SEED = 1
HALF = Bar(Sign.AT_LEAST, 0.5)
AHEAD = Bar(Sign.ABOVE, 1)


def rows(quick: bool) -> list[Row]:
    """Measure the engine's games per second, on one core in this process, against other loops."""
    games, rounds = (200, 2) if quick else (2000, 40)
    catalogue = load_catalogue()
    return [*_monkeys(catalogue, games, rounds), _tictactoe3(catalogue, games, rounds)]


def _monkeys(catalogue: Catalogue, games: int, rounds: int) -> list[Row]:
    works = [
        partial(_engine, catalogue, "monkey", games),
        partial(_bare, catalogue, "monkey", games),
        partial(exercise_loop, games),
    ]
    spiel = spiel_loop()
    if spiel is not None:
        works.append(partial(spiel, games))
    engine, bare, exercise, *others = minima(works, rounds, PROCESSOR)
    work = f"`calls`, monkey against monkey, {games} games: speed against"
    return [
        speed(f"{work} a bare loop over the same functions", engine, bare, HALF),
        speed(f"{work} a loop in the style of the exercise", engine, exercise),
        speed(f"{work} OpenSpiel's `evaluate_bots`", engine, others[0], AHEAD)
        if others
        else skipped(f"{work} OpenSpiel's `evaluate_bots`", "OpenSpiel is not installed", AHEAD),
    ]


def _tictactoe3(catalogue: Catalogue, games: int, rounds: int) -> Row:
    works = [
        partial(_engine, catalogue, "tictactoe3", games),
        partial(_bare, catalogue, "tictactoe3", games),
    ]
    engine, bare = minima(works, rounds, PROCESSOR)
    work = f"`calls`, tictactoe3 against monkey, {games} games: speed against"
    return speed(f"{work} a bare loop over the same functions", engine, bare, HALF)


def _engine(catalogue: Catalogue, player: str, games: int) -> None:
    arena.fight(
        player,
        "monkey",
        n=games // 2,
        seed=SEED,
        engine="calls",
        executor="serial",
        catalogue=catalogue,
    )


def _bare(catalogue: Catalogue, player: str, games: int) -> None:
    a, b = catalogue.player(player).player, catalogue.player("monkey").player
    bare_loop(catalogue.game("tictactoe"), a, b, games, SEED)
