"""Keep the processes of one player: started, used again, started once more after a failure."""

from __future__ import annotations

import logging
import os
import weakref
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from arena.errors import Forfeited, Withdrawn
from arena.game import Game
from arena.sandbox.denied_hints import with_hint
from arena.sandbox.outside_modules import GameKey, key_of, places_of_game
from arena.sandbox.process import PlayerProcess, shares_core
from arena.sandbox.rules_trial import require_loadable
from arena.sandbox.settings import PlayerLimits, Spec
from arena.sandbox.side_modules import is_other_player
from arena.sandbox.wire import protocol

logger = logging.getLogger(__name__)

T = TypeVar("T")

#: Starts in a row that may fail before a player is withdrawn.
MAX_STARTS = 3


class Pool:
    """The processes of a spec, in this worker.

    Processes belong to the worker that started them, and end with it or with the pool.
    """

    def __init__(self, spec: Spec, limits: PlayerLimits) -> None:
        self.spec, self.limits = spec, limits
        self.control, self.is_measured = limits.control, limits.is_measured
        #: Why something of the player outlives a game, as far as its processes have seen.
        self.remembers = ""
        #: The first sightings of a player that is checked, as its processes tell.
        self.seen: protocol.SightingsByName = {}
        self._forget()

    def _forget(self) -> None:
        self._owner = os.getpid()
        self._idle: list[PlayerProcess] = []
        self._withdrawn: Withdrawn | None = None
        #: The games that its processes can load.
        self._games: set[GameKey] = set()
        weakref.finalize(self, _end_all, self._idle, self._owner)

    def __reduce__(self) -> tuple[Any, ...]:
        others = [file for file in self.spec.files if is_other_player(Path(file), self.spec.path)]
        files = tuple(file for file in self.spec.files if file not in others)
        return type(self), (replace(self.spec, files=files), self.limits)

    @property
    def shares_core(self) -> bool:
        """Whether its process runs where the thread does that waits for it."""
        return shares_core(self.spec, self.limits)

    @property
    def tier(self) -> str:
        """The name of the tier that it plays in here."""
        return self.limits.process_tier.name

    def take(self, fresh: bool = True) -> PlayerProcess:
        """Return a process in which no game is played. Raises Withdrawn if none can be started.

        Raises Forfeited if the process started only on a retry: the player loses this game and
        stays in the fight.
        """
        if self._owner != os.getpid():
            self._forget()  # those processes are the parent's
        if self._idle:
            process = self._idle.pop()
            process.follow()
            return self._refreshed(process) if fresh else process
        if self._withdrawn is not None:
            raise self._withdrawn
        try:
            return self.start()
        except Forfeited as error:
            self.give_back(self.try_again(self.start, error))
            raise

    def take_for(self, game: Game, fresh: bool = True) -> PlayerProcess:
        """Return a process as :meth:`take` does, with the rules of a game.

        Raises GameFault if no isolated process can load the rules.
        """
        if not self.spec.is_python:  # its client speaks of the game
            return self.take(fresh)
        if self._owner != os.getpid():
            self._forget()
        if key_of(game) not in self._games:
            self._admit(game)
        process = self.take(fresh)
        try:
            process.load_rules(game)
        except BaseException:
            process.end()
            raise
        return process

    def _admit(self, game: Game) -> None:
        """Let the player's processes read the rules of a game, and try whether they can."""
        modules = self.spec.modules
        if new := [place for place in places_of_game(game) if place not in modules]:
            self.close()  # the processes so far do not see the game
            self.spec = replace(self.spec, modules=(*modules, *new))
        require_loadable(game, self.tier)
        self._games.add(key_of(game))

    def _refreshed(self, process: PlayerProcess) -> PlayerProcess:
        """Load a process's player again. Ends the process and raises Forfeited if that fails."""
        try:
            remembers = process.reload()
        except BaseException:
            process.end()
            raise
        self.remembers = self.remembers or remembers
        return process

    def start(self) -> PlayerProcess:
        """Return a new process. Raises Forfeited if it cannot be started."""
        process = PlayerProcess(self.spec, self.limits)
        self.remembers = self.remembers or protocol.text(process.facts, "remembers")
        return process

    def try_again(self, start: Callable[[], T], failure: Forfeited) -> T:
        """Start once more after a failure, and if need be again. Raises Withdrawn at last."""
        for _ in range(MAX_STARTS - 1):
            logger.info("%s is started again: %s", self.spec.shown_name, failure)
            try:
                return start()
            except Forfeited as error:
                failure = error
        problem = str(with_hint(failure, self.tier, self.spec))
        self._withdrawn = Withdrawn(self.spec.shown_name, failure.reason, problem)
        raise self._withdrawn

    def see(self, sightings: Mapping[str, tuple[str, str]]) -> None:
        """Note sightings that are the first of their kind."""
        self.seen = {**sightings, **self.seen}

    def give_back(self, process: PlayerProcess) -> None:
        """Keep a process for the next game.

        End it if it would run into a limit of its own, or does not see all games.
        """
        is_used_up = process.spent > self.limits.game_time or process.grows
        if is_used_up or process.spec.modules != self.spec.modules:
            process.end()
        else:
            self._idle.append(process)

    def close(self) -> None:
        """End all processes in which no game is played."""
        _end_all(self._idle, self._owner)


def _end_all(idle: list[PlayerProcess], owner: int) -> None:
    """End processes, if this process has started them."""
    if owner == os.getpid():
        while idle:
            idle.pop().end()
