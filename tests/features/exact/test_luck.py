"""``arena exact`` in games with luck, secrets and payoffs."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

import arena
from arena.errors import CannotEnumerate, Undecided
from arena.fights.openings import openings_of
from arena.game import Observation
from arena.proof.limit import Limit
from arena.proof.outcome import exact_ends
from arena.proof.policy import Policy
from tests.conftest import Run
from tests.golden import Wording

KUHN = arena.get_game("kuhn")
CFRS = ("cfr", "cfr:iterations=1")


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


@pytest.mark.slow
def test_a_round_robin_ranks_by_payoff(run: Run) -> None:
    players = ("monkey", "cfr", "cfr:iterations=1")
    ran = run("exact", *players, "--game", "kuhn", "--format", "json")
    standings = json.loads(ran.out)["standings"]
    assert [row["player"] for row in standings] == ["cfr", "cfr:iterations=1", "monkey"]
    payoffs = [Fraction(row["payoff"]) for row in standings]
    assert payoffs == sorted(payoffs, reverse=True)
    assert sum(payoffs) == 0
    page = run("exact", *players, "--game", "kuhn").out
    assert " chips " in page


@pytest.mark.slow
def test_the_moves_of_a_bot_are_watched_in_real_games(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(view, rng):\n    return rng.choice(view.legal_moves())\n")
    result = arena.exact(str(bot), "monkey", game="kuhn")
    assert result.games == 200
    assert result.payoffs == (Fraction(0), Fraction(0))


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("openings", ["random:1", "random:2", "all:1", "all:2"])
def test_the_deals_of_kuhn_are_openings_of_equal_probability(openings: str) -> None:
    from_start = arena.exact("monkey", "cfr", game="kuhn")
    result = arena.exact("monkey", "cfr", game="kuhn", openings=openings)
    assert (result.first, result.second) == (from_start.first, from_start.second)
    assert result.openings == openings


def test_chance_makes_the_moves_of_a_random_opening_by_its_probabilities() -> None:
    game = arena.get_game("prisoners-dilemma-2-noise-10")
    both = openings_of("random:4", game)
    ends: dict[str, Fraction] = {}
    for position, chance in both.chances(game, 1000).items():
        text = str(position)
        turned = text.count("turns")
        assert chance == Fraction(1, 4) * Fraction(1, 10) ** turned * Fraction(9, 10) ** (
            2 - turned
        )
        ends[text] = chance
    assert len(ends) == 16
    drawn = Counter(str(both.of_pair(game, 1, pair)) for pair in range(1, 2001))
    none = sum(times for text, times in drawn.items() if "turns" not in text)
    assert abs(none - 2000 * 0.81) < 4 * (2000 * 0.81 * 0.19) ** 0.5


@pytest.mark.slow
def test_a_random_opening_goes_on_with_the_moves_of_players() -> None:
    """After the deal of Kuhn poker the first player passes or bets, each with one half."""
    result = arena.exact("cfr", "cfr:iterations=1", game="kuhn", openings="random:3")
    cfr, other = (Policy(arena.get_player(each), KUHN) for each in CFRS)
    deals = openings_of("all:2", KUHN).positions
    mean = Fraction(0)
    for deal in deals:
        for word in ("pass", "bet"):
            after = deal.play(deal.game.parse_move(word))
            payoffs = exact_ends(cfr, other, Limit(1000), {after: Fraction(1)}).chances.payoffs
            assert payoffs is not None
            mean += payoffs[0] / (2 * len(deals))
    assert result.first.payoffs == (mean, -mean)
