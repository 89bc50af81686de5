"""Test that every opening keeps its first pair, whoever plays the others and when."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.fights.pair_counts import ByOpening
from arena.records.joint import NOTHING, Joint

#: An opening, and the cell of the table that its pair is in.
PAIRS = st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 8)), max_size=30)


def table(cell: int) -> Joint:
    return Joint(*(int(i == cell) for i in range(9)))


def part(numbered: list[tuple[int, tuple[str, int]]]) -> ByOpening:
    result = ByOpening()
    for pair, (opening, cell) in numbered:
        joint = table(cell)
        result.add(opening, joint, joint)
        result.meet(opening, pair, (joint, joint))
    return result


@pytest.mark.slow
@given(PAIRS, st.randoms(use_true_random=False), st.integers(1, 7))
def test_sum_the_first_pairs_in_any_order(
    pairs: list[tuple[str, int]], rng: object, size: int
) -> None:
    numbered = list(enumerate(pairs, start=1))
    first = dict(reversed(pairs))
    rng.shuffle(numbered)  # type: ignore[attr-defined]
    whole = ByOpening()
    for start in range(0, len(numbered), size):
        whole.update(part(numbered[start : start + size]))
    assert (
        whole.first_pairs(True)
        == whole.first_pairs(False)
        == sum(map(table, first.values()), NOTHING)
    )
    assert whole == part(list(enumerate(pairs, start=1)))


def test_count_a_pair_that_was_forfeited_as_asked() -> None:
    result = ByOpening()
    result.meet("a", 4, (table(8), table(0)))
    result.meet("a", 2, (table(5), table(0)))
    assert (result.first_pairs(True), result.first_pairs(False)) == (table(5), table(0))
