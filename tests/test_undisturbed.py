"""Signals that have to wait until a block is over."""

from __future__ import annotations

import signal
from typing import Any

import pytest

from arena.endings import ENDINGS, disturbable, undisturbed

pytestmark = pytest.mark.skipif(
    not hasattr(signal, "pthread_sigmask"), reason="signals cannot be held back"
)


def held_back() -> set[int]:
    return set(signal.pthread_sigmask(signal.SIG_BLOCK, ()))


def interrupt_a_block(number: signal.Signals, done: list[str]) -> None:
    with undisturbed():
        signal.raise_signal(number)
        done.append("the block")


@pytest.mark.parametrize("number", ENDINGS)
def test_a_signal_waits_for_the_end_of_the_block(number: signal.Signals) -> None:
    done: list[str] = []
    before = signal.signal(number, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            interrupt_a_block(number, done)
    finally:
        signal.signal(number, before)
    assert done == ["the block"]
    assert held_back() == set()


def test_a_signal_of_just_before_leaves_nothing_held_back(monkeypatch: pytest.MonkeyPatch) -> None:
    mask = signal.pthread_sigmask

    def interrupted(how: int, numbers: Any) -> object:
        found = mask(how, numbers)
        if numbers is ENDINGS:
            raise KeyboardInterrupt
        return found

    monkeypatch.setattr(signal, "pthread_sigmask", interrupted)
    with pytest.raises(KeyboardInterrupt), undisturbed():
        pass
    assert held_back() == set()


def test_blocks_within_blocks_wait_for_the_outermost() -> None:
    with undisturbed():
        with undisturbed():
            pass
        assert held_back() == set(ENDINGS)
        disturbable()
        assert held_back() == set()
    assert held_back() == set()
