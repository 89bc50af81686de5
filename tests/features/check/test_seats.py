"""Games for more than two: what a seat learns, where it moves, and how it leaves."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

import arena
from arena.features.check.record import Level
from arena.features.check.secrets import find_leaks
from arena.game import Observation
from tests.features.check.cards import SEATS, Cards, Deal, Hand
from tests.golden import Wording


class Marked(Hand):
    """A hand with a mark that is not compared."""

    mark: object = ()
    __eq__, __hash__ = Hand.__eq__, Hand.__hash__


class Written(Marked):
    def __str__(self) -> str:
        return f"{super().__str__()} {self.mark}"


class Digested(Marked):
    __eq__ = Hand.__eq__

    def __hash__(self) -> int:
        return hash(self.mark)


def marked(kind: type[Marked], deal: Deal, seat: int, mark: object) -> Observation:
    held = kind(*deal.hand(seat))
    held.mark = mark
    return held


def in_text(deal: Deal, seat: int) -> Observation:
    return marked(Written, deal, seat, deal.cards[:1] if seat == SEATS - 1 else ())


def in_hash(deal: Deal, seat: int) -> Observation:
    return marked(Digested, deal, seat, deal.cards if seat == 1 else 0)


def in_an_attribute(deal: Deal, seat: int) -> Observation:
    return marked(Marked, deal, seat, deal if seat == 0 else ())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shows", "seat"),
    [(in_text, 2), (in_hash, 1), (in_an_attribute, 0)],
)
def test_a_leak_to_one_seat_of_three_is_found_at_that_seat(
    shows: Callable[[Deal, int], Observation], seat: int, wording: Wording
) -> None:
    result = find_leaks(Cards(shows), random.Random(1))
    assert result.is_complete
    assert {leak.seat for leak in result.leaks} == {seat}
    wording(sorted({leak.problem for leak in result.leaks}))


@pytest.mark.slow
def test_three_seats_that_learn_nothing_conform() -> None:
    assert find_leaks(Cards(), random.Random(1)).leaks == ()
    checked = arena.check_game(Cards(), seed=1)
    assert checked.conforms, str(checked)


def stays(deal: Deal, seat: int) -> Any:
    return deal


def nothing(deal: Deal, seat: int) -> Any:
    return None


def a_text(deal: Deal, seat: int) -> Any:
    return "left"


def forgotten(deal: Deal) -> Deal:
    return deal if not deal.gone else Deal(deal.rules, deal.cards, deal.bets, (), deal.waiting)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "fact"),
    [
        (Cards(leaves=stays), "without(2)"),
        (Cards(leaves=a_text), "'left'"),
        (Cards(reads=forgotten), "parse("),
    ],
)
def test_a_seat_that_leaves_badly_is_found(game: Cards, fact: str, wording: Wording) -> None:
    checked = arena.check_game(game, seed=1)
    assert not checked.conforms
    [finding] = [finding for finding in checked.findings if finding.level == Level.FAIL]
    wording(finding.message, fact)


@pytest.mark.slow
def test_a_game_may_end_when_a_seat_leaves() -> None:
    checked = arena.check_game(Cards(leaves=nothing), seed=1)
    assert checked.conforms, str(checked)


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "problem"), [(9, "2 to 8"), (4, "seat 3")])
def test_a_wrong_number_of_seats_is_found(seats: int, problem: str) -> None:
    game = Cards()
    game.seats = seats
    checked = arena.check_game(game, seed=1)
    assert not checked.conforms
    assert problem in " ".join(str(checked).split())
