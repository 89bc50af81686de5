"""Games with luck and secrets: who sees what, and whose luck it is."""

from __future__ import annotations

import pickle
import random
import re
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.errors import GameFault
from arena.game import CHANCE, Observation, Outcome, Position
from arena.games.kuhn import Kuhn, KuhnPosition, kuhn_game
from arena.games.phantom import phantom_game
from arena.games.pig import FACES, HOLD, ROLL, PigPosition, pig_game
from arena.games.view import View
from arena.match.unseen import chance_move
from tests.conftest import Run
from tests.golden import Wording
from tests.match.games import play
from tests.simple import anything


def hold_at(least: int) -> Any:
    def choose(position: PigPosition, rng: random.Random) -> int:
        return HOLD if position.sum >= least else ROLL

    return choose


def faces(moves: Sequence[int]) -> list[int]:
    return [move for move in moves if move in FACES]


def test_both_games_of_a_pair_have_the_same_luck() -> None:
    first = play(hold_at(6), anything, game=pig_game(50), name="pig/a/b/1/7.1")
    second = play(anything, hold_at(6), game=pig_game(50), name="pig/a/b/1/7.2")
    other = play(hold_at(6), anything, game=pig_game(50), name="pig/a/b/1/8.1")
    dice, again = faces(first.moves), faces(second.moves)
    count = min(len(dice), len(again))
    assert count >= 5
    assert dice[:count] == again[:count]
    assert faces(other.moves)[:count] != dice[:count]


def test_luck_does_not_depend_on_what_players_draw() -> None:
    def wasteful(position: PigPosition, rng: random.Random) -> int:
        rng.random(), random.random()
        return HOLD if position.sum >= 6 else ROLL

    calm, name = hold_at(6), "pig/a/b/1/7.1"
    record = play(wasteful, calm, game=pig_game(50), name=name)
    assert record == play(calm, calm, game=pig_game(50), name=name)


def test_chance_draws_each_move_as_often_as_it_says() -> None:
    moves = ((3, Fraction(1, 2)), (5, Fraction(1, 3)), (9, Fraction(1, 6)))
    n = 6000
    drawn = Counter(chance_move(moves, "a block", event) for event in range(n))
    for move, share in moves:
        deviation = (n * float(share) * (1 - float(share))) ** 0.5
        assert abs(drawn[move] - n * share) < 5 * deviation


@pytest.mark.slow
def test_pig_is_won_as_often_as_its_exact_value_says() -> None:
    """Compute the value of two strategies without the players, and compare games with it."""
    goal, first, second = 15, 4, 9

    @cache
    def value(mine: int, theirs: int, is_first: bool) -> float:
        """Return the share of games that the first strategy wins, before a turn of either."""
        least = first if is_first else second
        ends = turn_ends(least)
        total, stays = 0.0, 0.0
        for points, share in ends.items():
            if mine + points >= goal:
                total += share * is_first
            elif points == 0:
                stays += share
            else:
                total += share * value(theirs, mine + points, not is_first)
        if not stays:
            return total
        # Both may lose their turns again and again: solve the two equations.
        other = second if is_first else first
        back = turn_ends(other).get(0, 0.0)
        theirs_total = 0.0
        for points, share in turn_ends(other).items():
            if theirs + points >= goal:
                theirs_total += share * (not is_first)
            elif points:
                theirs_total += share * value(mine, theirs + points, is_first)
        return (total + stays * theirs_total) / (1 - stays * back)

    def turn_ends(least: int) -> dict[int, float]:
        """Return the shares of the points that a turn brings."""
        ends: Counter[int] = Counter()
        sums = {0: 1.0}
        while sums:
            before, share = sums.popitem()
            if before >= least:
                ends[before] += share  # type: ignore[assignment]
                continue
            ends[0] += share / 6  # type: ignore[assignment]
            for face in range(2, 7):
                sums[before + face] = sums.get(before + face, 0.0) + share / 6
        return dict(ends)

    n = 1500
    wins = sum(
        play(hold_at(first), hold_at(second), game=pig_game(goal), name=f"pig/{i}.1").outcome
        is Outcome.FIRST_WINS
        for i in range(n)
    )
    share = value(0, 0, True)
    assert abs(wins / n - share) < 5 * (share * (1 - share) / n) ** 0.5


def test_a_player_gets_its_observation_and_nothing_else() -> None:
    seen: list[object] = []

    def curious(observation: View, rng: random.Random) -> int:
        seen.append(observation)
        return observation.legal_moves()[0]

    play(curious, curious, game=phantom_game(3, 3, 3), name="phantom/1.1")
    assert all(isinstance(each, View) for each in seen)
    assert all(isinstance(each, Observation) and not isinstance(each, Position) for each in seen)


SPY = """
import gc, sys
def choose(view, rng):
    if hasattr(view, "board") or hasattr(view, "play"):
        raise RuntimeError("it gets the position")
    for thing in gc.get_objects():
        if type(thing).__name__ == "PhantomPosition" and thing.moves:
            raise RuntimeError(f"a position is in its process: {thing}")
    return view.legal_moves()[0]

def observe(move):
    raise RuntimeError("it is told a move")
"""


@pytest.mark.slow
@pytest.mark.parametrize("tier", ["process"])
def test_an_isolated_player_has_no_position_in_its_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tier: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "spy.py").write_text(SPY)
    result = arena.fight(
        "./spy.py", "monkey", 5, game="phantom-tictactoe", seed=1, isolation=arena.Isolation(tier)
    )
    assert (dict(result.a.forfeits), dict(result.b.forfeits)) == ({}, {})


@pytest.mark.slow
@pytest.mark.parametrize("game", ["pig-20", "phantom-tictactoe", "phantom-mnk-4-3-3"])
def test_a_fight_is_the_same_for_any_number_of_workers(run: Run, game: str) -> None:
    command = ("fight", "monkey", "monkey", "--game", game, "-n", "8", "--seed", "3")
    one = run(*command, "-j", "1", "--format", "json")
    assert one.code == 0
    assert run(*command, "-j", "2", "--format", "json").out == one.out


@pytest.mark.slow
def test_a_store_has_the_luck_of_its_games(run: Run, tmp_path: Path) -> None:
    store = str(tmp_path / "arena.db")
    fight = ("fight", "monkey", "monkey", "--game", "pig-9", "-n", "3", "--seed", "3")
    assert run(*fight, "--store", store).code == 0
    assert run("verify", store).code == 0
    shown = run("replay", "1", "--store", store)
    again = run("replay", "pig-9/monkey/monkey/3/1.1")
    assert "chance plays" in shown.out
    assert again.code == 0
    assert re.findall(r"plays (\w+)", shown.out) == re.findall(r"plays (\w+)", again.out)


def test_an_illegal_move_names_the_legal_ones(wording: Wording) -> None:
    record = play(lambda view, rng: 77, anything, game=phantom_game(3, 3, 3), name="p/1.1")
    assert record.outcome is Outcome.SECOND_WINS
    assert record.forfeit is not None
    wording(record.forfeit.message, "77")


def test_a_taken_square_costs_nothing_but_the_news() -> None:
    position = phantom_game(3, 3, 3).start().play(4)
    before = position.observation(1)
    again = position.play(4)
    assert again.to_move == position.to_move == 1
    assert str(before) == "1: | 1 2 3 4 5 6 7 8 9"
    assert str(again.observation(1)) == "1: 5x | 1 2 3 4 6 7 8 9"
    assert again.observation(0) == position.observation(0)


class Lying(KuhnPosition):
    """A position whose observation lists a move that it refuses."""

    def observation(self, seat: int) -> View:
        return super().observation(seat)._replace(moves=(0, 1, 2, 3))


class Liar(Kuhn):
    def start(self) -> KuhnPosition:
        return Lying(self)


def test_a_move_that_an_observation_lists_in_vain_is_the_games_fault() -> None:
    with pytest.raises((GameFault, arena.IllegalMove)):
        play(lambda view, rng: 3, anything, game=Liar(), name="kuhn/1.1")


@pytest.mark.parametrize(
    "words",
    [
        "fight minimax monkey --game phantom-tictactoe",
        "fight mcts monkey --game phantom-tictactoe",
        "fight monkey monkey --game kuhn --openings all:2",
        "fight monkey monkey --game pig --engine table",
        "fight monkey monkey --game phantom-tictactoe --engine batch",
        "fight monkey monkey --game pig --exact",
        "explain pig/monkey/monkey/3/1.1",
    ],
)
def test_what_does_not_work_with_such_games_says_so(run: Run, words: str, wording: Wording) -> None:
    ran = run(*words.split())
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert re.search("pig|phantom|luck|secrets|payoffs", ran.err)
    wording(ran.err)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["pig-5", "phantom-mnk-2-2-2"])
def test_the_games_keep_their_contract(game: str) -> None:
    for seed in range(1, 6):
        assert arena.check_game(game, seed=seed).conforms


@pytest.mark.parametrize(
    "name", ["phantom-tictactoe", "pig", "kuhn", "leduc", "rock-paper-scissors"]
)
def test_a_game_by_its_usual_name_is_one_object(name: str) -> None:
    game = arena.get_game(name)
    assert pickle.loads(pickle.dumps(game)) is game
    assert phantom_game() is phantom_game(3, 3, 3)


def test_chance_is_nobody() -> None:
    assert kuhn_game().start().to_move == CHANCE
    assert pig_game().start().play(ROLL).to_move == CHANCE
