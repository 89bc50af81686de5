"""``arena exact`` in games with luck, secrets and payoffs."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

import arena
from arena.errors import CannotEnumerate, Undecided
from arena.game import Observation
from arena.proof.limit import Limit
from arena.proof.outcome import exact_ends
from arena.proof.policy import Policy
from tests.conftest import Run
from tests.golden import Wording


def test_the_page_of_a_game_that_pays(run: Run, wording: Wording) -> None:
    ran = run("exact", "monkey", "cfr", "--game", "kuhn")
    assert (ran.code, ran.err) == (0, "")
    wording(ran.out)


def test_payoffs_in_json_are_fractions_by_order() -> None:
    result = arena.exact("monkey", "monkey", game="kuhn")
    assert result.first.payoffs == (Fraction(1, 8), Fraction(-1, 8))  # as OpenSpiel says
    assert result.second.payoffs == (Fraction(-1, 8), Fraction(1, 8))
    assert result.payoffs == (Fraction(0), Fraction(0))
    record = json.loads(json.dumps(result.as_json()))
    assert record["payoffs"] == ["0", "0"]
    assert record["first"]["payoffs"] == ["1/8", "-1/8"]
    assert record["unit"] == "chips"


def test_payoffs_without_a_constant_sum_are_both_there() -> None:
    result = arena.exact("always-defect", "tit-for-tat", game="prisoners-dilemma-5")
    assert result.payoffs == (Fraction(9), Fraction(4))


def test_a_round_robin_ranks_by_payoff(run: Run) -> None:
    players = ("monkey", "cfr", "cfr:iterations=1")
    ran = run("exact", *players, "--game", "kuhn", "--format", "json")
    standings = json.loads(ran.out)["standings"]
    assert [row["player"] for row in standings] == ["cfr", "cfr:iterations=1", "monkey"]
    payoffs = [Fraction(row["payoff"]) for row in standings]
    assert payoffs == sorted(payoffs, reverse=True)
    assert sum(payoffs) == 0
    page = run("exact", *players, "--game", "kuhn").out
    assert "Expected chips per game of the row's player" in page


def test_the_moves_of_a_bot_are_watched_in_real_games(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(view, rng):\n    return rng.choice(view.legal_moves())\n")
    result = arena.exact(str(bot), "monkey", game="kuhn")
    assert result.games == 200
    assert result.payoffs == (Fraction(0), Fraction(0))


def test_what_is_known_when_the_limit_is_reached() -> None:
    policy = Policy(arena.get_player("monkey"), arena.get_game("leduc"))
    with pytest.raises(Undecided, match=r"gets -?[\d.]+ to [\d.]+ chips per game") as error:
        exact_ends(policy, policy, Limit(8000))
    low, high = map(float, str(error.value).split("gets ")[1].split(" chips")[0].split(" to "))
    assert -13 < low < 0 < high < 13  # the payoff is 0: both play alike


def test_a_stateful_player_is_refused() -> None:
    class Keeps:
        def start(self, game: object, side: object, rng: object) -> None:
            pass

        def choose(self, view: Observation) -> int:
            return view.legal_moves()[0]

        def observe(self, move: int) -> None:
            pass

    with pytest.raises(CannotEnumerate, match="keeps state"):
        arena.exact(Keeps, "monkey", game="kuhn")
