"""Watching costs one look at a time, however many watch, and a pause as long as looks take."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import Any

import pytest

import arena

pytestmark = pytest.mark.needs("starlette", "uvicorn")

STEPS = 5


def watched(played: int) -> arena.records.Watched:
    return arena.records.Watched(1, "tictactoe", False, played, None, (), ())


class Browser:
    """The side of a request that has no body, and ends when the test says so."""

    def __init__(self) -> None:
        self.headers: dict[str, str] = {}
        self.left = asyncio.Event()

    async def receive(self) -> dict[str, str]:
        await self.left.wait()
        return {"type": "http.disconnect"}


def channel(look: Any) -> Any:
    from arena.plugins.web.channel import EventStream

    site: Any = SimpleNamespace(closing=asyncio.Event(), secret=b"0123", hidden=str)
    return EventStream(site, lambda: look().as_json())


async def read(channel: Any, browser: Browser, seconds: float = 0) -> list[int]:
    """Return the games of each event, until all games were played; read so slowly."""
    results = []
    async for text in channel.events(browser):
        if "data: " in text:
            results.append(json.loads(text.partition("data: ")[2])["played"])
            await asyncio.sleep(seconds)
            if results[-1] >= STEPS:
                return results
    return results


def test_many_browsers_cost_one_look_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    from arena.plugins.web import channel as channels

    monkeypatch.setattr(channels, "MIN_PAUSE_SECONDS", 0.05)
    looks = 0

    def look() -> arena.records.Watched:
        nonlocal looks
        looks += 1
        return watched(min(looks, STEPS))

    async def test() -> list[list[int]]:
        one = channel(look)
        browsers = (read(one, Browser()) for _ in range(20))
        return await asyncio.gather(*browsers)

    for seen in asyncio.run(test()):
        assert seen == sorted(set(seen))  # no event twice, none goes back
        assert seen[-1] == STEPS
    assert looks <= STEPS + 1


def test_a_browser_that_reads_slowly_gets_the_newest_event_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from arena.plugins.web import channel as channels

    monkeypatch.setattr(channels, "MIN_PAUSE_SECONDS", 0.001)
    monkeypatch.setattr(channels, "RATIO", 0)
    looks = iter(range(10**6))

    async def test() -> list[int]:
        own = channel(lambda: watched(min(next(looks) // 100, STEPS)))
        own._tell(json.dumps({"played": -1}))
        return await read(own, Browser(), 0.01)

    assert len(asyncio.run(test())) <= STEPS + 2


def test_nobody_looks_when_nobody_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    from arena.plugins.web import channel as channels

    monkeypatch.setattr(channels, "MIN_PAUSE_SECONDS", 0.001)
    monkeypatch.setattr(channels, "RATIO", 0)
    looks = iter(range(10**6))

    async def test() -> tuple[int, bool]:
        own, browser = channel(lambda: watched(next(looks))), Browser()
        reading = asyncio.create_task(read(own, browser))
        await reading
        await own._task
        return own.watchers, own._task.done()

    assert asyncio.run(test()) == (0, True)


def test_a_browser_that_left_is_not_counted() -> None:
    async def test() -> int:
        own, browser = channel(lambda: watched(0)), Browser()
        reading = asyncio.create_task(read(own, browser))
        while not own.watchers:
            await asyncio.sleep(0.001)
        browser.left.set()
        await reading
        result: int = own.watchers
        return result

    assert asyncio.run(test()) == 0


def test_a_store_that_cannot_be_read_is_told_and_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from arena.plugins.web import channel as channels

    monkeypatch.setattr(channels, "MIN_PAUSE_SECONDS", 0.001)
    answers: list[Any] = [arena.UsageError("locked"), watched(STEPS)]

    def look() -> arena.records.Watched:
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer  # type: ignore[no-any-return]

    async def test() -> list[str]:
        results: list[str] = []
        async for text in channel(look).events(Browser()):
            results.append(text)
            if str(STEPS) in text and "data" in text:
                break
        return results

    texts = asyncio.run(test())
    assert any("locked" in text for text in texts)
