"""Tell entrants and the owner of a contest by tokens, which a file next to the contest's has.

``tokens.csv`` has a line for each: a name, ``entrant`` or ``owner``, and the token. Only its owner
may read it.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Sequence
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from arena.errors import UsageError, quoted
from arena.files import naming, read_bytes, read_text, write_atomically
from arena.inputs.token_file import (
    MAX_TOKENS_BYTES,
    MIN_TOKEN_LENGTH,
    TokenFile,
    new_token,
    require_private,
)
from arena.player.names import name_problem

#: The name of the file, and its first line.
TOKENS_FILE = "tokens.csv"
TOKENS_HEAD = ("name", "role", "token")

#: How the owner is called in the file, and the roles.
OWNER = "owner"
ENTRANT = "entrant"

#: Characters of names that mean something in a page, a path or a command.
_MARKUP = "<>&\"'`$|*?"


class Identity(NamedTuple):
    """The holder of a token."""

    #: The name of the entrant, or of the owner.
    name: str
    #: Whether it is the owner of the contest.
    is_owner: bool = False


class Tokens(TokenFile[Identity]):
    """The tokens of a file, read again when it has changed.

    Raises UsageError for a file that others may read, or that is not such a file.
    """

    def __init__(self, file: str | os.PathLike[str]) -> None:
        hint = ": arena serve --contest FILE --tokens NAMES makes it"
        super().__init__(file, read_tokens, "tokens", hint)

    @property
    def entrants(self) -> Sequence[str]:
        """The names of the entrants, in the order of the file."""
        return [holder.name for holder in self.holders if not holder.is_owner]


def read_tokens(file: Path) -> list[tuple[Identity, str]]:
    """Read the holders of tokens, in order. Raises UsageError as :class:`Tokens` does."""
    with naming("tokens", file):
        try:
            require_private(file)
            text = read_bytes(file, MAX_TOKENS_BYTES).decode()
            head, *rows = [*csv.reader(StringIO(text, newline=""), strict=True)] or [[]]
            if tuple(head) != TOKENS_HEAD:
                raise UsageError(f"its first line is not {','.join(TOKENS_HEAD)}")
            tokens = [(_identity(role, name), token) for name, role, token in rows]
            _require_different(tokens)
        except (csv.Error, ValueError) as error:  # also text that is not UTF-8, and a short line
            raise UsageError(f"it is not such a file: {error}") from error
    return tokens


def _identity(role: str, name: str) -> Identity:
    if role not in (ENTRANT, OWNER):
        raise UsageError(f"{quoted(role)} is not a role: it is {ENTRANT} or {OWNER}")
    if role == ENTRANT:
        require_name(name)
    return Identity(name, role == OWNER)


def _require_different(rows: Iterable[tuple[Identity, str]]) -> None:
    """Raise UsageError for two with one name, or one token, and for a token that can be guessed."""
    names: set[tuple[str, bool]] = set()
    tokens: set[str] = set()
    for (name, is_owner), token in rows:
        if (name.casefold(), is_owner) in names:
            raise UsageError(f"{quoted(name)} is there twice")
        if token in tokens or len(token) < MIN_TOKEN_LENGTH:
            raise UsageError(f"the token of {quoted(name)} is short, or another name has it too")
        names.add((name.casefold(), is_owner))
        tokens.add(token)


def require_name(name: str) -> None:
    """Raise UsageError for a name that an entrant cannot have."""
    if not name.isprintable() or set(name) & set(_MARKUP):
        raise UsageError(f"entrant {quoted(name)}: a name has no {_MARKUP} and prints as it is")
    if problem := name_problem(name):
        raise UsageError(f"entrant {quoted(name)}: {problem}")


def add_tokens(file: Path, names: Iterable[str]) -> list[str]:
    """Give a token to every name without one, and to the owner. Return the new names.

    No token is changed. Raises UsageError for a name that cannot be one, or is there twice.
    """
    tokens = read_tokens(file) if file.exists() else []
    holders = {identity for identity, _ in tokens}
    identities = [Identity(name) for name in names]
    for identity in identities:
        require_name(identity.name)
    candidates = (Identity(OWNER, is_owner=True), *identities)
    new = [identity for identity in candidates if identity not in holders]
    if any(identity.is_owner for identity in holders):
        new = [identity for identity in new if not identity.is_owner]
    all_of_them = [*tokens, *((identity, new_token()) for identity in new)]
    _require_different(all_of_them)
    if new:
        _write(file, all_of_them)
    return [identity.name for identity in new]


def _write(file: Path, rows: Iterable[tuple[Identity, str]]) -> None:
    text = StringIO(newline="")
    lines = [
        (identity.name, OWNER if identity.is_owner else ENTRANT, token) for identity, token in rows
    ]
    csv.writer(text, lineterminator="\n").writerows([TOKENS_HEAD, *lines])
    if not file.exists():  # what replaces a file has its permissions
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    write_atomically(file, text.getvalue())


def read_names(file: str | os.PathLike[str]) -> list[str]:
    """Read a file with a name on every line.

    Raises UsageError for one that cannot be read, and for a line that is no new name.
    """
    with naming("names", file):
        lines = read_text(file, MAX_TOKENS_BYTES).splitlines()
    names: list[str] = []
    for number, line in enumerate(lines, 1):
        if name := line.strip():
            try:
                _require_new(name, names)
            except UsageError as error:
                where = f"names {quoted(os.fspath(file))}, line {number}"
                raise UsageError(f"{where}: {error}") from None
            names.append(name)
    return names


def _require_new(name: str, names: Iterable[str]) -> None:
    """Raise UsageError for a line that is no name of an entrant, or one that is there already."""
    if name.startswith("#"):
        raise UsageError(f"{quoted(name)} is not a name: leave comments out")
    require_name(name)
    if name.casefold() == OWNER:
        raise UsageError(f"{quoted(name)} is the name of the owner, who has a token without it")
    if name.casefold() in map(str.casefold, names):
        raise UsageError(f"{quoted(name)} is there twice")
