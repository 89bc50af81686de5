"""``arena hand-in URL FILE``: hand in to a contest, and wait for the verdict of the check."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace

import arena
from arena import escape
from arena.cli.output import Output, add_output
from arena.cli.running import UNDECIDED
from arena.errors import UsageError, quoted
from arena.features.hand_in.record import PASSED, REFUSED, WAITING, HandIn
from arena.files import read_bytes
from arena.plugin.catalogue import Catalogue

#: The environment variable with the token.
TOKEN = "ARENA_TOKEN"  # noqa: S105 - the name of it

#: Most bytes of a file with a token.
MAX_TOKEN_BYTES = 1000

#: The exit code of a verdict; it is undecided if a later hand-in came before the check.
_CODES = {PASSED: 0, REFUSED: 1}


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("url", metavar="URL", help="the address of the contest's server")
    parser.add_argument(
        "file",
        metavar="FILE",
        help="a Python file, a WebAssembly module, a zip of one folder, or the folder",
    )
    parser.add_argument(
        "--token-file",
        metavar="FILE",
        help=f"read your token from this file (default: ${TOKEN}); it is not an argument, for"
        " others on the machine may see those",
    )
    parser.add_argument(
        "--no-wait", action="store_true", help="do not wait for the check of the hand-in"
    )
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the verdict. Return 1 if the hand-in did not pass its check, 3 without a verdict."""
    output = Output(arguments, catalogue)
    wait = not arguments.no_wait
    token = _token(arguments.token_file)
    verdict = arena.hand_in(
        arguments.url, arguments.file, token, wait=wait, on_state=_tell_state, on_stall=_tell
    )
    output.write(verdict)
    return 0 if verdict.state == WAITING else _CODES.get(verdict.state, UNDECIDED)


def _token(file: str | None) -> str:
    if file is None:
        if not os.environ.get(TOKEN):
            raise UsageError(f"the token is missing: set {TOKEN}, or name a --token-file")
        return os.environ[TOKEN].strip()
    try:
        return read_bytes(file, MAX_TOKEN_BYTES).decode("ascii").strip()
    except UnicodeDecodeError:
        raise UsageError(f"token file {quoted(file)} is not a token") from None
    except UsageError as error:
        raise UsageError(f"token file {quoted(file)}: {error}") from error


def _tell_state(hand_in: HandIn) -> None:
    if not hand_in.is_settled:
        _tell(f"hand-in {hand_in.number} of {hand_in.entrant} is {hand_in.state}")


def _tell(message: str) -> None:
    print(escape.line(f"arena: {message}"), file=sys.stderr, flush=True)
