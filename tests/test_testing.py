"""The assertions for players' authors, as functions and as fixtures."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import pytest

import arena
from arena import testing
from arena.errors import CannotEnumerate
from arena.game import Position
from tests.golden import Wording


def floating(position: Position, rng: random.Random) -> int:
    """As the monkey, but not to be enumerated."""
    moves = position.legal_moves()
    return moves[int(rng.random() * len(moves))]


FIXTURES = (
    "at_least_as_strong_as",
    "check_game",
    "check_player",
    "never_loses",
    "scores_against",
)


@pytest.mark.parametrize("name", FIXTURES)
def test_a_fixture_is_the_function_of_the_same_name(
    name: str, request: pytest.FixtureRequest
) -> None:
    assert name in testing.__all__
    assert request.getfixturevalue(name) is getattr(testing, name)


def crashes(position: Position, rng: random.Random) -> int:
    raise KeyError(str(position))


FAILURES: dict[str, Callable[[], object]] = {
    "a failure": lambda: testing.scores_against("tictactoe3", "monkey", at_least=1),
    "no such player": lambda: testing.never_loses("nobody"),
    "a fault of the player": lambda: testing.never_loses(crashes),
    "what cannot be proved": lambda: testing.never_loses("mcts"),
    "a check": lambda: testing.check_player(crashes, positions=1),
    "no such game": lambda: testing.check_game("nothing"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FAILURES)
def test_a_failure_shows_no_frame_of_arena(name: str) -> None:
    with pytest.raises((AssertionError, arena.ArenaError)) as raised:
        FAILURES[name]()
    assert len(raised.traceback) > 2
    assert {str(entry.path) for entry in raised.traceback.filter(raised)} == {__file__}
    assert raised.value.__cause__ is None


@pytest.mark.slow
def test_perfect_players_never_lose_and_others_are_shown_how(
    never_loses: Callable[..., None],
    wording: Wording,
) -> None:
    never_loses("triples")
    with pytest.raises(AssertionError, match=r"tictactoe2 .* 1 3 4 7 5 6 9") as raised:
        never_loses("tictactoe2")
    wording.line(str(raised.value), "2. tictactoe2 ")
    with pytest.raises(CannotEnumerate):
        never_loses(floating)


@pytest.mark.slow
def test_scores_are_compared_exactly_where_they_can_be(
    scores_against: Callable[..., None],
    wording: Wording,
) -> None:
    exact = Fraction(7003, 7560) + Fraction(557, 7560) / 2
    scores_against("tictactoe3", "monkey", at_least=exact)
    with wording.raises(AssertionError, match="9632"):
        scores_against("tictactoe3", "monkey", at_least=exact + Fraction(1, 10**9))


@pytest.mark.slow
def test_scores_are_sampled_where_they_cannot() -> None:
    testing.scores_against("tictactoe3", floating, 0.95, pairs=300)
    with pytest.raises(AssertionError, match=" 300 pairs"):
        testing.scores_against(floating, "tictactoe3", 0.2, pairs=300)


@pytest.mark.slow
def test_a_weaker_player_is_found(
    at_least_as_strong_as: Callable[..., None], wording: Wording
) -> None:
    at_least_as_strong_as("minimax", "tictactoe1")
    at_least_as_strong_as("triples", "tictactoe3")
    with wording.raises(AssertionError, match="7/24"):
        at_least_as_strong_as("tictactoe1", "minimax")
    at_least_as_strong_as("tictactoe1", floating, pairs=300)
    with pytest.raises(AssertionError, match=r"floating .* tictactoe1: .* 300 pairs"):
        at_least_as_strong_as(floating, "tictactoe1", pairs=300)
    with pytest.raises(AssertionError, match=r"floating .* floating#2: .* 20 pairs"):
        testing.at_least_as_strong_as(floating, floating, pairs=20)


class First:
    """Keeps state, so it cannot be enumerated, and takes the first legal move."""

    def start(self, game: arena.Game, side: arena.Side, rng: object) -> None:
        pass

    def choose(self, position: arena.Position) -> int:
        return position.legal_moves()[0]

    def observe(self, move: int) -> None:
        pass

    def finish(self, outcome: arena.Outcome) -> None:
        pass


class Middle(First):
    """The same with the one in the middle."""

    def choose(self, position: arena.Position) -> int:
        moves = position.legal_moves()
        return moves[len(moves) // 2]


@pytest.mark.slow
def test_two_games_that_repeat_are_the_exact_score(wording: Wording) -> None:
    assert arena.fight(First, Middle, 20).repeats
    testing.scores_against(First, Middle, at_least=1, pairs=20)
    with wording.raises(AssertionError):
        testing.scores_against(Middle, First, at_least=0.01, pairs=20)
    testing.at_least_as_strong_as(First, Middle, pairs=20)
    testing.at_least_as_strong_as(First, First, pairs=20)
    with wording.raises(AssertionError):
        testing.at_least_as_strong_as(Middle, First, pairs=20)
