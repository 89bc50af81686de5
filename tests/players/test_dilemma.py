"""Players of the prisoner's dilemma, against each other and against scripts."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

import arena
from arena.games.dilemma import prisoners_dilemma
from arena.players import dilemma
from tests.conftest import Run
from tests.golden import Wording

ROUNDS = 10


def play(first: Any, second: Any) -> tuple[Fraction, ...]:
    """Return the payoffs of two strategies over ten rounds without noise."""
    position, rng = prisoners_dilemma(ROUNDS).start(), random.Random(1)
    while (payoffs := position.payoffs()) is None:
        player = (first, second)[position.to_move]
        position = position.play(player(position.observation(position.to_move), rng))
    return payoffs


def defects_in(*rounds: int) -> Any:
    """Return a player that defects in these rounds, from 0."""

    def choose(view: Any, rng: random.Random) -> int:
        return int(len(view.events) // 2 in rounds)

    return choose


@pytest.mark.parametrize(
    ("player", "other", "payoffs"),
    [
        (dilemma.tit_for_tat, dilemma.tit_for_tat, (30, 30)),
        (dilemma.tit_for_tat, dilemma.always_defect, (9, 14)),
        (dilemma.always_cooperate, dilemma.always_defect, (0, 50)),
        (dilemma.grim, dilemma.always_defect, (9, 14)),
        (dilemma.pavlov, dilemma.always_defect, (5, 30)),
        # One defection in the third round: forgiven at once, never, or after both defected.
        (dilemma.tit_for_tat, defects_in(2), (29, 29)),
        (dilemma.grim, defects_in(2), (6 + 0 + 35, 6 + 5 + 0)),
        (dilemma.pavlov, defects_in(2), (6 + 0 + 35, 6 + 5 + 0)),
        (dilemma.pavlov, defects_in(2, 3), (6 + 0 + 1 + 18, 6 + 5 + 1 + 18)),
    ],
)
def test_ten_rounds_pay_what_they_do_by_hand(player: Any, other: Any, payoffs: Any) -> None:
    assert play(player, other) == payoffs
    assert play(other, player) == payoffs[::-1]


def test_with_noise_they_answer_what_was_played_and_not_what_was_meant() -> None:
    game, rng = prisoners_dilemma(3, 5), random.Random(1)
    position = game.parse("cooperate cooperate stands turns")  # the second side did not mean it
    first: Any = position.observation(0)
    second: Any = game.parse("cooperate cooperate stands turns cooperate").observation(1)
    moves = {
        player: (player(first, rng), player(second, rng))
        for player in (dilemma.tit_for_tat, dilemma.grim, dilemma.pavlov)
    }
    assert moves == {dilemma.tit_for_tat: (1, 0), dilemma.grim: (1, 0), dilemma.pavlov: (1, 1)}


def test_random_p_cooperates_as_often_as_it_says() -> None:
    view: Any = prisoners_dilemma(1).start().observation(0)
    rng = random.Random(1)
    cooperates = sum(dilemma.random_p(view, rng, 0.2) == 0 for _ in range(2000))
    assert 320 < cooperates < 480


@pytest.mark.slow
def test_a_tournament_of_all_plays_with_noise_and_payoffs() -> None:
    names = ["always-cooperate", "always-defect", "tit-for-tat", "grim", "pavlov", "random-p:p=0.3"]
    for game in ("prisoners-dilemma-5-noise-10", "prisoners-dilemma-5-6-4-2-1"):
        result = arena.tournament([*names, "monkey"], n=2, game=game, seed=1)
        assert {standing.player for standing in result.standings} == {*names, "monkey"}
        again = arena.tournament(
            [*names, "monkey"], n=2, game=game, seed=1, executor="processes", workers=2
        )
        assert [s.payoff for s in result.standings] == [s.payoff for s in again.standings]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("grim", "monkey"), "prisoners-dilemma"),
        (("random-p:p=2", "grim", "--game", "prisoners-dilemma-5"), "'random-p:p=2'"),
    ],
)
def test_a_mistake_is_one_line(
    run: Run, words: tuple[str, ...], problem: str, wording: Wording
) -> None:
    ran = run("fight", *words)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    wording(ran.err, problem)
