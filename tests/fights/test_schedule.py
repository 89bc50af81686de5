"""Rounds: everybody meets at most once in each, and nobody is forgotten."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.fights.schedule import in_rounds, round_robin


@given(st.integers(2, 14))
def test_a_round_robin_is_as_many_complete_rounds_as_there_can_be(size: int) -> None:
    wanted = round_robin(range(size))
    order = in_rounds(wanted)
    assert sorted(order) == list(range(len(wanted)))
    for start in range(0, len(order), size // 2):
        busy = [who for place in order[start : start + size // 2] for who in wanted[place]]
        assert len({*busy}) == size // 2 * 2, "everybody plays, but one of an odd number"


players = st.integers(0, 9)


@pytest.mark.slow
@given(st.lists(st.tuples(players, players).filter(lambda pair: pair[0] != pair[1]), max_size=20))
def test_every_pairing_comes_once_whichever_there_are(wanted: list[tuple[int, int]]) -> None:
    assert sorted(in_rounds(wanted)) == list(range(len(wanted)))
