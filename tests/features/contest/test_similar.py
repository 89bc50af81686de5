"""Hand-ins of different entrants with the same code, whatever their authors call things."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import arena
from arena.features.contest.hosted import HostedContest
from arena.features.contest.similar import code_digest
from arena.features.hand_in.record import PASSED, REFUSED
from tests.features.contest.packages import zipped

if TYPE_CHECKING:
    from tests.features.contest.conftest import Open

CODE = b"""
import random

class Book:
    def best(self, board):
        return max(board.legal_moves())

def choose(position, rng):
    book = Book()
    return book.best(position)
"""

#: The same with other names, comments, docstrings and layout.
RENAMED = b"""'''All my own work.'''
import random

class Brain:
    '''Thinks.'''
    def think(self, field):  # hard
        return max(
            field.legal_moves()
        )

def choose(state, dice):
    '''Return a move.'''

    brain = Brain()
    return brain.think(state)
"""


def digest(code: bytes) -> str:
    return code_digest({"bot.py": code})


def test_names_comments_docstrings_and_layout_do_not_count() -> None:
    assert digest(CODE) == digest(RENAMED) != ""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"max", b"min"),
        (b"legal_moves", b"shuffled"),
        (b"best(position)", b"best(rng)"),
        (b"import random", b"import math"),
        (b"    return book", b"    rng.random()\n    return book"),
    ],
)
def test_what_the_code_does_counts(before: bytes, after: bytes) -> None:
    assert digest(CODE) != digest(CODE.replace(before, after, 1))


@pytest.mark.parametrize(
    "code",
    [b"def", b"\xff", b"(" * 10_000, b"x = " + b"-" * 200_000 + b"1", b"1" * 10_000, b"\0"],
    ids=["syntax", "bytes", "parentheses", "signs", "digits", "zero"],
)
def test_what_python_cannot_read_is_like_nothing(code: bytes) -> None:
    assert digest(code) == ""


def hand_in(contest: HostedContest, entrant: str, content: bytes, state: str = PASSED) -> None:
    received = contest.hand_in(entrant, "bot.py", content)
    assert contest.take(received)
    contest.finalize(received, state, None, "", 0.0)


def test_groups_have_hand_ins_of_two_entrants_that_passed(opened: Open) -> None:
    contest = opened()
    other = CODE.replace(b"max", b"min")
    hand_in(contest, "alice", other)
    hand_in(contest, "alice", CODE)
    hand_in(contest, "alice", CODE + b"\n# again")
    hand_in(contest, "bob", zipped({"bob/bot.py": RENAMED, "bob/notes.txt": b"mine"}))
    hand_in(contest, "carol", CODE, REFUSED)
    [group] = arena.plugin.similar_code("c.db")
    names = {(each.entrant, each.number) for each in group}
    assert names == {("alice", 2), ("alice", 3), ("bob", 1)}
    assert arena.plugin.similar_code("c.db", contest.number) == [group]
    assert arena.plugin.similar_code("c.db", contest.number + 1) == []


def test_a_store_without_a_contest_is_one_line(tmp_path: Path) -> None:
    store = tmp_path / "s.db"
    arena.fight("tictactoe1", "monkey", n=1, store=store, executor="serial")
    with pytest.raises(arena.UsageError, match="no contest"):
        arena.plugin.similar_code(store)
