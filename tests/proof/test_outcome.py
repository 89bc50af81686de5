"""Exact results: against known fractions, a second computation, and samples."""

from __future__ import annotations

import random
import time
from fractions import Fraction

import pytest

import arena
from arena.errors import CannotEnumerate, CannotPlay, PlayerFault
from arena.game import Outcome, Position
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from arena.proof.limit import Limit
from arena.proof.outcome import exact_ends
from arena.proof.policy import Policy
from tests.boards import backward
from tests.golden import Wording
from tests.samples import few

PLAYERS = ("heuristic", "minimax", "monkey", "tictactoe1", "tictactoe2", "tictactoe3", "triples")


@pytest.fixture(scope="module")
def policies(catalogue: Catalogue) -> dict[str, Policy]:
    game = catalogue.game("tictactoe")
    return {name: Policy(catalogue.player(name), game) for name in PLAYERS}


@pytest.mark.slow
def test_monkeys_against_each_other(policies: dict[str, Policy]) -> None:
    monkey = policies["monkey"]
    assert exact_ends(monkey, monkey).outcomes == {
        Outcome.FIRST_WINS: Fraction(737, 1260),
        Outcome.SECOND_WINS: Fraction(121, 420),
        Outcome.DRAW: Fraction(8, 63),
    }


@pytest.mark.slow
def test_the_published_result_of_the_perfect_player() -> None:
    record = arena.exact("tictactoe3", "monkey").as_json()
    del record["losing_lines"]
    assert record == {
        "schema": "arena.exact/1",
        "game": "tictactoe",
        "game_version": 1,
        "players": ["tictactoe3", "monkey"],
        "total": {"win": "7003/7560", "draw": "557/7560", "loss": "0"},
        "first": {"win": "35/36", "draw": "1/36", "loss": "0"},
        "second": {"win": "832/945", "draw": "113/945", "loss": "0"},
    }


@pytest.mark.slow
@pytest.mark.parametrize("a", PLAYERS)
@pytest.mark.parametrize("b", PLAYERS)
def test_counting_back_from_the_end_gives_the_same(
    policies: dict[str, Policy], a: str, b: str
) -> None:
    first, second = policies[a], policies[b]
    outcomes = exact_ends(first, second).outcomes
    assert sum(outcomes.values()) == 1
    assert tuple(
        outcomes[o] for o in (Outcome.FIRST_WINS, Outcome.DRAW, Outcome.SECOND_WINS)
    ) == backward(first, second, first.game.start())


@pytest.mark.slow
@pytest.mark.parametrize("b", few(PLAYERS, 2))
def test_the_other_players_view_is_the_mirror_image(b: str) -> None:
    one, other = arena.exact("tictactoe2", b), arena.exact(b, "tictactoe2")
    assert one.total == other.total.reversed()
    assert one.first == other.second.reversed()


@pytest.mark.slow
def test_a_round_robin_has_every_pairing_and_ranks_by_score() -> None:
    result = arena.exact_tournament()
    assert len(result.pairings) >= 21
    scores = [standing.score for standing in result.standings]
    assert scores == sorted(scores, reverse=True)
    mine = [p for p in result.pairings if "minimax" in p.players]
    views = [p.total if p.players[0] == "minimax" else p.total.reversed() for p in mine]
    (minimax,) = (s for s in result.standings if s.player == "minimax")
    assert minimax.score == sum(view.score for view in views) / len(views)
    assert sum(scores) == Fraction(len(scores), 2)


@pytest.mark.slow
def test_an_installed_player_without_enumeration_is_left_out_and_named() -> None:
    catalogue = load_catalogue()

    def gambler(position: Position, rng: random.Random) -> int:
        return int(rng.random())

    catalogue.players.add("gambler", arena.PlayerInfo("gambler", gambler), "test")
    result = arena.exact_tournament(catalogue=catalogue)
    assert "float" in result.left_out["gambler"]
    assert "gambler" not in {standing.player for standing in result.standings}
    with pytest.raises(CannotEnumerate, match="float"):
        arena.exact_tournament(["gambler", "monkey", "triples"], catalogue=catalogue)


@pytest.mark.slow
def test_an_installed_player_at_fault_later_is_left_out_and_named(wording: Wording) -> None:
    result = arena.exact_tournament(game="tictactoe-squares")
    assert {*result.left_out} == {"triples"}
    wording(result.left_out["triples"].rpartition(": ")[2], " 68")
    players = {standing.player for standing in result.standings}
    assert "triples" not in players
    assert len(result.pairings) == len(players) * (len(players) - 1) / 2
    assert sum(standing.score for standing in result.standings) == Fraction(len(players), 2)
    with pytest.raises(PlayerFault, match="triples"):
        arena.exact_tournament(["triples", "monkey", "minimax"], game="tictactoe-squares")


@pytest.mark.slow
def test_a_game_that_is_too_large_is_refused_with_the_number(wording: Wording) -> None:
    with wording.raises(CannotEnumerate, match=r"--max-positions.*500"):
        arena.exact("monkey", "monkey", max_positions=500)
    with wording.raises(CannotEnumerate, match=r"--max-positions.*3,000"):
        arena.exact("monkey", "monkey", game="connect4", max_positions=3000)


@pytest.mark.slow
def test_the_limit_counts_every_position_once(policies: dict[str, Policy]) -> None:
    monkey = policies["monkey"]
    exact_ends(monkey, monkey, Limit(5478))
    with pytest.raises(CannotEnumerate):
        exact_ends(monkey, monkey, Limit(5477))


def test_what_has_no_distribution_is_refused(wording: Wording) -> None:
    class Stateful(arena.StatefulPlayer):
        def choose(self, position: Position) -> int:
            return 0

    with wording.raises(CannotEnumerate):
        arena.exact(Stateful, "monkey")
    with pytest.raises(CannotPlay):
        arena.exact("triples", "monkey", game="connect4")

    def gambler(position: Position, rng: random.Random) -> int:
        return int(2 * rng.random())

    with wording.raises(CannotEnumerate, match="_________"):
        arena.exact(gambler, "monkey")

    def clock(position: Position, rng: random.Random) -> int:
        return position.legal_moves()[time.monotonic_ns() % len(position.legal_moves())]

    with pytest.raises(CannotEnumerate, match="clock"):
        arena.exact(clock, clock)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["calls", "table"])
def test_samples_of_every_pairing_agree_with_the_exact_results(engine: str) -> None:
    """One p-value of 42 falls below one in ten million by chance less than once in 200,000."""
    pairs = 400 if engine == "calls" else 20_000
    exact = arena.exact_tournament(PLAYERS)
    sampled = arena.tournament(PLAYERS, pairs, seed=20, engine=engine)
    assert {fight.engine for fight in sampled.fights} == {engine}
    for fight, truth in zip(sampled.fights, exact.pairings, strict=True):
        assert (arena.compare(fight, truth).p_value or 0) > 1e-7, fight.players


@pytest.mark.slow
def test_a_wrong_sample_is_found() -> None:
    fight = arena.fight("tictactoe1", "monkey", 20_000, seed=1)
    wrong = arena.compare(fight, arena.exact("tictactoe2", "monkey")).p_value
    assert wrong is not None
    assert wrong < 1e-9
    assert arena.compare(fight, arena.exact("tictactoe3", "monkey")).p_value == 0  # it never loses
