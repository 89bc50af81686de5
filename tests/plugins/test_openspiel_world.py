"""Games of OpenSpiel with luck, secrets, simultaneous moves and payoffs."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import pytest

import arena
from arena.game import CHANCE, Payoffs

pyspiel = pytest.importorskip("pyspiel", reason="needs open_spiel: pip install open_spiel")

from arena.plugins.openspiel.library import worldly  # noqa: E402 (only where the library is)
from arena.plugins.openspiel.world import UNFAITHFUL, world_game  # noqa: E402

#: Games of each kind whose check takes a moment.
QUICK = ("kuhn_poker", "lewis_signaling", "matrix_pd", "coordinated_mp", "tiny_hanabi")


@pytest.mark.parametrize("name", QUICK)
def test_a_game_of_each_kind_conforms_and_leaks_nothing(name: str) -> None:
    report = arena.check_game(world_game(name))
    assert report.conforms, report


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({*UNFAITHFUL, "leduc_poker", "sheriff", "latent_ttt"}))
def test_larger_games_leak_nothing(name: str) -> None:
    report = arena.check_game(world_game(name))
    assert report.conforms, report


@pytest.mark.slow
@pytest.mark.parametrize("name", worldly())
def test_every_game_is_played_to_its_end(name: str) -> None:
    fight = arena.fight("monkey", "monkey", 1, game=world_game(name), seed=1)
    assert fight.pairs == 1
    assert fight.paid is None or fight.paid.number == 1


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "liars_dice", "matrix_pd"])
def test_payoffs_and_chances_are_those_of_the_library(name: str) -> None:
    game = world_game(name)
    for seed in range(20):
        rng, position = random.Random(seed), game.start()
        while position.outcome() is None:
            if position.to_move == CHANCE:
                shares = position.chance_moves()
                assert sum(share for _, share in shares) == 1
                floats = dict(position.state.chance_outcomes())
                assert {m - game.actions: float(share) for m, share in shares} == pytest.approx(
                    floats
                )
            position = position.play(rng.choice(position.legal_moves()))
        paid = position.payoffs()
        assert paid is not None
        returns = position.state.returns()
        scaled = returns if game.is_paid else [(x + 1) / 2 for x in returns]
        assert list(map(float, paid)) == pytest.approx(scaled)


def test_a_round_at_once_hides_the_first_move_of_it() -> None:
    game = world_game("matrix_pd")
    one, other = (game.start().play(move) for move in game.start().legal_moves())
    assert one.observation(1) == other.observation(1)
    assert one.observation(0) != other.observation(0)
    assert game.payoffs == Payoffs(Fraction(0), Fraction(10), "points", None)


def test_an_isolated_player_gets_its_observation_alone(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(seen, rng):\n    return seen.legal_moves()[0]\n")
    fight = arena.fight(str(bot), "monkey", 5, game="openspiel:leduc_poker", seed=1)
    assert dict(fight.a.forfeits) == {}
