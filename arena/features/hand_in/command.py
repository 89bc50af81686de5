"""``arena hand-in URL FILE``: hand in to a contest, and wait for the verdict of the check."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

import arena
from arena import escape
from arena.cli.output import Output, add_output
from arena.cli.running import UNDECIDED
from arena.cli.tokens import add_token, token_of
from arena.features.hand_in.record import PASSED, REFUSED, WAITING, HandIn
from arena.plugin.catalogue import Catalogue

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
    add_token(parser)
    parser.add_argument(
        "--no-wait", action="store_true", help="do not wait for the check of the hand-in"
    )
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the verdict. Return 1 if the hand-in did not pass its check, 3 without a verdict."""
    output = Output(arguments, catalogue)
    wait = not arguments.no_wait
    token = token_of(arguments)
    verdict = arena.hand_in(
        arguments.url, arguments.file, token, wait=wait, on_state=_tell_state, on_stall=_tell
    )
    output.write(verdict)
    return 0 if verdict.state == WAITING else _CODES.get(verdict.state, UNDECIDED)


def _tell_state(hand_in: HandIn) -> None:
    if not hand_in.is_settled:
        _tell(f"hand-in {hand_in.number} of {hand_in.entrant} is {hand_in.state}")


def _tell(message: str) -> None:
    print(escape.line(f"arena: {message}"), file=sys.stderr, flush=True)
