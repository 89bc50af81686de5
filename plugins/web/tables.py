"""The tables at which people play in the browser: a process each, a few at a time.

A table whose process ended, because it was left or because a player did not answer, keeps its game:
it continues when a browser asks for that.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import sys
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from arena.clock import now
from arena.errors import UsageError
from arena.model.codec import encode
from arena.records.base import Json
from arena.sandbox.settings import MAX_LIMIT, Isolation, PlayerLimits

#: Most tables with a process, and most that are kept in all.
MAX_TABLES = 8
MAX_KEPT_TABLES = 200

#: Seconds after which a table ends that no page asks for, and after which it may be cleared for
#: another: a page that is open asks all the time.
MAX_UNASKED_SECONDS = 300.0
MIN_AWAY_SECONDS = 5.0

#: Seconds for an answer on top of the limits of the players, which are isolated; all others have no
#: more. And seconds that a process gets to end.
MAX_TABLE_SECONDS = 60.0
MAX_TABLE_ENDING_SECONDS = 2.0

#: Most bytes of a message.
MAX_TABLE_BYTES = 1 << 22

#: The words of an ended table.
ABANDONED = "No browser looked at this table, so it was cleared."
CLOSED = "The table was left."
PROCESS_DIED = "The process of this table ended, which only a player can have done."
SHUT = "The server is ending."


@dataclass(frozen=True)
class TableState:
    """The players, the game, and how far it is."""

    KEYS = "game players seed moves winners"

    game: str
    #: The sides of the first game; they swap from game to game.
    sides: tuple[str, str]
    seed: int
    moves: tuple[str, ...] = ()
    winners: tuple[int | None, ...] = ()

    @property
    def players(self) -> tuple[str, str]:
        """The players of the game that is on, in the order of its sides."""
        return self.sides[::-1] if len(self.winners) % 2 else self.sides


class Tables:
    """All tables of a server, by name."""

    def __init__(self, isolation: Isolation, plugins: tuple[str, ...]) -> None:
        self._isolation, self._plugins = isolation, plugins
        self._tables: dict[str, WebTable] = {}
        self._warden: asyncio.Task[None] | None = None

    def get(self, name: str) -> WebTable:
        """Return the table of that name for a browser. Raises UsageError without one."""
        if name not in self._tables:
            raise UsageError("this table is gone: begin another game")
        table = self._tables[name]
        table.seen = now()
        return table

    async def open(self, setting: TableState) -> str:
        """Open a table and return its name. Raises UsageError if all are taken."""
        await self._make_room()
        name = secrets.token_urlsafe(16)
        table = self._tables[name] = WebTable(setting)
        await self._start(table)
        for other in [n for n, table in self._tables.items() if not table.is_open]:
            if len(self._tables) > MAX_KEPT_TABLES:
                del self._tables[other]
        return name

    async def resume(self, table: WebTable) -> None:
        """Go on with a table that ended. Raises UsageError if all are taken."""
        if not table.is_open:
            await self._make_room()
            await self._start(table)

    async def _start(self, table: WebTable) -> None:
        limits = self._isolation
        common = {
            "plugins": self._plugins,
            "limits": limits.settings,
            "limits_of": {
                name: player_isolation.settings for name, player_isolation in limits.players.items()
            },
        }
        names = (named.partition("=")[0] for named in table.setting.sides)
        await table.start(common, max(_patience(limits.limits(name)) for name in names))
        if self._warden is None:
            self._warden = asyncio.create_task(self._watch())

    async def _make_room(self) -> None:
        """Clear the table that was left first, if all are taken. Raises UsageError if none was."""
        open_tables = [table for table in self._tables.values() if table.is_open]
        if len(open_tables) < MAX_TABLES:
            return
        idle = [
            table
            for table in open_tables
            if now() - table.seen > MIN_AWAY_SECONDS and not table.waiting
        ]
        if not idle:
            raise UsageError(f"all {MAX_TABLES} tables are taken: leave one")
        await min(idle, key=lambda table: table.seen).end(ABANDONED)

    async def _watch(self) -> None:
        """End tables that no browser shows."""
        while True:
            await asyncio.sleep(MAX_UNASKED_SECONDS / 10)
            for table in [*self._tables.values()]:
                if table.is_open and now() - table.seen > MAX_UNASKED_SECONDS:
                    await table.end(ABANDONED)

    async def close(self) -> None:
        """End all tables."""
        if self._warden is not None:
            self._warden.cancel()
        await asyncio.gather(*(table.shut() for table in self._tables.values()))


def _patience(limits: PlayerLimits) -> float:
    """Return the seconds for an answer of a table where a player has these limits.

    A clock ends the move of its player by itself, however much time that has saved.
    """
    slowest = min(limits.move_time, limits.game_time)
    if slowest < MAX_LIMIT:
        return MAX_TABLE_SECONDS + 4 * slowest
    return MAX_LIMIT if limits.clock else MAX_TABLE_SECONDS


class WebTable:
    """One table, as the server knows it."""

    def __init__(self, setting: TableState) -> None:
        self.setting = setting
        #: The state that the page shows: the last answer of the process, and what the server adds.
        self.state: Json = {"busy": True, "version": 0}
        #: When a page asked for it last.
        self.seen = now()
        #: How many pages wait for news of it.
        self.waiting = 0
        self._changed = asyncio.Condition()
        self._process: asyncio.subprocess.Process | None = None
        self._patience = MAX_TABLE_SECONDS
        self._player_thinks = False
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def is_open(self) -> bool:
        """Return whether it has a process."""
        return self._process is not None

    async def start(self, common: Mapping[str, Any], patience: float) -> None:
        """Start its process, which has this many seconds for every answer."""
        self._patience = patience
        self._process = process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-m",
            "arena.plugins.web.table",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C in the server's terminal is the server's
            limit=MAX_TABLE_BYTES,
        )
        state = {key: value for key, value in self.state.items() if key not in ("ended", "problem")}
        await self._show(state | {"busy": True})
        self._do(self._listen(process))
        self._send(encode(self.setting) | dict(common))

    async def ask(self, act: str, version: int, move: str = "") -> None:
        """Tell the process to act. Raises UsageError if the page showed another state."""
        if not self.is_open:
            raise UsageError("the table has ended: go on with it first")
        if self.state["busy"]:
            raise UsageError("wait for the answer")
        if version != self.state["version"]:
            raise UsageError("the game went on in another window")
        await self._show({**self.state, "busy": True, "problem": ""})
        self._send({"act": act, "move": move})

    async def after(self, version: int, seconds: float) -> Json:
        """Return its state once it is newer than a version, or after some seconds."""
        self.waiting += 1
        try:
            async with asyncio.timeout(seconds), self._changed:
                await self._changed.wait_for(lambda: self.state["version"] != version)
        except TimeoutError:
            pass
        finally:
            self.waiting -= 1
            self.seen = now()
        return self.state

    async def end(self, why: str) -> None:
        """End its process, and say why. It can go on later."""
        process, self._process = self._process, None
        if process is None:
            return
        self._stop_timer()
        await self._show({**self.state, "busy": False, "ended": why})
        await asyncio.shield(self._do(_stop(process)))

    async def shut(self) -> None:
        """End it, and answer all who wait."""
        await self.end(SHUT)
        await self._show(self.state)
        await asyncio.gather(*self._tasks)

    def _send(self, message: Json) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        loop = asyncio.get_running_loop()
        self._stop_timer()
        self._timer = loop.call_later(self._patience, lambda: self._do(self._give_up()))
        with suppress(OSError):  # that it has ended is noticed by its missing answer
            self._process.stdin.write(json.dumps(message).encode() + b"\n")

    async def _listen(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        try:
            while line := await process.stdout.readline():
                if process is self._process:
                    await self._take(json.loads(line))
        except ValueError:  # a line too long, or not JSON
            pass
        if process is self._process:
            await self.end(PROCESS_DIED)

    async def _take(self, answer: Json) -> None:
        """Show what the process says."""
        if "failed" in answer:
            await self.end(answer["failed"])
            return
        self.setting = replace(
            self.setting,
            seed=answer["seed"],
            moves=tuple(answer["moves"]),
            winners=tuple(answer["winners"]),
        )
        self._player_thinks = answer.pop("thinking", False)
        if not self._player_thinks:
            self._stop_timer()
        await self._show({**answer, "busy": self._player_thinks})

    async def _show(self, state: Json) -> None:
        async with self._changed:
            self.state = {**state, "version": self.state["version"] + 1}
            self._changed.notify_all()

    async def _give_up(self) -> None:
        """End a table whose player hangs. Its game goes on before the human's last move."""
        message = f"There was no answer within {self._patience:g} seconds: the table was cleared."
        if self._player_thinks and self.setting.moves:
            self.setting = replace(self.setting, moves=self.setting.moves[:-1])
            message += " If you go on, your last move is taken back."
        await self.end(message)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None

    def _do(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a task to its end, whether it is waited for or not."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


async def _stop(process: asyncio.subprocess.Process) -> None:
    """End a process, which gets a moment to end its players."""
    with suppress(ProcessLookupError):
        process.terminate()
    try:
        await asyncio.wait_for(process.wait(), MAX_TABLE_ENDING_SECONDS)
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
