"""CFR+: how far from an equilibrium it is, by a best response in fractions that shares no code."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

import arena
from arena.errors import CannotPlay
from arena.game import CHANCE, Game, Position
from arena.games.kuhn import kuhn_game
from arena.games.view import View
from arena.players.cfr import MAX_SOLVED_HISTORIES, SHARE_PARTS, average_strategy, choose, refuses
from arena.plugin.manager import load_catalogue
from tests.conftest import Run
from tests.games.trees import histories

Policy = Mapping[Any, Mapping[int, Fraction]]


def policy_of(game: Game, iterations: int) -> Policy:
    """Return the strategy as fractions, each of which has the value of its float."""
    result = average_strategy(game, iterations)
    sets = {p.observation(p.to_move) for p in histories(game) if p.legal_moves()}
    shares = {seen: list(map(Fraction, result[seen])) for seen in sets if seen in result}
    return {
        seen: dict(zip(seen.legal_moves(), (share / sum(own) for share in own), strict=True))
        for seen, own in shares.items()
    }


def best_response(game: Game, policy: Policy, seat: int) -> Fraction:
    """Return what the best answer of a seat to the other one's policy is paid."""
    weights: dict[Any, list[tuple[Position, Fraction]]] = {}

    def chances(position: Position) -> Mapping[int, Fraction]:
        if position.to_move == CHANCE:
            return dict(position.chance_moves())
        return policy[position.observation(position.to_move)]

    def collect(position: Position, weight: Fraction) -> None:
        if not position.legal_moves():
            return
        if position.to_move == seat:
            weights.setdefault(position.observation(seat), []).append((position, weight))
            shares: Mapping[int, Fraction] = dict.fromkeys(position.legal_moves(), Fraction(1))
        else:
            shares = chances(position)
        for move, share in shares.items():
            collect(position.play(move), weight * share)

    @cache
    def answer(seen: Any) -> Any:
        def worth(move: int) -> Fraction:
            return sum((w * value(p.play(move)) for p, w in weights[seen]), Fraction(0))

        return max(seen.legal_moves(), key=worth)

    @cache
    def value(position: Position) -> Fraction:
        payoffs = position.payoffs()
        if payoffs is not None:
            return payoffs[seat]
        if position.to_move == seat:
            return value(position.play(answer(position.observation(seat))))
        shares = chances(position).items()
        return sum((share * value(position.play(move)) for move, share in shares), Fraction(0))

    collect(game.start(), Fraction(1))
    return value(game.start())


def exploitability(game: Game, iterations: int) -> Fraction:
    """Return what perfect opponents win of it per game, as the mean of both seats."""
    policy = policy_of(game, iterations)
    return (best_response(game, policy, 0) + best_response(game, policy, 1)) / 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "iterations", "bound"),
    [
        ("kuhn", 1000, Fraction(1, 10_000)),
        ("leduc", 200, Fraction(1, 100)),
        ("liars-dice-1-3", 200, Fraction(1, 100)),
        ("rock-paper-scissors-2", 10, Fraction(0)),
        ("mnk-2-2-2", 100, Fraction(1, 100)),
    ],
)
def test_a_perfect_opponent_wins_next_to_nothing(
    name: str, iterations: int, bound: Fraction
) -> None:
    game = arena.get_game(name)
    middle = Fraction(game.payoffs.total or 0) / 2
    assert 0 <= exploitability(game, iterations) - middle <= bound


def test_more_iterations_are_better_and_few_are_not_good() -> None:
    game = kuhn_game()
    few, more, many = (exploitability(game, n) for n in (1, 10, 100))
    assert few > Fraction(1, 10) > more > many > 0


def test_with_the_jack_it_bets_a_third_as_often_as_with_the_king() -> None:
    """Kuhn found this, and that the second side bluffs with its jack one time in three."""
    result = average_strategy(kuhn_game())
    bets = {
        str(seen).partition(" |")[0]: shares[1] / SHARE_PARTS for seen, shares in result.items()
    }
    assert bets["0: J"] == pytest.approx(bets["0: K"] / 3, abs=0.01)
    assert bets["1: J pass"] == pytest.approx(1 / 3, abs=0.01)
    assert bets["1: Q bet"] == pytest.approx(1 / 3, abs=0.01)
    assert bets["0: K pass bet"] == pytest.approx(1, abs=0.01)


def test_it_defects_where_payoffs_have_no_constant_sum() -> None:
    game = arena.get_game("prisoners-dilemma-3")
    defect = game.parse_move("defect")
    reached = {
        str(seen): shares[seen.legal_moves().index(defect)]
        for seen, shares in average_strategy(game, 300).items()
        if "cooperate" not in str(seen).partition("|")[0]
    }
    assert len(reached) == 6
    assert min(reached.values()) > 0.99 * SHARE_PARTS


def test_it_plays_the_dilemma_in_a_fight() -> None:
    result = arena.fight("cfr", "always-cooperate", 5, game="prisoners-dilemma-2", seed=1)
    assert result.paid is not None
    assert result.paid.mean == 10


def test_it_draws_each_move_as_often_as_its_strategy_says() -> None:
    game, rng = kuhn_game(), random.Random(1)
    seen = game.parse_observation("1: J pass | pass bet")
    assert isinstance(seen, View)
    drawn = Counter(choose(seen, rng) for _ in range(3000))
    assert 900 < drawn[1] < 1100


@pytest.mark.slow
def test_it_is_the_same_in_every_process() -> None:
    code = (
        "from arena.games.kuhn import kuhn_game; from arena.players.cfr import average_strategy;"
        "print(sorted((str(s), shares) for s, shares in average_strategy(kuhn_game(), 50).items()))"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(texts) == 1
    assert "0: J | pass bet" in texts.pop()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["chess", "liars-dice-1-6", "prisoners-dilemma-7"])
def test_it_refuses_in_one_sentence_before_the_first_game(name: str) -> None:
    reason = refuses(arena.get_game(name))
    assert f" {MAX_SOLVED_HISTORIES} " in reason
    with pytest.raises(CannotPlay, match=f"^cfr .*{name}: {reason}$"):
        arena.fight("cfr", "monkey", 1, game=name)


@pytest.mark.slow
def test_it_plays_as_well_in_a_process_of_its_own_that_gets_texts_alone(run: Run) -> None:
    words = ("fight", "cfr", "monkey", "--game", "kuhn", "-n", "40", "--seed", "1")
    here, away = run(*words), run(*words, "--isolate", "--isolation", "process")
    assert (here.code, away.code) == (0, 0)
    assert here.out.splitlines()[0].startswith("cfr: +0.")
    assert here.out.splitlines()[:8] == away.out.splitlines()[:8]


def test_it_plays_small_games_where_it_is_named() -> None:
    catalogue = load_catalogue()
    info = catalogue.player("cfr")
    assert [info.plays(catalogue.game(name)) for name in ("leduc", "chess")] == [True, False]
    assert info.only_named
