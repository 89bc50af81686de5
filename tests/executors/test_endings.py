"""Signals that have to wait until a block is over."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from arena.executors.endings import ENDINGS, disturbable, ended_undisturbed, undisturbed

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
        result = mask(how, numbers)
        if numbers is ENDINGS:
            raise KeyboardInterrupt
        return result

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


@contextmanager
def noting(said: list[str]) -> Iterator[None]:
    try:
        yield
        said.append("done")
    except KeyboardInterrupt:
        said.append("interrupted")
        raise
    finally:
        signal.raise_signal(signal.SIGINT)
        said.append("left")


def leave(said: list[str], in_the_block: bool) -> None:
    with ended_undisturbed(noting(said)):
        if in_the_block:
            signal.raise_signal(signal.SIGINT)
            said.append("too late")


@pytest.mark.parametrize("in_the_block", [False, True])
def test_a_signal_disturbs_a_block_but_not_its_end(in_the_block: bool) -> None:
    messages: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        leave(messages, in_the_block)
    assert messages == ["interrupted" if in_the_block else "done", "left"]
    assert held_back() == set()
