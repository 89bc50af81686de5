"""Records of the commands come back from their JSON."""

from __future__ import annotations

import json
from contextlib import suppress
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.cli.last import LastResults
from arena.errors import UsageError
from arena.features.regress.files import (
    BaselineFile,
    GameRoster,
    GamesEntry,
    PairsEntry,
    PolicyEntry,
)
from arena.fights.openings import OpeningsOfPairs
from arena.fights.replays import FileForfeit, GameFile
from arena.learning.weights import WeightFile
from arena.model.codec import decode, encode
from arena.records.prints import Printed, PrintedText
from arena.records.refereed import Refereed
from arena.records.thoughts import MoveThought, Thought
from arena.store.notes import StoredNotes
from tests.reports.fixed import RECORDS

#: Kinds of records whose JSON has all that they are.
NAMES = [
    *("answered", "tournament-plan", "exact", "exact-tournament", "sprt", "ratings", "plan"),
    *("theorem", "player-theorem", "checked-certificate", "solved", "checked", "export"),
    *("imported", "scaffold", "copied", "handed-in", "verified", "diverged"),
]


@pytest.mark.parametrize("name", NAMES)
def test_the_record_has_the_same_json(name: str) -> None:
    content = json.loads(json.dumps(encode(RECORDS[name])))
    assert encode(decode(type(RECORDS[name]), content)) == content


#: The files and notes that arena reads, each with all its keys.
FILES = [
    GameFile(
        *("tictactoe", ("a", "b"), ("1", "2"), "second", 1, "_________"),
        FileForfeit("a", "illegal", "move 1", "bot.py:3", "x", 3),
        (FileForfeit("a", "illegal", "move 1", "bot.py:3", "x", 3),),
        (Fraction(1, 3),),
        *(7, "tictactoe/a/b/7/1.1"),
        printed=(PrintedText("a", 1, "x", 1, True),),
        referee=Refereed(3, (1.0, 0.5)),
        adjudicated="resign",
        thoughts=(MoveThought(1, 13, None, 9, None, 0.5),),
    ),
    StoredNotes(
        *("bot.py:3", "x", ((0.5, None), (1.0,))),
        ended=1.5,
        printed=(Printed(1, 0, "x", 1, True),),
        referee=Refereed(3, None),
        adjudicated="draw",
        thoughts=((0, Thought(mate=-3)), (2, Thought(5, seconds=0.5))),
    ),
    BaselineFile(
        {
            "tictactoe": GameRoster(
                *(1, ("a",)),
                {
                    "a": PolicyEntry("1", "policy", {"_________": "1"}),
                    "b": GamesEntry("2", "games", {"a": PairsEntry(7, ("0123", "4"))}),
                },
            )
        },
        {"a": "./a.py"},
    ),
    WeightFile("tictactoe", {"constant": 1.5}, {"constant": -1.0}),
    LastResults({"/home/anna": {"command": "fight"}}),
    OpeningsOfPairs("all:1", ("x________",)),
]


@pytest.mark.parametrize("file", FILES, ids=lambda file: type(file).__name__)
def test_a_file_is_read_as_it_was_written(file: object) -> None:
    content = json.loads(json.dumps(encode(file)))
    assert decode(type(file), content) == file


@given(st.data())
def test_spoiled_json_is_read_or_refused(data: st.DataObject) -> None:
    record = data.draw(st.sampled_from([*(RECORDS[name] for name in NAMES), *FILES]))
    content: Any = json.loads(json.dumps(encode(record)))
    place = content
    while data.draw(st.booleans()):
        inner = [each for each in _items(place) if isinstance(place[each], (dict, list))]
        if not inner:
            break
        place = place[data.draw(st.sampled_from(inner))]
    if keys := _items(place):
        place[data.draw(st.sampled_from(keys))] = data.draw(OTHER)
    with suppress(UsageError):
        decode(type(record), content)


OTHER: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from([None, True, False]), st.integers(), st.floats(), st.text(), st.builds(list)
)


def _items(place: Any) -> list[Any]:
    return list(place) if isinstance(place, dict) else list(range(len(place)))
