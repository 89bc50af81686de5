"""Arena's games as environments of PettingZoo."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

import arena
from tests.golden import Wording

pytestmark = [
    pytest.mark.needs("pettingzoo"),
    pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning"),
]

#: A game of each kind of observation, of luck, of more seats.
GAMES = [
    *("leduc", "kuhn", "tictactoe", "connect4", "othello-4", "hex-4", "nim", "pig", "mnk-4-4-3-x3"),
    *("prisoners-dilemma-20-noise-5", "phantom-tictactoe", "snakes-3", "liars-dice-1-3", "chess"),
]


@pytest.mark.parametrize("game", GAMES)
def test_a_game_passes_pettingzoos_own_tests(game: str) -> None:
    env = arena.pettingzoo.env(game)
    from pettingzoo.test import api_test, seed_test

    api_test(env, num_cycles=100)
    seed_test(partial(arena.pettingzoo.env, game), num_cycles=50)


def test_a_game_of_moves_at_once_passes_the_parallel_tests() -> None:
    game = "rock-paper-scissors-100"
    makers = {
        "env": partial(arena.pettingzoo.env, game),
        "parallel_env": partial(arena.pettingzoo.parallel_env, game),
    }
    from pettingzoo.test import max_cycles_test, parallel_api_test, parallel_seed_test

    max_cycles_test(SimpleNamespace(**makers))
    parallel_api_test(makers["parallel_env"](), 100)
    parallel_seed_test(makers["parallel_env"], 100)


@pytest.mark.parametrize("game", ["leduc", "tictactoe", "mnk-4-4-3-x3"])
def test_rewards_are_payoffs_and_what_is_seen_is_what_the_seat_knows(game: str) -> None:
    env, rng, the_game = arena.pettingzoo.env(game), random.Random(1), arena.get_game(game)
    for seed in range(20):
        env.reset(seed=seed)
        total = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            seen, reward, ended, _, _ = env.last()
            total[agent] += reward
            if ended:
                env.step(None)
                continue
            position = env.unwrapped.position
            known = position.observation(position.to_move)
            again = arena.pettingzoo.observed(known)
            assert all((seen[key] == again[key]).all() for key in seen)
            move = rng.choice(position.legal_moves())
            assert seen["action_mask"][move]
            env.step(move)
        paid = env.unwrapped.position.payoffs()
        plain = the_game.payoffs == arena.get_game("tictactoe").payoffs
        assert [*total.values()] == [float(2 * each - 1 if plain else each) for each in paid]


def test_the_luck_of_resets_follows_from_the_seed() -> None:
    env = arena.pettingzoo.env("kuhn")

    def deals(seed: int) -> list[str]:
        env.reset(seed=seed)
        results = [str(env.unwrapped.position)]
        for _ in range(60):
            env.reset()
            results.append(str(env.unwrapped.position))
        return results

    assert deals(1) == deals(1) != deals(2)
    assert len({*deals(1), *deals(2)}) == 6, "all deals of three cards"


def test_an_illegal_move_ends_the_game_with_the_least_payoff() -> None:
    env = arena.pettingzoo.env("tictactoe")
    env.reset(seed=1)
    env.step(4)
    env.step(4)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards["player_1"] == -1


def test_ansi_draws_the_position() -> None:
    env = arena.pettingzoo.env("tictactoe", render_mode="ansi")
    env.reset()
    assert env.render() == arena.get_game("tictactoe").start().picture()


def test_a_game_in_turns_has_no_parallel_form(wording: Wording) -> None:
    with pytest.raises(arena.UsageError) as caught:
        arena.pettingzoo.parallel_env("chess")
    wording(str(caught.value))


def test_a_policy_is_a_player_of_the_game_that_it_was_trained_at(tmp_path: Path) -> None:
    text = (
        "from arena.pettingzoo import as_player\n"
        "def policy(seen):\n"
        "    assert seen['observation'].shape == (3, 3, 2)\n"
        "    return seen['action_mask'].nonzero()[0][0]\n"
        "Player = as_player(policy)\n"
    )
    (tmp_path / "trained.py").write_text(text)
    position = arena.get_game("tictactoe").parse("x___o____")
    assert arena.distribution(f"{tmp_path}/trained.py:Player", position) == {1: 1}
    result = arena.fight(f"{tmp_path}/trained.py:Player", "monkey", 5, game="tictactoe", seed=1)
    assert result.a.forfeits == {}
