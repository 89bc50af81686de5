"""Be a player in the arena for a bot that is a server: each game is a conversation with it."""

from __future__ import annotations

import logging
import os
import random
import secrets
from math import inf, isfinite
from typing import Any

from arena.clock import sleep
from arena.errors import (
    MAX_RETRY_AFTER,
    Forfeited,
    Unavailable,
    Withdrawn,
    quoted,
)
from arena.executors.waiting import waiting_for
from arena.game import Game, Outcome, Position, Side
from arena.player import NoProcess, PlayerInfo
from arena.player.clients import Turn
from arena.player.clocks import Clock
from arena.player.time_left import TimeLeft, TimeLimits
from arena.plugins.http_bot.address import BotUrl, find, read_address
from arena.plugins.http_bot.exchange import BotConnection, Connections, Deadline, HttpResponse
from arena.rng import Stream
from arena.sandbox.pool import MAX_STARTS
from arena.sandbox.remote_player import UNSEEN, require_legal, seed_for
from arena.sandbox.wire import json_lines, protocol
from arena.sandbox.wire.conversations import FROM_PLAYER, TO_PLAYER, are_logged, log_line
from arena.sandbox.words import ELSEWHERE

logger = logging.getLogger(__name__)

#: The most seconds of a move that pass for the way to the server and back.
MAX_LATENCY = 0.25

#: Seconds of connecting before a move that do not count. A server that takes longer may think.
FREE_CONNECTING = 1.0

#: Seconds that arena waits for the answer to the end of a game.
END_SECONDS = 1.0

#: Seconds before a server is tried again that does not take the start of a game.
START_PAUSE = 0.25

#: The answers with which a server may say that it cannot play now.
BUSY = (429, 503)

#: The verdicts after which a server is not told the end: it does not listen.
_DEAF = ("timeout", "budget", "crash")


def player_of(name: str, limits: TimeLimits) -> PlayerInfo:
    """Return the player at a URL. Raises UsageError if arena may not connect to it.

    Nothing connects before the first game.
    """
    remote = HttpBot(name, find(read_address(name), limits.allow_network), limits)
    return PlayerInfo(
        name,
        remote,
        stateless=False,
        summary="a server",
        remote=remote,
        isolation=ELSEWHERE,
    )


class HttpBot(NoProcess):
    """Makes the players of a server: each plays one game, with a connection of its own.

    Connections are used again. They belong to the process that made them.
    """

    def __init__(self, name: str, address: BotUrl, limits: TimeLimits) -> None:
        self.name, self.address, self.limits = name, address, limits
        self.control, self.is_measured = limits.control, limits.is_measured
        self._forget()

    def _forget(self) -> None:
        self._owner = os.getpid()
        self._connections = Connections(self.address)
        self._withdrawn: Withdrawn | None = None
        #: The least time to the server and back that any connection took.
        self.round_trip = inf

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.name, self.address, self.limits)

    def __call__(self, fresh: bool = True) -> HttpGame:
        """Return a player for one game. A server has no code that could be executed again."""
        return HttpGame(self)

    def named(self, name: str) -> HttpBot:
        """Return the same server under another name."""
        return HttpBot(name, self.address, self.limits)

    @property
    def latency(self) -> float:
        """The seconds of a move that may pass for the way to the server and back."""
        return min(self.round_trip, MAX_LATENCY)

    def close(self) -> None:
        """Close the connections that no game has."""
        self._connections.close()

    def begin(self, message: protocol.Message) -> BotConnection:
        """Tell the server that a game begins, and return the connection for the game.

        Raises Withdrawn if the server refuses every try. Raises Forfeited if it accepts a later
        one: the player loses this game and stays in the fight.
        """
        if self._owner != os.getpid():
            self._forget()  # those connections are the parent's
        if self._withdrawn is not None:
            raise self._withdrawn
        try:
            return self._begin(message)
        except Forfeited as error:
            self.give_back(self._try_again(message, error))
            raise

    def _try_again(self, message: protocol.Message, failure: Forfeited) -> BotConnection:
        for number in range(1, MAX_STARTS):
            logger.info("%s is started again: %s", self.name, failure)
            sleep(number * START_PAUSE)
            try:
                return self._begin(message)
            except Forfeited as error:
                failure = error
        self._withdrawn = Withdrawn(self.name, failure.reason, str(failure))
        raise self._withdrawn

    def _begin(self, message: protocol.Message) -> BotConnection:
        connection = self._connections.take()
        limit = self.limits.import_time
        try:
            connection.prepare(limit)
            self.note(connection)
            accepted(self.post(connection, "/start", message, Deadline(limit)))
        except BaseException as error:
            connection.close()
            if isinstance(error, Forfeited) and error.reason == "timeout":
                hint = "does it answer several connections at once?"
                raise error.worded(f"POST /start: {error} ({limit:g} s): {hint}") from None
            if isinstance(error, Forfeited):
                raise error.worded(f"POST /start: {error}") from None
            raise
        return connection

    def give_back(self, connection: BotConnection) -> None:
        """Keep a connection for the next game."""
        self._connections.keep(connection)

    def note(self, connection: BotConnection) -> None:
        """Note how long the way to the server and back took, if that is the least so far."""
        self.round_trip = min(self.round_trip, connection.round_trip)

    def post(
        self, connection: BotConnection, path: str, message: protocol.Message, deadline: Deadline
    ) -> HttpResponse:
        """Return the answer to a message. Log both."""
        text = json_lines.line(message)
        self._log(TO_PLAYER, f"POST {path} {text}")
        answer = connection.post(path, text, deadline)
        self._log(FROM_PLAYER, f"{answer.words} {answer.body.decode('utf-8', 'replace')}")
        return answer

    def _log(self, direction: str, text: str) -> None:
        if are_logged():
            log_line(f"{self.name} ({os.getpid()})", direction, text)


class HttpGame:
    """One game of a server: a StatefulPlayer that raises only Forfeited, VoidGame and Withdrawn."""

    def __init__(self, bot: HttpBot) -> None:
        self._bot = bot
        self._connection: BotConnection | None = None
        #: Measures its moves; None where no limit needs their time.
        self.clock = Clock(bot.control) if bot.is_measured else None
        self._time = TimeLeft(bot.limits, self.clock)
        self._number = 0
        self._observed: list[str] = []
        #: Seconds of its answers: as measured, and without the way to the server and back.
        self._passed = self._counted = 0.0

    def start(self, game: Game, side: Side, rng: random.Random) -> None:
        """Begin the game there. The stream notes that its draws are not seen."""
        self._game, self._side = game, side
        self._noted = rng.draws if isinstance(rng, Stream) else []
        self._id = {"game_id": secrets.token_hex(8)}
        message = {**json_lines.start(game, side, seed_for(rng)), **self._id}
        self._connection = self._bot.begin(message)

    def choose(self, position: Position) -> int:
        """Return its move. Raises Forfeited if it makes none."""
        connection, limit = self._connection, self._time.of_move
        assert connection is not None
        try:
            with waiting_for(f"it waits for a move of {self._bot.name}"):
                move, seconds = self._ask(connection, position, limit)
        except Forfeited as error:
            if error.reason in _DEAF:
                self._leave(connection)
            logger.info("%s forfeits (%s): %s", self._bot.name, error.reason, error)
            raise self._time.explained(error) from None
        except Unavailable:  # the game is void, and has no end
            self._connection = None
            self._bot.give_back(connection)
            raise
        except BaseException:  # after Ctrl-C an answer is still to come
            self._leave(connection)
            raise
        self._time.charge(seconds, limit)
        return move

    def observe(self, move: int) -> None:
        """Note the opponent's move, for the next question."""
        self._observed.append(self._game.format_move(move))

    def finish(self, outcome: Outcome) -> None:
        """Tell it the end, and keep the connection for the next game."""
        connection, self._connection = self._connection, None
        if connection is None:
            return
        logger.info(
            "%s took %.6f s for %d moves, of which %.6f s count; the way there and back: %.6f s",
            *(self._bot.name, self._passed, self._number, self._counted, self._bot.round_trip),
        )
        message = {**protocol.finish(outcome), **self._id}
        try:
            connection.prepare(END_SECONDS)
            self._bot.post(connection, "/end", message, Deadline(END_SECONDS))
        except Forfeited as error:
            logger.info("%s does not take the end of a game: %s", self._bot.name, error)
        self._bot.give_back(connection)

    def __del__(self) -> None:
        # A caller that only looks at some moves of a game need not finish it.
        if self._connection is not None:
            self._leave(self._connection)

    def _leave(self, connection: BotConnection) -> None:
        """Close the connection: an answer may still come."""
        self._connection = None
        connection.close()

    def _ask(
        self, connection: BotConnection, position: Position, limit: float
    ) -> tuple[int, float]:
        """Return its move and the seconds that count. Raises Forfeited if it makes none."""
        bot = self._bot
        self._number += 1
        message = self._question(position, limit)
        most = limit + bot.limits.time_margin
        connecting = Deadline(most + FREE_CONNECTING)
        connection.prepare(min(most + FREE_CONNECTING, bot.limits.import_time))
        late = max(0.0, connecting.spent - FREE_CONNECTING)
        bot.note(connection)
        latency = bot.latency
        deadline = Deadline(most + latency - late)
        try:
            answer = bot.post(connection, "/move", message, deadline)
        except Forfeited as error:
            if error.reason == "timeout":
                raise Forfeited("timeout", f"no answer within {most:g} s") from None
            raise
        passed = deadline.spent + late
        reply = protocol.read_object(accepted(answer), "")
        if "id" in reply:  # a connection has one question at a time, so none is needed
            protocol.numbered(reply, self._number)
        reply = protocol.admitted(reply)
        seconds = counted(passed, reported(reply), latency)
        self._passed += passed
        self._counted += seconds
        if seconds > most:
            raise Forfeited("timeout", f"no answer within {most:g} s")
        move = protocol.read_move(reply, self._game)
        self._noted.append(UNSEEN)
        require_legal(position, move)
        return move, seconds

    def _question(self, position: Position, limit: float) -> protocol.Message:
        """Return the question for a move, with the moves of others since the last one."""
        game = self._game
        turn = Turn(game, position, self._side, position, (), limit, self._time.clocks)
        observed, self._observed = self._observed, []
        seen = {} if game.features else {"observed": observed}
        return {**json_lines.move(self._number, turn), **seen, **self._id}


def counted(passed: float, thought: float | None, latency: float) -> float:
    """Return the seconds of a move that count.

    ``passed`` is what arena measured, and ``thought`` what the bot says that it took, if it says
    so. Its word takes off no more than the ``latency``, which was measured without it.

    >>> counted(0.5, None, 0.1), counted(0.5, 0.45, 0.1), counted(0.5, 0.0, 0.1)
    (0.5, 0.45, 0.4)
    """
    if thought is None:
        return passed
    return max(passed - latency, min(thought, passed), 0.0)


def reported(reply: protocol.Message) -> float | None:
    """Return the seconds that a bot says that it took, or None. Raises Forfeited for no number."""
    seconds = reply.get("seconds")
    if seconds is None:
        return None
    if type(seconds) not in (int, float) or not (isfinite(seconds) and seconds >= 0):
        problem = f'says {quoted(repr(seconds))} for "seconds", which is a number from 0'
        raise Forfeited("protocol", problem)
    return float(min(seconds, MAX_RETRY_AFTER))


def accepted(answer: HttpResponse) -> bytes:
    """Return the body of an answer that is one. Raises Forfeited for a refusal or a failure.

    Raises Unavailable if the server says after which time to try again. Ignores the content type.
    """
    status, words = answer.status, quoted(answer.words)
    if status in BUSY and answer.retry_after:
        text = answer.retry_after  # a number of seconds, or a date, which is not read
        seconds = float(text) if text.isascii() and text.isdigit() else 0.0
        raise Unavailable(f"it answers {words}", min(seconds, MAX_RETRY_AFTER))
    if 300 <= status < 400:
        raise Forfeited("protocol", f"answered {words}, and arena follows no redirect")
    if not 200 <= status < 300:
        quote = f": {protocol.answer_text(answer.body)}" if answer.body.strip() else ""
        reason = "exception" if status >= 500 else "protocol"
        raise Forfeited(reason, f"answered {words}{quote}")
    if answer.encoding.lower() not in ("", "identity"):
        problem = f"answered in {quoted(answer.encoding)}, which arena did not ask for"
        raise Forfeited("protocol", problem)
    return answer.body
