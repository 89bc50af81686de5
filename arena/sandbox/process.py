"""A player's process: started within a tier, talked to, stopped while it is not on turn, ended."""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Callable
from contextlib import nullcontext, suppress
from functools import partial
from multiprocessing import util
from pathlib import Path
from typing import TypeVar

from arena.clock import now
from arena.errors import Forfeited, Unavailable, VoidGame
from arena.executors.endings import describe_ending, signal_name
from arena.game import Game
from arena.player.clients import Client, Demand
from arena.player_file.plugin import loaded_files
from arena.sandbox.cores import all_cores, usable
from arena.sandbox.denied_hints import TIERS_WITHOUT_NETWORK, denied_action
from arena.sandbox.fairness import MAX_OFF_TURNS, MAX_WAIT_RATIO, TurnUsage
from arena.sandbox.family import Family, reserved
from arena.sandbox.outside_modules import GameKey, is_own, key_of
from arena.sandbox.settings import (
    DEFAULT_MEMORY,
    MAX_LIMIT,
    PlayerLimits,
    Spec,
    command,
    environment,
)
from arena.sandbox.side_modules import is_other_player
from arena.sandbox.stacks import innermost, stacks
from arena.sandbox.tiers.box import Box, BoxLimits
from arena.sandbox.wire import protocol
from arena.sandbox.wire.channel import Channel, ChannelTalk
from arena.sandbox.wire.frames import frame
from arena.sandbox.wire.languages import FRAMES, LINES
from arena.sandbox.wire.protocol import AnswerFields

T = TypeVar("T")

#: Why a program may have said nothing.
SILENT = " and said nothing: it may speak another protocol, uci:, gtp: or gomocup:"

#: The processes that a tier puts around the player.
_AROUND = {"bwrap": 2}

#: The errors of a machine that starts no process at all, for want of something.
SCARCE = {errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE}

#: MiB of memory that a program needs at least to go on: the stack of a thread, and then some.
MIN_FREE_MEMORY = 16

#: The most bytes of a file that a player writes.
MAX_WRITTEN_BYTES = 1 << 24


class PlayerProcess:
    """One process of a player. Raises Forfeited if it cannot be started."""

    def __init__(self, spec: Spec, limits: PlayerLimits) -> None:
        self.spec, self.limits = spec, limits
        self.tier = limits.process_tier
        self._shares_core = shares_core(spec, limits)
        #: The processors that it may use.
        self._cores = usable()
        #: The client that speaks with a program.
        self.client = None if spec.client is None else spec.client()
        self._demand = Demand() if self.client is None else self.client.demand()
        #: MiB of memory for each of its processes.
        self.memory = min(limits.memory or self._demand.memory or DEFAULT_MEMORY, MAX_LIMIT)
        try:
            self._popen, self.channel = self._start()
        except OSError as error:
            problem = error.strerror or error
            if error.errno in SCARCE:
                raise VoidGame(f"{spec.name} cannot be started: {problem}") from error
            raise Forfeited("crash", str(problem)) from error
        self._at_exit = util.Finalize(None, self.end, exitpriority=10)
        self._has_ended, self._how = False, ""
        self._code: int | None = None
        #: All that runs of it.
        alone, grouped = self._is_alone, spec.is_python
        around = _AROUND.get(self.tier.name, 0)
        self.family = Family(self._popen.pid, around, alone, grouped)
        self.channel.resume = self.family.resume
        with nullcontext() if self._shares_core else all_cores():
            self._turns = TurnUsage(self.family.used, len(usable()) or 1, alone)
        #: Whether it has answered a question: before, it may be starting yet.
        self.has_answered = False
        #: Whether it ended before it read anything: a program that never began.
        self.never_began = False
        #: Whether the shim looks at what the player does besides its moves.
        self.is_watched = False
        #: The games of plugins whose rules it has loaded.
        self._games: set[GameKey] = set()
        #: The shim's facts on the player; empty for a program.
        self.facts: protocol.Message = {}
        #: Seconds that its answers took.
        self.spent = 0.0
        #: How the client speaks with it.
        title = f"{spec.shown_name} ({self._popen.pid})"
        self.talk = ChannelTalk(self.channel, self._turns.deadline, title)
        try:
            if spec.is_python:
                self.facts = self._facts()
                self.family.stop()  # until its turn: what it has begun would run in the opponent's
                self._turns.end(now())
            elif self.client is not None:
                self._greet(self.client)
        except BaseException:
            self.end()
            raise

    def _start(self) -> tuple[subprocess.Popen[bytes], Channel]:
        ours, theirs = _pipes()
        spec, threads = self.spec, min(self._demand.threads, MAX_LIMIT)
        keep = (theirs[0], theirs[1]) if spec.is_python else ()
        box = Box(
            limits=BoxLimits(
                memory=self.memory,
                processes=1 if spec.is_python else self.limits.processes + threads - 1,
                cpu=threads * int(MAX_WAIT_RATIO * self.limits.game_time) + 60,
                output=MAX_WRITTEN_BYTES,
            ),
            readable=(
                *(file for file in spec.readable if not is_other_player(file, spec.path)),
                *map(Path, self.limits.readable),
                *(_arena_folders() if spec.is_python else ()),
                *(map(Path, loaded_files()) if spec.is_python else ()),
                *(Path(path) for place in spec.modules for path in place.paths),
            ),
            environment=environment(spec),
            is_python=spec.is_python,
            keep_fds=keep,
            folder=self._folder,
        )
        try:
            with nullcontext() if self._shares_core else all_cores():
                popen = subprocess.Popen(  # noqa: S603  (within a tier)
                    self.tier.command(command(spec, theirs), box),
                    stdin=subprocess.DEVNULL if spec.is_python else theirs[0],
                    stdout=subprocess.PIPE if spec.is_python else theirs[1],
                    stderr=subprocess.PIPE,
                    close_fds=True,
                    pass_fds=keep,
                    start_new_session=True,
                    env=environment(spec),
                )
        except BaseException:
            for descriptor in ours:
                os.close(descriptor)
            raise
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        logs = [os.dup(pipe.fileno()) for pipe in (popen.stdout, popen.stderr) if pipe is not None]
        for pipe in (popen.stdout, popen.stderr):
            if pipe is not None:
                pipe.close()
        language = FRAMES if spec.is_python else LINES
        return popen, Channel(language, ours[1], ours[0], *logs)

    @property
    def _folder(self) -> Path:
        """Where it starts: a program that is not kept from files where the user is."""
        is_free = not self.spec.is_python and self.tier.name == "process"
        return Path.cwd() if is_free else self.spec.folder

    def follow(self) -> None:
        """Let it run where this thread may, if it shares its processor.

        Its offences between turns count from none again.
        """
        self._turns.forget()
        if self._shares_core and self._cores != (cores := usable()):
            self._cores, self._turns.cores = cores, len(cores)
            self.family.bind(cores)

    def _facts(self) -> protocol.Message:
        """Return the shim's facts on the player. Raises Forfeited ``import-error`` if it fails."""
        if self.spec.installed:
            self.channel.tell(frame(0, self.spec.installed))
        turns, limit = self._turns, self.limits.import_time
        turns.begin(limit)
        try:
            facts = FRAMES.answer(self.channel.read(turns.deadline), 0)
        except Forfeited as error:
            if error.reason == "crash":
                raise self._crash(error, "not loaded: ") from None
            problem = str(error)
            if error.reason == "timeout":
                _require_processor(turns)
                with self.channel.log.aside():  # the stack is not its own print
                    stuck, _ = self._stuck()
                problem = f"it was not loaded within {limit:g} seconds{stuck and f' ({stuck})'}"
            raise self._import_error(problem) from None
        except Unavailable as error:
            raise self._absence(error) from None
        if "ready" not in facts:
            raise self._failure(facts)
        return facts

    @property
    def is_told_time(self) -> bool:
        """Whether it hears what the clocks show: a function is not told."""
        return self.facts.get("stateless") is not True

    def reload(self) -> str:
        """Execute a player's file again. Raises Forfeited if that fails or takes too long.

        Returns why something of it outlives a game, as far as its process has seen.
        """
        if not self.spec.file:
            return ""
        question = FRAMES.tell({"type": "load"})
        limit = self.limits.import_time
        try:
            answer, _ = self.ask(0, question, limit)
        except Forfeited as error:
            if error.reason == "timeout":
                raise self._import_error(f"it was not loaded within {limit:g} seconds") from None
            raise
        if "ready" not in answer:
            raise self._failure(answer)
        return protocol.text(answer, "remembers")

    def load_rules(self, game: Game) -> None:
        """Load the rules of a plugin's game, which takes no time of a move.

        Raises Forfeited if that fails.
        """
        if is_own(game) or key_of(game) in self._games:
            return
        answer, _ = self.ask(0, FRAMES.tell(protocol.rules(game)), self.limits.import_time)
        if "ready" not in answer:
            raise self._failure(answer)
        self._games.add(key_of(game))

    def _greet(self, client: Client) -> None:
        """Make a program ready, if its protocol has words for that."""
        if type(client).greet is Client.greet:
            return
        limit = self.limits.import_time
        try:
            self.converse(partial(client.greet, self.talk), limit)
        except Forfeited as error:
            if error.reason == "timeout":
                last_words = f"; it said last {self.talk.last}" if self.talk.last else SILENT
                problem = f"it was not ready within {limit:g} seconds{last_words}"
                raise self._import_error(problem, denied_action(self.talk.last)) from None
            raise

    def _failure(self, answer: AnswerFields) -> Forfeited:
        """Return why the shim says that there is no player."""
        failed = protocol.text(answer, "failed") or "no reason"
        return self._import_error(failed, protocol.text(answer, "barred"))

    def _import_error(self, problem: str, barred: str = "") -> Forfeited:
        error = Forfeited("import-error", problem, self.spec.name)
        error.barred = barred
        return error

    def watch(self, is_watched: bool) -> None:
        """Tell the shim to look at what the player does besides its moves, or to stop looking."""
        if self.is_watched != is_watched:
            self.is_watched = is_watched
            self.tell(protocol.watch(is_watched))

    def hear(self) -> bytes:
        """Return its next message, once it has all that it was told. It is for the player's turn
        alone.
        """
        return self.channel.read(self._turns.deadline)

    def ask(self, number: int, question: bytes, limit: float) -> tuple[AnswerFields, float]:
        """Return what a Python player answers, and how long it took."""
        turn = partial(self.channel.ask, question, self._turns.deadline)
        message, seconds = self.converse(turn, limit)
        try:
            return FRAMES.answer(message, number), seconds
        except Unavailable as error:
            raise self._absence(error) from None

    def converse(self, turn: Callable[[], T], limit: float) -> tuple[T, float]:
        """Do what belongs to a turn of the player's, which computes meanwhile.

        Returns what that returns, and how long it took: what it computed since its last turn is
        counted, waiting for a processor is not. Raises Forfeited: ``timeout`` if that is more than
        the limit in seconds, ``off-turn`` if it computed between its turns again and again.
        """
        turns = self._turns
        turns.begin(limit)
        if turns.off_turns > MAX_OFF_TURNS:
            raise Forfeited(
                "off-turn",
                f"computed {turns.charged:.2f} s while it was not its turn, as"
                f" {MAX_OFF_TURNS} times before in this game",
            )
        try:
            result = turn()
        except Unavailable as error:
            raise self._absence(error) from None
        except Forfeited as error:
            raise self._explain(error, limit, turns.forgiven()) from None
        end = now()
        self.family.stop()  # before more is done: it would compute meanwhile
        seconds = turns.end(end)
        self.has_answered = True
        self.spent += seconds
        return result, seconds

    def _explain(self, error: Forfeited, limit: float, lost: float) -> Forfeited:
        """Add context to a forfeit: time limit, time waited for a processor, last output."""
        if error.reason == "timeout":
            _require_processor(self._turns)
            if self.is_full:
                return Forfeited("memory", f"no answer within {limit:g} s; {self._memory_taken}")
            busy = f", not counting {lost:.2f} s of waiting for a CPU" if lost > 0.01 else ""
            with self.channel.log.aside():  # the stack is not its own print
                stuck, frames = self._stuck()
            last_words = f"; it said last {self.talk.last}" if self.talk.last else f"; {error}"
            why = f" ({stuck})" if stuck else last_words
            ahead = self._turns.charged
            early = f", {ahead:.2f} s of which it computed before its turn" if ahead else ""
            late = Forfeited("timeout", f"no answer within {limit:g} s{early}{busy}{why}")
            late.frames, late.barred = frames, denied_action(self.talk.last)
            return late
        if error.reason == "crash":
            begins = self.spec.is_python or self.has_answered or self.channel.was_read
            self.never_began = bool(self.end()) and not begins
            crashed = self._crash(error)
            crashed.killed_by = signal_name(self._code)
            return crashed
        error.barred = error.barred or denied_action(self.talk.last)
        return error

    @property
    def is_full(self) -> bool:
        """Whether a program has so little memory left that it may not get what it asks for."""
        return not self.spec.is_python and self.memory - self._mib_reserved < max(
            MIN_FREE_MEMORY, self.memory / 16
        )

    @property
    def grows(self) -> bool:
        """Whether a program has taken so much memory that a long game may need the rest."""
        return not self.spec.is_python and self._mib_reserved > self.memory / 2

    @property
    def _mib_reserved(self) -> float:
        """The MiB of memory that the process reserved which plays, which its limit counts."""
        return 0.0 if self.family.player is None else reserved(self.family.player)

    @property
    def _memory_taken(self) -> str:
        usage = f"it has taken {self._mib_reserved:.0f} of its {self.memory} MiB of memory"
        return f"{usage}: see --memory"

    def _absence(self, error: Unavailable) -> VoidGame | Forfeited:
        """Return what it means that the player says that it cannot play now.

        A tier without a network keeps it from any service. There the word would only be a way to
        have a game replayed that it is about to lose.
        """
        if self.tier.name not in TIERS_WITHOUT_NETWORK:
            return error
        failure = Forfeited("exception", f"says that it cannot play now: {error.problem}")
        failure.barred = "network"
        return failure

    def _stuck(self) -> tuple[str, str]:
        """Return the line at which a Python player is, and its own frames. The result is empty if
        unknown.
        """
        player = self.family.player
        if not self.spec.is_python or player is None:
            return "", ""
        return innermost(stacks(player, self.channel), self.spec.readable)

    def _crash(self, error: Forfeited, when: str = "") -> Forfeited:
        """Return how its process ended, and its last words."""
        how = self.end()
        last = self.channel.log.last_line or self.talk.last
        last_words = f"; the last that it printed: {last}" if last else ""
        crashed = Forfeited("crash", f"{when}{how or error}{last_words}")
        crashed.barred = denied_action(last, self._code)
        return crashed

    def tell(self, message: protocol.Message) -> None:
        """Tell a Python player something before the next question."""
        self.channel.tell(FRAMES.tell(message))

    @property
    def _is_alone(self) -> bool:
        """Whether it cannot start any other process."""
        if self.tier.name == "bwrap":
            return self.spec.is_python or self.limits.processes == 1
        return self.tier.name == "locked"

    def end(self) -> str:
        """End it and all that it started, at once. Return how it had ended by itself, if it had.

        Only the first time: the numbers of its process and descriptors may be others' later.
        """
        if not self._has_ended:
            self._has_ended = True
            self._at_exit.cancel()
            self._how = self._end()
        return self._how

    def _end(self) -> str:
        code = self._popen.poll()
        if code is None:
            with suppress(subprocess.TimeoutExpired):  # a pipe can close before its process ends
                code = self._popen.wait(0.2) if self.channel.is_at_end else None
        self._code = code
        self.tier.end(self._popen)
        self.channel.close()
        self.family.close()
        return "" if code is None else describe_ending(code)


def shares_core(spec: Spec, limits: PlayerLimits) -> bool:
    """Whether its process runs where the thread does that waits for it.

    A program that may have several processes may compute on several processors.
    """
    return spec.is_python or limits.processes == 1


def _require_processor(turns: TurnUsage) -> None:
    """Raise VoidGame if a turn ended before the player got its time to compute."""
    if (waiting := turns.waited_in_vain()) is not None:
        share = f"{waiting.lost:.2f} of {waiting.seconds:.2f} s"
        raise VoidGame(f"the machine is too busy: a player waited {share} for a CPU")


def _pipes() -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the ends of two pipes, to read and to write: this side's, and the player's."""
    arena_reads, player_writes = os.pipe()
    player_reads, arena_writes = os.pipe()
    return (arena_reads, arena_writes), (player_reads, player_writes)


def _arena_folders() -> tuple[Path, ...]:
    """Return the folders of arena's code. Its libraries are the interpreter's."""
    package = Path(__file__).parents[1]
    return (package, *((package / name).resolve() for name in ("players", "plugins", "reports")))
