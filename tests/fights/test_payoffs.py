"""Fights and tournaments that pay: their payoffs, luck, forfeits, stores and verdicts."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from sqlalchemy import create_engine, text

import arena
from arena.errors import UsageError
from arena.games.kuhn import kuhn_game
from arena.games.view import View
from tests.conftest import Run
from tests.golden import Wording

DILEMMA = "prisoners-dilemma-20"


def bold(view: View, rng: random.Random) -> int:
    return view.legal_moves()[-1]


def shy(view: View, rng: random.Random) -> int:
    return 1 if "K" in view.events else 0


def raiser(view: View, rng: random.Random) -> int:
    if rng.random() < 0.3:
        raise ValueError("no")
    return 1


def defect(view: View, rng: random.Random) -> int:
    return 1


def tit_for_tat(view: View, rng: random.Random) -> int:
    rounds = len(view.events) // 2
    return int(rounds > 0 and view.events[2 * rounds - 1 - view.seat] == "defect")


def balanced(view: View, rng: random.Random) -> int:
    """Play an equilibrium of Kuhn poker, that in which the first side bluffs a third of J."""
    card, *moves = view.events
    chances = {
        (): {"J": 1 / 3, "Q": 0, "K": 1},
        ("pass",): {"J": 1 / 3, "Q": 0, "K": 1},
        ("bet",): {"J": 0, "Q": 1 / 3, "K": 1},
        ("pass", "bet"): {"J": 0, "Q": 2 / 3, "K": 1},
    }
    return int(rng.random() < chances[tuple(moves)][card])


def stored_games(store: str) -> list[Any]:
    [run] = arena.export(store).as_json()["runs"]
    return [game for fight in run["fights"] for game in fight["games"]]


@pytest.mark.slow
def test_the_payoffs_are_those_of_the_stored_games(tmp_path: Path) -> None:
    store = str(tmp_path / "games.db")
    fight = arena.fight(bold, "monkey", 60, game="leduc", seed=3, store=store)
    game, paid = arena.get_game("leduc"), fight.paid
    totals = {"bold": Fraction(0), "monkey": Fraction(0)}
    for row in stored_games(store):
        position = game.start()
        for move in row["moves"]:
            position = position.play(game.parse_move(move))
        payoffs = position.payoffs()
        assert payoffs is not None
        assert row["payoffs"] == [str(payoff) for payoff in payoffs]
        for name, payoff in zip(row["players"], payoffs, strict=True):
            totals[name] += payoff
    assert paid is not None
    assert (paid.unit, paid.number) == ("chips", 60)
    assert paid.mean == totals["bold"] / 120 == -totals["monkey"] / 120
    assert arena.show(store, 1) == fight
    assert arena.verify(store).holds


@pytest.mark.slow
def test_workers_do_not_change_a_byte() -> None:
    one, two = (
        arena.fight("monkey", bold, 40, game="kuhn", seed=5, workers=workers).as_json()
        for workers in (1, 2)
    )
    assert json.dumps(one) == json.dumps(two)


@pytest.mark.slow
def test_an_equilibrium_of_kuhn_is_worth_a_chip_in_eighteen() -> None:
    paid = arena.fight(balanced, balanced, 4000, game="kuhn", seed=1).paid
    assert paid is not None
    first = paid.sides[0].first
    error = float(first.variance(4000) / 4000) ** 0.5
    assert abs(float(first.mean(4000)) + 1 / 18) < 4 * error


@pytest.mark.slow
def test_duplicates_are_narrower_than_independent_deals() -> None:
    same = arena.fight(bold, shy, 400, game="kuhn", seed=1)
    apart = arena.fight(bold, shy, 400, game="kuhn", seed=1, deals="independent")
    assert (same.deals, apart.deals) == ("duplicate", "independent")
    assert same.payoff is not None
    assert apart.payoff is not None
    assert same.payoff.high - same.payoff.low < 0.8 * (apart.payoff.high - apart.payoff.low)
    assert same.paid is not None
    assert (same.paid.saved or 0) > 2


@pytest.mark.slow
def test_a_game_with_luck_of_its_own_is_played_again_by_its_id(tmp_path: Path) -> None:
    store = str(tmp_path / "games.db")
    arena.fight("monkey", "monkey", 4, game="leduc", seed=2, deals="independent", store=store)
    for row in stored_games(store):
        assert "/independent/" in row["game_id"]
        assert list(arena.replay(row["game_id"]).moves) == row["moves"]


def test_deals_are_of_games_with_luck(wording: Wording) -> None:
    with wording.raises(UsageError):
        arena.fight("monkey", "monkey", 1, deals="independent")
    with wording.raises(UsageError):
        arena.fight("monkey", "monkey", 1, game="kuhn", deals="none")


@pytest.mark.slow
@pytest.mark.parametrize("counting", ["all", "none"])
def test_a_forfeit_costs_the_most(counting: str) -> None:
    fight = arena.fight(raiser, bold, 200, game="kuhn", seed=4, count_forfeits=counting)
    paid = fight.paid
    assert paid is not None
    assert paid.number == fight.pairs
    assert paid.opponents_mean == -(paid.mean or 0)
    alone = fight.a.forfeited_alone.pairs
    assert alone > 50
    if counting == "none":
        worst = next(cell for cell in paid.pairs if cell.a == -4)
        assert worst.pairs >= alone


def test_the_opponent_of_a_forfeit_without_a_constant_sum_gets_the_most() -> None:
    game = arena.get_game(DILEMMA)
    assert list(game.forfeit_payoffs(0)) == [0, 100]
    assert list(kuhn_game().forfeit_payoffs(1)) == [2, -2]


@pytest.mark.slow
def test_the_dilemma_is_ranked_by_points_and_not_by_games_won() -> None:
    tournament = arena.tournament([defect, tit_for_tat, "monkey"], 20, game=DILEMMA, seed=1)
    rows = {row.player: row for row in tournament.standings}
    assert tournament.unit == "points"
    payoffs = [row.payoff or 0 for row in tournament.standings]
    assert payoffs == sorted(payoffs, reverse=True)
    assert rows["defect"].tally.wins == 80
    views = [view for fight in tournament.fights for view in (fight, fight.reversed())]
    for name, row in rows.items():
        own = [view.paid.mean for view in views if view.players[0] == name and view.paid]
        assert row.payoff == sum(mean or 0 for mean in own) / len(own)
    assert tournament.ratings.players == ()


@pytest.mark.slow
def test_who_is_better_is_asked_of_both_payoffs() -> None:
    fight = arena.until_fight(tit_for_tat, "monkey", 300, game=DILEMMA, seed=1, until="better")
    paid = fight.fight.paid
    assert paid is not None
    difference = float((paid.mean or 0) - (paid.opponents_mean or 0))
    assert (fight.report.score or 0) - 0.5 == pytest.approx(difference / 200)
    assert fight.report.elo is None


def test_a_sequential_test_of_payoffs(wording: Wording) -> None:
    with wording.raises(UsageError):
        arena.sprt_fight(bold, "monkey", game="leduc", elo0=0, elo1=20)
    played = arena.sprt_fight(
        bold, "monkey", game="leduc", elo0=0, elo1=50, seed=1, model="normalized"
    )
    assert played.test.decision == "H1"
    assert played.test.elo is None


@pytest.mark.slow
def test_a_question_of_a_tournament(wording: Wording) -> None:
    result = arena.tournament(
        [bold, shy, "monkey"], 3000, game="leduc", seed=1, until="best", margin=0.02
    )
    assert result.until is not None
    assert result.until.is_decided
    assert result.standings[0].payoff == max(row.payoff or 0 for row in result.standings)
    with wording.raises(UsageError):
        arena.tournament([defect, "monkey"], 10, game=DILEMMA, seed=1, until="best")


@pytest.mark.slow
def test_a_changed_payoff_is_noticed(tmp_path: Path, wording: Wording) -> None:
    store = tmp_path / "games.db"
    arena.fight("monkey", bold, 3, game="kuhn", seed=1, store=str(store))
    engine = create_engine(f"sqlite:///{store}")
    with engine.begin() as connection:
        changed = "UPDATE games SET payoffs = '2 -2' WHERE payoffs = '1 -1'"
        assert connection.execute(text(changed)).rowcount
    divergence = arena.verify(str(store)).divergence
    assert divergence is not None
    wording(divergence.problem, "2 -2", "1 -1")


def test_the_page_of_a_fight_and_of_a_tournament(run: Run, wording: Wording) -> None:
    wording(run("fight", "monkey", "monkey", "--game", "kuhn", "-n", "50", "--seed", "1").out)
    arguments = ("monkey", "monkey", "--game", DILEMMA, "-n", "10", "--seed", "1")
    wording(run("fight", *arguments).out)


def test_mean_of_nothing_else() -> None:
    """A fight's score is that of its payoffs, and not of games won."""
    fight = arena.fight(shy, bold, 50, game="kuhn", seed=1)
    assert fight.paid is not None
    scores = fight.paid.observations
    mean: Any = fmean(x for n, x in zip(*scores, strict=True) for _ in range(n))
    assert fight.score == pytest.approx(mean)
