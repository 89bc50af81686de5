"""Environments of PettingZoo as games."""

from __future__ import annotations

import pickle
import random
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.errors import UsageError
from arena.game import CHANCE, Payoffs
from arena.plugins.libraries import Library
from arena.plugins.pettingzoo import library
from tests.golden import Wording

pytestmark = pytest.mark.needs("pettingzoo")

#: The module of environments that the tests made.
HERE = "tests.plugins.pettingzoo.environments"
BIDS = f"pettingzoo:pays=-1..9,seeds=20:{HERE}:env"

LEDUC = "pettingzoo:pays=-7..7:classic/leduc_holdem_v4"


def line(game: arena.Game, seed: int) -> list[Any]:
    """Return the positions of a game of random moves."""
    rng, positions = random.Random(seed), [game.start()]
    while moves := positions[-1].legal_moves():
        positions.append(positions[-1].play(rng.choice(moves)))
    return positions


@pytest.mark.needs("pygame")
@pytest.mark.parametrize("seed", range(10))
def test_connect_four_has_the_rules_of_arenas_own(seed: int) -> None:
    rng = random.Random(seed)
    theirs = arena.get_game("pettingzoo:classic/connect_four_v3").start()
    ours = arena.get_game("connect4").start()
    while moves := ours.legal_moves():
        assert theirs.legal_moves() == moves
        assert theirs.to_move == ours.to_move
        move = rng.choice(moves)
        ours, theirs = ours.play(move), theirs.play(move)
    assert not theirs.legal_moves()
    assert theirs.outcome() == ours.outcome()
    assert theirs.payoffs() == ours.payoffs()


@pytest.mark.needs("pygame", "rlcard")
@pytest.mark.parametrize("seed", range(10))
def test_a_game_of_poker_is_what_the_library_plays_from_that_seed(seed: int) -> None:
    import numpy as np
    import pettingzoo

    game: Any = arena.get_game(LEDUC)
    position = game.start()
    assert position.to_move == CHANCE
    position = position.play(game.parse_move(f"s{seed}"))
    env = pettingzoo.make("aec", "classic/leduc_holdem_v4")
    env.reset(seed=seed)
    rewards = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, ended, cut, _ = env.last()
        rewards[agent] += reward
        if ended or cut:
            env.step(None)
            continue
        seat = env.possible_agents.index(agent)
        assert position.to_move == seat
        known = position.observation(seat)
        np.testing.assert_array_equal(known.observed["observation"], seen["observation"])
        assert known.observed["observation"].dtype == seen["observation"].dtype
        assert known.legal_moves() == tuple(np.flatnonzero(seen["action_mask"]))
        action = random.Random(f"{seed} {position.ply}").choice(known.legal_moves())
        env.step(action)
        position = position.play(action)
    assert position.payoffs() == tuple(map(Fraction, rewards.values()))


@pytest.mark.needs("pygame", "rlcard")
def test_all_that_a_seat_knows_of_poker_is_what_it_saw() -> None:
    assert arena.check_game("pettingzoo:pays=-7..7,seeds=4:classic/leduc_holdem_v4").conforms


@pytest.mark.parametrize(
    "name", [f"pettingzoo:{options}pays=-1..9,seeds=4:{HERE}:env" for options in ("", "open,")]
)
def test_an_environment_conforms(name: str) -> None:
    report = arena.check_game(name)
    assert report.conforms, report


def test_the_seed_is_a_move_of_chance_only_if_it_matters() -> None:
    lucky = arena.get_game(f"pettingzoo:{HERE}:env").start()
    plain = arena.get_game(f"pettingzoo:{HERE}:env(luck=false)").start()
    assert (lucky.to_move, len(lucky.chance_moves())) == (CHANCE, 1000)
    assert sum(share for _, share in lucky.chance_moves()) == 1
    assert (plain.to_move, plain.has_luck, plain.has_secrets) == (0, False, True)


def test_rewards_are_payoffs_in_their_range_or_else_an_order() -> None:
    paid = line(arena.get_game(BIDS), 3)[-1]
    ordered = line(arena.get_game(f"pettingzoo:seeds=20:{HERE}:env"), 3)[-1]
    rewards = paid.payoffs()
    assert any(payoff.denominator == 4 for payoff in rewards)
    won, lost = ordered.payoffs()
    assert (won > lost) == (rewards[0] > rewards[1])
    assert (won + lost, ordered.game.payoffs) == (1, Payoffs())


def test_an_agent_that_is_out_leaves_the_others_to_play() -> None:
    game = arena.get_game(f"pettingzoo:pays=-1..9:{HERE}:env(agents=3,luck=false)")
    assert (game.seats, game.name) == (3, f"pettingzoo:pays=-1..9:{HERE}:env(agents=3,luck=false)")
    position = game.start()
    for mover, move in [(0, 1), (1, 3), (2, 2), (0, 0), (2, 1)]:
        assert position.to_move == mover
        position = position.play(move)
    assert position.payoffs() == (Fraction(1, 2), Fraction(-1), Fraction(1))


def test_what_a_seat_saw_and_did_before_tells_two_situations_apart() -> None:
    start: Any = arena.get_game(f"pettingzoo:{HERE}:env(luck=false)").start()
    one, other = start.play(0).play(1), start.play(0).play(2)
    assert one.observation(0) == other.observation(0)
    assert one.observation(1) != other.observation(1)
    assert one.observation(0) != start.play(1).play(1).observation(0)


@pytest.mark.parametrize("seed", range(3))
def test_positions_and_observations_are_texts_and_back(seed: int) -> None:
    game = arena.get_game(BIDS)
    for position in line(game, seed):
        again = game.parse(str(position))
        assert again == position == pickle.loads(pickle.dumps(position))
        assert again.payoffs() == position.payoffs()
        for seat in range(2):
            known = position.observation(seat)
            assert game.parse_observation(str(known)) == known


@pytest.mark.parametrize("kind", ["Locked", "OfTheProcess"])
def test_an_environment_goes_on_from_any_position(kind: str) -> None:
    game: Any = arena.get_game(f"pettingzoo:pays=-1..9,seeds=20:{HERE}:{kind}")
    for seed in range(5):
        positions = line(game, seed)
        for before, after in reversed([*pairwise(positions)]):
            random.seed(seed)  # what the environment must not depend on
            again = before.play(after.moves[-1])
            assert str(again.observation(0)) == str(after.observation(0))
            assert again.payoffs() == after.payoffs()


def test_games_in_threads_do_not_disturb_each_other() -> None:
    game = arena.get_game(BIDS)
    alone = [[str(each.observation(0)) for each in line(game, seed)] for seed in range(40)]
    with ThreadPoolExecutor(8) as pool:
        lines = pool.map(lambda seed: line(game, seed), range(40))
        assert [[str(each.observation(0)) for each in one] for one in lines] == alone


def test_the_same_seed_plays_the_same_games_for_any_number_of_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))  # an isolated player's, too
    one, two = (
        arena.fight("monkey", tmp_bot(tmp_path), 10, game=BIDS, seed=1, workers=workers)
        for workers in (1, 2)
    )
    assert one == two
    assert (one.a.forfeits, one.b.forfeits) == ({}, {})


def tmp_bot(folder: Path) -> str:
    """Return a player in a file, which looks at the array."""
    text = (
        "def choose(known, rng):\n"
        "    seen = known.observed\n"
        "    assert seen['observation'].dtype.name == 'float32'\n"
        "    return int(seen['action_mask'].nonzero()[0][-1])\n"
    )
    (folder / "bot.py").write_text(text)
    return f"{folder}/bot.py:choose"


LIES = ["OutOfItsSpace", "ShortMask", "Unfair", "Stranger", "Broken"]
REFUSED = ["Unseeded", "Continuous", "Pictures", "alone", "crowd", "nothing", "AtOnce", "failing"]


@pytest.mark.parametrize("kind", [*LIES, *REFUSED, "missing"])
def test_an_environment_that_lies_or_breaks_is_named(kind: str, wording: Wording) -> None:
    with pytest.raises(arena.ArenaError) as caught:
        line(arena.get_game(f"pettingzoo:{HERE}:{kind}"), 0)
    assert isinstance(caught.value, arena.PluginError if kind in LIES else arena.UsageError)
    wording(str(caught.value))


def test_a_reward_out_of_the_range_is_the_environments_fault(wording: Wording) -> None:
    with pytest.raises(arena.PluginError) as caught:
        arena.fight("monkey", "a=monkey", 5, game=f"pettingzoo:pays=0..9:{HERE}:Lavish", seed=1)
    wording(str(caught.value))


def test_a_game_that_does_not_end_is_over_after_its_plies() -> None:
    game = arena.get_game(f"pettingzoo:plies=50:{HERE}:Endless")
    last = line(game, 1)[-1]
    assert (last.ply, last.payoffs()) == (50, (Fraction(1, 2), Fraction(1, 2)))


@pytest.mark.parametrize(
    "text",
    [
        *("", ":", "connect_four_v3", "classic/", "classic/nothing_v1", "classic/connect_four_v99"),
        *("no_such_module:env", "os:path", "pays=1..0:a/b", "pays=x:a/b", "seeds=0:a/b"),
        *("seeds=99999999:a/b", "plies=0:a/b", "open,open=1:a/b", f"{HERE}:env(agents)"),
        *(f"{HERE}:env(agents=2,agents=2)", f"{HERE}:env(teams=2)", f"{HERE}:env(agents=())"),
        *("../../etc/passwd", "classic/connect_four_v3;x", "a" * 5000, "pays=1..2,:a/b"),
    ],
)
def test_a_wrong_name_is_a_line(text: str, wording: Wording) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(arena.ArenaError) as caught:
            arena.get_game(f"pettingzoo:{text}")
    assert caught.value.exit_code == 2
    wording(str(caught.value))


def test_a_library_that_is_missing_or_old_is_named(
    monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    for release in (None, (1, 24, 3)):
        monkeypatch.setattr(Library, "release", lambda _, release=release: release)
        library.library.cache_clear()
        with pytest.raises(arena.UsageError) as caught:
            arena.get_game("pettingzoo:classic/go_v5")
        wording(str(caught.value))
    library.library.cache_clear()


def test_a_module_that_an_environment_needs_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "chess", None)
    monkeypatch.delitem(sys.modules, "pettingzoo.classic.chess.chess", raising=False)
    monkeypatch.delitem(sys.modules, "pettingzoo.classic.chess_v6", raising=False)
    with pytest.raises(UsageError, match=r"it needs chess: pip install 'pettingzoo\[classic\]'$"):
        arena.get_game("pettingzoo:classic/chess_v6")
