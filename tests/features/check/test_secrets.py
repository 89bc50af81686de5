"""Catch games that tell a seat what it should not know, by every way that there is."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import pytest

from arena.features.check.secrets import find_leaks
from arena.game import CHANCE, Game, Observation, Position, Side
from arena.games.kuhn import KuhnPosition, kuhn_game
from arena.games.leduc import leduc_game
from arena.games.view import View
from tests.features.check.leaking import Seen, leaking, secret

#: A list that all observations of a game share.
SHARED: list[object] = []


class Card:
    """Something that holds the card of the other seat."""

    def __init__(self, card: object) -> None:
        self.card = card


def in_text(position: KuhnPosition, seat: int) -> Observation:
    return Seen(
        position, seat, text=f"{KuhnPosition.observation(position, seat)} {secret(position, seat)}"
    )


def in_hash(position: KuhnPosition, seat: int) -> Observation:
    return Seen(position, seat, digest=secret(position, seat))


def in_the_order_of_moves(position: KuhnPosition, seat: int) -> Observation:
    moves = KuhnPosition.observation(position, seat).moves
    return Seen(position, seat, moves=moves[:: 1 if secret(position, seat) % 2 else -1])


def in_the_number_of_moves(position: KuhnPosition, seat: int) -> Observation:
    moves = KuhnPosition.observation(position, seat).moves
    return Seen(position, seat, moves=moves[: 1 + secret(position, seat) % 2])


def in_the_moves_of_a_view(position: KuhnPosition, seat: int) -> Observation:
    view = KuhnPosition.observation(position, seat)
    return view._replace(moves=view.moves[: 1 + secret(position, seat) % 2])


def in_a_shared_list(position: KuhnPosition, seat: int) -> Observation:
    SHARED[:] = [secret(position, seat)]
    return Seen(position, seat, log=SHARED)


def two_levels_deep(position: KuhnPosition, seat: int) -> Observation:
    return Seen(position, seat, table=Card(Card(secret(position, seat))))


def in_a_closure(position: KuhnPosition, seat: int) -> Observation:
    card = secret(position, seat)
    return Seen(position, seat, peek=lambda: card)


def in_a_method(position: KuhnPosition, seat: int) -> Observation:
    return Seen(position, seat, peek=position.payoffs)


def a_position(position: KuhnPosition, seat: int) -> Observation:
    return Seen(position, seat, state=position)


def a_generator(position: KuhnPosition, seat: int) -> Observation:
    return Seen(position, seat, deck=[random.Random(1)])


def the_other_view(position: KuhnPosition, seat: int) -> Observation:
    return Seen(position, seat, other={"them": KuhnPosition.observation(position, 1 - seat)})


def forgets(position: KuhnPosition, seat: int) -> Observation:
    view = KuhnPosition.observation(position, seat)
    return view._replace(events=view.events[:1])


def told_late(position: KuhnPosition, seat: int) -> Observation:
    """Tell a seat of its own move only after the other seat has moved."""
    view = KuhnPosition.observation(position, seat)
    is_own = position.ply > 2 and (position.ply - 1) % 2 == seat
    return view._replace(events=view.events[:-1]) if is_own else view


LEAKS = [
    (in_text, "two observations are equal, but their texts are"),
    (in_hash, "equal observations have other hashes"),
    (in_the_order_of_moves, "equal observations have other legal moves"),
    (in_the_number_of_moves, "equal observations have other legal moves"),
    (in_the_moves_of_a_view, "two observations are equal, but their texts are"),
    (in_a_shared_list, "equal observations hold other values"),
    (two_levels_deep, "equal observations hold other values"),
    (in_a_closure, "equal observations hold other values"),
    (in_a_method, "observation.peek.__self__ leads to a position"),
    (a_position, "observation.state leads to a position"),
    (a_generator, "observation.deck[0] leads to a generator"),
    (the_other_view, "observation.other['them'] leads to the observation of seat"),
    (forgets, "two own histories that differ have the text"),
    (told_late, "two own histories that differ have the text"),
]


@pytest.mark.parametrize(("observe", "problem"), LEAKS, ids=[o.__name__ for o, _ in LEAKS])
def test_every_leak_is_found_and_two_histories_show_it(
    observe: Callable[[KuhnPosition, int], Observation], problem: str
) -> None:
    game = leaking(observe)
    result = find_leaks(game, random.Random(1))
    [leak, *_] = [leak for leak in result.leaks if leak.problem.startswith(problem)]
    lines = [leak.history] if leak.other is None else [leak.history, leak.other]
    seen = []
    for line in lines:
        position: Position = game.start()
        for word in line:
            position = position.play(game.parse_move(word))
        seen.append(position.observation(leak.seat))
    if "other hashes" in problem:
        assert seen[0] == seen[1]
        assert hash(seen[0]) != hash(seen[1])
    if "own histories" in problem:
        assert str(seen[0]) == str(seen[1])


@pytest.mark.slow
@pytest.mark.parametrize("game", [kuhn_game(), leduc_game()], ids=lambda game: str(game.name))
def test_the_games_of_arena_tell_no_secret(game: Game) -> None:
    result = find_leaks(game, random.Random(1))
    assert (result.leaks, result.is_complete) == ((), True)


def test_a_leak_of_a_large_game_is_found_in_random_games() -> None:
    result = find_leaks(leaking(in_text), random.Random(1), histories=20)
    assert not result.is_complete
    assert result.leaks
    assert result == find_leaks(leaking(in_text), random.Random(1), histories=20)


def test_chance_and_sides_are_told_apart() -> None:
    position = kuhn_game().start()
    assert position.to_move == CHANCE
    assert CHANCE not in list(Side)
    assert sum(share for _, share in position.chance_moves()) == Fraction(1)


def test_a_view_is_read_back_from_its_text() -> None:
    view = kuhn_game().parse("K J pass bet").observation(0)
    again = kuhn_game().parse_observation(str(view))
    assert (again, str(again), again.legal_moves()) == (view, str(view), view.legal_moves())
    assert isinstance(again, View)
