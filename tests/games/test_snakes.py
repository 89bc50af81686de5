"""Snakes: chance, what a seat sees, seats that leave, and the rules computed a second time."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arena
from arena.errors import IllegalMove, MoveError, PositionError, UsageError
from arena.features.check.secrets import find_leaks
from arena.game import CHANCE, Outcome, Payoffs
from arena.games.snakes import NO_FOOD, SnakesGame, SnakesPosition, SnakesView, snakes_game
from arena.games.snakes_rules import (
    DIRECTIONS,
    DOWN,
    LEFT,
    MAX_TURNS,
    RIGHT,
    UP,
    Snake,
    Square,
)
from arena.match.table import play_table
from arena.player import PlayerInfo
from arena.rng import Stream
from tests.samples import few


def test_chance_places_a_food_for_each_snake_and_then_one_in_some_turns() -> None:
    game = snakes_game(2, 5, 5)
    position = game.start()
    for food in range(2):
        shares = dict(position.chance_moves())
        assert position.to_move == CHANCE
        assert set(shares.values()) == {Fraction(1, 25 - 2 - food)}
        position = position.play(position.legal_moves()[0])
    assert (position.to_move, len(position.board.food)) == (0, 2)
    shares = dict(position.play(UP).play(DOWN).chance_moves())
    assert shares.pop(NO_FOOD) == Fraction(85, 100)
    assert set(shares.values()) == {Fraction(15, 100) / (25 - 4 - 2)}


def test_food_comes_surely_where_there_is_none_and_never_where_no_square_is_free() -> None:
    position = snakes_game(2, 5, 5).parse("f0,0.f4,4.ud")
    empty = position._replace(board=position.board._replace(food=()))
    assert len(empty.chance_moves()) == 21
    assert all(share == Fraction(1, 21) for _, share in empty.chance_moves())
    everywhere = tuple(snake._replace(body=position.game.squares) for snake in empty.board.snakes)
    full = empty._replace(board=empty.board._replace(snakes=everywhere))
    assert full.chance_moves() == ((NO_FOOD, Fraction(1)),)


class Plain:
    """The rules again, by comparing every snake with every other."""

    def __init__(self, position: SnakesPosition) -> None:
        self.size = position.game.columns, position.game.rows
        self.bodies = {seat: [*snake.body] for seat, snake in enumerate(position.board.snakes)}
        self.health = dict.fromkeys(self.bodies, 100)
        self.food = {*position.board.food}
        #: The seats that are out, those of a turn together.
        self.places: list[set[int]] = []

    def turn(self, choices: dict[int, int]) -> None:
        eaten = set()
        for seat, move in choices.items():
            squares = self.bodies[seat]
            column, row = squares[0]
            column += {LEFT: -1, RIGHT: 1}.get(move, 0)
            row += {DOWN: -1, UP: 1}.get(move, 0)
            squares.insert(0, (column, row))
            squares.pop()
            self.health[seat] -= 1
            if (column, row) in self.food:
                eaten.add((column, row))
                self.health[seat] = 100
                squares.append(squares[-1])
        self.food -= eaten
        starved = {seat for seat in self.bodies if not self.health[seat]}
        columns, rows = self.size
        for seat, ((column, row), *_) in self.bodies.items():
            if column in (-1, columns) or row in (-1, rows):
                starved.add(seat)
        crashed = {
            seat
            for seat in self.bodies.keys() - starved
            for other in self.bodies.keys() - starved
            if self.dies(self.bodies[seat], self.bodies[other], seat == other)
        }
        self.drop(starved | crashed)

    def dies(self, own: list[Square], other: list[Square], is_same: bool) -> bool:
        meets = not is_same and own[0] == other[0] and len(own) <= len(other)
        return meets or own[0] in other[1:]

    def drop(self, seats: set[int]) -> None:
        for seat in seats:
            del self.bodies[seat], self.health[seat]
        self.places.append(seats)

    def payoffs(self) -> list[Fraction]:
        """Return the payoffs, by counting the pairs of snakes."""
        order = [*self.places, set(self.bodies)]
        place = {seat: number for number, seats in enumerate(order) for seat in seats}
        won = {
            seat: sum(Fraction((other < own) + (other <= own), 2) for other in place.values())
            for seat, own in place.items()
        }
        return [(won[seat] - Fraction(1, 2)) / (len(place) - 1) for seat in sorted(place)]


class Step(NamedTuple):
    """A position of a game, and the move that follows. None at the end."""

    position: SnakesPosition
    move: int | None


def steps(game: SnakesGame, rng: random.Random, leaves: float = 0.0) -> Iterator[Step]:
    """Play moves at random, most of which do not crash at once. Seats may leave the game."""
    position = game.start()
    while position.outcome() is None:
        if rng.random() < leaves:
            yield Step(position, None)
            position = position.without(rng.randrange(game.seats))
            continue
        if position.to_move == CHANCE:
            moves, shares = zip(*position.chance_moves(), strict=True)
            [move] = rng.choices(moves, [*map(float, shares)])
        else:
            snake, taken = position.board.snakes[position.to_move], position.board.taken()
            taken -= {*position.board.food}
            after = {move: snake.moved(move, ()).head for move in DIRECTIONS}
            good = [m for m, head in after.items() if position.board.has(head) - (head in taken)]
            move = rng.choice(good if good and rng.random() < 0.98 else DIRECTIONS)
        yield Step(position, move)
        position = position.play(move)
    yield Step(position, None)


SIZES = st.sampled_from([(2, 5, 5), (3, 5, 6), (4, 7, 7), (4, 11, 11), (8, 9, 7)])
GAMES = st.builds(lambda size: snakes_game(*size), SIZES)
SEEDS = st.integers(0, 2**32)


@pytest.mark.slow
@settings(max_examples=150)
@given(GAMES, SEEDS)
def test_random_games_follow_a_second_computation_of_the_rules(game: SnakesGame, seed: int) -> None:
    plain, choices = Plain(game.start()), dict[int, int]()
    for position, move in steps(game, random.Random(seed)):
        state = position.board
        if not choices:
            assert {seat: [*state.snakes[seat].body] for seat in state.alive} == plain.bodies
            assert {seat: state.snakes[seat].health for seat in state.alive} == plain.health
            assert {*state.food} == plain.food
        if move is None:
            assert len(plain.bodies) < 2 or state.turn == MAX_TURNS
            assert position.payoffs() == tuple(plain.payoffs())
        elif position.to_move == CHANCE:
            if move != NO_FOOD:
                plain.food.add(game.squares[move - NO_FOOD - 1])
        else:
            choices[position.to_move] = move
            if len(choices) == len(plain.bodies):
                plain.turn(choices)
                choices = {}


@pytest.mark.slow
@given(GAMES, SEEDS, st.sampled_from([0.0, 0.02]))
def test_random_games_keep_the_promises(game: SnakesGame, seed: int, leaves: float) -> None:
    ply = 0
    for position, move in steps(game, random.Random(seed), leaves):
        assert position.ply == ply <= game.max_plies
        ply += move is not None
        payoffs = position.payoffs()
        assert (payoffs is None) == (position.outcome() is None) == bool(position.legal_moves())
        if payoffs is not None:
            assert sum(payoffs) == game.payoffs.total == Fraction(game.seats, 2)
            assert all(0 <= payoff <= 1 for payoff in payoffs)
        elif position.to_move == CHANCE:
            assert sum(share for _, share in position.chance_moves()) == 1
            assert tuple(m for m, _ in position.chance_moves()) == position.legal_moves()
        else:
            assert position.legal_moves() == DIRECTIONS
            assert position.board.snakes[position.to_move].is_alive
    assert position.outcome() is not None
    history = position.history()
    assert history is None or len(history) == ply


@pytest.mark.slow
@settings(max_examples=20)
@given(GAMES, SEEDS, st.sampled_from([0.0, 0.02]))
def test_texts_are_read_back(game: SnakesGame, seed: int, leaves: float) -> None:
    every, last = [each.position for each in steps(game, random.Random(seed), leaves)], 40
    for position in every[:last] + every[last:][-last:]:
        again = game.parse(str(position))
        assert (again, hash(again)) == (position, hash(position))
        for seat in range(game.seats):
            view = position.observation(seat)
            seen = game.parse_observation(str(view))
            assert (seen, hash(seen)) == (view, hash(view))
            assert view.legal_moves() == (DIRECTIONS if position.waiting[:1] == (seat,) else ())
    assert pickle.loads(pickle.dumps(every[-1])) == every[-1]
    assert pickle.loads(pickle.dumps(game)) is game


@pytest.mark.slow
@given(GAMES, SEEDS)
def test_no_observation_shows_a_choice_before_the_turn_is_over(game: SnakesGame, seed: int) -> None:
    """Change what others chose in this turn: the seat sees the same. Change its own: it does not.

    A seat that has perfect recall tells apart all that it ever told apart. So what it saw before
    follows from what it sees.
    """
    rng = random.Random(seed)
    for begin, _ in [*steps(game, random.Random(seed))][::7]:
        if begin.now or not begin.waiting:
            continue
        one = other = begin
        for seat in begin.waiting[:-1]:
            one, other = one.play(rng.choice(DIRECTIONS)), other.play(rng.choice(DIRECTIONS))
            own, others = dict(one.now), dict(other.now)
            assert one.observation(seat).now == "udlr"[own[seat]]
            for viewer in range(game.seats):
                seen = one.observation(viewer)
                is_same = own.get(viewer) == others.get(viewer)
                assert (seen == other.observation(viewer)) == is_same
                assert (seen.board, seen.past) == (begin.board, begin.past)


def test_the_luck_of_food_is_seen_by_all_and_an_eliminated_seat_sees_the_board() -> None:
    position = snakes_game(3).parse("f0,4.f9,3.f4,2.dul.n.dlu.f8,8")
    assert position.board.alive == (1, 2)
    views = [position.observation(seat) for seat in range(3)]
    assert {view.board for view in views} == {position.board}
    assert {view.past for view in views} == {position.past}
    assert [bool(view.legal_moves()) for view in views] == [False, True, False]
    assert not any(isinstance(part, SnakesPosition) for view in views for part in view)


def test_a_seat_that_leaves_before_its_turn_loses_its_snake_at_once() -> None:
    position = snakes_game(3).parse("f0,4.f9,3.f4,2.u").without(1)
    assert (position.board.alive, position.to_move, position.ply) == ((0, 2), 2, 4)
    assert position.board.snakes[1] == Snake((), 0, 1)
    assert str(position) == "f0,4.f9,3.f4,2.ux1"
    assert position.observation(2).now == "x1"
    assert position.observation(0).now == "ux1"
    assert position.history() is None
    after = position.play(LEFT)
    assert (str(after), after.to_move) == ("f0,4.f9,3.f4,2.ux1l", CHANCE)
    assert after.board.alive == (0, 2)


def test_a_choice_of_a_seat_that_leaves_does_not_count() -> None:
    position = snakes_game(3).parse("f0,4.f9,3.f4,2.ud").without(0)
    assert (position.to_move, position.play(LEFT).board.alive) == (2, (1, 2))
    assert position.play(LEFT).board.snakes[0] == Snake((), 0, 1)


def test_a_turn_is_over_when_the_last_seat_that_was_to_choose_leaves() -> None:
    position = snakes_game(3).parse("f0,4.f9,3.f4,2.ud").without(2)
    assert (position.to_move, position.board.turn, position.now) == (CHANCE, 1, ())
    assert position.board.snakes[0].head == (1, 2)
    assert position.observation(1).past == "f0,4.f9,3.f4,2.udx2"


@pytest.mark.parametrize("text", ["start", "f0,4", "f0,4.f9,3.f4,2.uul"])
def test_a_seat_leaves_while_chance_moves(text: str) -> None:
    before = snakes_game(3).parse(text)
    position = before.without(1)
    assert (position.to_move, position.ply) == (CHANCE, before.ply)
    assert position.legal_moves()
    assert position.board.snakes[1] == Snake((), 0, before.board.turn + 1)
    assert snakes_game(3).parse(str(position)) == position
    while position.to_move == CHANCE:
        position = position.play(position.legal_moves()[-1])
    assert position.waiting == (0, 2)


@pytest.mark.parametrize("text", ["start", "f0,4.f9,3.f4,2.u", "f0,4.f9,3.f4,2.uul"])
def test_the_last_snake_wins_when_all_others_have_left(text: str) -> None:
    game = snakes_game(3)
    position = game.parse(text).without(1).without(2)
    assert (position.outcome(), position.legal_moves()) == (Outcome.OVER, ())
    assert position.payoffs() == (Fraction(1), Fraction(1, 4), Fraction(1, 4))
    assert position.without(0) is position.without(1) is position
    assert game.parse(str(position)) == position
    for seat in range(3):
        seen = position.observation(seat)
        assert game.parse_observation(str(seen)) == seen


def test_a_player_that_fails_leaves_the_others_to_play() -> None:
    def failing(view: SnakesView, rng: random.Random) -> int:
        return UP if view.board.turn == 0 else 1 // 0

    def circling(view: SnakesView, rng: random.Random) -> int:
        return (UP, RIGHT, DOWN, LEFT)[view.board.turn % 4]

    players = [PlayerInfo(each.__name__, each) for each in (circling, failing, circling)]
    record = play_table(snakes_game(3), players, "snakes-3/a/b/c/7/1.1", [Stream() for _ in "abc"])
    assert [(each.side, each.reason) for each in record.forfeits] == [(1, "exception")]
    assert record.payoffs is not None
    assert record.payoffs[1] == 0 < min(record.payoffs[::2])


def test_a_game_ends_after_the_last_turn_and_two_seats_have_a_winner() -> None:
    position = snakes_game(2, 5, 5).parse("f0,4.f4,0.uu")
    late = position._replace(board=position.board._replace(turn=MAX_TURNS - 1), is_luck=False)
    late = late._replace(waiting=(0, 1)).play(UP).play(LEFT)
    assert (late.outcome(), late.payoffs()) == (Outcome.DRAW, (Fraction(1, 2),) * 2)
    assert position.play(NO_FOOD).play(UP).play(UP).outcome() is Outcome.FIRST_WINS


@pytest.mark.slow
def test_the_contract_is_kept() -> None:
    assert arena.check_game(snakes_game(2, 5, 5), seed=1, histories=1000).conforms


@pytest.mark.slow
@pytest.mark.parametrize("seats", few([2, 3, 8], fast=2))
def test_no_seat_learns_of_a_hidden_choice_or_forgets(seats: int) -> None:
    assert find_leaks(snakes_game(seats, 5, 5), random.Random(1), 2000).leaks == ()


def test_names_sizes_and_promises() -> None:
    assert (snakes_game().name, snakes_game(2).name) == ("snakes", "snakes-2")
    assert snakes_game(3, 7, 9).name == "snakes-3-7-9"
    assert snakes_game().payoffs == Payoffs(0, 1, "points", 2)
    for numbers in ((1, 7, 7), (9, 7, 7), (2, 4, 7), (2, 7, 26)):
        with pytest.raises(UsageError, match="must be"):
            snakes_game(*numbers)


@pytest.mark.parametrize(
    "text", ["", "f1,1", "f0,0f0,1", "f0,0.f0,0", "f0,0.f0,1.u.", "f0,0.f0,1.x5", "f0,0.f0,1.uuu"]
)
def test_a_text_that_is_not_a_position_is_refused(text: str) -> None:
    game = snakes_game(2, 5, 5)
    with pytest.raises(PositionError):
        game.parse(text)
    seen = str(game.start().observation(0)).replace("history=", f"history={text}")
    with pytest.raises(PositionError):
        game.parse_observation(seen if text else f"{seen} up")
    for move in (text, "f00,1", "f5,5"):
        with pytest.raises(MoveError):
            game.parse_move(move if move != "f1,1" else "1")
    with pytest.raises(IllegalMove):
        game.start().play(UP)


def test_a_picture_shows_heads_bodies_and_food() -> None:
    position = snakes_game(2, 5, 5).parse("f0,4.f4,0.ud")
    assert position.picture() == position.observation(1).picture() == PICTURE
    assert position.diagram() == position.observation(0).diagram()
    assert position.move_squares(position.legal_moves()[-1]) == (4,)
    assert position.play(NO_FOOD).move_squares(UP) == (6,)
    for svg in (position.svg(), position.observation(0).svg()):
        assert ElementTree.fromstring(svg).tag.endswith("svg")


PICTURE = """\
 4 * . . . .
 3 . . . o .
 2 . X . O .
 1 . x . . .
 0 . . . . *
   0 1 2 3 4
x health 99, length 3
o health 99, length 3"""
