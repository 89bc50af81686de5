"""Records of the commands come back from their JSON."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.model.codec import decode, encode
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


@given(st.data())
def test_spoiled_json_is_read_or_refused(data: st.DataObject) -> None:
    record = RECORDS[data.draw(st.sampled_from(NAMES))]
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
