"""The tables of a server: their processes, their limits, and how they end."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from arena.errors import UsageError
from arena.plugins.web import tables
from arena.plugins.web.tables import Tables, TableState, WebTable
from arena.sandbox.settings import MAX_LIMIT, Isolation
from tests.golden import Wording

pytestmark = pytest.mark.slow

EASY = TableState("tictactoe", ("person", "tictactoe1"), 3)


def run(work: Callable[[Tables], Awaitable[None]], isolation: Isolation = Isolation()) -> None:  # noqa: B008
    async def played() -> None:
        hall = Tables(isolation, ())
        try:
            await work(hall)
        finally:
            await hall.close()

    asyncio.run(played())


async def settled(table: WebTable) -> dict[str, Any]:
    """Return the state of a table when nobody thinks."""
    async with asyncio.timeout(60):
        while table.state["busy"]:
            await table.after(table.state["version"], 60)
    return table.state


async def opened(hall: Tables, setting: TableState = EASY) -> WebTable:
    table = hall.get(await hall.open(setting))
    await settled(table)
    return table


async def played(table: WebTable, move: str) -> dict[str, Any]:
    await table.ask("move", table.state["version"], move)
    return await settled(table)


def is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_a_table_that_was_left_goes_on_with_its_game() -> None:
    async def work(hall: Tables) -> None:
        table = await opened(hall)
        before = await played(table, "1")
        pid = table._process.pid  # type: ignore[union-attr]
        await table.end(tables.CLOSED)
        assert is_gone(pid)
        assert table.state["ended"] == tables.CLOSED
        with pytest.raises(UsageError, match="has ended"):
            await table.ask("undo", table.state["version"])
        await hall.resume(table)
        after = await settled(table)
        assert (after["moves"], after["says"]) == (before["moves"], before["says"])
        assert "ended" not in after

    run(work)


def test_a_page_that_shows_another_state_changes_nothing() -> None:
    async def work(hall: Tables) -> None:
        table = await opened(hall)
        version = table.state["version"]
        await played(table, "1")
        with pytest.raises(UsageError, match="another window"):
            await table.ask("undo", version)
        assert len(table.state["moves"]) == 2

    run(work)


def test_tables_are_few_and_those_that_nobody_looks_at_are_cleared(
    monkeypatch: pytest.MonkeyPatch,
    wording: Wording,
) -> None:
    monkeypatch.setattr(tables, "MAX_TABLES", 1)
    monkeypatch.setattr(tables, "MAX_UNASKED_SECONDS", 1.0)

    async def work(hall: Tables) -> None:
        table = await opened(hall)
        with wording.raises(UsageError):
            await hall.open(EASY)
        async with asyncio.timeout(60):
            while table.is_open:
                await asyncio.sleep(0.05)
        assert table.state["ended"] == tables.ABANDONED
        monkeypatch.setattr(tables, "MAX_UNASKED_SECONDS", 60.0)
        other = hall.get(await hall.open(EASY))
        with wording.raises(UsageError):
            await hall.resume(table)
        monkeypatch.setattr(tables, "MIN_AWAY_SECONDS", 0.0)
        await hall.resume(table)
        assert (table.is_open, other.state["ended"]) == (True, tables.ABANDONED)

    run(work)


def test_a_player_that_hangs_forfeits_by_its_limits(tmp_path: Path, wording: Wording) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("import time\ndef choose(position, rng):\n    time.sleep(600)\n")

    async def work(hall: Tables) -> None:
        table = await opened(hall, TableState("tictactoe", ("person", f"hangs={bot}"), 1))
        state = await played(table, "5")
        assert state["over"]
        wording(state["says"])
        await table.ask("undo", table.state["version"])
        assert (await settled(table))["asks"]

    run(work, Isolation(move_time=0.2))


def test_a_table_of_a_player_without_limits_is_cleared_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setattr(tables, "MAX_TABLE_ENDING_SECONDS", 0.1)
    bot = tmp_path / "bot.py"
    bot.write_text(
        "def choose(position, rng):\n"
        "    while position.ply > 2:\n"
        "        try:\n"
        "            while True: pass\n"
        "        except BaseException: pass\n"
        "    return position.legal_moves()[0]\n"
    )

    async def work(hall: Tables) -> None:
        table = await opened(hall, TableState("tictactoe", ("person", f"hangs={bot}"), 1))
        await played(table, "5")
        pid = table._process.pid  # type: ignore[union-attr]
        table._patience = 0.5
        state = await played(table, "9")
        wording(state["ended"])
        async with asyncio.timeout(30):
            while not is_gone(pid):
                await asyncio.sleep(0.02)
        await hall.resume(table)
        state = await settled(table)
        assert (state["moves"], state["asks"]) == (["5", "1"], True)

    run(work, Isolation(tier="none"))


def test_a_process_that_is_killed_ends_its_table_and_no_other() -> None:
    async def work(hall: Tables) -> None:
        one, other = await opened(hall), await opened(hall)
        os.kill(one._process.pid, 9)  # type: ignore[union-attr]
        async with asyncio.timeout(60):
            while "ended" not in one.state:
                await asyncio.sleep(0.02)
        assert one.state["ended"] == tables.PROCESS_DIED
        assert len((await played(other, "5"))["moves"]) == 2

    run(work)


def test_a_table_that_cannot_be_set_says_why_and_is_free() -> None:
    async def work(hall: Tables) -> None:
        table = await opened(hall, TableState("tictactoe", ("person", "./nothing.py"), 1))
        assert "nothing.py" in table.state["ended"]
        assert not table.is_open

    run(work)


@pytest.mark.parametrize(
    ("isolation", "seconds"),
    [
        (Isolation(), tables.MAX_TABLE_SECONDS + 8),
        (Isolation(move_time=30), tables.MAX_TABLE_SECONDS + 120),
        (Isolation(game_time=1), tables.MAX_TABLE_SECONDS + 4),
        (Isolation(clock="600+5"), MAX_LIMIT),
        (Isolation(clock="600+5", move_time=90), tables.MAX_TABLE_SECONDS + 360),
        (Isolation(players={"anna": Isolation(clock="600")}), MAX_LIMIT),
        (Isolation(players={"bert": Isolation(clock="600")}), tables.MAX_TABLE_SECONDS + 8),
    ],
)
def test_a_table_waits_as_long_as_its_players_may_think(
    isolation: Isolation, seconds: float
) -> None:
    async def work(hall: Tables) -> None:
        table = hall.get(await hall.open(TableState("tictactoe", ("person", "anna=monkey"), 1)))
        assert table._patience == seconds

    run(work, isolation)
