"""What engines say of their moves: kept in a store, shown as JSON, and refused if it is garbled."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.game import Outcome
from arena.match.record import GameRecord
from arena.model.codec import decode, encode
from arena.records.notes import GameNotes
from arena.records.thoughts import Thought, Thoughts, move_thoughts, require_thoughts, thoughts_from
from arena.store.notes import note_of, noted

COUNTS = st.none() | st.integers(0, 10**12)
SECONDS = st.none() | st.floats(0, 1e6)
NUMBERS = st.integers(-(10**12), 10**12)
LINES = st.sampled_from(["", "e2e4", "e7e8q P@e4"])
THOUGHTS = st.builds(Thought, NUMBERS, st.none(), COUNTS, COUNTS, SECONDS, LINES) | st.builds(
    Thought, st.none(), NUMBERS, COUNTS, COUNTS, SECONDS, LINES
)
OF_GAMES = st.dictionaries(st.integers(0, 100), THOUGHTS).map(lambda d: tuple(sorted(d.items())))


@pytest.mark.slow
@given(OF_GAMES)
def test_what_is_kept_and_what_is_shown_is_read_again(thoughts: Any) -> None:
    record = GameRecord((1, 2), Outcome.DRAW, None, notes=GameNotes(thoughts=thoughts))
    note = json.dumps(note_of(record))
    assert noted(GameRecord((1, 2), Outcome.DRAW, None), note) == record
    assert thoughts_from(encode(move_thoughts(thoughts))) == thoughts


def test_a_thought_from_before_the_expected_line_is_read() -> None:
    assert decode(Thoughts, [[0, [13, None, 9, 200, 0.5]]]) == (
        (0, Thought(13, None, 9, 200, 0.5)),
    )


@pytest.mark.parametrize(
    "garbled",
    [
        7,
        [7],
        [[0]],
        [[0, [1, 1, None, None, None]]],
        [[0, ["1", None, None, None, None]]],
        [[0, [True, None, None, None, None]]],
        [[0, [1, None, -1, None, None]]],
        [[0, [1, None, None, None, float("nan")]]],
        [[0, [1, None, None, None, None, 5]]],
        [[0, [1, None, None, None, None, "", ""]]],
        [[-1, [1, None, None, None, None]]],
        [["0", [1, None, None, None, None]]],
        [[1, [1, None, None, None, None]], [0, [1, None, None, None, None]]],
    ],
)
def test_what_no_arena_wrote_is_refused(garbled: Any) -> None:
    with pytest.raises(UsageError):
        require_thoughts(decode(Thoughts, garbled))
