"""Know volunteers by tokens: a line of a file has a name and its token.

A line with a name alone gets a token when the server starts.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from arena.errors import UsageError, quoted
from arena.files import problem_of, read_bytes, write_atomically

#: Random bytes of a token, and its least characters.
WORKER_TOKEN_BYTES, MIN_TOKEN_LENGTH = 24, 24

#: Larger files are not read.
MAX_WORKERS_BYTES = 1 << 20


class WorkerTokens:
    """The tokens of a file, which is read again when it has changed.

    Raises UsageError for a file that is not such a file.
    """

    def __init__(self, file: str | os.PathLike[str]) -> None:
        self._file = Path(file)
        self._state: tuple[int, int] | None = None
        self._holders: dict[bytes, str] = {}
        self._read()

    def give(self) -> list[str]:
        """Give a token to each name without one, and return these names. No token is changed."""
        lines = _lines(self._file)
        new = [name for name, token in lines if not token]
        if new:
            text = "".join(f"{name} {token or _new_token()}\n" for name, token in lines)
            try:
                self._file.chmod(0o600)
                write_atomically(self._file, text)
            except OSError as error:
                raise UsageError(f"{_named(self._file)}: {problem_of(error)}") from error
        return new

    def identify(self, token: str) -> str | None:
        """Return the name of the holder of a token, or None.

        It is looked up by its digest, of which a sender cannot choose a part: the time that this
        takes tells nothing of a token.
        """
        self._read()
        return self._holders.get(_digest(token))

    def _read(self) -> None:
        try:
            status = self._file.stat()
        except OSError as error:
            hint = "; write the name of a volunteer on each line of it"
            problem = problem_of(error) + hint * isinstance(error, FileNotFoundError)
            raise UsageError(f"{_named(self._file)}: {problem}") from error
        state = status.st_mtime_ns, status.st_size
        if state != self._state:
            self._holders = {_digest(token): name for name, token in _lines(self._file) if token}
            self._state = state


def _new_token() -> str:
    return secrets.token_urlsafe(WORKER_TOKEN_BYTES)


def _named(file: Path) -> str:
    return f"workers {quoted(str(file))}"


def _digest(token: str) -> bytes:
    return sha256(token.encode(errors="surrogateescape")).digest()


def _lines(file: Path) -> list[tuple[str, str]]:
    """Return the name and the token of every line. Raises UsageError for a file without sense."""
    where = _named(file)
    try:
        text = read_bytes(file, MAX_WORKERS_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{where}: is not UTF-8") from error
    except UsageError as error:
        raise UsageError(f"{where}: {error}") from error
    lines: list[tuple[str, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words:
            continue
        if problem := _problem(words, lines):
            raise UsageError(f"{where}, line {number}: {problem}")
        lines.append((words[0], words[1] if len(words) > 1 else ""))
    if not lines:
        raise UsageError(f"{where}: it has no name; write the name of a volunteer on each line")
    return lines


def _problem(words: Sequence[str], before: Sequence[tuple[str, str]]) -> str:
    name, *rest = words
    if len(rest) > 1:
        return "a line has a name without blanks, and its token"
    if not name.isprintable() or name.startswith("#"):
        return f"{quoted(name)} is not a name"
    if name in dict(before):
        return f"{quoted(name)} is there twice"
    others = {token for _, token in before}
    if rest and (len(rest[0]) < MIN_TOKEN_LENGTH or rest[0] in others):
        return f"the token of {quoted(name)} is short, or another name has it too"
    return ""
