"""A game in other words is the same game, and says nothing of its own words."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.features.check.function import check_game
from arena.game import Game, Position
from arena.games.disguise import MAX_GROUPS, WordDisguise, new_words, problem_of
from arena.inputs.resolve import get_game
from tests.golden import Wording

#: Games that can be told in other words, and words that give them away.
TOLD = {
    "tictactoe": "board square row column mark x o diagonal",
    "tictactoe-4": "board square row column mark",
    "mnk-4-4-3-misere": "board square row column mark",
    "kuhn": "Kuhn poker card J Q K pass bet chip",
    "rock-paper-scissors": "rock paper scissors",
}

SEEDS = st.integers(0, (1 << 31) - 1)


def told(name: str) -> Game:
    return get_game(name)


def positions(game: Game, seed: int) -> list[Position]:
    """Return the positions of some games of random moves."""
    import random

    rng, results = random.Random(seed), []
    for _ in range(20):
        position = game.start()
        results.append(position)
        while moves := position.legal_moves():
            position = position.play(rng.choice(moves))
            results.append(position)
    return results


@pytest.mark.slow
@pytest.mark.parametrize("name", TOLD)
@settings(max_examples=20)
@given(seed=SEEDS)
def test_every_disguise_is_one_to_one(name: str, seed: int) -> None:
    game = told(name)
    disguise = game.disguise(seed)
    assert disguise is not None
    walked = positions(game, seed)
    seen = {str(each): each for p in walked for each in map(p.observation, range(game.seats))}
    moves = sorted({move for position in walked for move in position.legal_moves()})
    assert problem_of(disguise, seen, moves) == ""
    assert all(disguise.word(move).isalpha() for move in moves)
    assert disguise.move("no such word") is None


@pytest.mark.parametrize("name", TOLD)
def test_nothing_gives_the_game_away(name: str) -> None:
    game = told(name)
    disguise = game.disguise(5)
    assert disguise is not None
    texts = [disguise.text(p.observation(0)) for p in positions(game, 1)]
    words = {*re.findall(r"\w+", " ".join([disguise.guide, *texts]))}
    assert words.isdisjoint(TOLD[name].split())
    assert not any(word in words for word in ("x", "o"))


@pytest.mark.slow
@given(SEEDS)
def test_the_same_seed_gives_the_same_words(seed: int) -> None:
    one, other = (told("tictactoe").disguise(seed) for _ in range(2))
    assert one is not None
    assert other is not None
    assert one.guide == other.guide
    different = told("tictactoe").disguise(seed + 1)
    assert different is not None
    assert different.guide != one.guide


def test_the_groups_are_the_lines() -> None:
    disguise = told("tictactoe").disguise(0)
    assert disguise is not None
    groups = re.search(r"The groups are: (.*?)\.", disguise.guide)
    assert groups is not None
    lines = {
        tuple(sorted(int(disguise.move(word) or 0) for word in group.split()))
        for group in groups[1].split("; ")
    }
    rows = {(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)}
    assert lines == rows


@pytest.mark.parametrize("name", ["chess", "connect4", "mnk-13-13-5", "nim", "leduc", "othello-6"])
def test_other_games_have_no_disguise(name: str) -> None:
    assert told(name).disguise(1) is None


def test_a_game_of_many_lines_has_none() -> None:
    game = told("mnk-13-13-5")
    assert len(game.lines) > MAX_GROUPS  # type: ignore[attr-defined]


@given(st.integers(1, 2000), SEEDS)
@settings(max_examples=20)
def test_words_are_different_and_have_letters_alone(number: int, seed: int) -> None:
    words = new_words(number, seed)
    assert len({*words}) == number
    assert all(word.isalpha() and word.islower() for word in words)


@pytest.mark.slow
def test_a_check_of_a_game_looks_at_its_disguise() -> None:
    findings = {each.check: each.level.value for each in check_game("kuhn", seed=1).findings}
    assert findings["disguise"] == "pass"
    assert "disguise" not in {each.check for each in check_game("nim", seed=1).findings}


class Forgetful(WordDisguise):
    """A disguise that tells all situations alike."""

    def text(self, seen: object) -> str:
        return "something"


def test_a_disguise_that_is_not_one_to_one_is_found(wording: Wording) -> None:
    game = told("kuhn")
    walked = positions(game, 1)
    seen = {str(p.observation(0)): p.observation(0) for p in walked}
    forgetful = Forgetful(game, ("a", "b", "c", "d", "e"), (), 1)
    wording(problem_of(forgetful, seen, [0, 1]))
    twice = WordDisguise(game, ("pass", "bet", "J", "Q", "K"), (), 1)
    twice._moves[1] = twice._moves[0]
    wording(problem_of(twice, {}, [0, 1]))
