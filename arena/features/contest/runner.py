"""Run a contest: check what waits, and keep one process playing with the entrants that should.

The runner has no memory but the store: the last hand-ins that passed should play, the run says
which entrants play, and a process starts with the difference. So a server that was killed
continues.
"""

from __future__ import annotations

import asyncio
import math
import os
from collections.abc import Mapping
from pathlib import Path

from arena.clock import now
from arena.errors import ArenaError, describe
from arena.features.contest.checking import check
from arena.features.contest.hand_ins import ContestRun
from arena.features.contest.hosted import HostedContest
from arena.features.contest.processes import Process
from arena.features.contest.setup import (
    ContestSetup,
    begin_command,
    difference,
    resume_command,
)
from arena.features.hand_in.record import HandIn
from arena.files import write_atomically

#: Seconds between two looks at the store.
LOOK_SECONDS = 0.5

#: Least seconds of play between two changes of the players: what passes meanwhile enters together.
#: It plays at least as long as it took to begin, so that at most half of the time goes to changes.
MIN_CHANGE_SECONDS = 5.0

#: Seconds before a process or a check that failed is started again: more each time, up to the
#: second.
MIN_RESTART_SECONDS, MAX_RESTART_SECONDS = 1.0, 60.0

#: A line for the owner.
_CHANGED = (
    "the contest's file has changed since its run began: title, rules, [hand-ins], isolation and"
    " players hold as they are now, the game and what ends the games as they were"
)


class ContestRunner:
    """Has the hand-ins of a contest checked, and the contest played.

    ``run`` must be called in the main thread: the processes end when the thread ends.
    """

    def __init__(self, contest: HostedContest, change: float = MIN_CHANGE_SECONDS) -> None:
        self._contest, self._change = contest, change
        self._checks: dict[str, asyncio.Task[None]] = {}
        #: When an entrant's last check began, as a count: the entrant that waited longest is next.
        self._turns: dict[str, int] = {}
        #: When an entrant may be checked again after a fault of the machine, and the last pause.
        self._later: dict[str, tuple[float, float]] = {}
        self._player: Process | None = None
        #: The name of the run's file that the process plays.
        self._plays = ""
        #: The entrants of the process that plays, when it was started, and when it had begun.
        self._specs: Mapping[str, str] = {}
        self._started, self._begun = 0.0, math.inf
        self._retry, self._pause = 0.0, MIN_RESTART_SECONDS
        #: The players that cannot be started, with the reasons, when it last looked.
        self._absent: Mapping[str, str] = {}

    async def run(self) -> None:
        """Run the contest until this is cancelled. All processes have ended then.

        Raises UsageError if another server conducts it.
        """
        lock = await asyncio.to_thread(self._contest.lock)
        try:
            await asyncio.to_thread(self._contest.take_back_checks)
            await asyncio.to_thread(self._contest.follow_files)
            if await asyncio.to_thread(self._contest.has_other_text):
                self._contest.tell(_CHANGED)
            while True:
                try:
                    await self._look(lock)
                except ArenaError as error:
                    self._contest.tell(str(error))
                except Exception as error:  # the contest goes on
                    self._contest.tell(describe(error))
                await asyncio.sleep(LOOK_SECONDS)
        finally:
            await asyncio.shield(self._end())
            os.close(lock)

    async def _look(self, lock: int) -> None:
        """Read the store, and begin what is due."""
        await self._begin_checks(lock)
        setup = await asyncio.to_thread(self._contest.due)
        wanted = await asyncio.to_thread(self._contest.wanted)
        if self._player is not None and self._plays != setup.name:
            await self._stop("playing")
        ended = self._player if self._player is not None and self._player.code is not None else None
        playing = await asyncio.to_thread(self._contest.playing, setup)
        self._tell_absent({} if playing is None else playing.absent)
        if ended is not None:
            await self._note_end(ended, playing)
        may_change = self._has_played(playing)
        if not wanted.started or len(wanted.specs) < self._contest.setup.seats:
            await self._stop("waiting" if wanted.started else "stopped")
            return
        if self._player is not None and wanted.specs != self._specs and may_change:
            await self._stop("playing")
        if self._player is not None or now() < self._retry:
            return
        change = difference(wanted.specs, playing.specs) if playing is not None else {}
        if playing is not None and playing.over and not change:
            self._contest.play = "complete"
        else:
            await self._start(setup, playing, lock)

    def _has_played(self, playing: ContestRun | None) -> bool:
        """Return whether the process that plays has begun, and played for a while."""
        if playing is not None and playing.specs == self._specs:
            self._begun = min(self._begun, now())
        return now() >= self._begun + max(self._change, self._begun - self._started)

    def _tell_absent(self, absent: Mapping[str, str]) -> None:
        """Tell the owner of players that cannot be started, each once."""
        for name, problem in absent.items():
            if self._absent.get(name) != problem:
                self._contest.tell(f"{name} plays no games, as it cannot be started: {problem}")
        self._absent = absent

    async def _begin_checks(self, lock: int) -> None:
        """Begin as many checks as may run at once: one for each entrant, in turn."""
        for entrant, task in list(self._checks.items()):
            if task.done():
                del self._checks[entrant]
                if (error := task.exception()) is not None:
                    self._contest.tell(f"a check of {entrant} failed: {describe(error)}")
        waiting = await asyncio.to_thread(self._contest.waiting)
        for hand_in in sorted(waiting, key=lambda each: self._turns.get(each.entrant, 0)):
            is_full = len(self._checks) >= self._contest.rules.checks
            is_early = now() < self._later.get(hand_in.entrant, (0.0, 0.0))[0]
            if is_full or is_early or hand_in.entrant in self._checks:
                continue
            if await asyncio.to_thread(self._contest.take, hand_in):
                self._turns[hand_in.entrant] = max(self._turns.values(), default=0) + 1
                work = self._check(hand_in, lock)
                self._checks[hand_in.entrant] = asyncio.create_task(work)

    async def _check(self, hand_in: HandIn, lock: int) -> None:
        """Check a hand-in. It waits again where the check failed, and not the hand-in."""
        try:
            await check(self._contest, hand_in, lock)
            self._later.pop(hand_in.entrant, None)
        except Exception as error:
            problem = str(error) if isinstance(error, ArenaError) else describe(error)
            what = f"the check of hand-in {hand_in.number} of {hand_in.entrant}"
            self._contest.tell(f"{what} failed, and is tried again: {problem}")
            _, pause = self._later.get(hand_in.entrant, (0.0, MIN_RESTART_SECONDS / 2))
            pause = min(2 * pause, MAX_RESTART_SECONDS)
            self._later[hand_in.entrant] = now() + pause, pause
            await asyncio.to_thread(self._contest.take_back, hand_in)

    async def _start(self, setup: ContestSetup, playing: ContestRun | None, lock: int) -> None:
        """Start the process that plays, with the entrants that should.

        A final takes no other hand-in: it begins again, with another seed.
        """
        wanted = await asyncio.to_thread(self._contest.wanted, True)
        change = difference(wanted.specs, playing.specs) if playing is not None else {}
        is_final = setup.name != self._contest.setup.name
        if playing is None or (is_final and change.keys() - {"--withdraw"}):
            if is_final:
                await asyncio.to_thread(write_atomically, Path(setup.file), setup.text)
            command = begin_command(setup, wanted.specs, wanted.data)
        else:
            command = resume_command(setup, playing.run, change, wanted.data)
        self._plays = setup.name
        self._player = await Process.start(command, lock)
        self._specs, self._started, self._begun = wanted.specs, now(), math.inf
        self._contest.play = "playing"

    async def _note_end(self, player: Process, playing: ContestRun | None) -> None:
        """Note that the process that plays has ended by itself."""
        await self._stop("complete")
        if playing is not None and playing.over and playing.specs == self._specs:
            self._pause = MIN_RESTART_SECONDS
            return
        problem = player.complaint or f"the process ended with code {player.code}"
        self._contest.tell(f"the games stopped: {problem}; they go on in {self._pause:g} s")
        self._contest.play = "failing"
        self._retry, self._pause = now() + self._pause, min(2 * self._pause, MAX_RESTART_SECONDS)

    async def _stop(self, play: str) -> None:
        """End the process that plays, if there is one: it keeps what it has played."""
        self._contest.play = play
        if self._player is not None:
            player, self._player = self._player, None
            await player.end()

    async def _end(self) -> None:
        """End all processes."""
        for task in self._checks.values():
            task.cancel()
        await asyncio.gather(self._stop("stopped"), *self._checks.values(), return_exceptions=True)
