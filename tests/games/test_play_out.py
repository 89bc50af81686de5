"""Games played out at random: a game's own way has the chances of the default."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from functools import cache

import pytest

from arena.game import Game, Outcome, Position
from arena.games.connect4 import CONNECT4, connect_game
from arena.games.lines import variant
from arena.games.mnk import mnk_game


@cache
def chances(position: Position) -> dict[Outcome, Fraction]:
    """Return the chance of each outcome of random moves, by looking at all of them."""
    outcome = position.outcome()
    if outcome is not None:
        return {outcome: Fraction(1)}
    total: dict[Outcome, Fraction] = {}
    moves = position.legal_moves()
    for move in moves:
        for end, chance in chances(position.play(move)).items():
            total[end] = total.get(end, Fraction(0)) + chance / len(moves)
    return total


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "text"),
    [
        (mnk_game(3, 3, 3), "_________"),
        (mnk_game(3, 3, 3), "x________"),
        (mnk_game(3, 3, 3), "xx__o____"),
        (mnk_game(4, 3, 3), "xo___x___o__"),
        (variant("tictactoe-corners"), "x___o____"),
        (mnk_game(3, 3, 3, True), "x___o____"),
    ],
    ids=str,
)
def test_outcomes_are_as_frequent_as_in_all_games(game: Game, text: str) -> None:
    position, rng = game.parse(text), random.Random(1)
    counts = Counter(position.play_out(rng) for _ in range(4000))
    for outcome in Outcome:
        expected = float(4000 * chances(position).get(outcome, 0))
        # Five standard errors.
        assert abs(counts[outcome] - expected) <= 5 * max(expected, 1) ** 0.5, outcome


@pytest.mark.parametrize(
    "game", [CONNECT4, connect_game(5, 4, 3), connect_game(4, 4, 4, True)], ids=str
)
def test_falling_discs_end_as_the_default_does_with_the_same_draws(game: Game) -> None:
    positions = random.Random(1)
    for seed in range(100):
        position: Position = game.start()
        for _ in range(seed % 30):
            if position.outcome() is None:
                position = position.play(positions.choice(position.legal_moves()))
        own, usual = random.Random(seed), random.Random(seed)
        assert position.play_out(own) is Position.play_out(position, usual)
        assert own.getstate() == usual.getstate()


@pytest.mark.parametrize("game", [CONNECT4, mnk_game(3, 3, 3)], ids=str)
def test_a_finished_game_has_its_outcome(game: Game) -> None:
    position = game.start()
    while position.outcome() is None:
        position = position.play(position.legal_moves()[0])
    assert position.play_out(random.Random(1)) is position.outcome()
