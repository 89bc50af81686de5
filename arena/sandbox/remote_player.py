"""Play one game by a player in another process."""

from __future__ import annotations

import logging
import random
from abc import ABC, abstractmethod
from contextlib import suppress
from functools import partial
from typing import ClassVar

from arena.errors import Forfeited, IllegalMove, MoveError, UsageError, Withdrawn
from arena.executors.waiting import waiting_for
from arena.game import Game, Outcome, Position, Side
from arena.games.contract import refused
from arena.games.walk import walked
from arena.player.clients import Client, Turn
from arena.player.clocks import Clock, Clocks
from arena.player.faults import answered
from arena.player.prints import hear
from arena.player.time_left import TimeLeft
from arena.records.thoughts import Thought
from arena.rng import READY_BITS, Stream
from arena.sandbox.denied_hints import with_hint
from arena.sandbox.pool import Pool
from arena.sandbox.process import PlayerProcess
from arena.sandbox.wire import protocol
from arena.sandbox.wire.languages import FRAMES

logger = logging.getLogger(__name__)

#: Noted among the draws of a program.
UNSEEN = "what a program leaves to chance cannot be seen"


class RemotePlayer(ABC):
    """One game of a player in another process: a StatefulPlayer that raises only Forfeited."""

    #: Whether it is a program, whose prints may come at any time.
    is_program: ClassVar[bool]

    def __init__(self, remote: Pool, fresh: bool = True) -> None:
        self._remote, self._fresh = remote, fresh
        self._process: PlayerProcess | None = None
        #: Measures its moves; None where no limit needs their time.
        self.clock = Clock(remote.control) if remote.is_measured else None
        self._time = TimeLeft(remote.limits, self.clock)
        #: Its thoughts on its moves, by the ply of the position.
        self.thoughts: dict[int, Thought] = {}

    def start(self, game: Game, side: Side, rng: random.Random) -> None:
        """Begin the game there. The stream notes its draws."""
        self._game, self._side, self._seed = game, side, seed_for(rng)
        self._is_traced = isinstance(rng, Stream) and rng.is_traced
        self._noted = rng.draws if isinstance(rng, Stream) else []
        self._process = self._remote.take_for(game, self._fresh)
        self._process.channel.log.take()  # what it prints when it is loaded belongs to no game
        self._begin(self._process)

    def choose(self, position: Position) -> int:
        """Return its move. Raises Forfeited, with the process ended, if it makes none."""
        process, limits = self._process, self._remote.limits
        assert process is not None
        limit = self._time.of_move
        clocks = self._time.clocks if process.is_told_time else None
        is_starting = self.is_program and not process.has_answered
        try:
            with waiting_for(f"it waits for a move of {self._remote.spec.shown_name}"):
                move, seconds = self._ask(process, position, limit, clocks)
        except BaseException as error:  # after Ctrl-C too: an answer is still to come
            self._process = None
            process.end()
            self._hear(process)
            if isinstance(error, Forfeited):
                self._note(error, process)
                self._failed(process, error, position, limit)
                explained = self._time.explained(error)
                raise with_hint(explained, process.tier.name, self._remote.spec) from None
            raise
        self._time.charge(seconds, limit, limits.import_time if is_starting else None)
        self._hear(process)
        return move

    def observe(self, move: int) -> None:
        """Tell it the opponent's move."""
        if self._process is not None:
            self._tell(self._process, move)

    def finish(self, outcome: Outcome) -> None:
        """Tell it the end, and keep its process for the next game."""
        process, self._process = self._process, None
        if process is not None:
            self._end(process, outcome)
            self._remote.give_back(process)

    def __del__(self) -> None:
        # A caller that only looks at some moves of a game need not finish it.
        if self._process is not None:
            self._remote.give_back(self._process)

    @abstractmethod
    def _begin(self, process: PlayerProcess) -> None:
        """Tell it that the game begins."""

    @abstractmethod
    def _ask(
        self, process: PlayerProcess, position: Position, limit: float, clocks: Clocks | None = None
    ) -> tuple[int, float]:
        """Return its move and how long it took. Raises Forfeited if it makes none.

        ``clocks`` is None for a player without a clock.
        """

    @abstractmethod
    def _tell(self, process: PlayerProcess, move: int) -> None:
        """Tell it the opponent's move."""

    @abstractmethod
    def _end(self, process: PlayerProcess, outcome: Outcome) -> None:
        """Tell it the end."""

    @abstractmethod
    def _failed(
        self, process: PlayerProcess, error: Forfeited, position: Position, limit: float
    ) -> None:
        """Find out more about a forfeit. Raises Withdrawn if it never began."""

    def _hear(self, process: PlayerProcess) -> None:
        if prints := process.channel.log.take():
            hear(prints, is_program=self.is_program)

    def _note(self, error: Forfeited, process: PlayerProcess) -> None:
        """Log a forfeit, with all that the player printed."""
        if logger.isEnabledFor(logging.INFO):
            name, log = self._remote.spec.shown_name, str(process.channel.log)
            extra = {
                "fault": error.where or error.frames or str(error),
                "frames": error.frames or log,
            }
            logger.info("%s forfeits (%s): %s", name, error.reason, error, extra=extra)
            logger.info("%s printed:\n%s", name, log, extra={"fault": ""})


class PythonPlayer(RemotePlayer):
    """One game of a Python player: arena's shim answers for it, and says what it draws."""

    is_program = False
    _number = 0

    def _begin(self, process: PlayerProcess) -> None:
        process.watch(self._remote.spec.is_checked)
        process.tell(protocol.start(self._game, self._side, self._seed, self._is_traced))

    def _ask(
        self, process: PlayerProcess, position: Position, limit: float, clocks: Clocks | None = None
    ) -> tuple[int, float]:
        self._number += 1
        question = FRAMES.move(self._number, position, clocks)
        margin = self._remote.limits.time_margin
        answer, seconds = process.ask(self._number, question, limit + margin)
        self._noted += protocol.read_draws(answer)  # also for what is not a move
        if "seen" in answer:
            self._remote.see(protocol.read_sightings(answer))
        return protocol.read_move(answer, self._game), seconds

    def _tell(self, process: PlayerProcess, move: int) -> None:
        process.tell(protocol.observe(self._game, move))

    def _end(self, process: PlayerProcess, outcome: Outcome) -> None:
        process.tell(protocol.finish(outcome))

    def _failed(
        self, process: PlayerProcess, error: Forfeited, position: Position, limit: float
    ) -> None:
        self._noted += error.draws
        self._remote.see(error.seen)


class ProgramPlayer(RemotePlayer):
    """One game of a program: its client speaks with it."""

    is_program = True

    def _begin(self, process: PlayerProcess) -> None:
        self._start: Position | None = None
        self._moves: list[int] = []
        try:
            self._client(process).begin(process.talk, self._game, self._side, self._seed)
        except UsageError as error:
            name = self._remote.spec.shown_name
            raise Withdrawn(name, "protocol", str(error)) from error

    def _ask(
        self, process: PlayerProcess, position: Position, limit: float, clocks: Clocks | None = None
    ) -> tuple[int, float]:
        if self._game.features:  # it hears of no move of others or of chance
            self._start, self._moves = position, []
        elif self._start is None:
            self._start = self._first(position)
        turn = Turn(
            self._game, position, self._side, self._start, tuple(self._moves), limit, clocks
        )
        choose = partial(self._client(process).choose, process.talk, turn)
        try:
            move, seconds = process.converse(choose, self._patience(process, limit))
        except MoveError as error:
            raise Forfeited("illegal", str(error)) from None
        self._noted.append(UNSEEN)
        require_legal(position, move)
        if self._game.features:
            return move, seconds
        self._moves.append(move)
        thought = process.talk.take()
        if thought is not None:
            self.thoughts[position.ply] = thought
        return move, seconds

    def _first(self, position: Position) -> Position:
        """Return where the game began as far as the program has seen it."""
        start = self._game.start()
        with suppress(IllegalMove):
            if walked(start, self._moves) == position:
                return start
        self._moves.clear()
        return position

    def _patience(self, process: PlayerProcess, limit: float) -> float:
        """Return the limit of an answer: not every protocol says when a program is ready."""
        limits = self._remote.limits
        start = 0.0 if process.has_answered else limits.import_time
        return limit + limits.time_margin + start

    def _tell(self, process: PlayerProcess, move: int) -> None:
        self._moves.append(move)
        self._client(process).observe(process.talk, self._game, move)

    def _end(self, process: PlayerProcess, outcome: Outcome) -> None:
        self._client(process).finish(process.talk, outcome)

    def _failed(
        self, process: PlayerProcess, error: Forfeited, position: Position, limit: float
    ) -> None:
        """Raise Withdrawn if it ends before it reads anything, as often as it is tried."""
        if process.never_began:
            self._remote.try_again(partial(self._begin_again, position, limit), error)

    def _begin_again(self, position: Position, limit: float) -> None:
        """Start a program once more, to see if it begins. Raises Forfeited if it does not."""
        process = self._remote.start()
        self._begin(process)
        try:
            self._ask(process, position, limit)
        except Forfeited:
            if process.never_began:
                raise
        finally:
            process.end()

    def _client(self, process: PlayerProcess) -> Client:
        assert process.client is not None
        return process.client


def require_legal(position: Position, move: int) -> None:
    """Raise Forfeited for a move that is not legal, as a program writes it: in the game's notation.

    With luck, secrets or payoffs the position is an observation.
    """
    try:
        if not position.game.features:
            position.play(move)
            return
        if position.is_legal(move):
            return
    except IllegalMove:
        refused(position, move)
    raise Forfeited("illegal", answered(position.game.format_move(move), position))


def seed_for(rng: random.Random) -> int:
    """Return the seed of a player's stream in another process.

    That of an arena's stream is its own. Another generator is drawn from for it.
    """
    seed = rng.first_bits if isinstance(rng, Stream) else None
    return rng.getrandbits(READY_BITS) if seed is None else seed
