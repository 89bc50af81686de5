"""The table of options: each is a keyword of :mod:`arena.api`, made here and read back here."""

from __future__ import annotations

import os
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from arena.errors import quoted
from arena.executors.base import DEFAULT_EXECUTOR
from arena.features.fight.function import DEFAULT_PAIRS
from arena.inputs.options import MAX_PAIRS, MAX_WORKERS
from arena.inputs.resolve import DEFAULT_GAME
from arena.proof.limit import MAX_POSITIONS
from arena.records.adjudication import ADJUDICATE
from arena.records.commands import STORE
from arena.records.fights import COUNT_FORFEITS
from arena.rng import SEED_LIMIT


class Field(NamedTuple):
    """One option: how it is written, and its other settings for argparse."""

    flags: tuple[str, ...]
    settings: Mapping[str, Any]


def field(*flags: str, **settings: Any) -> Field:
    """Return an option; its name is the keyword that it is in the table of its command."""
    return Field(flags, settings)


def add_fields(parser: ArgumentParser, fields: Mapping[str, Field]) -> None:
    """Add options, each under the keyword that :func:`options_of` gives its value."""
    for name, own in fields.items():
        parser.add_argument(*own.flags, dest=name, **own.settings)
    parser.set_defaults(fields=(*(parser.get_default("fields") or ()), *fields))


def without_defaults(fields: Mapping[str, Field]) -> dict[str, Field]:
    """Return the same options, of which :func:`options_of` has only those that are given."""
    return {
        name: Field(own.flags, {**own.settings, "default": None}) for name, own in fields.items()
    }


def options_of(arguments: Namespace) -> dict[str, Any]:
    """Return the options that were given, or have a default here, as keywords of arena.api."""
    given = {name: getattr(arguments, name) for name in arguments.fields}
    return {name: value for name, value in given.items() if value is not None}


def whole(least: int, most: int) -> Callable[[str], int]:
    """Return an argument type: a whole number within bounds."""

    def parse(text: str) -> int:
        if not (text.isascii() and text.isdigit()) or int(text[:30]) < least:
            problem = f"must be a whole number of at least {least}"
        elif len(text) > 30 or int(text) > most:
            problem = f"must be at most {most}"
        else:
            return int(text)
        raise ArgumentTypeError(f"{problem}, not {quoted(text)}")

    return parse


FIELDS = {
    "game": field(
        "--game",
        default=DEFAULT_GAME,
        metavar="GAME",
        help=f"the game, as listed by: arena games (default: {DEFAULT_GAME})",
    ),
    "seed": field(
        "--seed",
        type=whole(0, SEED_LIMIT - 1),
        metavar="S",
        help="the same seed gives the same games (default: a fresh one, printed)",
    ),
    "workers": field(
        "-j",
        type=whole(1, MAX_WORKERS),
        metavar="WORKERS",
        help="number of games to play in parallel (default: one per core)",
    ),
    "executor": field(
        "--executor",
        default=DEFAULT_EXECUTOR,
        metavar="NAME",
        help=f"where games are played (default: {DEFAULT_EXECUTOR}): dask, dask:tcp://HOST:PORT or"
        " dask:FILE.json for a cluster, serial for a debugger",
    ),
    "n": field(
        "-n",
        type=whole(1, MAX_PAIRS),
        metavar="N",
        help=f"number of game pairs, each player moving first once (default: {DEFAULT_PAIRS})",
    ),
    "engine": field(
        "--engine",
        default="auto",
        metavar="NAME",
        help="calls asks the players for every move; table plays through a table of them, found"
        " once; batch asks for many moves at once; auto (the default) takes batch where all players"
        " offer it, and the table for long fights where it can",
    ),
    "openings": field(
        "--openings",
        metavar="WHICH",
        help="begin games from random:PLIES, from all:PLIES, or from a file of PGN, EPD, or lines"
        " with a position or its moves, shuffled by the seed; FILE:NUMBER takes that many (default:"
        " the start)",
    ),
    "adjudicate": field(
        "--adjudicate",
        choices=ADJUDICATE,
        default="none",
        metavar="WHAT",
        help="draws: end a game as a draw once no other outcome is possible (default: none)",
    ),
    "resign": field(
        "--resign",
        metavar="SCORE:MOVES",
        help="600:3: a side resigns once it scores its last 3 moves at -600 centipawns or less and"
        " the opponent's last 3 scores agree (default: no side resigns)",
    ),
    "draw": field(
        "--draw",
        metavar="SCORE:MOVES:FROM",
        help="10:8:40: a game is drawn after 40 moves or more of each side once both score their"
        " last 8 moves within 10 centipawns of 0 (default: no game is)",
    ),
    "certificates": field(
        "--certificate",
        action="append",
        default=[],
        metavar="FILE",
        help="check while it plays that the player named in this certificate plays as certified;"
        " may be given again for another player",
    ),
    "max_positions": field(
        "--max-positions",
        type=whole(1, 10**9),
        default=MAX_POSITIONS,
        metavar="N",
        help=f"give up after this many positions (default: {MAX_POSITIONS})",
    ),
    "max_seconds": field(
        "--max-seconds",
        type=whole(1, 10**9),
        metavar="S",
        help="give up after so many seconds (default: never)",
    ),
}


def shared(*names: str) -> dict[str, Field]:
    """Return some options of the table, in this order."""
    return {name: FIELDS[name] for name in names}


def playing() -> dict[str, Field]:
    """Return the options of commands that play games: all of PlayOptions, and n."""
    return {
        **shared("n", "game", "seed", "workers", "executor", "engine", "openings"),
        **shared("adjudicate", "resign", "draw"),
        "count_forfeits": count_forfeits("all"),
        "keep_going": field(
            "--keep-going",
            action="store_true",
            help="play on when a player forfeits its first 20 games for the same reason; otherwise"
            " a fight stops, and in a tournament the player forfeits its other games unplayed",
        ),
        **shared("certificates"),
        "store": store("keep every game in this file or database, postgresql://USER@HOST/DATABASE"),
        "again": field(
            "--again",
            action="store_true",
            help="play even if the store has this run already (default: show the stored one)",
        ),
    }


def count_forfeits(default: str | None) -> Field:
    """Return ``--count-forfeits``."""
    return field(
        "--count-forfeits",
        choices=COUNT_FORFEITS,
        default=default,
        metavar="WHICH",
        help="all: ratings, intervals and tests count every pair as it was played; none: a pair"
        " with a forfeit counts as two losses of the player that forfeited; tables always show all"
        f" games (default: {default or 'as the run was played'})",
    )


def store(purpose: str) -> Field:
    """Return ``--store``; the environment is asked for its default now."""
    return field(
        "--store",
        type=lambda file: file or None,
        default=os.environ.get(STORE) or None,
        metavar="STORE",
        help=f"{purpose} (default: ${STORE}, if that is set)",
    )
