"""Compare exact payoffs and best responses with those that OpenSpiel computes in floats."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

import arena
from arena.player import PlayerInfo

pytestmark = pytest.mark.needs("open_spiel")

#: The probability of each action, by the text of an information state.
Table = Mapping[str, Mapping[int, Fraction]]

GAMES = ["kuhn_poker", "leduc_poker", pytest.param("liars_dice", marks=pytest.mark.nightly)]


def in_theirs(name: str, payoff: Fraction) -> float:
    """Return a payoff in OpenSpiel's units: arena gives points for a win and a loss, 1 and 0."""
    pays = arena.get_game(f"openspiel:{name}").is_paid
    return float(payoff if pays else 2 * payoff - 1)


def random_table(game: Any, seed: int) -> Table:
    """Draw the probabilities of every action at every information state, some of them 0."""
    from open_spiel.python.policy import TabularPolicy

    rng, table = random.Random(seed), {}
    for state in TabularPolicy(game).states:
        actions = state.legal_actions()
        parts = [rng.randint(0, 3) for _ in actions]
        parts[rng.randrange(len(parts))] += 1
        table[state.information_state_string()] = {
            action: Fraction(part, sum(parts)) for action, part in zip(actions, parts, strict=True)
        }
    return table


def their_policy(game: Any, table: Table) -> Any:
    from open_spiel.python.policy import tabular_policy_from_callable

    def shares(state: Any) -> dict[int, float]:
        return {a: float(p) for a, p in table[state.information_state_string()].items()}

    return tabular_policy_from_callable(game, shares)


def our_player(name: str, table: Table) -> PlayerInfo:
    def declared(known: Any) -> Mapping[int, Fraction]:
        return table[known.text]

    def choose(known: Any, rng: random.Random) -> int:
        moves = table[known.text]
        return rng.choices([*moves], [float(p) for p in moves.values()])[0]

    return PlayerInfo(name, choose, distribution=declared)


@pytest.mark.parametrize("name", GAMES)
def test_exact_payoffs_are_expected_values(name: str) -> None:
    import pyspiel
    from open_spiel.python.algorithms.expected_game_score import policy_value

    game = pyspiel.load_game(name)
    tables = [random_table(game, seed) for seed in (1, 2)]
    policies = [their_policy(game, table) for table in tables]
    players = [our_player(text, table) for text, table in zip("ab", tables, strict=True)]
    result = arena.exact(*players, game=f"openspiel:{name}")
    for chances, both in (
        (result.first, policies),
        (result.second.reversed(), policies[::-1]),
    ):
        theirs = policy_value(game.new_initial_state(), both)
        ours = chances.payoffs or (chances.score, 1 - chances.score)
        assert [in_theirs(name, paid) for paid in ours] == pytest.approx([*theirs], abs=1e-9)


@pytest.mark.parametrize("name", GAMES)
def test_best_responses_and_exploitability(name: str) -> None:
    import pyspiel
    from open_spiel.python.algorithms.best_response import BestResponsePolicy
    from open_spiel.python.algorithms.exploitability import nash_conv

    game = pyspiel.load_game(name)
    table = random_table(game, 3)
    policy = their_policy(game, table)
    result = arena.exploitability(our_player("random", table), game=f"openspiel:{name}", games=40)
    assert result.holds
    both = sum(in_theirs(name, paid) for paid in result.best_response)
    assert both == pytest.approx(nash_conv(game, policy), abs=1e-9)
    for seat in (0, 1):
        response = BestResponsePolicy(game, seat, policy)
        theirs = response.value(game.new_initial_state())
        ours = in_theirs(name, result.best_response[1 - seat])
        assert ours == pytest.approx(theirs, abs=1e-9)


def test_uniform_play_has_the_nash_conv_that_is_known() -> None:
    assert 2 * arena.exploitability(
        "monkey", game="openspiel:kuhn_poker"
    ).exploitability == Fraction(11, 12)
    leduc = arena.exploitability("monkey", game="openspiel:leduc_poker", games=0)
    assert 2 * float(leduc.exploitability) == pytest.approx(4.747222222222222)


@pytest.mark.needs("highspy")
@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("kuhn_poker", "kuhn"),
        ("leduc_poker", "leduc"),
        pytest.param("liars_dice", "liars-dice-1-6", marks=pytest.mark.nightly),
    ],
)
def test_their_games_have_the_values_of_ours(theirs: str, ours: str) -> None:
    value = arena.game_value(ours).value
    assert value is not None
    result = arena.game_value(f"openspiel:{theirs}").value
    assert result is not None
    assert in_theirs(theirs, result) == pytest.approx(float(value), abs=1e-15)
