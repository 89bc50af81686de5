"""``arena work URL``: play games for a server that hands them out, until it has none or Ctrl-C."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from arena import escape
from arena.cli.fields import add_fields, fields_of, reader
from arena.cli.tokens import add_token, token_of
from arena.errors import counted
from arena.features.work.function import SOCKET_PREFIX, work
from arena.inputs.options import WorkOptions
from arena.kinds import Number
from arena.plugin.catalogue import Catalogue
from arena.signatures import declared


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("url", metavar="URL", help="the address of the server")
    add_token(parser)
    add_fields(parser, fields_of({"workers": declared(WorkOptions)["workers"]}))
    parser.add_argument(
        "--patience",
        type=reader(Number(0)),
        metavar="SECONDS",
        help="end when the server is away, or has nothing to play, for this long (default: never)",
    )


def run(arguments: Namespace, _: Catalogue) -> int:
    """Play until there is nothing to play for as long as the user waits."""
    token = "" if arguments.url.startswith(SOCKET_PREFIX) else token_of(arguments)
    games = work(
        arguments.url,
        token,
        workers=arguments.workers,
        patience=arguments.patience,
        tell=_tell,
    )
    print(f"{counted(games, 'game')} played")
    return 0


def _tell(message: str) -> None:
    print(escape.line(f"arena: {message}"), file=sys.stderr, flush=True)
