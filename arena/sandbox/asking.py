"""Ask a function in a process of its own at many positions with one message.

A message to another process and back takes longer than most answers. A question that fails costs
no process here, unless the process is lost: such questions are asked once more, one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from arena.clock import now
from arena.errors import Forfeited, Spoilt
from arena.game import Position
from arena.player import PlayerInfo
from arena.rng import Draw
from arena.sandbox.barred import hinted
from arena.sandbox.remote import Remote
from arena.sandbox.wire import protocol
from arena.sandbox.wire.languages import FRAMES

#: Questions in one message: their answers stay far below the most that a message may have.
MAX_QUESTIONS = 40

#: Seconds that the answers to one message should take together, for they have one deadline.
MAX_MESSAGE_SECONDS = 0.1

#: How often a message is sent while the machine is too busy for an answer.
MAX_SENDINGS = 3

#: A position, and the number of the stream that the player draws from there.
Question = tuple[Position, int]


class Answered(NamedTuple):
    """An answer: the move, or how the player failed."""

    move: int | Forfeited
    draws: list[Draw]
    seconds: float


class Asking:
    """Asks a player that is checked; ``limit`` is that of one answer in seconds."""

    def __init__(self, remote: Remote, limit: float) -> None:
        self._remote = remote
        self._limit = min(limit, remote.limits.move_time, remote.limits.game_time)
        #: The number of questions in the next message: few while answers take long.
        self._size = 1

    def __call__(self, questions: Sequence[Question], watch: bool) -> Iterator[Answered]:
        """Yield the answer to each question about a game; ``watch`` has the process look on."""
        at = 0
        while at < len(questions):
            some = questions[at : at + self._size]
            at += len(some)
            begin = now()
            yield from self._answers(some, watch)
            if now() - begin < MAX_MESSAGE_SECONDS / 2:
                self._size = min(2 * self._size, MAX_QUESTIONS)
            elif now() - begin > MAX_MESSAGE_SECONDS:
                self._size = max(self._size // 2, 1)

    def _answers(self, some: Sequence[Question], watch: bool) -> list[Answered]:
        try:
            return self._tried(some, watch)
        except Forfeited as error:
            if len(some) == 1:
                failure = hinted(error, self._remote.tier)
                return [Answered(failure, list(error.draws), self._limit)]
            self._size = 1
        return [answer for question in some for answer in self._answers([question], watch)]

    def _tried(self, some: Sequence[Question], watch: bool) -> list[Answered]:
        """Ask again if the machine was too busy. Raises Spoilt if it is every time."""
        for _ in range(MAX_SENDINGS - 1):
            with suppress(Spoilt):
                return self._asked(some, watch)
        return self._asked(some, watch)

    def _asked(self, some: Sequence[Question], watch: bool) -> list[Answered]:
        """Return the answers to one message; Forfeited, with the process ended, if it has none."""
        remote, game = self._remote, some[0][0].game
        process = remote.take(anew=False)
        try:
            message = FRAMES.tell(protocol.ask(1, some, watch))
            said, _ = process.ask(1, message, self._limit)
            remote.see(protocol.read_sightings(said))
            answers = protocol.read_answers(said, len(some))
            found = [protocol.read_answer(answer, game) for answer in answers]
        except BaseException:
            process.end()
            raise
        remote.give_back(process)
        return [Answered(*answer) for answer in found]


def asking(player: PlayerInfo, limit: float) -> Asking | None:
    """Return what asks a function in a process of arena's; None for any other player."""
    remote = player.remote
    if not (isinstance(remote, Remote) and remote.spec.is_checked and player.stateless):
        return None
    return Asking(remote, limit)
