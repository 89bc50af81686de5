"""Know volunteers by tokens: a line of a file has a name and its token.

A line with a name alone gets a token when the server starts.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from arena.errors import UsageError, quoted
from arena.files import naming, read_text, write_atomically
from arena.inputs.token_file import (
    MAX_TOKENS_BYTES,
    MIN_TOKEN_LENGTH,
    TokenFile,
    new_token,
    require_private,
)


class WorkerTokens(TokenFile[str]):
    """The tokens of a file, which is read again when it has changed.

    Raises UsageError for a file with tokens that others may read, or that is not such a file.
    """

    def __init__(self, file: str | os.PathLike[str]) -> None:
        hint = "; write the name of a volunteer on each line of it"
        super().__init__(file, _holders, "workers", hint)

    def give(self) -> list[str]:
        """Give a token to each name without one, and return these names. No token is changed."""
        lines = _lines(self._file)
        new = [name for name, token in lines if not token]
        if new:
            text = "".join(f"{name} {token or new_token()}\n" for name, token in lines)
            with naming("workers", self._file):
                self._file.chmod(0o600)
                write_atomically(self._file, text)
        return new


def _holders(file: Path) -> list[tuple[str, str]]:
    """Return the names with a token. Raises UsageError if others may read one."""
    rows = [(name, token) for name, token in _lines(file) if token]
    if rows:
        with naming("workers", file):
            require_private(file)
    return rows


def _lines(file: Path) -> list[tuple[str, str]]:
    """Return the name and the token of every line. Raises UsageError for a file without sense."""
    where = f"workers {quoted(str(file))}"
    with naming("workers", file):
        text = read_text(file, MAX_TOKENS_BYTES)
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
