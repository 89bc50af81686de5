"""Declare the options that the functions of this package share, each once.

The key and its type in a TypedDict are the keyword. Its :class:`arena.signatures.Option` declares
the rest: the flag of the commands, the key in a contest's file, the default and the help follow.
"""

# Annotations are read at run time, so they are not postponed here.
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, TypedDict

from arena.model.defaults import (
    ADJUDICATE,
    COUNT_FORFEITS,
    DEFAULT_ALPHA,
    DEFAULT_EXECUTOR,
    DEFAULT_GAME,
    DEFAULT_MARGIN,
    MAX_POSITIONS,
    STORE,
)
from arena.rng import SEED_LIMIT
from arena.signatures import Option, declared

if TYPE_CHECKING:
    from arena.fights.play import OnProgress
    from arena.inputs.resolve import GameLike, IsolationLike, OpeningsLike, StoreLike
    from arena.plugin.catalogue import Catalogue


#: More pairs than a user plays; larger numbers are slips.
MAX_PAIRS = 10**15
MAX_WORKERS = 1024

#: The tables that ``--table`` shows.
SHEETS = ("standings", "pairings", "games")

#: Pairs of a fight by default.
DEFAULT_PAIRS = 100

#: The most pairs of a fight that a sequential test ends, by default.
DEFAULT_CAP = 20_000

# The topics of the help.
TOPIC_PLAYED = "what is played"
TOPIC_OVER = "when it is over"
TOPIC_HOW = "how it is played"
TOPIC_KEPT = "what is kept"
TOPIC_SHOWN = "what is shown"

#: The options that functions take as parameters of their own.
PARAMETER_OPTIONS = {
    "n": Option(
        None,
        "-n",
        f"number of game pairs, each player moving first once (default: {DEFAULT_PAIRS})",
        "N",
        TOPIC_PLAYED,
        key="pairs",
        bounds=(1, MAX_PAIRS),
    ),
    "schedule": Option(
        None,
        "--schedule",
        "round-robin, gauntlet:PLAYER, swiss:R, knockout, or a plugin (default: round-robin)",
        "WHICH",
        TOPIC_PLAYED,
        key="schedule",
    ),
    "gauntlet": Option(
        None,
        "--gauntlet",
        "short for --schedule gauntlet:PLAYER",
        "PLAYER",
        TOPIC_PLAYED,
        key="gauntlet",
    ),
}


class GameOption(TypedDict, total=False):
    """The game."""

    game: Annotated[
        "GameLike",
        Option(
            DEFAULT_GAME,
            "--game",
            f"the game, as listed by: arena games (default: {DEFAULT_GAME})",
            "GAME",
            TOPIC_PLAYED,
            key="game",
        ),
    ]


class GameOptions(GameOption, total=False):
    """Which game is played, and under which seed; None draws a fresh one."""

    seed: Annotated[
        int | None,
        Option(
            None,
            "--seed",
            "the same seed gives the same games (default: a fresh one, printed)",
            "S",
            TOPIC_PLAYED,
            key="seed",
            bounds=(0, SEED_LIMIT - 1),
        ),
    ]


class PlayerOptions(TypedDict, total=False):
    """How players are isolated, and where they are found by name."""

    isolation: Annotated["IsolationLike | None", Option()]
    catalogue: Annotated["Catalogue | None", Option()]


class WorkOptions(TypedDict, total=False):
    """How many workers play, by default one per core, and by which executor."""

    workers: Annotated[
        int | None,
        Option(
            None,
            "-j",
            "number of games to play in parallel (default: one per core)",
            "WORKERS",
            TOPIC_HOW,
            key="workers",
            bounds=(1, MAX_WORKERS),
        ),
    ]
    executor: Annotated[
        str,
        Option(
            DEFAULT_EXECUTOR,
            "--executor",
            f"where games are played (default: {DEFAULT_EXECUTOR}): dask, dask:tcp://HOST:PORT or"
            " dask:FILE.json for a cluster, serial for a debugger",
            "NAME",
            TOPIC_HOW,
            key="executor",
        ),
    ]


class PlayOptions(GameOptions, WorkOptions, PlayerOptions, total=False):
    """Everything that can be said of how games are played; see :func:`arena.fight`."""

    engine: Annotated[
        str,
        Option(
            "auto",
            "--engine",
            "calls asks the players for every move; table plays through a table of them, found"
            " once; batch asks for many moves at once; auto (the default) takes batch where all"
            " players offer it, and the table for long fights where it can",
            "NAME",
            TOPIC_HOW,
            key="engine",
        ),
    ]
    openings: Annotated[
        "OpeningsLike | None",
        Option(
            None,
            "--openings",
            "begin games from random:PLIES, from all:PLIES, or from a file of PGN, EPD, or lines"
            " with a position or its moves, shuffled by the seed; FILE:NUMBER takes that many"
            " (default: the start)",
            "WHICH",
            TOPIC_PLAYED,
            key="openings",
        ),
    ]
    adjudicate: Annotated[
        str,
        Option(
            "none",
            "--adjudicate",
            "draws: end a game as a draw once no other outcome is possible (default: none)",
            "WHAT",
            TOPIC_PLAYED,
            key="adjudicate",
            choices=ADJUDICATE,
        ),
    ]
    resign: Annotated[
        str | None,
        Option(
            None,
            "--resign",
            "600:3: a side resigns once it scores its last 3 moves at -600 centipawns or less and"
            " the opponent's last 3 scores agree (default: no side resigns)",
            "SCORE:MOVES",
            TOPIC_PLAYED,
            key="resign",
            kind="resign",
        ),
    ]
    draw: Annotated[
        str | None,
        Option(
            None,
            "--draw",
            "10:8:40: a game is drawn after 40 moves or more of each side once both score their"
            " last 8 moves within 10 centipawns of 0 (default: no game is)",
            "SCORE:MOVES:FROM",
            TOPIC_PLAYED,
            key="draw",
            kind="draw",
        ),
    ]
    count_forfeits: Annotated[
        str,
        Option(
            "all",
            "--count-forfeits",
            "all: ratings, intervals and tests count every pair as it was played; none: a pair"
            " with a forfeit counts as two losses of the player that forfeited; tables always show"
            " all games (default: all)",
            "WHICH",
            TOPIC_SHOWN,
            key="count-forfeits",
            choices=COUNT_FORFEITS,
        ),
    ]
    keep_going: Annotated[
        bool,
        Option(
            False,
            "--keep-going",
            "play on when a player forfeits its first 20 games for the same reason; otherwise"
            " a fight stops, and in a tournament the player forfeits its other games unplayed",
            topic=TOPIC_OVER,
            key="keep-going",
            kind="switch",
        ),
    ]
    certificates: Annotated[
        "Sequence[str | os.PathLike[str]]",
        Option(
            (),
            "--certificate",
            "check while it plays that the player named in this certificate plays as certified;"
            " may be given again for another player",
            "FILE",
            TOPIC_PLAYED,
            key="certificate",
            kind="texts",
        ),
    ]
    store: Annotated[
        "StoreLike | None",
        Option(
            None,
            "--store",
            "keep every game in this file or database, postgresql://USER@HOST/DATABASE"
            f" (default: ${STORE}, if that is set)",
            "STORE",
            TOPIC_KEPT,
            key="store",
        ),
    ]
    again: Annotated[
        bool,
        Option(
            False,
            "--again",
            "play even if the store has this run already (default: show the stored one)",
            topic=TOPIC_KEPT,
            kind="switch",
        ),
    ]
    on_progress: Annotated["OnProgress | None", Option()]
    progress: Annotated[bool, Option(False)]


class HypothesisOptions(TypedDict, total=False):
    """The two differences in Elo that a sequential test decides between, and its errors."""

    elo0: Annotated[float, Option(0)]
    elo1: Annotated[float, Option(10)]
    alpha: Annotated[float, Option(0.05)]
    beta: Annotated[float, Option(0.05)]
    model: Annotated[str, Option("logistic")]


class SprtOptions(HypothesisOptions, PlayOptions, total=False):
    """A sequential test, and how its games are played."""


class TournamentOptions(PlayOptions, total=False):
    """The question that ends a tournament, if there is one, and how its games are played."""

    until: Annotated[
        str | None,
        Option(
            None,
            "--until",
            "play a round robin until it is sure which player is best, which K are (top:K),"
            " or the whole order; -n is then the maximum number of pairs per pairing",
            "QUESTION",
            TOPIC_OVER,
            key="until",
            kind="question",
        ),
    ]
    margin: Annotated[
        float | None,
        Option(
            None,
            "--margin",
            "with --until: players whose mean scores differ by at most M need not be told"
            f" apart, in points per game (default: {DEFAULT_MARGIN:g})",
            "M",
            TOPIC_OVER,
            key="margin",
            kind="share",
        ),
    ]
    alpha: Annotated[
        float | None,
        Option(
            None,
            "--alpha",
            f"with --until: probability of a wrong answer (default: {DEFAULT_ALPHA:g})",
            "P",
            TOPIC_OVER,
            key="alpha",
            kind="share",
        ),
    ]


class UntilOptions(PlayOptions, total=False):
    """The question that games are played for, and how they are played."""

    until: Annotated[str | float, Option("better")]
    margin: Annotated[float | None, Option(None)]
    alpha: Annotated[float, Option(0.05)]


class PlanOptions(HypothesisOptions, GameOptions, WorkOptions, PlayerOptions, total=False):
    """A sequential test that is planned, and how the trial is played."""


class CheckOptions(GameOptions, PlayerOptions, total=False):
    """How a player is checked."""


class ProofOptions(PlayerOptions, GameOption, total=False):
    """At which game players are proved, and how far."""

    max_positions: Annotated[
        int,
        Option(
            MAX_POSITIONS,
            "--max-positions",
            f"give up after this many positions (default: {MAX_POSITIONS})",
            "N",
            TOPIC_HOW,
            bounds=(1, 10**9),
        ),
    ]
    max_seconds: Annotated[
        float | None,
        Option(
            None,
            "--max-seconds",
            "give up after so many seconds (default: never)",
            "S",
            TOPIC_HOW,
            bounds=(1, 10**9),
        ),
    ]


class ExactOptions(WorkOptions, ProofOptions, total=False):
    """The options of exact results, and of where to calculate them."""


#: Every option that several commands share, by keyword.
SHARED = PARAMETER_OPTIONS | declared(TournamentOptions) | declared(ExactOptions)


class ResumeOptions(WorkOptions, PlayerOptions, total=False):
    """How a run is resumed."""

    changed_players: Annotated[str, Option("refuse")]
    add: Annotated["Sequence[str]", Option(())]
    replace: Annotated["Sequence[str]", Option(())]
    withdraw: Annotated["Sequence[str]", Option(())]
    on_progress: Annotated["OnProgress | None", Option()]
    progress: Annotated[bool, Option(False)]
