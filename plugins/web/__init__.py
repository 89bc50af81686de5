"""Serve a store in the browser: ``arena serve``.

The libraries are optional. Arena imports them when the user calls the command.
"""

from __future__ import annotations

import os
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from importlib.util import find_spec
from typing import TYPE_CHECKING

from arena.errors import UsageError, quoted
from arena.model.defaults import STORE

if TYPE_CHECKING:
    from arena.plugin.catalogue import Catalogue

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8765

#: The share of what volunteers send that the server plays again.
DEFAULT_AUDIT = 0.1


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "store",
        nargs="?",
        default=os.environ.get(STORE) or "",
        metavar="STORE",
        help=f"a file, or postgresql://… (default: ${STORE}, if that is set)",
    )
    parser.add_argument(
        "--host",
        default=DEFAULT_HOST,
        metavar="ADDRESS",
        help=f"listen on this address; 0.0.0.0 lets the network in (default: {DEFAULT_HOST})",
    )
    parser.add_argument(
        "--port",
        type=_port,
        default=DEFAULT_PORT,
        metavar="PORT",
        help=f"listen on this port; 0 takes a free one (default: {DEFAULT_PORT})",
    )
    parser.add_argument(
        "--name",
        action="append",
        default=[],
        metavar="HOST",
        help="answer requests for this name of the machine too; give the option again for another",
    )
    parser.add_argument(
        "--player",
        action="append",
        default=[],
        metavar="PLAYER",
        help="let pages play against this file, program or player with options too; give the option"
        " again for another",
    )
    _add_contest(parser)
    _add_workers(parser)
    parser.add_argument("--open", action="store_true", help="open the page in a browser")


def _add_contest(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--contest",
        metavar="FILE",
        help="conduct the contest of this file, contest.toml: entrants hand in and watch; STORE is"
        " then where it is kept (default: next to the file)",
    )
    parser.add_argument(
        "--tokens",
        metavar="FILE",
        default="",
        help="with --contest: give a token to each name of this file, one a line, that has none;"
        " they are in tokens.csv next to the contest's file",
    )


def _add_workers(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--workers",
        metavar="FILE",
        default="",
        help="have the games of the store's incomplete runs, or of the contest, played by"
        " volunteers: each line of this file is a name, which gets a token there; see arena work",
    )
    parser.add_argument(
        "--audit",
        type=_share,
        metavar="SHARE",
        help="with --workers: play this share of what volunteers send again (default:"
        f" {DEFAULT_AUDIT}); arena plan --volunteers says which share you need",
    )


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Serve until a signal ends it."""
    for library in ("starlette", "uvicorn"):
        if find_spec(library) is None:
            raise UsageError(f"arena serve needs {library}: pip install 'proving-arena[web]'")
    from arena.plugins.web.server import ListenAddress, Workers, conduct, serve

    address = ListenAddress(arguments.host, arguments.port, tuple(arguments.name), arguments.open)
    if arguments.audit is not None and not arguments.workers:
        raise UsageError("--audit is for volunteers: add --workers FILE")
    share = DEFAULT_AUDIT if arguments.audit is None else arguments.audit
    workers = Workers(arguments.workers, share) if arguments.workers else None
    if arguments.contest is not None:
        if arguments.player:
            raise UsageError("--player is for games in the browser, which a contest has not")
        store = "" if arguments.store == os.environ.get(STORE) else arguments.store
        return conduct(catalogue, arguments.contest, store, address, arguments.tokens, workers)
    if arguments.tokens:
        raise UsageError("--tokens is for a contest: add --contest FILE")
    if arguments.store.endswith(".toml"):
        file = quoted(arguments.store)
        raise UsageError(f"{file} is no store: a contest is served by arena serve --contest {file}")
    for player in arguments.player:
        catalogue.player(player)  # so that a wrong one is reported now
    return serve(catalogue, arguments.store, address, arguments.player, workers)


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise ArgumentTypeError(f"must be a share from 0 to 1, not {text!r}")
    return share


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) < 2**16):
        raise ArgumentTypeError(f"must be a number from 0 to {2**16 - 1}, not {text!r}")
    return int(text)
