"""A program that plays a game itself seats players of arena."""

from __future__ import annotations

import random

import pytest

import arena
from arena import Outcome, Side


class Listens(arena.StatefulPlayer):
    """Notes what it is told, and plays the first free square."""

    def __init__(self) -> None:
        self.told: list[object] = []

    def start(self, game: arena.Game, side: Side, rng: random.Random) -> None:
        self.told.append(side)

    def choose(self, position: arena.Position) -> int:
        return position.legal_moves()[0]

    def observe(self, move: int) -> None:
        self.told.append(move)

    def finish(self, outcome: Outcome) -> None:
        self.told.append(outcome)


def test_seats_play_a_game() -> None:
    game = arena.get_game("tictactoe")
    names = ("minimax", "tree")
    seats = [arena.plugin.seat(name, game, side) for name, side in zip(names, Side, strict=True)]
    position = game.start()
    while position.outcome() is None:
        at = seats[position.to_move]
        position = position.play(at.choose(position, at.rng))
    assert position.outcome() is not Outcome.SECOND_WINS


def test_a_seat_is_the_same_under_the_same_seed() -> None:
    start = arena.get_game("tictactoe-5").start()

    def choices(seed: int) -> list[int]:
        at = arena.plugin.seat("monkey", start.game, Side.FIRST, seed=seed)
        return [at.choose(start, at.rng) for _ in range(8)]

    assert choices(1) == choices(1) != choices(2)


def test_a_stateful_player_is_told_of_moves_and_of_the_end() -> None:
    player = Listens()
    info = arena.PlayerInfo(name="listens", player=lambda: player, stateless=False)
    at = arena.plugin.seat(info, "tictactoe", Side.SECOND)
    assert at.observe is not None
    assert at.finish is not None
    at.observe(4)
    at.finish(Outcome.DRAW)
    assert player.told == [Side.SECOND, 4, Outcome.DRAW]


def test_a_player_of_another_game_has_no_seat() -> None:
    with pytest.raises(arena.CannotPlay):
        arena.plugin.seat("tictactoe3", "connect4", Side.FIRST)


def test_seats_of_a_table_each_have_their_own_draws() -> None:
    game = arena.get_game("mnk-4-4-3-x5")
    seats = [arena.plugin.seat("monkey", game, arena.plugin.as_seat(n), seed=7) for n in range(5)]
    position = game.start()
    while position.outcome() is None:
        at = seats[position.to_move]
        position = position.play(at.choose(position, at.rng))
    firsts = {at.rng.random() for at in seats}
    assert len(firsts) == 5
