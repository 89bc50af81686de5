"""The standings that the pages of entrants and of the owner show, whatever the store does."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest

import arena
from arena.errors import StoreError
from arena.records.base import Json
from arena.records.contests import ContestStandings

pytestmark = pytest.mark.needs("starlette", "uvicorn")

SEEN: Json = {"rows": [{"player": "anna"}], "games": 7}


class FakeContest:
    """A contest that notes what it is told."""

    store = "s.db"

    def __init__(self) -> None:
        self.problems: list[str] = []

    def tell(self, problem: str) -> None:
        self.problems.append(problem)


def latest(
    look: Callable[[], Awaitable[Json]], times: int
) -> tuple[list[ContestStandings], list[str]]:
    """Return what pages show one after the other, and what the owner is told."""
    from arena.plugins.web.contest.standings import Standings
    from arena.plugins.web.site import Site

    async def ask() -> list[ContestStandings]:
        standings: Any = Standings(Site(arena.plugin.load_catalogue(), "s.db"), contest)  # type: ignore[arg-type]
        standings._channel.look = look
        return [await standings.latest() for _ in range(times)]

    contest = FakeContest()
    return asyncio.run(ask()), contest.problems


def test_a_page_does_not_wait_for_a_look_that_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    from arena.plugins.web.contest import standings

    monkeypatch.setattr(standings, "MAX_PAGE_WAIT_SECONDS", 0.01)
    looks: list[int] = []

    async def slow() -> Json:
        looks.append(1)
        await asyncio.sleep(60)
        return SEEN

    states, problems = latest(slow, 3)
    assert states == [standings.NO_STANDINGS] * 3
    assert looks == [1], "all pages wait for one look"
    assert problems == []


def test_a_page_says_less_while_the_store_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    from arena.plugins.web.contest import standings

    async def away() -> Json:
        raise StoreError("the store is away")

    states, problems = latest(away, 3)
    assert states == [standings.NO_STANDINGS] * 3
    assert problems == ["the store is away"], "it is not asked again at once"


@pytest.mark.parametrize(
    ("closes", "by_file", "facts"),
    [
        ("2026-12-01T17:00:00Z", "2026-12-01T17:00:00Z", []),
        ("2026-12-02T17:00:00Z", "2026-12-01T17:00:00Z", ["2026-12-02", "c.toml", "2026-12-01"]),
        ("", "2026-12-01T17:00:00Z", ["never", "c.toml", "2026-12-01"]),
    ],
)
def test_the_command_says_when_the_page_has_another_time_than_the_file(
    closes: str, by_file: str, facts: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    from arena.plugins.web.server import tell_clock

    tell_clock("c.toml", SimpleNamespace(closes=closes, closes_by_file=by_file))  # type: ignore[arg-type]
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == bool(facts)
    assert all(fact in lines[0] for fact in facts)
