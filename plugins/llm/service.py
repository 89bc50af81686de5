"""Ask a server for chat completions: one request at a time, and no faster than the user allows.

All players of a process that ask the same server in the same way share its limits.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any
from weakref import WeakValueDictionary

from arena.clock import now, sleep
from arena.errors import Forfeited, UsageError, quoted
from arena.executors.turns import elsewhere
from arena.plugins.http_bot.address import BotUrl
from arena.plugins.http_bot.exchange import (
    Connections,
    Deadline,
    HttpResponse,
    Manner,
    NotConnected,
)
from arena.plugins.llm.replies import (
    EVENT_STREAM,
    HIDDEN_KEY,
    ModelReply,
    ReplyError,
    problem_in,
    read_reply,
)
from arena.sandbox.wire import json_lines

#: Bytes of an answer: a model that reasons writes long.
MAX_COMPLETION_BYTES = 8 << 20

#: Seconds that arena waits when a server that has too much to do does not say how long.
BUSY_SECONDS = 5.0

#: The most seconds that arena waits for a server that asks for more.
MAX_HOLD_SECONDS = 300.0


#: Characters of what a server says of an error.
MAX_SAID = 200


class ServiceError(Exception):
    """A request without a reply, by the fault of the network or the service.

    ``kind`` is ``network``, ``server``, ``limit``, ``timeout``, ``refused`` if the service does not
    take this request, or ``unusable`` if it takes none.
    """

    def __init__(self, kind: str, problem: str, retry_after: float | None = None) -> None:
        super().__init__(problem)
        self.kind, self.problem, self.retry_after = kind, problem, retry_after


class Pace:
    """Keeps requests and their tokens under what a minute may have."""

    def __init__(self, requests: int | None, tokens: int | None) -> None:
        self._requests, self._tokens = requests, tokens
        #: When the next request may begin, for each of the reasons.
        self._by_requests = self._by_tokens = self._by_server = 0.0

    def wait(self) -> None:
        """Wait until a request may begin."""
        begin = max(now(), self._by_requests, self._by_tokens, self._by_server)
        if self._requests is not None:
            self._by_requests = begin + 60 / self._requests
        while (seconds := begin - now()) > 0:
            with elsewhere():
                sleep(seconds)
            begin = max(begin, self._by_tokens, self._by_server)

    def spend(self, tokens: int) -> None:
        """Note that a request took so many tokens."""
        if self._tokens is not None:
            self._by_tokens = max(now(), self._by_tokens) + 60 * tokens / self._tokens

    def hold(self, seconds: float) -> None:
        """Hold all requests back, as the server asks."""
        self._by_server = max(self._by_server, now() + min(seconds, MAX_HOLD_SECONDS))


class Service:
    """A server of chat completions. It belongs to the process that made it."""

    def __init__(self, address: BotUrl, key: str, pace: Pace) -> None:
        self._pace = pace
        self._key = key
        headers = f"Authorization: Bearer {key}\r\n" if key else ""
        accept = f"application/json, {EVENT_STREAM}"
        self._connections = Connections(address, Manner(MAX_COMPLETION_BYTES, accept, headers))
        #: Whether it ever answered. No request waits for one that did not.
        self._is_known = False

    def ask(
        self, body: Mapping[str, Any], seconds: float, keep: Callable[[ModelReply], None]
    ) -> ModelReply:
        """Return the reply to a request. Raises ServiceError if none comes within so many seconds.

        ``keep`` gets the reply before anything else happens, while other threads may play.
        """
        self._pace.wait()
        text = json_lines.line(dict(body))
        connection = self._connections.take()
        is_whole = False
        try:
            with elsewhere():
                start = now()
                deadline = Deadline(seconds)
                connection.prepare(seconds)
                answer = connection.post("/chat/completions", text, deadline)
                self._is_known = True
                reply = self._read(self._hidden(answer), now() - start)
                is_whole = True
                keep(reply)
        except NotConnected as error:
            is_lost = error.reason == "protocol" or not self._is_known
            kind = "unusable" if is_lost else "network"
            raise ServiceError(kind, self._without_key(str(error))) from None
        except Forfeited as error:
            kinds = {"timeout": "timeout", "crash": "network"}
            raise ServiceError(
                kinds.get(error.reason, "server"), self._without_key(str(error))
            ) from None
        finally:
            if is_whole:
                self._connections.keep(connection)
            else:
                connection.close()
        self._pace.spend((reply.tokens_in or 0) + (reply.tokens_out or 0))
        return reply

    def _hidden(self, answer: HttpResponse) -> HttpResponse:
        """Return an answer without the key, which some servers repeat."""
        if not self._key:
            return answer
        body = answer.body.replace(self._key.encode(), HIDDEN_KEY.encode())
        words, after, encoding, kind = map(
            self._without_key, (answer.words, answer.retry_after, answer.encoding, answer.kind)
        )
        return HttpResponse(answer.status, words, body, after, encoding, kind)

    def _without_key(self, text: str) -> str:
        return text.replace(self._key, HIDDEN_KEY) if self._key else text

    def _read(self, answer: HttpResponse, seconds: float) -> ModelReply:
        status, words = answer.status, quoted(answer.words)
        if answer.encoding.lower() not in ("", "identity"):
            coding = quoted(answer.encoding)
            raise ServiceError("server", f"it answered in {coding}, which arena did not ask for")
        if status == 200:
            try:
                return read_reply(answer.body, answer.kind, seconds).without(self._key)
            except ReplyError as error:
                raise ServiceError("server", str(error)) from None
        if 300 <= status < 400:
            raise ServiceError("unusable", f"it answered {words}, and arena follows no redirect")
        message = self._without_key(problem_in(answer.body))[:MAX_SAID]
        problem = f"it answered {words}{f': {message}' if message else ''}"
        if status in (429, 529) or (status == 503 and answer.retry_after):
            after = _seconds(answer.retry_after)
            self._pace.hold(BUSY_SECONDS if after is None else after)
            raise ServiceError("limit", problem, after)
        if status >= 500 or status in (408, 409, 425):
            raise ServiceError("server", problem, _seconds(answer.retry_after))
        raise ServiceError("refused" if status in (400, 413, 422) else "unusable", problem)

    def close(self) -> None:
        """Close the connections that no request has."""
        self._connections.close()


def _seconds(text: str) -> float | None:
    """Return the seconds of a header Retry-After, None if it names none. A date is not read."""
    try:
        seconds = float(text) if text else None
    except ValueError:
        return None
    return seconds if seconds is not None and 0 <= seconds < 1e6 else None


def key_in(variable: str) -> str:
    """Return the key that a variable of the environment has. Raises UsageError without one."""
    if not variable:
        return ""
    key = os.environ.get(variable, "").strip()
    if not key:
        raise UsageError(f"the variable {variable} of the environment has no key")
    if not (key.isascii() and key.isprintable()):
        raise UsageError(f"the key in {variable} has letters that no key has")
    return key


#: The services in use.
_services: WeakValueDictionary[tuple[Any, ...], Service] = WeakValueDictionary()


def service_of(address: BotUrl, variable: str, rpm: int | None, tpm: int | None) -> Service:
    """Return the service at an address, the same one for all that ask it in the same way.

    It closes its connections when it is no longer used.
    """
    key = key_in(variable)
    named = os.getpid(), address.url, rpm, tpm, key, address.places
    service = _services.get(named)
    if service is None:
        service = _services[named] = Service(address, key, Pace(rpm, tpm))
    return service
