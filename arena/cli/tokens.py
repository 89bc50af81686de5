"""Read the token by which a server knows the user."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

from arena.errors import UsageError, quoted
from arena.files import naming, read_bytes

#: The environment variable with the token.
TOKEN = "ARENA_TOKEN"  # noqa: S105 - the name of it

#: Most bytes of a file with a token.
MAX_TOKEN_BYTES = 1000


def add_token(parser: ArgumentParser) -> None:
    """Add the option that names the file with the token."""
    parser.add_argument(
        "--token-file",
        metavar="FILE",
        help=f"read your token from this file (default: ${TOKEN}); it is not an argument, for"
        " others on the machine may see those",
    )


def token_of(arguments: Namespace) -> str:
    """Return the token of the user. Raises UsageError without one."""
    file: str | None = arguments.token_file
    if file is None:
        if not os.environ.get(TOKEN):
            raise UsageError(f"the token is missing: set {TOKEN}, or name a --token-file")
        return os.environ[TOKEN].strip()
    with naming("token file", file):
        content = read_bytes(file, MAX_TOKEN_BYTES)
    try:
        return content.decode("ascii").strip()
    except UnicodeDecodeError:
        raise UsageError(f"token file {quoted(file)} is not a token") from None
