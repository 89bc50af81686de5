"""Options that several commands share."""

from __future__ import annotations

import os
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from typing import Any

from arena import api
from arena.errors import UsageError, quoted
from arena.proof.outcome import MAX_POSITIONS
from arena.records.fights import ADJUDICATE, COUNT_FORFEITS
from arena.rng import SEED_LIMIT

#: More pairs than anybody plays; larger numbers are slips.
MOST_PAIRS = 10**15
MOST_WORKERS = 1024

#: The environment variable that names the store when no option does.
STORE = "ARENA_STORE"


def whole(least: int, most: int) -> Callable[[str], int]:
    """An argument type: a whole number within bounds."""

    def parse(text: str) -> int:
        if not (text.isascii() and text.isdigit()) or int(text[:30]) < least:
            problem = f"must be a whole number of at least {least}"
        elif len(text) > 30 or int(text) > most:
            problem = f"must be at most {most}"
        else:
            return int(text)
        raise ArgumentTypeError(f"{problem}, not {quoted(text)}")

    return parse


def add_game(parser: ArgumentParser) -> None:
    """``--game``."""
    parser.add_argument(
        "--game",
        default=api.DEFAULT_GAME,
        metavar="GAME",
        help=f"the game, as listed by: arena games (default: {api.DEFAULT_GAME})",
    )


def add_max_positions(parser: ArgumentParser) -> None:
    """``--max-positions``."""
    parser.add_argument(
        "--max-positions",
        type=whole(1, 10**9),
        default=MAX_POSITIONS,
        metavar="N",
        help=f"give up when more positions are reached (default: {MAX_POSITIONS})",
    )


def add_playing(parser: ArgumentParser) -> None:
    """The options of commands that play games."""
    parser.add_argument(
        "-n",
        dest="pairs",
        type=whole(1, MOST_PAIRS),
        metavar="N",
        help=f"pairs of games, each side first once (default: {api.DEFAULT_PAIRS})",
    )
    add_game(parser)
    add_seed(parser)
    add_workers(parser)
    parser.add_argument(
        "--engine",
        default="auto",
        metavar="NAME",
        help="calls asks the players for every move; table plays through a table of them, found"
        " once; auto (the default) takes the table for long fights where it can",
    )
    add_openings(parser)
    parser.add_argument(
        "--adjudicate",
        choices=ADJUDICATE,
        default="none",
        metavar="WHAT",
        help="draws: end a game as a draw when it can end in no other way (default: none)",
    )
    add_count_forfeits(parser, "all")
    parser.add_argument(
        "--certificate",
        action="append",
        default=[],
        metavar="FILE",
        help="look the moves of the player that this certificate names up as it plays; give the"
        " option again for another player",
    )
    add_store(parser, "keep every game in this file")


def add_openings(parser: ArgumentParser) -> None:
    """``--openings``."""
    parser.add_argument(
        "--openings",
        metavar="WHICH",
        help="begin games from random:PLIES, from all:PLIES, or from those in a file, a position or"
        " the moves that lead there a line (default: the start)",
    )


def add_count_forfeits(parser: ArgumentParser, default: str | None) -> None:
    """``--count-forfeits``."""
    parser.add_argument(
        "--count-forfeits",
        choices=COUNT_FORFEITS,
        default=default,
        metavar="WHICH",
        help="all: ratings, intervals and tests count every pair as it was played; none: nothing of"
        " a pair with a forfeit counts but that who forfeited has lost both games; tables have all"
        f" games (default: {default or 'as the run was played'})",
    )


def add_seed(parser: ArgumentParser) -> None:
    """``--seed``."""
    parser.add_argument(
        "--seed",
        type=whole(0, SEED_LIMIT - 1),
        metavar="S",
        help="the same seed gives the same games (default: a fresh one, printed)",
    )


def add_workers(parser: ArgumentParser) -> None:
    """``-j`` and ``--executor``."""
    parser.add_argument(
        "-j",
        dest="workers",
        type=whole(1, MOST_WORKERS),
        metavar="WORKERS",
        help="processes that play at once (default: one a core)",
    )
    parser.add_argument(
        "--executor",
        default="processes",
        metavar="NAME",
        help="how work is spread (default: processes); serial is for debuggers",
    )


def options_of(arguments: Namespace) -> dict[str, Any]:
    """What these options mean to the functions of arena.api."""
    options = {
        "game": arguments.game,
        "seed": arguments.seed,
        "workers": arguments.workers,
        "engine": arguments.engine,
        "executor": arguments.executor,
        "openings": arguments.openings,
        "adjudicate": arguments.adjudicate,
        "count_forfeits": arguments.count_forfeits,
        "certificates": arguments.certificate,
        "store": arguments.store or None,
    }
    return options if arguments.pairs is None else {**options, "n": arguments.pairs}


def add_store(parser: ArgumentParser, purpose: str) -> None:
    """``--store``."""
    parser.add_argument(
        "--store",
        default=os.environ.get(STORE) or None,
        metavar="FILE",
        help=f"{purpose} (default: ${STORE}, if that is set)",
    )


def require_store(arguments: Namespace) -> str:
    """The store that is named; UsageError if none is."""
    if not arguments.store:
        raise UsageError(f"no store is named: use --store FILE, or set {STORE}")
    return str(arguments.store)
