"""The player that the arena sees when another process plays."""

from __future__ import annotations

import logging
import os
import random
import re
import weakref
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from arena.clocks import Clock
from arena.errors import CannotEnumerate, Forfeited, IllegalMove, PlayerFault, Withdrawn
from arena.game import Game, Outcome, Position, Side
from arena.player.faults import answered
from arena.player.prints import hear
from arena.rng import READY_BITS, Draw, Stream
from arena.sandbox.beside import is_other_player
from arena.sandbox.cores import one_core
from arena.sandbox.process import PlayerProcess, shares_core
from arena.sandbox.settings import PlayerLimits, Spec
from arena.sandbox.wire import protocol

logger = logging.getLogger(__name__)

T = TypeVar("T")

#: Starts in a row that may fail before a player is withdrawn.
MAX_STARTS = 3

#: Noted among the draws of a program.
UNSEEN = "what a program leaves to chance cannot be seen"


class Remote:
    """Makes the stateful players of a spec: each plays one game, in a process that is used again.

    Processes belong to the worker that started them, and end with it or with the Remote.
    """

    def __init__(self, spec: Spec, limits: PlayerLimits) -> None:
        self.spec, self.limits = spec, limits
        self.control, self.is_measured = limits.control, limits.is_measured
        #: Why something of the player outlives a game, as far as its processes have seen.
        self.remembers = ""
        #: The first sightings of a player that is checked, as its processes tell.
        self.seen: protocol.Seen = {}
        self._forget()

    def _forget(self) -> None:
        self._owner = os.getpid()
        self._idle: list[PlayerProcess] = []
        self._withdrawn: Withdrawn | None = None
        weakref.finalize(self, _end_all, self._idle, self._owner)

    def __reduce__(self) -> tuple[Any, ...]:
        others = [file for file in self.spec.files if is_other_player(Path(file), self.spec.path)]
        files = tuple(file for file in self.spec.files if file not in others)
        return Remote, (replace(self.spec, files=files), self.limits)

    def __call__(self, anew: bool = True) -> RemotePlayer:
        """Return a player for one game; ``anew`` has the code of a file executed anew."""
        return RemotePlayer(self, anew)

    @property
    def shares_core(self) -> bool:
        """Return whether its process runs where the thread does that waits for it."""
        return shares_core(self.spec, self.limits)

    @property
    def tier(self) -> str:
        """The name of the tier that it plays in here."""
        return self.limits.kept_by.name

    def take(self, anew: bool = True) -> PlayerProcess:
        """Return a process that nobody plays in; Withdrawn if none can be started.

        Forfeited if one could only at another try: who comes late has lost, but plays on.
        """
        if self._owner != os.getpid():
            self._forget()  # those processes are the parent's
        if self._idle:
            process = self._idle.pop()
            process.follow()
            return self._refreshed(process) if anew else process
        if self._withdrawn is not None:
            raise self._withdrawn
        try:
            return self.start()
        except Forfeited as error:
            self.give_back(self.try_again(self.start, error))
            raise

    def _refreshed(self, process: PlayerProcess) -> PlayerProcess:
        """Return the process, its player loaded anew; Forfeited, with it ended, if that fails."""
        try:
            found = process.load_anew()
        except BaseException:
            process.end()
            raise
        self.remembers = self.remembers or found
        return process

    def start(self) -> PlayerProcess:
        """Return a new process; Forfeited if it cannot be started."""
        process = PlayerProcess(self.spec, self.limits)
        self.remembers = self.remembers or protocol.text(process.facts, "remembers")
        return process

    def try_again(self, start: Callable[[], T], failure: Forfeited) -> T:
        """Start once more after a failure, and if need be again; Withdrawn if it is in vain."""
        for _ in range(MAX_STARTS - 1):
            logger.info("%s is started again: %s", self.spec.known_as, failure)
            try:
                return start()
            except Forfeited as error:
                failure = error
        problem = str(hinted(failure, self.tier))
        self._withdrawn = Withdrawn(self.spec.known_as, failure.reason, problem)
        raise self._withdrawn

    def see(self, found: Mapping[str, tuple[str, str]]) -> None:
        """Note sightings that are the first of their kind."""
        self.seen = {**found, **self.seen}

    def give_back(self, process: PlayerProcess) -> None:
        """Keep a process for the next game, unless it would run into the limit of its computing."""
        if process.spent > self.limits.game_time:
            process.end()
        else:
            self._idle.append(process)

    def close(self) -> None:
        """End all processes that nobody plays in."""
        _end_all(self._idle, self._owner)


def _end_all(idle: list[PlayerProcess], owner: int) -> None:
    """End processes, if this process has started them."""
    if owner == os.getpid():
        while idle:
            idle.pop().end()


class RemotePlayer:
    """One game of a player in another process: a StatefulPlayer that raises only Forfeited.

    What the player draws there is noted in the stream that it is given here.
    """

    def __init__(self, remote: Remote, anew: bool = True) -> None:
        self._remote, self._anew = remote, anew
        self._process: PlayerProcess | None = None
        self._asked = 0
        self._left = remote.limits.game_time
        #: Measures its moves; None where nobody asks for their time.
        self.clock = Clock(remote.control) if remote.is_measured else None

    def start(self, game: Game, side: Side, rng: random.Random) -> None:
        """Have the game begin there."""
        self._game = game
        self._noted = rng.draws if isinstance(rng, Stream) else []
        is_python = self._remote.spec.is_python
        begin = protocol.start_python if is_python else protocol.start
        self._begin = begin(game, side, own_of(rng))
        self._process = self._remote.take(self._anew)
        self._process.channel.log.take()  # what it prints when it is loaded belongs to no game
        self._process.tell(self._begin)

    def choose(self, position: Position) -> int:
        """Its move; Forfeited, with the process ended, if it makes none.

        Withdrawn if it is a program that ends before it reads anything, as often as it is tried.
        """
        process, limits = self._process, self._remote.limits
        assert process is not None
        self._asked += 1
        clock, limit = self.clock, min(limits.move_time, self._left)
        if clock is not None:
            limit = min(limit, clock.left)
        clocks = clock.clocks if clock is not None and process.is_told_time else None
        question = process.language.move(self._asked, position, limit, clocks)
        is_starting = not (process.has_answered or self._remote.spec.is_python)
        # Nobody else says when a program is ready.
        patience = limit + limits.import_time if is_starting else limit
        try:
            answer, took = process.ask(self._asked, question, patience)
            self._noted += self._drawn(answer)  # also for a move that is none
            if "seen" in answer:
                self._remote.see(protocol.read_sightings(answer))
            move = self._legal(protocol.read_move(answer, self._game), position)
        except BaseException as error:  # after Ctrl-C too: an answer is still to come
            self._process = None
            process.end()
            self._hear(process)
            if isinstance(error, Forfeited):
                self._noted += error.draws
                self._remote.see(error.seen)
                self._note(error, process)
                if process.never_began:
                    self._remote.try_again(partial(self._begins, question, patience), error)
                raise hinted(self._of_budget(error, limits), process.tier.name) from None
            raise
        self._left -= min(took, limit)
        if clock is not None:
            started = limits.import_time if is_starting else 0.0
            clock.charge(max(0.0, min(took - started, limit)), not is_starting)
        self._hear(process)
        return move

    def _hear(self, process: PlayerProcess) -> None:
        hear(process.channel.log.take(), is_program=not self._remote.spec.is_python)

    def _note(self, error: Forfeited, process: PlayerProcess) -> None:
        """Log a forfeit, with all that the player printed."""
        if logger.isEnabledFor(logging.INFO):
            name, log = self._remote.spec.known_as, str(process.channel.log)
            own = {"fault": error.where or str(error), "frames": error.frames or log}
            logger.info("%s forfeits (%s): %s", name, error.reason, error, extra=own)
            logger.info("%s printed:\n%s", name, log, extra={"fault": ""})

    def _legal(self, move: int, position: Position) -> int:
        """Return the move. Raises Forfeited for a program's illegal one.

        A program writes moves in the game's notation, so that message does too.
        """
        if not self._remote.spec.is_python:
            try:
                position.play(move)
            except IllegalMove:
                text = position.game.format_move(move)
                raise Forfeited("illegal", answered(text, position)) from None
        return move

    def _drawn(self, answer: protocol.Message) -> list[Draw]:
        """Return what the player drew for its move, and what of it cannot be followed."""
        if not self._remote.spec.is_python:
            return [UNSEEN]
        return protocol.read_draws(answer)

    def _begins(self, question: bytes, patience: float) -> None:
        """Start a program once more, to see if it begins; Forfeited if it does not."""
        process = self._remote.start()
        process.tell(self._begin)
        try:
            process.ask(self._asked, question, patience)
        except Forfeited:
            if process.never_began:
                raise
        finally:
            process.end()

    def _of_budget(self, error: Forfeited, limits: PlayerLimits) -> Forfeited:
        """Return the same, in words that know which limit it was."""
        if error.reason != "timeout":
            return error
        clock, other = self.clock, min(self._left, limits.move_time)
        if clock is not None and clock.left <= other:
            had = f"its clock of {clock.control} had {clock.left:.3g} s left"
            return error.worded(f"{error.problem}; {had}")
        if self._left < limits.move_time:
            return Forfeited("budget", f"used all of its {limits.game_time:g} s for the game")
        return error

    def observe(self, move: int) -> None:
        """Have it know the opponent's move."""
        if self._process is not None:
            self._process.tell(protocol.observe(self._game, move))

    def finish(self, outcome: Outcome) -> None:
        """Have it know the end, and keep its process for the next game."""
        process, self._process = self._process, None
        if process is not None:
            process.tell(protocol.finish(outcome))
            self._remote.give_back(process)

    def __del__(self) -> None:
        # Who only looks at some moves of a game need not finish it.
        if self._process is not None:
            self._remote.give_back(self._process)


@dataclass(frozen=True)
class RemoteChoice:
    """The function of a stateless player in another process, outside of a game."""

    remote: Remote

    def __call__(self, position: Position, rng: random.Random) -> int:
        """Its move; Forfeited if it makes none."""
        player = self.remote(anew=False)
        with one_core() if self.remote.shares_core else nullcontext():
            player.start(position.game, position.to_move, rng)
            return player.choose(position)


@dataclass(frozen=True)
class RemoteDistribution:
    """The distribution that an installed player in another process declares."""

    remote: Remote

    def __call__(self, position: Position) -> dict[int, Fraction]:
        """Its moves with their probabilities; CannotEnumerate and PlayerFault as from here."""
        try:
            with one_core():
                return self._asked(position)
        except Forfeited as error:
            raise PlayerFault(str(error)) from None

    def _asked(self, position: Position) -> dict[int, Fraction]:
        process = self.remote.take()
        try:
            question = process.language.tell(protocol.distribution(1, position))
            answer, _ = process.ask(1, question, self.remote.limits.game_time)
            found = protocol.read_distribution(answer, position.game)
        except CannotEnumerate:
            self.remote.give_back(process)
            raise
        except BaseException:
            process.end()
            raise
        self.remote.give_back(process)
        return found


#: What shells say of a program that they cannot start, and their exit codes then.
_NOT_STARTED = re.compile(
    r"exit code 12[67]\b|: Permission denied|\b[Ff]ork\b.*(not permitted|unavailable)|Cannot fork"
)


def hinted(error: Forfeited, tier: str) -> Forfeited:
    """Return the same; who missed a file where it may read none but its own is told of the option.

    A program that could not start another where it may start none is told to be the other itself.
    """
    if tier == "locked" and _NOT_STARTED.search(str(error)):
        hint = "in tier locked a program starts no others: name the interpreter itself"
        return error.worded(f"{error.problem} ({hint})")
    missing = ("FileNotFoundError", "PermissionError")
    if tier == "process" or not any(name in str(error) for name in missing):
        return error
    return error.worded(f"{error.problem} (isolated, it reads only its own files: see --readable)")


def own_of(rng: random.Random) -> int:
    """Return the number that a stream in another process is begun with.

    That of an arena's stream is its own; another generator is drawn from for it.
    """
    own = rng.own if isinstance(rng, Stream) else None
    return rng.getrandbits(READY_BITS) if own is None else own
