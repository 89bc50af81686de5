"""Ask a function in a process of its own at many positions at once.

A message to another process and back takes longer than most answers, so several questions are sent
together: each is the start of a game and the question for a move. If the process is lost, they are
asked once more, one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from arena.clock import now
from arena.errors import Forfeited, VoidGame
from arena.game import Game
from arena.games.info_state import InfoState, seat_of
from arena.player import PlayerInfo
from arena.rng import Draw
from arena.sandbox.denied_hints import with_hint
from arena.sandbox.process import PlayerProcess
from arena.sandbox.remote import Remote
from arena.sandbox.wire import protocol
from arena.sandbox.wire.languages import FRAMES

#: Questions that are sent together.
MAX_QUESTIONS = 40

#: Seconds that the answers to these should take together, for they have one deadline.
MAX_MESSAGE_SECONDS = 0.1

#: How often questions are sent while the machine is too busy for an answer.
MAX_SENDINGS = 3


class Query(NamedTuple):
    """A position, and the number of the stream that the player draws from there."""

    position: InfoState
    number: int
    #: Whether the stream traces what the player does with its draws (:mod:`arena.tracing`).
    is_traced: bool = False


class Reply(NamedTuple):
    """An answer: the move, or how the player failed."""

    move: int | Forfeited
    draws: list[Draw]
    seconds: float


class Queries:
    """Asks a player that is checked. ``limit`` is that of one answer in seconds."""

    def __init__(self, remote: Remote, limit: float) -> None:
        self._remote = remote
        self._limit = min(limit, remote.limits.move_time, remote.limits.game_time)
        #: The number of questions in the next message: few while answers take long.
        self._size = 1

    def __call__(self, questions: Sequence[Query], watch: bool) -> Iterator[Reply]:
        """Yield the answer to each question about a game. ``watch`` has the process look on."""
        start = 0
        while start < len(questions):
            batch = questions[start : start + self._size]
            start += len(batch)
            begin = now()
            yield from self._replies(batch, watch)
            if now() - begin < MAX_MESSAGE_SECONDS / 2:
                self._size = min(2 * self._size, MAX_QUESTIONS)
            elif now() - begin > MAX_MESSAGE_SECONDS:
                self._size = max(self._size // 2, 1)

    def _replies(self, batch: Sequence[Query], watch: bool) -> list[Reply]:
        try:
            return self._replies_with_retries(batch, watch)
        except Forfeited as error:
            if len(batch) == 1:
                failure = with_hint(error, self._remote.tier, self._remote.spec)
                return [Reply(failure, list(error.draws), self._limit)]
            self._size = 1
        return [answer for question in batch for answer in self._replies([question], watch)]

    def _replies_with_retries(self, batch: Sequence[Query], watch: bool) -> list[Reply]:
        """Ask again if the machine was too busy. Raises VoidGame if it is every time."""
        for _ in range(MAX_SENDINGS - 1):
            with suppress(VoidGame):
                return self._send(batch, watch)
        return self._send(batch, watch)

    def _send(self, batch: Sequence[Query], watch: bool) -> list[Reply]:
        """Return the answers to these questions, which the player cannot tell from those of games.

        Ends the process and raises Forfeited if it does not answer them all.
        """
        process = self._remote.take_for(batch[0][0].game, fresh=False)
        try:
            process.watch(watch)
            for number, (position, stream, is_traced) in enumerate(batch, 1):
                process.tell(protocol.start(position.game, seat_of(position), stream, is_traced))
                process.channel.tell(FRAMES.move(number, position))
            replies, _ = process.converse(lambda: self._hear_replies(process, batch), self._limit)
        except BaseException:
            process.end()
            raise
        process.channel.log.take()  # its prints belong to no game
        self._remote.give_back(process)
        return replies

    def _hear_replies(self, process: PlayerProcess, batch: Sequence[Query]) -> list[Reply]:
        process.channel.require_silence()
        return [
            self._hear_reply(process, number, question.position.game)
            for number, question in enumerate(batch, 1)
        ]

    def _hear_reply(self, process: PlayerProcess, number: int, game: Game) -> Reply:
        """Return the next answer: a move or what the player admits, its draws, and its seconds."""
        begin = now()
        message = process.hear()
        seconds = now() - begin
        try:
            answer = FRAMES.answer(message, number)
            self._remote.see(protocol.read_sightings(answer))
            draws = protocol.read_draws(answer)
            move = protocol.read_move(answer, game)
        except Forfeited as error:
            if error.reason not in protocol.ADMITTED:
                raise
            self._remote.see(error.seen)
            failure = with_hint(error, self._remote.tier, self._remote.spec)
            return Reply(failure, list(error.draws), seconds)
        return Reply(move, draws, seconds)


def open_queries(player: PlayerInfo, limit: float) -> Queries | None:
    """Return the queries to a function in a process of arena's, or None for any other player."""
    remote = player.remote
    if not (isinstance(remote, Remote) and remote.spec.is_checked and player.stateless):
        return None
    return Queries(remote, limit)
