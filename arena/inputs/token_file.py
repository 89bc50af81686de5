"""Know the senders of requests by tokens, which a file has that only its owner may read."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from typing import Generic, TypeVar

from arena.errors import UsageError, quoted
from arena.files import problem_of

#: The name and the role of a holder, or its name alone.
Holder = TypeVar("Holder")

#: Random bytes of a token: 192 bits cannot be guessed.
TOKEN_BYTES = 24

#: The least characters of a token.
MIN_TOKEN_LENGTH = 24

#: Larger files of tokens are not read: a contest has some thousand entrants at most.
MAX_TOKENS_BYTES = 1 << 20


class TokenFile(Generic[Holder]):
    """The tokens of a file, which is read again when it has changed.

    ``read`` returns the holders with their tokens. A message names the file as a ``kind``, and
    ends with ``hint`` if there is none. Raises UsageError for a file that cannot be read.
    """

    def __init__(
        self,
        file: str | os.PathLike[str],
        read: Callable[[Path], Iterable[tuple[Holder, str]]],
        kind: str,
        hint: str,
    ) -> None:
        self._file, self._read_rows = Path(file), read
        self._kind, self._hint = kind, hint
        self._state: tuple[int, ...] = ()
        self._holders: dict[bytes, tuple[bytes, Holder]] = {}
        self._read()

    @property
    def holders(self) -> Sequence[Holder]:
        """The holders of tokens, in the order of the file."""
        self._read()
        return [holder for _, holder in self._holders.values()]

    def identify(self, token: str) -> Holder | None:
        """Return the holder of a token, or None.

        It is looked up by its digest, of which a sender cannot choose a part: the time
        that this takes tells nothing of a token.
        """
        self._read()
        digest = _digest(token)
        stored, holder = self._holders.get(digest, (b"", None))
        return holder if compare_digest(stored, digest) else None

    def _read(self) -> None:
        """Read the file if it is another than it was."""
        try:
            status = self._file.stat()
        except OSError as error:
            hint = self._hint * isinstance(error, FileNotFoundError)
            problem = f"{problem_of(error)}{hint}"
            raise UsageError(f"{self._kind} {quoted(str(self._file))}: {problem}") from error
        state = (status.st_ino, status.st_size, status.st_mtime_ns, status.st_mode)
        if state != self._state:
            digests = {_digest(token): holder for holder, token in self._read_rows(self._file)}
            self._holders = {digest: (digest, holder) for digest, holder in digests.items()}
            self._state = state


def new_token() -> str:
    """Return a token that cannot be guessed."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def require_private(file: Path) -> None:
    """Raise UsageError for a file that others may read."""
    mode = os.stat(file).st_mode
    if stat.S_ISREG(mode) and stat.S_IMODE(mode) & 0o077:
        raise UsageError(f"others may read it: chmod 600 {file}")


def _digest(token: str) -> bytes:
    return sha256(token.encode(errors="surrogatepass")).digest()
