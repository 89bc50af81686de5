"""Compare the questions of exams, their weights and worths with brute force."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from arena.game import CHANCE, Position
from arena.games.mnk import mnk_game
from arena.proof.limit import Limit
from arena.stats.goodness import goodness_of_fit
from arena.trees.examining import (
    Examiner,
    OpenExaminer,
    PlainExaminer,
    SealedExaminer,
    all_questions,
    drawn_questions,
)
from tests.trees.random_games import (
    RandomGame,
    number_of_pure,
    open_value,
    pure_strategies,
    random_strategy,
)

SEEDS = st.integers(0, 10**6)
OPEN_GAMES = st.builds(RandomGame, SEEDS, st.just(False))
SECRET_GAMES = st.builds(RandomGame, SEEDS)


def sealed_examiner(game: RandomGame, seed: int) -> tuple[SealedExaminer, list[Any]]:
    rng = random.Random(seed)
    both = [random_strategy(game, seat, rng) for seat in (0, 1)]
    first, second = (own.__getitem__ for own in both)
    return SealedExaminer(game, (first, second), Limit(10**4)), both


def games(
    position: Position, examiner: Examiner, examined: tuple[int, ...]
) -> Iterator[tuple[Fraction, list[Position]]]:
    """Yield each game with its probability and its decisions, by the definition alone."""
    if position.outcome() is not None:
        yield Fraction(1), []
        return
    seat = position.to_move
    if seat == CHANCE:
        shares = [*position.chance_moves()]
    elif seat in examined:
        moves = position.legal_moves()
        shares = [(move, Fraction(1, len(moves))) for move in moves]
    else:
        shares = [*examiner.others(position)]
    own = [position] if seat in examined else []
    for move, share in shares:
        for chance, decisions in games(position.play(move), examiner, examined):
            yield share * chance, [*own, *decisions]


def expected_weights(game: Any, examiner: Examiner) -> dict[Any, Fraction]:
    weights: dict[Any, Fraction] = {}
    for examined in examiner.seats:
        for chance, decisions in games(game.start(), examiner, examined):
            for each in decisions:
                if len({*(examiner.worth(each) or {}).values()}) > 1:
                    seen = each.observation(each.to_move)
                    weights[seen] = weights.get(seen, Fraction(0)) + chance / len(decisions)
    total = sum(weights.values())
    return {seen: weight / total for seen, weight in weights.items()}


@pytest.mark.slow
@given(SECRET_GAMES, SEEDS)
def test_weights_in_games_with_secrets(game: RandomGame, seed: int) -> None:
    examiner, _ = sealed_examiner(game, seed)
    result = all_questions(game, examiner, 10**4)
    assert result is not None
    weights = {each.question.info_state: each.weight for each in result}
    assert weights == expected_weights(game, examiner)


@pytest.mark.slow
@given(OPEN_GAMES)
def test_weights_and_worths_in_games_with_luck(game: RandomGame) -> None:
    examiner = OpenExaminer(game, Limit(10**4))
    result = all_questions(game, examiner, 10**4)
    assert result is not None
    assert {each.question.info_state: each.weight for each in result} == expected_weights(
        game, examiner
    )

    for each in result:
        position = each.question.info_state
        assert isinstance(position, Position)
        sign = -1 if position.to_move else 1
        for move, worth in each.question.worth.items():
            assert worth == sign * open_value(position.play(move))


@pytest.mark.slow
@given(SECRET_GAMES, SEEDS, st.sampled_from([0, 1]))
def test_worths_in_games_with_secrets(game: RandomGame, seed: int, seat: int) -> None:
    """A move is worth what the best pure strategy gets that comes there and makes it."""
    assume(number_of_pure(game, seat) <= 100)
    examiner, both = sealed_examiner(game, seed)
    result = all_questions(game, examiner, 10**4)
    assert result is not None

    def passing(position: Position, own: Any, seen: Any, passed: bool) -> tuple[Fraction, Fraction]:
        """Return how probable it is to pass a set, and what is paid with that probability."""
        payoffs = position.payoffs()
        if payoffs is not None:
            return Fraction(passed), payoffs[seat] * passed
        mover = position.to_move
        shares = dict(position.chance_moves()) if mover == CHANCE else both[mover]
        if mover == seat:
            here = position.observation(seat)
            passed = passed or here == seen
            shares = own[here]
        elif mover != CHANCE:
            shares = shares[position.observation(mover)]
        chance = paid = Fraction(0)
        for move, share in shares.items():
            deeper = passing(position.play(move), own, seen, passed)
            chance, paid = chance + share * deeper[0], paid + share * deeper[1]
        return chance, paid

    for each in result[:3]:
        info_state = each.question.info_state
        if info_state.seat != seat:  # type: ignore[union-attr]
            continue
        best: dict[int, Fraction] = {}
        for own in pure_strategies(game, seat):
            (move,) = own[info_state]
            chance, paid = passing(game.start(), own, info_state, passed=False)
            if chance:
                best[move] = max(best.get(move, paid / chance), paid / chance)
        assert best == each.question.worth


@pytest.mark.slow
def test_draws_follow_the_weights() -> None:
    game, examiner = mnk_game(3, 2, 2), PlainExaminer(10**5)
    result = all_questions(game, examiner, 10**4)
    assert result is not None
    drawn = islice(drawn_questions(game, examiner, "seed"), 4000)
    counts = Counter(question.info_state for question in drawn if question is not None)
    assert counts.keys() <= {each.question.info_state for each in result}
    sample = [counts[each.question.info_state] for each in result], [each.weight for each in result]
    assert goodness_of_fit(sample, ([0], [Fraction(1)])).p_value > 1e-4


def test_a_seed_draws_the_same_questions() -> None:
    game, examiner = mnk_game(3, 3, 3), PlainExaminer(10**5)
    one, same, other = (
        [q and str(q.info_state) for q in islice(drawn_questions(game, examiner, seed), 30)]
        for seed in ("a", "a", "b")
    )
    assert one == same != other


@pytest.mark.parametrize("name", ["tictactoe", "mnk-3-2-2"])
def test_a_large_game_has_no_list_of_questions(name: str) -> None:
    import arena

    game = arena.get_game(name)
    assert all_questions(game, PlainExaminer(10**5), 50) is None
