"""Observers that raise, are slow, print or come too often; and a test of every hook."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

import arena
from arena.plugin import observers
from arena.plugin.observers import (
    MAX_OBSERVER_SECONDS,
    PROGRESS_SECONDS,
    Audience,
    Observers,
    watching,
)
from arena.records.base import Tally
from arena.records.observers import Progress, Run
from tests.golden import Wording
from tests.observing import Recorder, observed_by
from tests.samples import few

RUN = Run("fight", 7)
STATE = Progress(2, 10, Tally(1, 1, 0))


class Clock:
    """A clock that stands still until a test moves it."""

    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(observers, "now", clock)
    return clock


class Fragile(Recorder):
    """Calls a function in the hook of that name, and notes the rest."""

    def __init__(self, hook: str, act: Callable[[], object]) -> None:
        super().__init__()
        self.hook, self.act = hook, act

    @arena.hookimpl
    def arena_run_start(self, run: Any) -> None:
        self._do("arena_run_start")

    @arena.hookimpl
    def arena_game_end(self, game: Any) -> None:
        self._do("arena_game_end")

    @arena.hookimpl
    def arena_fight_end(self, result: Any) -> None:
        self._do("arena_fight_end")

    @arena.hookimpl
    def arena_run_end(self, result: Any) -> None:
        self._do("arena_run_end")

    def _do(self, hook: str) -> None:
        self.heard.append((hook, None))
        if hook == self.hook:
            self.act()


def fail() -> None:
    raise ZeroDivisionError("oh\nno \x1b[31m")


@pytest.mark.parametrize(
    ("hook", "heard"),
    [("arena_run_start", 1), ("arena_game_end", 2), ("arena_fight_end", 22), ("arena_run_end", 23)],
)
@pytest.mark.parametrize("act", few([fail, lambda: sys.exit(9)]))
def test_an_observer_that_raises_is_named_once_and_dropped(
    hook: str,
    heard: int,
    act: Callable[[], object],
    caplog: pytest.LogCaptureFixture,
    wording: Wording,
) -> None:
    fragile, other = Fragile(hook, act), Recorder()
    catalogue = observed_by(fragile, other)
    with caplog.at_level(logging.WARNING):
        result = arena.fight("monkey", "triples", 10, seed=1, workers=2, catalogue=catalogue)
    assert result == arena.fight("monkey", "triples", 10, seed=1, workers=1)
    assert len(fragile.heard) == heard
    assert len(other.heard) == 23, "the others hear everything"
    [line] = caplog.messages
    wording(line, "'observer0'", f"{hook}")
    assert line.isprintable()
    assert catalogue.observers.dropped == {"observer0"}


def test_an_observer_that_was_dropped_is_told_of_the_next_run() -> None:
    fragile = Fragile("arena_game_end", fail)
    catalogue = observed_by(fragile)
    for _ in range(2):
        fragile.heard.clear()
        arena.fight("monkey", "triples", 1, seed=1, workers=1, catalogue=catalogue)
        assert len(fragile.heard) == 2


def test_an_observer_that_holds_the_run_up_is_named_once_and_dropped(
    clock: Clock, caplog: pytest.LogCaptureFixture, wording: Wording
) -> None:
    def dawdle() -> None:
        clock.time += 2.0

    slow = Fragile("arena_game_end", dawdle)
    audience = Audience(observed_by(slow).observers, RUN)
    with caplog.at_level(logging.WARNING), watching(audience):
        for _ in range(10):
            audience.tell("arena_game_end", game=None)
    assert len(slow.heard) == 1 + int(MAX_OBSERVER_SECONDS // 2.0) + 1
    [line] = caplog.messages
    wording(line, "'observer0'", "arena_game_end")


def test_an_observer_may_take_a_small_share_of_a_long_run(
    clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    def work() -> None:
        clock.time += 1.0

    steady = Fragile("arena_game_end", work)
    audience = Audience(observed_by(steady).observers, RUN)
    with caplog.at_level(logging.WARNING), watching(audience):
        for _ in range(50):
            clock.time += 1.5
            audience.tell("arena_game_end", game=None)
    assert len(steady.heard) == 52
    assert not caplog.messages


def test_displays_are_told_ten_times_a_second_at_most(clock: Clock) -> None:
    shown: list[tuple[float, Progress]] = []

    class Display:
        @arena.hookimpl
        def arena_progress(self, state: Progress) -> None:
            shown.append((clock.time, state))

    audience = Audience(observed_by(Display()).observers, RUN)
    for _ in range(1000):
        clock.time += 0.003
        audience.show(lambda: STATE)
    moments = [moment for moment, _ in shown]
    assert 20 < len(shown) <= 30
    assert min(b - a for a, b in pairwise(moments)) >= PROGRESS_SECONDS


def test_nothing_is_calculated_for_displays_that_are_not_there() -> None:
    def state() -> Progress:
        raise AssertionError

    Audience(Observers(), RUN).show(state)


def test_what_an_observer_prints_is_not_the_output_of_the_command(
    capsys: pytest.CaptureFixture[str],
) -> None:
    chatty = Fragile("arena_game_end", lambda: print("a game!"))
    arena.fight("monkey", "triples", 1, seed=1, workers=1, catalogue=observed_by(chatty))
    assert capsys.readouterr() == ("", "a game!\n" * 2)


def test_an_observer_that_pluggy_would_call_first_is_called_first() -> None:
    order: list[str] = []

    class Late:
        @arena.hookimpl(trylast=True)
        def arena_run_start(self) -> None:
            order.append("late")

    class Early:
        @arena.hookimpl(tryfirst=True)
        def arena_run_start(self) -> None:
            order.append("early")

    with watching(Audience(observed_by(Early(), Late()).observers, RUN)):
        assert order == ["early", "late"]


def told(hook: str, parameters: str = "run") -> list[Any]:
    """Return what a plugin hears of a small fight by one hook that takes these parameters."""
    heard: list[Any] = []
    scope: dict[str, Any] = {"heard": heard}
    exec(f"def {hook}({parameters}): heard.append(({parameters},))", scope)
    plugin = type("Plugin", (), {hook: staticmethod(arena.hookimpl(scope[hook]))})()
    arena.fight("monkey", "triples", 10, seed=1, workers=1, catalogue=observed_by(plugin))
    return heard


def test_hook_arena_run_start() -> None:
    [(run,)] = told("arena_run_start")
    assert (run.schedule, run.seed, run.command, run.arguments) == ("fight", 1, "", {})
    [fight] = run.fights
    assert (fight.game, fight.players, fight.pairs) == ("tictactoe", ("monkey", "triples"), 10)


def test_hook_arena_progress() -> None:
    (begin, run), *later = told("arena_progress", "state, run")
    assert run.schedule == "fight"
    assert (begin.done, begin.total, begin.tally) == (0, 20, Tally())
    for state, _ in later:
        assert state.done == state.tally.games <= 20


def test_hook_arena_game_end() -> None:
    heard = told("arena_game_end", "game, run")
    assert [game.game_id for game, _ in heard[:3]] == [
        f"tictactoe/monkey/triples/1/{place}" for place in ("1.1", "1.2", "2.1")
    ]


def test_hook_arena_fight_end() -> None:
    [(result, run)] = told("arena_fight_end", "result, run")
    assert (result.pairs, run.seed) == (10, 1)


def test_hook_arena_run_end() -> None:
    [(result, _)] = told("arena_run_end", "result, run")
    assert result == arena.fight("monkey", "triples", 10, seed=1)
