"""Carry messages between a desk and its workers: by a socket on this machine, or by HTTP."""

from __future__ import annotations

import logging
import os
import select
import socket
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from json import dumps
from multiprocessing.connection import Connection
from typing import Protocol, Self

from arena.errors import ArenaError, ServerError, UsageError, describe, one_line, quoted
from arena.files import parse_json
from arena.records.base import Json
from arena.servers import read_server, require_token
from arena.volunteers.parts import read_object

#: Most bytes of an answer, which may have a module.
MAX_REPLY_TO_WORKER_BYTES = 64 << 20

#: Seconds that a message may take to come, and an answer.
MAX_SENDING_SECONDS, MAX_ANSWER_SECONDS = 5.0, 60.0

#: The path at which a server takes messages, and before the path of a socket.
PATH, SOCKET_PREFIX = "/work", "unix:"

#: The statuses of an answer that no repetition changes.
_FINAL = (400, 401, 403, 404, 405, 409, 413, 431)

#: Return the answer to a message of a worker. Raises UsageError for one without sense.
AnswerMessage = Callable[[str, Json], Json]


logger = logging.getLogger(__name__)


class TooLarge(UsageError):
    """A message that the server does not take."""


class Away(ServerError):
    """A server that does not answer now, and may do so later."""


class Idle(Away):
    """A server that plays no run now."""


class DeskChannel(Protocol):
    """A way to send messages to a desk."""

    def ask(self, message: Json) -> Json:
        """Return the answer. Raises Away if none comes now, and UsageError for a refusal."""


class DeskSocket:
    """The desk's end of a socket on this machine. Only this user, and the server, have its other.

    One thread answers one message after the other: whoever sends them is trusted, as is the name
    of the worker that it adds.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._socket = socket.socket(socket.AF_UNIX)
        with suppress(FileNotFoundError):
            os.unlink(path)
        try:
            self._socket.bind(path)
        except OSError as error:
            self._socket.close()
            raise UsageError(f"socket {quoted(path)}: {describe(error)}") from error
        self._socket.listen(128)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()
        with suppress(OSError):
            os.unlink(self._path)

    def serve(self, answer: AnswerMessage, seconds: float) -> None:
        """Answer what comes within these seconds, one message at most."""
        if not select.select([self._socket], [], [], seconds)[0]:
            return
        accepted, _ = self._socket.accept()
        with Connection(accepted.detach()) as connection, suppress(OSError, EOFError):
            if connection.poll(MAX_SENDING_SECONDS):
                content = connection.recv_bytes()  # the server bounds those of volunteers
                connection.send_bytes(_answered(answer, content))


def _answered(answer: AnswerMessage, content: bytes) -> bytes:
    try:
        sent = read_object(parse_json(content))
        given = answer(str(sent.get("worker", "")), read_object(sent.get("message")))
    except UsageError as error:
        given = {"status": 400, "problem": str(error)}
    except ArenaError:
        raise
    except Exception as error:  # a bug that a message finds ends no run
        logger.warning("arena: a message of a volunteer: %s", describe(error), exc_info=error)
        given = {"status": 400, "problem": "the message makes no sense"}
    return dumps(given).encode()


def ask_here(path: str, worker: str, message: bytes) -> bytes:
    """Return the answer of the desk behind a socket to a worker's message. Raises Away without."""
    try:
        with socket.socket(socket.AF_UNIX) as near:
            near.connect(path)
            with Connection(os.dup(near.fileno())) as connection:
                connection.send_bytes(b'{"worker": %s, "message": %s}' % (_text(worker), message))
                if not connection.poll(MAX_ANSWER_SECONDS):
                    raise Away("the desk does not answer")
                return connection.recv_bytes(MAX_REPLY_TO_WORKER_BYTES)
    except (OSError, EOFError) as error:
        reason = getattr(error, "strerror", None) or describe(error)
        raise Away(f"socket {quoted(path)}: {reason}") from error


def _text(word: str) -> bytes:
    return dumps(word).encode()


class LocalLine:
    """The line of the server's own worker."""

    def __init__(self, path: str) -> None:
        self._path = path

    def ask(self, message: Json) -> Json:
        """See Line.ask."""
        return _read("the desk", 200, ask_here(self._path, "", dumps(message).encode()))


class HttpLine:
    """The line of a volunteer."""

    def __init__(self, url: str, token: str) -> None:
        parts = read_server(url)
        self._url = url
        self._kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self._host, self._port = parts.hostname or "", parts.port
        self._path = parts.path.rstrip("/") + PATH
        self._headers = {
            "Authorization": f"Bearer {require_token(token)}",
            "Accept": "application/json",
            "Content-Type": "application/json",
        }

    def ask(self, message: Json) -> Json:
        """See Line.ask."""
        where = f"server {quoted(self._url)}"
        try:
            connection = self._kind(self._host, self._port, timeout=MAX_ANSWER_SECONDS)
            try:
                connection.request("POST", self._path, dumps(message).encode(), self._headers)
                answer = connection.getresponse()
                status, content = answer.status, answer.read(MAX_REPLY_TO_WORKER_BYTES)
            finally:
                connection.close()
        except (OSError, HTTPException, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or describe(error)
            raise Away(f"{where}: {one_line(reason)}") from error
        return _read(where, status, content)


def _read(where: str, status: int, content: bytes) -> Json:
    """Return an answer. Raises Away for one that may be another later, UsageError for the last."""
    try:
        answer = read_object(parse_json(content))
    except UsageError:
        answer = {}
    status = answer.get("status", status)
    if status == 200 and answer:
        return answer
    problem = answer.get("problem")
    if status in (200, 404) and not (status == 404 and "status" in answer):
        raise UsageError(f"{where} hands out no games: arena serve --workers FILE does")
    reason = problem if isinstance(problem, str) else f"it answers with status {status}"
    if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        raise TooLarge(f"{where}: {reason}")
    if status in _FINAL:
        raise UsageError(f"{where}: {reason}")
    kind = Idle if answer.get("is_idle") else Away
    raise kind(f"{where}: {reason}")


def line_to(url: str, token: str) -> DeskChannel:
    """Return the line to a server, or to the desk behind a socket."""
    if url.startswith(SOCKET_PREFIX):
        return LocalLine(url.removeprefix(SOCKET_PREFIX))
    return HttpLine(url, token)
