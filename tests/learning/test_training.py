"""Training as a whole."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import islice

import pytest

from arena import train
from arena.errors import CannotPlay, PlayerFault, UnknownName, UsageError
from arena.game import Position
from arena.games.mnk import MnkPosition, mnk_game
from arena.learning.features import features_of, named_features
from arena.learning.hypothesis import ignorance
from arena.learning.training import checkpoints, lessons
from arena.player import PlayerInfo
from arena.records.training import Course
from tests.golden import Wording

GAME = mnk_game(3, 3, 3)


def course(games: int = 50, seed: int = 1, rate: float = 0.01, start: str = "random") -> Course:
    return Course(("rules",), "self", start, rate, games, seed)


def test_there_is_a_hypothesis_before_the_first_game_and_after_each() -> None:
    features = features_of(GAME, named_features(GAME, ["rules"]))
    result = list(lessons(course(), features, None))
    assert len(result) == 51
    assert result[0] == ignorance(features)
    assert len(set(result)) > 25


def test_the_first_games_of_a_longer_course_are_those_of_a_shorter_one() -> None:
    features = features_of(GAME, named_features(GAME, ["squares"]))
    longer = lessons(course(games=100), features, None)
    assert list(islice(longer, 51)) == list(lessons(course(), features, None))


@pytest.mark.slow
@pytest.mark.parametrize("against", ["self", "monkey", "minimax"])
def test_the_same_seed_gives_the_same_weights_and_another_gives_others(against: str) -> None:
    one, same, other = (train(against=against, games=60, seed=seed).first for seed in (1, 1, 2))
    assert one == same != other


def test_without_a_seed_the_fresh_one_gives_the_same_again() -> None:
    result = train(games=20)
    assert train(games=20, seed=result.course.seed) == result


def test_against_an_opponent_it_moves_first_in_every_other_game() -> None:
    questions: list[MnkPosition] = []

    def watching(position: MnkPosition, rng: random.Random) -> int:
        questions.append(position)
        return rng.choice(position.legal_moves())

    train(against=watching, games=1, start="empty", seed=1)
    assert {position.ply % 2 for position in questions} == {1}
    train(against=watching, games=2, start="empty", seed=1)
    assert {position.ply % 2 for position in questions} == {0, 1}


@pytest.mark.slow
def test_training_makes_it_stronger_and_untrained_it_is_a_monkey() -> None:
    curve = train(games=1000, seed=1, curve=True).curve
    assert [point.games for point in curve] == list(checkpoints(1000))
    assert curve[0].scores["monkey"] == Fraction(1, 2)
    assert curve[-1].scores["monkey"] > Fraction(9, 10)
    assert set(curve[0].scores) >= {"monkey", "heuristic", "minimax"}


@pytest.mark.slow
def test_a_curve_changes_no_weight() -> None:
    with_curve, without = train(games=3, seed=4, curve=True), train(games=3, seed=4)
    assert (with_curve.first, with_curve.second) == (without.first, without.second)


@pytest.mark.parametrize("rate", [5.0, 1e200, 1e308])
def test_a_rate_that_is_too_large_ends_in_one_line_and_not_in_nan(
    rate: float, wording: Wording
) -> None:
    with wording.raises(UsageError):
        train(games=2000, rate=rate, seed=1)


@pytest.mark.parametrize("rate", [0.0, -1.0, float("nan"), float("inf")])
def test_a_rate_that_is_none_is_refused(rate: float, wording: Wording) -> None:
    with wording.raises(UsageError):
        train(rate=rate)


def test_what_cannot_be_trained_is_refused(wording: Wording) -> None:
    with wording.raises(UsageError):
        train(games=0)
    with wording.raises(UsageError):
        train(features=[])
    with wording.raises(UnknownName, match="'lsm'.*'lms'"):
        train("lsm")
    with wording.raises(UnknownName, match="'ful'"):
        train(start="ful")
    with wording.raises(UnknownName, match="'monke'.*'monkey'"):
        train(against="monke")
    with pytest.raises(CannotPlay):
        train(against=PlayerInfo("other", lambda position, rng: 0, games=("connect4",)))
    with wording.raises(UsageError):
        train(against=PlayerInfo("other", lambda: None, stateless=False))


def broken(_position: Position, _rng: random.Random) -> int:
    raise ValueError("tired")


def test_an_opponents_fault_is_named(wording: Wording) -> None:
    with wording.raises(PlayerFault, match="ValueError"):
        train(against=broken, seed=1)
    with wording.raises(PlayerFault, match="99"):
        train(against=PlayerInfo("lost", lambda position, rng: 99), seed=1)


def test_the_command_names_all_that_the_weights_depend_on(wording: Wording) -> None:
    result = train(
        against="monkey", games=7, features=["fork", "squares"], start="empty", rate=0.5, seed=9
    )
    wording(
        result.course.command,
        "--features",
        "--against",
        "--start",
        "--rate",
        "0.5",
        "--games",
        "--seed",
    )


def test_progress_is_told_game_by_game() -> None:
    numbers: list[int] = []
    train(games=5, on_progress=numbers.append)
    assert numbers == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("games", [1, 2, 3, 10, 50, 99, 1000, 1001])
def test_checkpoints_ascend_from_none_to_all(games: int) -> None:
    result = list(checkpoints(games))
    assert result[0] == 0
    assert result[-1] == games
    assert result == sorted(set(result))
