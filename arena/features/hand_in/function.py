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
from arena.files import MAX_FILE_BYTES, parse_json, read_bytes
from arena.model.codec import decode
from arena.records.base import Json

#: Seconds that an answer may take, between two questions, and for which a server may be away.
MAX_REPLY_SECONDS, QUESTION_SECONDS, MAX_AWAY_SECONDS = 60.0, 1.0, 120.0

#: Most bytes of an answer.
MAX_REPLY_BYTES = 1 << 24

#: Names in a player's folder that are not part of it.
_LITTER = ("__pycache__",)


class _Server(NamedTuple):
    """A contest's server, and the token that it knows us by."""

    url: str
    token: str

    def ask(self, method: str, path: str, body: bytes | None = None, name: str = "") -> Json:
        """Return the answer. Raises UsageError if it is refused, ServerError without an answer."""
        parts = urlsplit(self.url)
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        headers = {
            "Authorization": f"Bearer {self.token}",
            "Accept": "application/json",
            "X-File-Name": quote(name),
        }
        try:
            connection = kind(parts.hostname or "", parts.port, timeout=MAX_REPLY_SECONDS)
            try:
                connection.request(method, parts.path.rstrip("/") + path, body, headers)
                answer = connection.getresponse()
                status, text = answer.status, answer.read(MAX_REPLY_BYTES)
            finally:
                connection.close()
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
) -> HandIn:
    """Hand in a Python file, a zip, or a folder to the contest at this URL, and return the verdict.

    It waits for the check; without ``wait`` it returns what waits for it. ``on_state`` hears of
    every state of the hand-in. Raises UsageError if it is not taken, with the server's reason, and
    ServerError for a server that does not answer.
    """
    server = _Server(_url(url), _token(token))
    name, content = _package(Path(file))
    received = _hand_in(server.ask("POST", "/hand-ins", content, name))
    on_state(received)
    while wait and not received.is_settled:
        sleep(QUESTION_SECONDS)
        before, received = received, _look(server, received.number)
        if received.state != before.state:
            on_state(received)
    return received


def _look(server: _Server, number: int) -> HandIn:
    """Return a hand-in by now; a server that restarts gets some time."""
    end = now() + MAX_AWAY_SECONDS
    while True:
        try:
            return _hand_in(server.ask("GET", f"/hand-ins/{number}"))
        except ServerError:
            if now() > end:
                raise
            sleep(QUESTION_SECONDS)


def _url(text: str) -> str:
    try:
        parts = urlsplit(text)
        is_good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_good = False
    if not is_good or not text.isprintable() or " " in text:
        raise UsageError(f"{quoted(text)} is not a URL, such as https://contest.example")
    return text


def _token(text: str) -> str:
    if not text or not text.isascii() or not text.isprintable() or " " in text:
        raise UsageError("the token is empty, or has characters that no token has")
    return text


def _package(file: Path) -> tuple[str, bytes]:
    """Return the name and the bytes of what is handed in; a folder is packed."""
    if not file.is_dir():
        try:
            return file.name, read_bytes(file, MAX_FILE_BYTES)
        except UsageError as error:
            raise UsageError(f"file {quoted(str(file))}: {error}") from error
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
