"""The queue: every pair handed out once, in order, in pieces of the right sizes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.executors.base import SECONDS_A_TASK
from arena.fights.chunks import MIN_CHUNK_SECONDS, ROUND, Chunk, ChunkQueue, missing_of


@st.composite
def missing(draw: st.DrawFn) -> list[range]:
    """Ranges of pairs, ascending and apart."""
    ends = sorted(draw(st.sets(st.integers(1, 90), max_size=8)))
    return [range(a, b) for a, b in list(pairwise(ends))[::2]]


pairings = st.lists(st.tuples(missing(), st.integers(1, 30)), max_size=4)


def queue_of(wanted: list[tuple[list[range], int]], slowly: bool = False) -> ChunkQueue:
    ranges, sizes = [ranges for ranges, _ in wanted], [size for _, size in wanted]
    return ChunkQueue(ranges, sizes, [1] * len(wanted) if slowly else None)


def chunks_of(queue: ChunkQueue) -> Iterator[Chunk]:
    """Take all chunks that there are at present."""
    return iter(queue.next_task, None)


def taken(queue: ChunkQueue) -> Chunk:
    chunk = queue.next_task()
    assert chunk is not None
    return chunk


def pairs_of(chunks: list[Chunk], pairing: int) -> list[int]:
    return [
        pair
        for chunk in chunks
        if chunk.pairing == pairing
        for pair in range(chunk.start, chunk.stop)
    ]


def wanted_of(ranges: list[range]) -> list[int]:
    return list(chain.from_iterable(ranges))


@given(pairings, st.booleans())
def test_every_pair_is_handed_out_once_and_in_order(
    wanted: list[tuple[list[range], int]], slowly: bool
) -> None:
    queue = queue_of(wanted, slowly)
    chunks = list(chunks_of(queue))
    assert [chunk.pairing for chunk in chunks] == sorted(chunk.pairing for chunk in chunks)
    for pairing, (ranges, size) in enumerate(wanted):
        assert pairs_of(chunks, pairing) == wanted_of(ranges)
        sizes = [chunk.pairs for chunk in chunks if chunk.pairing == pairing]
        assert all(1 <= pairs <= (1 if slowly else size) for pairs in sizes)
    assert queue.next_task() is None


@given(st.integers(1, 50), st.integers(1, 50), st.none() | st.integers(1, 12))
def test_the_parts_of_a_chunk_are_as_large_as_looks_allow(
    start: int, pairs: int, batch: int | None
) -> None:
    chunk = Chunk(3, start, start + pairs)
    parts = list(chunk.parts(batch))
    assert pairs_of(parts, 3) == list(range(start, start + pairs))
    looks = [{(pair - 1) // (batch or 1000) for pair in pairs_of([part], 3)} for part in parts]
    assert all(len(look) == 1 for look in looks)
    assert all(a != b for a, b in pairwise(looks))


@given(missing(), st.integers(1, 30))
def test_chunks_are_as_large_as_they_may_be(ranges: list[range], size: int) -> None:
    for pairs in ranges:
        sizes = [chunk.pairs for chunk in chunks_of(ChunkQueue([[pairs]], [size]))]
        assert sizes[:-1] == [size] * (len(sizes) - 1)


@pytest.mark.slow
@given(pairings, st.data())
def test_pairs_of_chunks_that_are_split_come_again_one_by_one(
    wanted: list[tuple[list[range], int]], data: st.DataObject
) -> None:
    queue = queue_of(wanted)
    done: list[Chunk] = []
    handed_out: list[Chunk] = []
    while handed_out or (chunk := queue.next_task()) is not None:
        if not handed_out:
            assert chunk is not None
            handed_out.append(chunk)
        if data.draw(st.booleans()) and (more := queue.next_task()) is not None:
            handed_out.append(more)
        returned = handed_out.pop(data.draw(st.integers(0, len(handed_out) - 1)))
        if returned.pairs > 1 and data.draw(st.booleans()):
            queue.split(returned)
            singles = list(islice(chunks_of(queue), returned.pairs))
            assert [(one.pairing, one.start) for one in singles] == [
                (returned.pairing, pair) for pair in range(returned.start, returned.stop)
            ]
            assert all(one.pairs == 1 for one in singles)
            handed_out += singles
        else:
            done.append(returned)
    for pairing, (ranges, _) in enumerate(wanted):
        assert sorted(pairs_of(done, pairing)) == wanted_of(ranges)


def test_a_feed_that_was_empty_hands_out_what_is_split_afterwards() -> None:
    queue = ChunkQueue([[range(1, 4)]], [10])
    (chunk,) = chunks_of(queue)
    assert queue.next_task() is None
    queue.split(chunk)
    assert list(chunks_of(queue)) == [Chunk(0, 1, 2), Chunk(0, 2, 3), Chunk(0, 3, 4)]


def test_very_many_pairs_take_neither_time_nor_memory() -> None:
    many = 10**15
    queue = ChunkQueue([missing_of(many, [7])], [500])
    assert taken(queue) == Chunk(0, 1, 7)
    assert taken(queue) == Chunk(0, 8, 508)
    (last,) = islice(chunks_of(ChunkQueue([missing_of(many, range(1, 10**5))], [many])), 1)
    assert last == Chunk(0, 10**5, many + 1)


@given(st.integers(1, 40), st.floats(1e-9, 10), st.integers(1, 500))
def test_chunks_are_cut_to_take_a_while_and_no_longer(
    pairs: int, seconds: float, most: int
) -> None:
    queue = ChunkQueue([[range(1, 10**6)], [range(1, 10**6)]], [most, 500], [1, 1])
    assert taken(queue).pairs == 1
    queue.pace(Chunk(0, 1, 1 + pairs), seconds)
    size = taken(queue).pairs
    assert 1 <= size <= most
    if size > 1:
        assert size * seconds / pairs <= SECONDS_A_TASK * 1.001
    if size < most:
        assert (size + 1) * seconds / pairs >= SECONDS_A_TASK * 0.999


def test_what_one_pairing_taught_is_not_applied_to_another() -> None:
    queue = ChunkQueue([[range(1, 2)], [range(1, 100)]], [50, 50], [1, 1])
    queue.pace(taken(queue), 1e-9)
    assert taken(queue) == Chunk(1, 1, 2)
    queue.pace(Chunk(1, 1, 2), 0)
    assert taken(queue) == Chunk(1, 2, 3), "no time teaches nothing"
    queue.pace(Chunk(1, 2, 3), float("nan"))
    queue.pace(Chunk(1, 2, 3), 1e-9)
    assert taken(queue) == Chunk(1, 3, 53)


@given(st.integers(1, 9), st.integers(1, 60), st.lists(st.floats(1e-5, 1), min_size=9))
def test_rounds_keep_pairings_together_by_no_more_than_a_round_of_play(
    pairings: int, pairs: int, seconds: list[float]
) -> None:
    """Play ``pairings`` that differ in speed, one chunk at a time, and look after every chunk."""
    order = list(reversed(range(pairings)))
    ranges = [[range(1, pairs + 1)] for _ in order]
    queue = ChunkQueue(ranges, [500] * pairings, [1] * pairings, rounds=order)
    played = [0] * pairings
    fastest = min(seconds[:pairings])
    while (chunk := queue.next_task()) is not None:
        assert chunk.start == played[chunk.pairing] + 1
        assert played[chunk.pairing] == min(played), "who is behind comes first"
        ahead = [index for index in order if played[index] == min(played)]
        assert chunk.pairing == ahead[0]
        played[chunk.pairing] = chunk.stop - 1
        assert (max(played) - min(played) - 1) * fastest <= max(
            ROUND / pairings, MIN_CHUNK_SECONDS
        ) + 1e-9
        queue.pace(chunk, chunk.pairs * seconds[chunk.pairing])
    assert played == [pairs] * pairings


def test_a_round_of_fast_pairings_is_no_longer_than_it_has_to_be() -> None:
    queue = ChunkQueue([[range(1, 10**6)]] * 2, [10**6] * 2, [1, 1], rounds=[0, 1])
    for _ in range(2):
        queue.pace(taken(queue), 1e-5)
    sizes = [taken(queue).pairs for _ in range(2)]
    assert sizes == [SECONDS_A_TASK / 1e-5] * 2, "a chunk is as long as any"


def test_pairs_that_take_as_long_as_one_are_not_cut_by_rounds_of_slow_pairings() -> None:
    ranges, most = [range(1, 61)], [500] * 3
    queue = ChunkQueue([ranges] * 3, most, [25, 1, 1], rounds=[0, 1, 2], at_once=[25, 1, 1])
    seconds, played, sizes = (1e-4, 0.5, 0.5), [0] * 3, list[int]()
    while (chunk := queue.next_task()) is not None:
        assert played[chunk.pairing] == min(played), "who is behind comes first"
        played[chunk.pairing] = chunk.stop - 1
        assert max(played) - min(played) <= 25
        queue.pace(chunk, chunk.pairs * seconds[chunk.pairing])
        if chunk.pairing == 0:
            sizes.append(chunk.pairs)
    assert (played, sizes) == ([60] * 3, [25, 25, 10])


def test_pairings_that_are_not_in_rounds_come_last_and_whole() -> None:
    queue = ChunkQueue([[range(1, 9)], [range(1, 3)], [range(1, 3)]], [8, 1, 1], rounds=[1, 2])
    assert [chunk[:3] for chunk in chunks_of(queue)] == [
        (1, 1, 2), (2, 1, 2), (1, 2, 3), (2, 2, 3), (0, 1, 9)
    ]  # fmt: skip


@given(st.integers(0, 60), st.sets(st.integers(1, 60)))
def test_missing_is_what_was_not_played(pairs: int, played: set[int]) -> None:
    played = {pair for pair in played if pair <= pairs}
    ranges = missing_of(pairs, sorted(played))
    assert wanted_of(ranges) == [n for n in range(1, pairs + 1) if n not in played]
    assert all(ranges)
    assert all(one.stop < other.start for one, other in pairwise(ranges))


def test_an_executor_may_ask_for_longer_chunks_but_the_last_are_short() -> None:
    wanted, seconds = 5 * SECONDS_A_TASK, 1e-4
    queue = ChunkQueue([[range(1, 10**5)]], [500], [1])
    queue.seconds_a_task = lambda: wanted
    queue.pace(taken(queue), seconds)
    chunks = list(islice(chunks_of(queue), 4))
    while (chunk := queue.next_task()) is not None:
        queue.take_back()  # four are out
        chunks.append(chunk)
    sizes = [chunk.pairs for chunk in chunks]
    assert sizes[0] == 2500, "five times the most"
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-10] == 2500
    assert sizes[-2] == int(wanted / seconds / 3)
    assert sum(sizes) == 10**5 - 2


def test_rounds_are_long_enough_for_the_chunks_that_an_executor_asks_for() -> None:
    queue = ChunkQueue([[range(1, 10**6)]] * 40, [10**6] * 40, [1] * 40, rounds=range(40))
    queue.seconds_a_task = lambda: 0.5
    for _ in range(40):
        queue.pace(taken(queue), 1e-3)
    assert min(taken(queue).pairs for _ in range(40)) >= 499


def test_a_feed_that_goes_alone_hands_out_one_chunk_at_a_time() -> None:
    queue = ChunkQueue([[range(1, 7)]], [1])
    one, two = queue.next_task(), queue.next_task()
    assert not queue.take_back()
    assert queue.go_alone()
    assert not queue.go_alone()
    assert queue.next_task() is None  # the second is still out
    assert not queue.take_back(), "others were played beside it"
    three = queue.next_task()
    assert queue.next_task() is None
    assert queue.take_back()
    assert [one, two, three] == [Chunk(0, n, n + 1) for n in (1, 2, 3)]
