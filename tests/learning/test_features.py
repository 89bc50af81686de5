"""Features, against a second computation from the board's text."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import UnknownName
from arena.game import Side
from arena.games.mnk import mnk_game
from arena.learning.features import (
    PAIRED,
    SETS,
    features_of,
    known_features,
    named_features,
)
from tests.boards import LINES, every_position
from tests.golden import Wording

GAME = mnk_game(3, 3, 3)


def winning(board: str, mark: str) -> set[int]:
    return {
        s
        for s in range(9)
        if board[s] == "_"
        for line in LINES
        if s in line and all(board[t] == mark for t in line if t != s)
    }


def by_hand(board: str, mine: str, theirs: str) -> dict[str, int]:
    """Return the features of a side from the text of the board."""
    held = {s for s in range(9) if board[s] == mine}
    forks = {
        s
        for s in range(9)
        if board[s] == "_" and len(winning(board[:s] + mine + board[s + 1 :], mine)) > 1
    }
    corners, sides = held & {0, 2, 6, 8}, held & {1, 3, 5, 7}
    return {
        "line": int(any(set(line) <= held for line in LINES)),
        "fork": int(len(winning(board, mine)) > 1),
        "centre": int(board[4] == mine),
        "opposite-corner": int(any(board[8 - s] == theirs for s in corners)),
        "corner": int(bool(corners)),
        "side": int(bool(sides)),
        "marks": board.count(mine),
        "wins": len(winning(board, mine)),
        "forks": len(forks),
        "corners": len(corners),
        "sides": len(sides),
    }


@pytest.mark.slow
def test_on_all_5478_boards_every_feature_is_what_it_is_called() -> None:
    names = tuple(known_features(GAME))
    features = features_of(GAME, names)
    boards = every_position(GAME.start())
    assert len(boards) == 5478
    for board in boards:
        for me in Side:
            mine, theirs = "xo"[me], "xo"[me.other]
            expected = {f"{name}-mine": x for name, x in by_hand(str(board), mine, theirs).items()}
            expected |= {
                f"{name}-theirs": x for name, x in by_hand(str(board), theirs, mine).items()
            }
            for s, letter in enumerate(str(board)):
                expected[f"square-{s + 1}"] = {mine: 1, theirs: -1, "_": 0}[letter]
            constant, *values = features.vector(board, me)
            assert constant == 1
            assert dict(zip(names, values, strict=True)) == expected, str(board)


def test_there_are_nine_plain_squares_and_the_lists_of_the_notes() -> None:
    assert named_features(GAME, ["squares"]) == tuple(f"square-{s}" for s in range(1, 10))
    assert {name: len(named_features(GAME, [name])) for name in SETS} == {
        "counts": 4,
        "list": 12,
        "rules": 12,
    }


@given(st.lists(st.sampled_from([*PAIRED, *SETS, "squares", "fork-mine", "square-5"])))
def test_each_feature_is_there_once_however_often_it_is_asked_for(words: list[str]) -> None:
    names = named_features(GAME, words)
    assert len(set(names)) == len(names)
    assert named_features(GAME, words * 2) == names
    assert set(names) <= set(known_features(GAME))


@pytest.mark.parametrize("word", ["", "square", "squares-mine", "square-10", "fork-yours", "RULES"])
def test_an_unknown_feature_is_named_with_what_is_known(word: str, wording: Wording) -> None:
    with wording.raises(UnknownName):
        named_features(GAME, ["fork", word])


def test_features_go_to_another_process() -> None:
    features = features_of(GAME, ("fork-mine",))
    assert pickle.loads(pickle.dumps(features)) is features
