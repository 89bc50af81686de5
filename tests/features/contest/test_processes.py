"""What is kept of the words of a process that ended."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.features.contest.processes import MAX_COMPLAINT, _cut


def test_a_complaint_that_is_usual_is_whole() -> None:
    path = "/home/teacher/" * 20
    message = f"player '{path}': a module next to the file that it may read"
    assert _cut(message) == message


@given(st.text(st.sampled_from("ab "), min_size=MAX_COMPLAINT + 1, max_size=MAX_COMPLAINT + 50))
def test_a_long_one_is_cut_at_a_word(text: str) -> None:
    start, space, end = _cut(text).rpartition(" ")
    assert (space, end) == (" ", "…")
    assert len(start) + 2 <= MAX_COMPLAINT
    assert text.startswith(start)
    assert text[len(start)] == " " or " " not in start
