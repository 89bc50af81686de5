"""A game that breaks its contract is at fault itself: no player is charged for it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from arena.errors import GameFault, IllegalMove
from arena.game import Outcome, Position, Side
from arena.match import play_game
from arena.match.record import GameRecord
from arena.player import PlayerInfo
from arena.rng import Stream
from tests.golden import Wording
from tests.match.games import Count, Number
from tests.match.test_isolated import Proxy
from tests.simple import lowest


def raising(position: Position, rng: random.Random) -> int:
    raise ValueError("the player's own")


def record(game: Count, *, begin: int = 0, player: Any = lowest) -> GameRecord:
    opening = game.parse(str(begin)) if begin else None
    players = PlayerInfo("a", player), PlayerInfo("b", lowest)
    return play_game(game, players, "g", (Stream(), Stream()), opening)


@pytest.mark.parametrize("begin", [0, 2])
def test_a_game_that_keeps_its_contract_is_played_to_its_end(begin: int) -> None:
    assert record(Count(), begin=begin) == GameRecord((0,) * (6 - begin), Outcome.DRAW, None)


@pytest.mark.parametrize("begin", [0, 2])
@pytest.mark.parametrize(
    "breach",
    [
        "moves raise",
        "play raises",
        "play refuses",
        "outcome raises",
        "outcome is a text",
    ],
)
def test_a_breach_is_the_fault_of_the_game(breach: str, begin: int, wording: Wording) -> None:
    with wording.raises(GameFault):
        record(Count(breach, 3), begin=begin)


@pytest.mark.parametrize("begin", [0, 2])
def test_a_game_that_does_not_end_is_at_fault(begin: int, wording: Wording) -> None:
    with wording.raises(GameFault, match="max_plies"):
        record(Count("endless"), begin=begin)


def test_a_forfeit_is_the_players_where_the_game_keeps_its_contract() -> None:
    facts = record(Count(), player=raising)
    assert facts.forfeit is not None
    assert facts.forfeit[:2] == (Side.FIRST, "exception")
    facts = record(Count(), player=lambda position, rng: 1)
    assert facts.forfeit is not None
    assert facts.forfeit[:2] == (Side.FIRST, "illegal")


class Barren(Number):
    """Has no legal moves at ply 2, although the game goes on."""

    def legal_moves(self) -> tuple[int, ...]:
        return () if self.ply == 2 else super().legal_moves()

    def play(self, move: int) -> Any:
        if move:
            raise IllegalMove("no")
        return Barren(self.game, self.ply + 1)


def illegal(position: Position, rng: random.Random) -> int:
    return 1


def foreseeing(position: Position, rng: random.Random) -> int:
    after = position.play(0)
    return after.legal_moves()[0]


@pytest.mark.parametrize(
    ("begin", "player"), [(1, lowest), (2, lowest), (2, illegal), (1, foreseeing)]
)
def test_a_forfeit_is_not_a_players_where_the_game_broke_its_contract(
    begin: int, player: Any, wording: Wording
) -> None:
    game = Count()
    players = PlayerInfo("a", player), PlayerInfo("b", player)
    with wording.raises(GameFault, match="legal_moves.*'2'"):
        play_game(game, players, "g", (Stream(), Stream()), Barren(game, begin))


class Odd(Number):
    """Has moves at ply 2 that are not all numbers."""

    def legal_moves(self) -> Any:
        return (0, "0") if self.ply == 2 else super().legal_moves()

    def play(self, move: int) -> Any:
        return Odd(self.game, self.ply + 1)


def giving_up(position: Position, rng: random.Random) -> int:
    if position.ply == 4:
        raise ValueError("the player's own")
    return 0


def test_a_breach_before_a_forfeit_is_found(wording: Wording) -> None:
    game, player = Count(), PlayerInfo("a", giving_up)
    with wording.raises(GameFault, match="legal_moves.*'2'"):
        play_game(game, (player, player), "g", (Stream(), Stream()), Odd(game, 1))


class Muddled(Count):
    """Does not read what it writes."""

    def __init__(self, reads: str) -> None:
        super().__init__()
        self.reads = reads

    def parse(self, text: str) -> Number:
        if self.reads == "no position":
            raise KeyError(text)
        return Number(self, int(text) + (self.reads == "another position"))

    def parse_move(self, text: str) -> int:
        return int(text) + (self.reads == "another move")


class Illegal(Proxy):
    """Makes an illegal move, as a process does that was asked about another position."""

    def choose(self, position: Position) -> int:
        return 1


@pytest.mark.parametrize("reads", ["no position", "another position", "another move"])
def test_an_isolated_player_is_not_charged_for_texts_that_the_game_does_not_read(
    reads: str, wording: Wording
) -> None:
    player = PlayerInfo("a", lowest, stateless=False, remote=Illegal())
    with wording.raises(GameFault):
        play_game(Muddled(reads), (player, player), "g", (Stream(), Stream()))
    result = play_game(Muddled("all"), (player, player), "g", (Stream(), Stream()))
    assert result.forfeit is not None
    here = PlayerInfo("b", illegal)
    assert play_game(Muddled(reads), (here, here), "g", (Stream(), Stream())).forfeit is not None
