"""One game at a table: who sits where, who forfeits, and what everybody gets."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Self

import pytest

import arena
from arena.errors import GameFault, VoidGame
from arena.game import Outcome
from arena.games.mnk_table import MnkTableGame, MnkTablePosition, mnk_table_game
from arena.match.record import GameRecord
from arena.match.table import payoffs_after, play_table
from arena.match.unseen import block_of, chance_move
from arena.player import PlayerInfo
from arena.rng import Stream, begin_all
from arena.seats import line_of

GAME = mnk_table_game(4, 4, 3, 3)
MONKEY = arena.get_player("monkey")

Choose = Callable[[Any, random.Random], Any]


def named(*functions: Choose | None) -> list[PlayerInfo]:
    """Return these players, None for a monkey."""
    return [
        MONKEY if function is None else PlayerInfo(f"bot{seat}", function)
        for seat, function in enumerate(functions)
    ]


def play(
    game: arena.Game, players: Sequence[PlayerInfo], name: str = "g/a/b/c/7/1.1", **more: Any
) -> GameRecord:
    return play_table(game, players, name, [Stream() for _ in players], **more)


def paid(record: GameRecord) -> list[Fraction]:
    """Return the payoffs of a game."""
    return list(record.payoffs or ())


def illegal(position: Any, rng: random.Random) -> int:
    return 99


def after(moves: int, choose: Choose = illegal) -> Choose:
    """Return a player that does so once the board has this many marks."""

    def player(position: Any, rng: random.Random) -> Any:
        return choose(position, rng) if position.ply >= moves else position.legal_moves()[0]

    return player


def test_the_winner_of_a_game_gets_all() -> None:
    record = play(GAME, named(None, None, None))
    end = list(line_of(GAME.start(), record.moves))[-1]
    assert record.outcome is Outcome.OVER
    assert record.payoffs == end.payoffs()
    assert sorted(record.payoffs or ()) == [0, 0, 1]
    assert record.forfeits == ()


def test_every_seat_has_its_own_stream_and_the_name_decides_it() -> None:
    streams = [Stream() for _ in range(5)]
    begin_all(streams, "a/game")
    first = [stream.getrandbits(64) for stream in streams]
    assert len({*first}) == 5
    begin_all(streams, "a/game")
    assert [stream.getrandbits(64) for stream in streams] == first
    begin_all(streams, "another/game")
    assert not {*first} & {stream.getrandbits(64) for stream in streams}


@pytest.mark.parametrize("ply", [0, 1, 4])
def test_a_forfeit_leaves_the_others_in_the_game(ply: int) -> None:
    record = play(GAME, named(None, after(ply), None))
    [forfeit] = record.forfeits
    assert (forfeit.side, forfeit.reason) == (1, "illegal")
    assert record.payoffs is not None
    assert record.payoffs[1] == 0
    line = list(line_of(GAME.start(), record.moves, record.departures))
    assert len(line) == len(record.moves) + 1
    movers = [position.to_move for position in line[forfeit.ply : -1]]
    assert 1 not in movers
    assert line[-1].payoffs() is not None


def test_who_is_left_alone_has_won() -> None:
    record = play(GAME, named(after(3), None, after(2)))
    assert [forfeit.side for forfeit in record.forfeits] == [2, 0]
    assert paid(record) == [0, 1, 0]


def test_all_may_forfeit() -> None:
    record = play(GAME, named(illegal, illegal, illegal))
    assert record.moves == ()
    assert {forfeit.side for forfeit in record.forfeits} == {0, 1}, "the last has won"
    assert paid(record) == [0, 0, 1]


def raising(error: BaseException) -> Choose:
    def choose(position: Any, rng: random.Random) -> int:
        raise error

    return choose


@pytest.mark.parametrize(
    ("choose", "reason"),
    [
        (raising(RuntimeError("no")), "exception"),
        (lambda position, rng: "1", "illegal"),
        (lambda position, rng: None, "illegal"),
        (lambda position, rng: -1, "illegal"),
        (lambda position, rng: 2**70, "illegal"),
        (raising(VoidGame("it is not the machine")), "exception"),
    ],
)
def test_what_a_player_does_is_its_own_fault(choose: Choose, reason: str) -> None:
    record = play(GAME, named(choose, None, None))
    assert [(each.side, each.reason) for each in record.forfeits] == [(0, reason)]


def test_a_player_that_does_not_sit_down_forfeits_before_the_first_move() -> None:
    class Absent:
        def start(self, game: object, side: int, rng: object) -> None:
            raise OSError("no file")

        def choose(self, position: Any) -> int:
            raise AssertionError("it forfeited")

    absent = PlayerInfo("absent", Absent, stateless=False)
    record = play(GAME, [absent, MONKEY, MONKEY])
    assert [(each.ply, each.reason) for each in record.forfeits] == [(0, "exception")]
    assert record.moves


def test_a_class_learns_its_seat_and_the_end() -> None:
    observations: list[object] = []

    class Curious:
        def start(self, game: object, side: int, rng: object) -> None:
            observations.append(side)

        def choose(self, position: Any) -> int:
            return int(position.legal_moves()[0])

        def finish(self, outcome: Outcome) -> None:
            observations.append(outcome)

    curious = PlayerInfo("curious", Curious, stateless=False)
    play(GAME, [MONKEY, MONKEY, curious])
    assert observations == [2, Outcome.OVER]


def test_who_sits_out_forfeits_without_a_move() -> None:
    record = play(GAME, named(None, None, None), out={1: "not played"})
    assert [(each.side, each.reason, each.message) for each in record.forfeits] == [
        (1, "unplayed", "not played")
    ]


class Whole(MnkTablePosition):
    """A position of a game that cannot do without a seat."""

    __slots__ = ()

    def without(self, seat: int) -> None:  # type: ignore[override]
        """Return nothing: the game ends."""


class WholeGame(MnkTableGame):
    """Three in a row for three, all of them."""

    def start(self) -> MnkTablePosition:
        return Whole(self, (0, 0, 0), 0)

    def __reduce__(self) -> Any:
        return WholeGame, (4, 4, 3, 3)


def test_a_game_that_needs_every_seat_ends_with_a_forfeit() -> None:
    record = play(WholeGame(4, 4, 3, 3), named(None, after(4), None))
    assert [each.side for each in record.forfeits] == [1]
    assert paid(record) == [Fraction(1, 2), 0, Fraction(1, 2)]
    again = play(WholeGame(4, 4, 3, 3), named(None, None, None), out={0: "gone", 2: "gone"})
    assert paid(again) == [0, Fraction(1, 2), 0], "the first forfeit ended it"
    assert list(payoffs_after(GAME, None, [0])) == [0, Fraction(1, 2), Fraction(1, 2)]


class Stuck(MnkTablePosition):
    """A position of a game that breaks its promise."""

    __slots__ = ()

    def without(self, seat: int) -> Self:
        """Leave the seat to move."""
        return self


class StuckGame(MnkTableGame):
    """A game that asks a seat which has left it."""

    def start(self) -> MnkTablePosition:
        return Stuck(self, (0, 0, 0), 0)


def test_a_game_that_asks_who_has_left_is_at_fault() -> None:
    with pytest.raises(GameFault, match=r"without\(0\)"):
        play(StuckGame(4, 4, 3, 3), named(illegal, None, None))


def test_all_games_of_a_block_have_one_luck() -> None:
    chances = tuple((face, Fraction(1, 6)) for face in range(6))
    rolls = [
        [chance_move(chances, block_of(f"g/a/b/c/7/5.{game}"), event) for event in range(20)]
        for game in (1, 2, 3)
    ]
    assert rolls[0] == rolls[1] == rolls[2]
    alone = block_of("g/a/b/c/7/all/independent/5.2")
    assert alone == "g/a/b/c/7/all/independent/5.2"
    snakes = arena.get_game("snakes-3")
    records = [play(snakes, named(None, None, None), f"s/a/b/c/7/4.{game}") for game in (1, 2)]
    food = [record.moves[:3] for record in records]
    assert food[0] == food[1], "chance puts food before the first move"


def test_prints_belong_to_their_seat() -> None:
    def talkative(position: Any, rng: random.Random) -> int:
        print("seat", position.to_move)
        return int(position.legal_moves()[0])

    record = play(GAME, named(None, talkative, talkative))
    assert {printed.side for printed in record.notes.printed} == {1, 2}
    assert all(printed.text == f"seat {printed.side}\n" for printed in record.notes.printed)
