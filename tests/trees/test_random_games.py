"""Compare what is computed of trees with brute force, at games drawn at random."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import arena
from arena.certificates.equilibrium import check_strategies
from arena.certificates.strategies import StrategyHead, read_strategies, write_strategies
from arena.player import PlayerInfo
from arena.proof.limit import Limit
from arena.proof.outcome import exact_result
from arena.proof.policy import Policy
from arena.trees.exploiting import exploit
from arena.trees.sequences import Behavior, InfoSet, SequenceForm, sequence_form
from arena.trees.solution import GameSolution, solve
from arena.trees.strategies import strategy_of
from tests.trees.random_games import (
    RandomGame,
    Strategy,
    number_of_pure,
    open_value,
    paid,
    pure_strategies,
    random_strategy,
)

SEEDS = st.integers(0, 10**6)
GAMES = st.builds(RandomGame, SEEDS, st.booleans())
OPEN_GAMES = st.builds(RandomGame, SEEDS, st.just(False))
SECRET_GAMES = st.builds(RandomGame, SEEDS)

#: Strategies of a seat that brute force tries.
MAX_PURE = 300


def player_of(name: str, *strategies: Strategy) -> PlayerInfo:
    table = {seen: moves for strategy in strategies for seen, moves in strategy.items()}

    def choose(seen: object, rng: random.Random) -> int:
        moves = table[seen]
        parts = [int(p * 60) for p in moves.values()]
        return rng.choices([*moves], parts)[0]

    return PlayerInfo(name, choose, distribution=lambda seen: table[seen])


@pytest.mark.slow
@given(GAMES, st.integers(0, 99))
def test_exact_payoffs_are_those_of_the_definition(game: RandomGame, seed: int) -> None:
    rng = random.Random(seed)
    a, b = (tuple(random_strategy(game, seat, rng) for seat in (0, 1)) for _ in "ab")
    first, second = player_of("a", *a), player_of("b", *b)
    result = exact_result(Policy(first, game), Policy(second, game))
    expected = paid(game.start(), (a[0], b[1])), -paid(game.start(), (b[0], a[1]))
    assert (result.first.payoffs, result.second.payoffs) == tuple((x, -x) for x in expected)
    assert result.payoffs == (sum(expected) / 2, -sum(expected) / 2)
    assert result.total.win + result.total.draw + result.total.loss == 1


@pytest.mark.slow
@given(GAMES, st.integers(0, 99), st.sampled_from([0, 1]))
def test_no_strategy_takes_more_than_the_best_response(
    game: RandomGame, seed: int, seat: int
) -> None:
    assume(number_of_pure(game, seat) <= MAX_PURE)
    known = random_strategy(game, 1 - seat, random.Random(seed))
    result = exploit(Policy(player_of("a", known), game), seat, Limit(10**4))

    def takes(own: Strategy) -> Fraction:
        both = (own, known) if seat == 0 else (known, own)
        return paid(game.start(), both) * (1 - 2 * seat)

    assert result.payoff == max(map(takes, pure_strategies(game, seat)))
    complete = dict(next(pure_strategies(game, seat))) | dict(result.strategy)
    assert takes(complete) == result.payoff


def weights_of(sets: Sequence[InfoSet], behavior: Behavior) -> list[Fraction]:
    """Return the weight of each sequence of a seat that behaves so."""
    weights = [Fraction(1)]
    for each in sets:
        before = weights[each.parent]
        # A set that the seat itself avoids need not have probabilities.
        shares = behavior(each.seen) if before else {}
        weights += [before * shares.get(move, Fraction(0)) for move in each.moves]
    return weights


def payoffs_of_weights(
    form: SequenceForm, weights: Sequence[Sequence[Fraction]]
) -> tuple[Fraction, ...]:
    """Return what strategies of all seats, as weights, pay each seat on average."""
    totals = [Fraction(0)] * len(weights)
    for sequences, payoffs in form.ends.items():
        chance = Fraction(1)
        for weight, number in zip(weights, sequences, strict=True):
            chance *= weight[number]
        if chance:
            totals = [total + chance * each for total, each in zip(totals, payoffs, strict=True)]
    return tuple(totals)


@pytest.mark.slow
@given(SECRET_GAMES, st.integers(0, 99))
def test_weights_of_sequences_mean_the_strategy(game: RandomGame, seed: int) -> None:
    rng = random.Random(seed)
    form = sequence_form(game, Limit(10**4))
    both = [random_strategy(game, seat, rng) for seat in (0, 1)]
    weights = [weights_of(sets, own.__getitem__) for sets, own in zip(form.sets, both, strict=True)]
    assert payoffs_of_weights(form, weights)[0] == paid(game.start(), (both[0], both[1]))
    for sets, own, each in zip(form.sets, both, weights, strict=True):
        read = strategy_of(sets, each)
        assert read == {seen: own[seen] for seen in read}


def bounds(game: RandomGame, solved: GameSolution) -> tuple[Fraction, Fraction]:
    """Return what both strategies prove, by all pure answers to each."""
    first, second = (
        dict(next(pure_strategies(game, seat))) | dict(solved.strategies[seat]) for seat in (0, 1)
    )
    low = min(paid(game.start(), (first, answer)) for answer in pure_strategies(game, 1))
    high = max(paid(game.start(), (answer, second)) for answer in pure_strategies(game, 0))
    return low, high


@pytest.mark.needs("highspy")
@given(SECRET_GAMES)
def test_the_value_of_a_game_with_secrets_is_proved(game: RandomGame) -> None:
    require_proved(game)


@pytest.mark.slow
@given(game=OPEN_GAMES)
def test_the_value_of_a_game_with_luck_is_that_of_a_plain_recursion(
    game: RandomGame, tmp_path_factory: pytest.TempPathFactory
) -> None:
    solved = solve(game, Limit(10**4))
    assert solved.low == solved.high == open_value(game.start())
    file = tmp_path_factory.mktemp("open") / "game.jsonl"
    head = StrategyHead(game.name, game.version, "", "", low=solved.low, high=solved.high)
    write_strategies(file, game, head, solved.strategies)
    assert check_strategies(read_strategies(file, lambda _: game), 10**4) == (
        solved.low,
        solved.high,
    )


def require_proved(game: RandomGame) -> None:
    """Require that both strategies prove one value, by all pure answers to each."""
    assume(max(number_of_pure(game, seat) for seat in (0, 1)) <= MAX_PURE)
    solved = solve(game, Limit(10**4))
    assert solved.low == solved.high
    assert (solved.low, solved.high) == bounds(game, solved)


@pytest.mark.needs("highspy")
def test_random_games_have_secrets_and_values_that_need_chance() -> None:
    """The games above are not all trivial: some need mixed strategies."""
    mixed = 0
    for seed in range(40):
        solved = solve(RandomGame(seed), Limit(10**4))
        mixed += any(len(moves) > 1 for own in solved.strategies for moves in own.values())
    assert mixed >= 4


@pytest.mark.needs("highspy")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kuhn", Fraction(-1, 18)),
        ("liars-dice-1-4", Fraction(1, 16)),
        ("leduc", Fraction(-1454920850547486749701863871533, 16995463438839962469905132501930)),
        ("rock-paper-scissors-1", Fraction(0)),
    ],
)
def test_values_of_known_games(name: str, value: Fraction) -> None:
    solved = solve(arena.get_game(name), Limit(10**6))
    assert (solved.low, solved.high) == (value, value)
