"""What a volunteer sends is read as the codec reads it, whatever it is."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.fights.engines import NO_RECORDS
from arena.match.record import PlayedPair
from arena.model.codec import decode, encode
from arena.volunteers import reading
from arena.volunteers.reading import pairs_from
from tests.volunteers.runs import pairing, played

GAMES = {
    "tictactoe": pairing(),
    "kuhn": pairing("monkey", "cfr:iterations=10", game="kuhn"),
    "three": pairing("monkey", "a=monkey", "b=monkey", game="mnk-3-3-3-x3"),
}


def by_codec(value: Any) -> list[PlayedPair]:
    """Return what the codec reads, without seconds and without the games of void pairs."""
    if isinstance(value[0], list) and len(value[0]) == len(PlayedPair._fields):
        value = [[*value[0][:2], [], *value[0][3:]], *value[1:]]
    return [
        pair._replace(seconds=(), records=NO_RECORDS if pair.void else pair.records)
        for pair in decode(list[PlayedPair], value)
    ]


def read(value: Any) -> list[PlayedPair]:
    return [pair._replace(seconds=()) for pair in pairs_from(value, 1.0)]


@pytest.mark.parametrize("name", GAMES)
def test_games_are_read_as_they_were_played(name: str) -> None:
    pairs = played(GAMES[name], 3, 9)
    value = json.loads(json.dumps(encode(pairs)))
    assert read(value) == by_codec(value) == [pair._replace(seconds=()) for pair in pairs]
    assert {pair.seconds for pair in pairs_from(value, 6.0)} == {
        (6 / (6 * len(pairs[0].records)),) * len(pairs[0].records)
    }


@pytest.mark.parametrize("ended", [None, 1.5])
def test_most_games_are_read_without_the_codec(
    ended: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = [
        pair._replace(records=tuple(record._replace(ended=ended) for record in pair.records))
        for pair in played(GAMES["tictactoe"], 3, 9)
    ]
    value = json.loads(json.dumps(encode(pairs)))
    monkeypatch.setattr(reading, "decode", None)
    assert read(value) == [pair._replace(seconds=()) for pair in pairs]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=5,
)


@pytest.mark.slow
@given(st.data())
def test_another_value_somewhere_is_refused_or_read_alike(data: st.DataObject) -> None:
    value: Any = json.loads(json.dumps(encode(played(GAMES["tictactoe"], 3, 4))))
    place = value
    for depth in range(data.draw(st.integers(0, 4))):
        lists = [at for at, item in enumerate(place) if isinstance(item, list) and item]
        if not lists or depth == 4:
            break
        place = place[data.draw(st.sampled_from(lists))]
    place[data.draw(st.integers(0, len(place) - 1))] = data.draw(VALUES)
    try:
        expected: Any = by_codec(value)
    except UsageError:
        with pytest.raises(UsageError):
            read(value)
    else:
        assert repr(read(value)) == repr(expected)


@pytest.mark.slow
@pytest.mark.parametrize("time", [float("inf"), float("nan")])
def test_a_time_that_no_clock_shows_is_refused(time: float) -> None:
    value: Any = json.loads(json.dumps(encode(played(GAMES["tictactoe"], 3, 4))))
    _, games, *_ = value[0]
    games[0][4] = [[time], []]
    with pytest.raises(UsageError):
        read(value)
