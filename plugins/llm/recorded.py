"""Keep the answers of language models in a file, so that none is asked for twice.

A line of the file is an answer, by the digest of its request. Each is written before it is used, so
a run that is killed loses none. Several processes may write to the same file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from errno import ENOSPC
from fcntl import LOCK_EX, LOCK_UN, flock
from hashlib import sha256
from stat import S_ISREG
from typing import Any
from weakref import finalize

from arena.errors import StoreError, UsageError, quoted
from arena.files import problem_of
from arena.plugins.llm.replies import ModelReply

#: What the first line says.
_HEAD = {"schema": "arena.answers/1"}


def digest_of(url: str, request: Mapping[str, Any], game_seed: int, number: int) -> str:
    """Return the digest of the request to a URL with this number among equal ones of a game.

    A model may answer the same request in other words, so each game has answers of its own.
    """
    content = json.dumps([url, request, game_seed, number], sort_keys=True, separators=(",", ":"))
    return sha256(content.encode()).hexdigest()[:32]


class ReplyFile:
    """The answers in a file, which grows."""

    def __init__(self, path: str, is_closed: bool = False) -> None:
        """Open a file, or make one. ``is_closed`` if nothing else may be asked for.

        Raises UsageError if the file is not one of answers, and StoreError if the machine denies
        it.
        """
        self.path, self.is_closed = os.path.abspath(path), is_closed
        self._replies: dict[str, ModelReply] = {}
        self._file = self._opened()
        finalize(self, os.close, self._file)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.path, self.is_closed)

    def _opened(self) -> int:
        try:
            if self.is_closed:
                file = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
            else:
                flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK
                file = os.open(self.path, flags, 0o600)
        except (OSError, ValueError) as error:
            problem = problem_of(error) if isinstance(error, OSError) else "is no name of a file"
            raise UsageError(f"answers {quoted(self.path)}: {problem}") from None
        try:
            if not S_ISREG(os.fstat(file).st_mode):  # a device might never end
                raise UsageError(f"answers {quoted(self.path)}: is not a file")
            self._read(file)
        except BaseException:
            os.close(file)
            raise
        return file

    def _read(self, file: int) -> None:
        """Read all answers. The last line may be one that a killed process left: it is cut off."""
        if not self.is_closed:
            flock(file, LOCK_EX)
        try:
            with os.fdopen(os.dup(file), "rb") as lines:
                whole = 0
                for number, line in enumerate(lines, start=1):
                    if not line.endswith(b"\n"):
                        if number == 1 and not _line(_HEAD).startswith(line):
                            raise self._foreign(number)
                        break
                    self._take(number, line)
                    whole += len(line)
            if not self.is_closed:
                os.ftruncate(file, whole)
                if not whole:
                    self._write(file, _HEAD)
        except OSError as error:
            raise StoreError(f"answers {quoted(self.path)}: {problem_of(error)}") from error
        finally:
            if not self.is_closed:
                flock(file, LOCK_UN)

    def _take(self, number: int, line: bytes) -> None:
        try:
            entry = json.loads(line)
            if number == 1:
                if entry != _HEAD:
                    raise ValueError
                return
            self._replies[str(entry["request"])] = _reply(ModelReply(**entry["reply"]))
        except (ValueError, LookupError, TypeError, RecursionError):
            raise self._foreign(number) from None

    def _foreign(self, number: int) -> UsageError:
        problem = "is not a file of recorded answers" if number == 1 else "makes no sense"
        return UsageError(f"answers {quoted(self.path)}, line {number}: {problem}")

    def get(self, digest: str) -> ModelReply | None:
        """Return the answer to a request, None if there is none."""
        return self._replies.get(digest)

    def keep(self, digest: str, reply: ModelReply) -> None:
        """Write an answer, before it is used. Raises StoreError if the machine denies that."""
        try:
            flock(self._file, LOCK_EX)  # another process that opens it may cut its end off
            try:
                self._write(self._file, {"request": digest, "reply": reply._asdict()})
            finally:
                flock(self._file, LOCK_UN)
        except OSError as error:
            raise StoreError(f"answers {quoted(self.path)}: {problem_of(error)}") from error
        self._replies[digest] = reply

    @staticmethod
    def _write(file: int, entry: Mapping[str, Any]) -> None:
        line = _line(entry)
        if os.write(file, line) != len(line):
            raise OSError(ENOSPC, os.strerror(ENOSPC))
        os.fsync(file)


def _line(entry: Mapping[str, Any]) -> bytes:
    return json.dumps(entry, separators=(",", ":")).encode() + b"\n"


def _reply(reply: ModelReply) -> ModelReply:
    """Return a reply that was read. Raises ValueError if a value has another type."""
    *texts, tokens_in, tokens_out, seconds = reply
    if not all(isinstance(text, str) for text in texts):
        raise ValueError
    if not all(count is None or type(count) is int for count in (tokens_in, tokens_out)):
        raise ValueError
    if type(seconds) not in (int, float):
        raise ValueError
    return reply
