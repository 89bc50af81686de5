"""Hand in to a contest that a server conducts."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit
from zipfile import ZIP_DEFLATED, ZipFile

from arena.clock import now, sleep
from arena.errors import ArenaError, ServerError, UsageError, describe, quoted
from arena.features.hand_in.record import HandIn
from arena.files import MAX_FILE_BYTES, naming, parse_json, read_bytes
from arena.model.codec import decode
from arena.records.base import Json
from arena.servers import read_server, require_token

#: Seconds that the answer to a hand-in may take, and that to a question.
MAX_REPLY_SECONDS, MAX_LOOK_SECONDS = 30.0, 10.0

#: Seconds between two questions, and for which a server may be away.
QUESTION_SECONDS, MAX_AWAY_SECONDS = 1.0, 30.0

#: Most bytes of an answer.
MAX_REPLY_BYTES = 1 << 24

#: Names in a player's folder that are not part of it.
_LITTER = ("__pycache__",)


class _ContestServer(NamedTuple):
    """A contest's server, and the token that it knows us by."""

    url: str
    token: str

    def look(self, number: int) -> HandIn:
        """Return a hand-in as it is now. Raises ServerError without an answer."""
        return _hand_in(self._ask(MAX_LOOK_SECONDS, "GET", f"/hand-ins/{number}"))

    def take(self, name: str, content: bytes) -> HandIn:
        """Return what the server has taken. Raises UsageError if it refuses, ServerError without an
        answer.
        """
        return _hand_in(self._ask(MAX_REPLY_SECONDS, "POST", "/hand-ins", content, name))

    def _ask(
        self, seconds: float, method: str, path: str, body: bytes | None = None, name: str = ""
    ) -> Json:
        parts = urlsplit(self.url)
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        headers = {
            "Authorization": f"Bearer {self.token}",
            "Accept": "application/json",
            "X-File-Name": quote(name),
        }
        try:
            connection = kind(parts.hostname or "", parts.port, timeout=seconds)
            try:
                connection.request(method, parts.path.rstrip("/") + path, body, headers)
                answer = connection.getresponse()
                status, text = answer.status, answer.read(MAX_REPLY_BYTES)
            finally:
                connection.close()
        except TimeoutError as error:
            unsure = "" if body is None else "; see there whether it was taken"
            problem = f"no answer within {seconds:g} s{unsure}"
            raise ServerError(f"server {quoted(self.url)}: {problem}") from error
        except (OSError, HTTPException) as error:
            raise ServerError(f"server {quoted(self.url)}: {describe(error)}") from error
        return _read_answer(self.url, status, text)


def hand_in(
    url: str,
    file: str | os.PathLike[str],
    token: str,
    *,
    wait: bool = True,
    on_state: Callable[[HandIn], None] = lambda _: None,
    on_stall: Callable[[str], None] = lambda _: None,
) -> HandIn:
    """Hand in a Python file, a zip, or a folder to the contest at this URL, and return the verdict.

    It waits for the check; without ``wait`` it returns what waits for it. ``on_state`` hears of
    every state of the hand-in, ``on_stall`` why the server does not answer meanwhile. Raises
    UsageError if it is not taken, with the server's reason, and ServerError for a server that does
    not answer for half a minute.
    """
    read_server(url)
    server = _ContestServer(url, require_token(token))
    received = server.take(*_package(Path(file)))
    on_state(received)
    while wait and not received.is_settled:
        sleep(QUESTION_SECONDS)
        before, received = received, _look(server, received.number, on_stall)
        if received.state != before.state:
            on_state(received)
    return received


def _look(server: _ContestServer, number: int, on_stall: Callable[[str], None]) -> HandIn:
    """Return a hand-in by now. A server that restarts gets some time."""
    end, is_away = now() + MAX_AWAY_SECONDS, False
    while True:
        try:
            return server.look(number)
        except ServerError as error:
            if now() > end:
                page = f"{server.url.rstrip('/')}/hand-ins/{number}"
                promise = f"hand-in {number} was taken, and its verdict will be at {page}"
                raise ServerError(f"{error}; {promise}") from error
            if not is_away:
                on_stall(f"{error}; waiting {MAX_AWAY_SECONDS:g} s for it")
            is_away = True
            sleep(QUESTION_SECONDS)


def _package(file: Path) -> tuple[str, bytes]:
    """Return the name and the bytes of what is handed in. A folder is packed."""
    if not file.is_dir():
        with naming("file", file):
            return file.name, read_bytes(file, MAX_FILE_BYTES)
    packed = io.BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for path in sorted(file.rglob("*")):
            within = path.relative_to(file)
            if path.is_file() and not set(within.parts) & set(_LITTER):
                archive.write(path, within)
    return f"{file.resolve().name}.zip", packed.getvalue()


def _read_answer(url: str, status: int, text: bytes) -> Json:
    """Return what an answer says. Raises UsageError for a refusal, ServerError for a fault."""
    try:
        answer: Any = parse_json(text)
    except UsageError:
        answer = None
    if status in (200, 201) and isinstance(answer, dict):
        return answer
    problem = answer.get("problem") if isinstance(answer, dict) else None
    if status >= 500 or not isinstance(problem, str):
        reason = problem if isinstance(problem, str) else f"it answers with status {status}"
        raise ServerError(f"server {quoted(url)}: {reason}")
    raise UsageError(f"not taken: {problem}")


def _hand_in(answer: Json) -> HandIn:
    try:
        return decode(HandIn, answer)
    except ArenaError as error:
        raise ServerError(f"its answer is not that of a contest: {error}") from error
