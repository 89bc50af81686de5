"""The check of games whose observations are none, cannot be drawn, or tell too much by that."""

from __future__ import annotations

import random
from typing import Any

import pytest

import arena
from arena.errors import GameFault
from arena.features.check.record import CheckReport, Level
from arena.features.check.secrets import find_leaks
from arena.game import Observation
from arena.games.contract import picture_of
from arena.games.kuhn import KuhnPosition
from arena.games.view import View
from tests.features.check.leaking import Seen, leaking, secret
from tests.golden import Wording


def messages(report: CheckReport, check: str, level: Level = Level.FAIL) -> list[str]:
    return [each.message for each in report.findings if (each.check, each.level) == (check, level)]


class Drawn(Seen):
    """An observation that is drawn with what the seat should not know."""

    card = 0

    def picture(self) -> str:
        return str(self.card)


class Board(Drawn):
    def svg(self) -> str:
        return f"<svg {self.card}"

    picture = Seen.picture


class Squares(Board):
    def diagram(self) -> Any:
        return self.card

    svg = Seen.svg


class Table(Board):
    def tabletop(self) -> Any:
        return self.card

    svg = Seen.svg


class Told(Board):
    def __repr__(self) -> str:
        return f"{self.card} at 0x1"

    svg = Seen.svg


class Lenient(Board):
    def is_legal(self, move: int | None) -> bool:
        return move == self.card - 2

    svg = Seen.svg


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (Drawn, "pictures"),
        (Board, "SVGs"),
        (Squares, "diagrams"),
        (Table, "tabletops"),
        (Told, "texts by repr()"),
        (Lenient, "answers of is_legal()"),
    ],
)
def test_what_is_drawn_or_answered_tells_no_secret(kind: type[Drawn], words: str) -> None:
    def observe(position: KuhnPosition, seat: int) -> Observation:
        return kind(position, seat, card=secret(position, seat))

    leaks = find_leaks(leaking(observe), random.Random(1)).leaks
    assert {leak.seat for leak in leaks if leak.problem.endswith(f" {words}")} == {0, 1}


class Raising(Seen):
    def picture(self) -> str:
        raise RuntimeError("no picture")


class Empty(Seen):
    def picture(self) -> Any:
        return None


@pytest.mark.parametrize("kind", [Raising, Empty])
def test_an_observation_that_cannot_be_drawn_is_found_and_a_fault(
    kind: type[Seen], wording: Wording
) -> None:
    game = leaking(kind)
    type(game.start()).__module__ = type(game).__module__ = "elsewhere"
    [message] = messages(arena.check_game(game), "observations")
    wording(message, "observation(0).picture()")
    with pytest.raises(GameFault) as fault:
        picture_of(game.start().observation(0), None)
    wording(str(fault.value), "picture()")


def of_the_first_seat(position: KuhnPosition, seat: int) -> Any:
    return KuhnPosition.observation(position, seat)._replace(seat=0)


def of_a_list(position: KuhnPosition, seat: int) -> Any:
    view = KuhnPosition.observation(position, seat)
    return View(view.game, seat, [*view.events], view.moves)  # type: ignore[arg-type]


def nothing(position: KuhnPosition, seat: int) -> Any:
    return None


def none_in_the_end(position: KuhnPosition, seat: int) -> Any:
    return KuhnPosition.observation(position, seat) if position.ply < 3 else 1 // 0


@pytest.mark.parametrize("observe", [of_the_first_seat, of_a_list, nothing, none_in_the_end])
def test_what_is_no_observation_of_a_seat_is_said_after_its_moves(
    observe: Any, wording: Wording
) -> None:
    report = arena.check_game(leaking(observe))
    [message], [again] = messages(report, "observations"), messages(report, "secrets")
    wording(message)
    assert message.partition(" (")[0] == again.partition(" (")[0]


def in_two_ways(position: KuhnPosition, seat: int) -> Observation:
    card = secret(position, seat)
    return Drawn(position, seat, digest=card) if seat else Seen(position, seat, held=[card])


def test_each_leak_of_each_seat_is_a_line_with_its_histories(wording: Wording) -> None:
    report = arena.check_game(leaking(in_two_ways))
    result = messages(report, "secrets")
    wording([message.partition(" (")[0] for message in result], "observation.held[0]")
    assert [message.partition(":")[0] for message in result] == ["seat 0", "seat 1"]
    assert all(") and (" in message for message in result)
    assert "(the start)" in result[1]
    reproductions = [each.reproduction for each in report.findings if each.check == "secrets"]
    assert all(line.startswith("game.start().play(") for line in reproductions)


def test_how_many_histories_were_followed_is_told(wording: Wording) -> None:
    whole, part = (arena.check_game("kuhn", histories=most) for most in (58, 20))
    [all_of_them], [some] = (messages(each, "histories", Level.INFO) for each in (whole, part))
    wording(all_of_them, "58")
    wording(some, "40", "--histories")
    assert not messages(arena.check_game("pig-10"), "histories", Level.INFO)


def late(position: KuhnPosition, seat: int) -> Observation:
    """Tell a secret after the last of the deals alone."""
    return Seen(position, seat, held=position.moves[:2] == (4, 3))


@pytest.mark.slow
def test_the_seed_draws_the_random_histories() -> None:
    games = [leaking(late) for _ in range(20)]
    tells = [
        bool(messages(arena.check_game(game, seed=seed, histories=8), "secrets"))
        for seed, game in enumerate(games)
    ]
    assert len(set(tells)) == 2
    assert tells == [
        bool(messages(arena.check_game(game, seed=seed, histories=8), "secrets"))
        for seed, game in enumerate(games)
    ]


@pytest.mark.slow
def test_what_is_seen_is_the_whole_text_where_it_is_no_view() -> None:
    def observe(position: KuhnPosition, seat: int) -> Observation:
        return Seen(position, seat, text=f"I am {seat}" if position.ply else "nothing")

    [seen] = messages(arena.check_game(leaking(observe)), "what is seen", Level.INFO)
    assert "seat 0 'I am 0', seat 1 'I am 1'" in seen
    [seen] = messages(arena.check_game("kuhn"), "what is seen", Level.INFO)
    assert "seat 0 'J" in seen
