"""Play parts of a run that a server hands out: what a volunteer's machine does.

It takes one part for each of its processes, says every few seconds that it still plays them, and
delivers what they came to. A server that is away is asked again and again.
"""

from __future__ import annotations

import base64
import os
import random
import re
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from json import dumps, loads
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from arena.clock import now, sleep
from arena.dataclass import dataclass
from arena.errors import ArenaError, UsageError
from arena.executors.base import TaskFailed
from arena.executors.processes import ProcessExecutor
from arena.fights.choosing import engine_of
from arena.match.record import PlayedPair
from arena.model.codec import decode, encode
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from arena.records.base import Json
from arena.volunteers.channel import Away, DeskChannel, Idle, TooLarge
from arena.volunteers.parts import (
    Part,
    RunHead,
    digest_of,
    machine_facts,
    pairing_of,
    read_object,
    require_head,
)

#: Seconds until a server that is away is asked again, twice as many each time, to the second. The
#: user hears of it when it is the third.
MIN_ASK_AGAIN_SECONDS, MAX_ASK_AGAIN_SECONDS, TOLD_ASK_AGAIN_SECONDS = 0.25, 64.0, 1.0

#: Most seconds until a server is asked again whether it has something to play.
MAX_ASK_WAIT_SECONDS = 4.0

#: How a module is named.
_DIGEST = re.compile("[0-9a-f]{32}")

#: Least and most seconds between two questions while there is nothing to do: the server says how
#: many.
MIN_IDLE_WAIT_SECONDS, MAX_IDLE_WAIT_SECONDS = 0.02, 60.0


class PartLease(NamedTuple):
    """A part that this machine plays, as plain data."""

    lease: str
    head: str
    part: str


@dataclass(frozen=True)
class PlayPart:
    """The work of a process: play a part. ``folder`` has the modules."""

    folder: str

    def __call__(self, task: PartLease) -> list[PlayedPair]:
        """Return the pairs of a part. Raises UsageError for one that is not played here."""
        part = decode(Part, loads(task.part))
        modules = {file.stem: file for file in Path(self.folder).iterdir()}
        pairing = pairing_of(_head(task.head), part, _catalogue(), modules)
        engine = engine_of(pairing).without(part.out)
        return list(engine.pairs(part.start, part.stop))


@lru_cache(maxsize=1)
def _head(text: str) -> RunHead:
    return decode(RunHead, loads(text))


@lru_cache(maxsize=1)
def _catalogue() -> Catalogue:
    return load_catalogue()


class Volunteer:
    """Plays what a server hands out, until there is nothing for ``patience`` seconds, or for ever.

    ``tell`` hears a line of each thing that the user may want to know.
    """

    def __init__(
        self,
        line: DeskChannel,
        workers: int,
        patience: float | None = None,
        tell: Callable[[str], None] = lambda _: None,
        is_own: bool = False,
    ) -> None:
        self._line, self._workers, self._patience, self._tell = line, workers, patience, tell
        #: Whether it is the server's own, which ends with it.
        self._is_own = is_own
        self._head: RunHead | None = None
        self._digest, self._facts = "", dict[str, str]()
        self._folder = Path()
        self._leases: dict[str, None] = {}
        self._beat, self._wait = 10.0, 0.0
        #: The parts that came with the answers to others, and are not begun.
        self._following: deque[Json] = deque()
        self._is_over = threading.Event()
        #: How many of its games the server took.
        self.delivered = 0

    def run(self) -> None:
        """Play. Raises UsageError if the server refuses this machine, or it cannot play there."""
        with TemporaryDirectory(prefix="arena-work-", ignore_cleanup_errors=True) as folder:
            self._folder = Path(folder)
            beats = threading.Thread(target=self._say_alive, daemon=True)
            beats.start()
            try:
                self._play()
            finally:
                self._is_over.set()
                self._give_back()

    def _play(self) -> None:
        """Play parts until none comes for long."""
        executor = ProcessExecutor(self._workers, "spawn")  # another thread runs here
        for task, played in executor.run(PlayPart(str(self._folder)), self):
            if isinstance(played, TaskFailed):
                self._tell(f"a process that played ended: {played.reason}")
                self._send({"kind": "back", "lease": task.lease, "why": played.reason})
            else:
                self._deliver(task, played)
            self._leases.pop(task.lease, None)

    def next_task(self) -> PartLease | None:
        """Return the next part: see Tasks.next_task. It waits for one if no process plays."""
        end = inf if self._patience is None else now() + self._patience
        try:
            while (task := self._ask()) is None:
                if self._leases or now() >= end:
                    return None
                sleep(min(_about(self._wait), max(0.0, end - now())))
        except Idle:  # for as long as the user waits
            return None
        return task

    def _ask(self) -> PartLease | None:
        """Return a part from the server, or None if it has none now."""
        if self._following:
            answer = self._following.popleft()
        else:
            answer = self._send({"kind": "ask", **self._about_me()})
        digest = answer.get("head")
        if isinstance(digest, str) and digest != self._digest:
            run = self._send({"kind": "head"})
            self._take_head(run.get("run"), str(run.get("head")))
            self._wait = MIN_IDLE_WAIT_SECONDS
            return None
        if "lease" not in answer:
            self._wait = _seconds(answer.get("wait"))
            return None
        lease, part = str(answer["lease"]), read_object(answer.get("part"))
        self._beat = _seconds(answer.get("beat"))
        self._leases[lease] = None
        if self._head is None or not self._fetch_code(decode(Part, part)):
            self._leases.pop(lease)
            self._wait = MIN_IDLE_WAIT_SECONDS
            return None
        return PartLease(lease, dumps(self._head.as_json()), dumps(part))

    def _about_me(self) -> Json:
        """Return what the server asks of a machine before it hands out a part."""
        return {"head": self._digest, "facts": self._facts}

    def _take_head(self, run: Any, digest: str) -> None:
        """Learn which run is played. Raises UsageError if this machine cannot play it."""
        try:
            head = decode(RunHead, run)
        except UsageError as error:
            raise UsageError(
                f"the server speaks of a run as another arena does: {error}"
            ) from error
        require_head(head, load_catalogue())
        self._head, self._digest = head, digest
        self._facts = machine_facts(head.modules, head.has_code, head.rounds)
        self._tell(f"plays {head.game}")

    def _fetch_code(self, part: Part) -> bool:
        """Fetch the modules of a part that are not here. Return whether the server has them.

        It has none if another run has begun meanwhile.
        """
        for digest in {seated.module for seated in part.players} - {""}:
            if not _DIGEST.fullmatch(digest):
                raise UsageError("the server names a module by what is no digest")
            file = self._folder / f"{digest}.wasm"
            if file.exists():
                continue
            answer = self._send({"kind": "code", "digest": digest})
            if not isinstance(encoded := answer.get("content"), str):
                return False
            try:
                content = base64.b64decode(encoded)
            except ValueError:
                content = b""
            if digest_of(content) != digest:
                raise UsageError("the server sends a module that has another digest")
            partial = file.with_suffix(".part")
            partial.write_bytes(content)
            os.replace(partial, file)
        return True

    def _deliver(self, task: PartLease, played: list[PlayedPair]) -> None:
        """Send what a part came to. The answer has the next part, where there is one."""
        message = {"kind": "done", "lease": task.lease, "pairs": encode(played)}
        try:
            answer = self._send({**message, **self._about_me()})
        except TooLarge as error:
            self._tell(f"{error}; the server plays this part")
            answer = self._send({"kind": "back", "lease": task.lease, "why": "it is too large"})
        if answer.get("taken"):
            self.delivered += sum(len(pair.records) for pair in played)
        following = answer.get("next")
        if isinstance(following, dict) and "lease" in following:
            self._following.append(following)

    def _send(self, message: Json) -> Json:
        """Return the server's answer. One that is away is asked again and again.

        Raises UsageError if it refuses, and Away if the user waits no longer.
        """
        pause, since = MIN_ASK_AGAIN_SECONDS, now()
        while True:
            try:
                return self._line.ask(message)
            except Away as error:
                is_tired = self._patience is not None and now() > since + self._patience
                if self._is_own or is_tired:
                    raise
                if pause == TOLD_ASK_AGAIN_SECONDS and not isinstance(error, Idle):
                    self._tell(f"{error}; it is asked again")
                sleep(_about(pause))
                is_idle = message["kind"] == "ask"  # the server may have nothing to play
                pause = min(2 * pause, MAX_ASK_WAIT_SECONDS if is_idle else MAX_ASK_AGAIN_SECONDS)

    def _say_alive(self) -> None:
        """Renew the leases until all is over."""
        while not self._is_over.wait(self._beat):
            if self._leases:
                with suppress(ArenaError):
                    self._line.ask({"kind": "alive", "leases": [*self._leases]})

    def _give_back(self) -> None:
        """Give parts back that are not played, so that the run does not wait for them."""
        for lease in [*self._leases, *(str(each["lease"]) for each in self._following)]:
            with suppress(ArenaError):
                self._line.ask({"kind": "back", "lease": lease})


def _about(seconds: float) -> float:
    """Return about as many seconds, so that not all volunteers ask at once."""
    return seconds * random.uniform(0.8, 1.2)


def _seconds(value: Any) -> float:
    """Return the seconds that a server names, within reason."""
    if type(value) not in (int, float) or value != value:
        return 1.0
    return float(min(max(value, MIN_IDLE_WAIT_SECONDS), MAX_IDLE_WAIT_SECONDS))
