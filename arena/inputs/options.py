"""Declare the options that the functions of this package share, each once.

The key and its type in a TypedDict are the keyword. Its :class:`arena.signatures.Option` declares
the rest: the flag of the commands, the key in a contest's file, the default and the help follow.
"""

# Annotations are read at run time, so they are not postponed here.
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, TypedDict

from arena.inputs.forms import UntilQuestions, Written, draw_form, resign_form
from arena.inputs.service_options import ServiceOptions
from arena.kinds import FILE, SHARES, TEXTS, Number, OneOf, Whole
from arena.model.defaults import (
    ADJUDICATE,
    COUNT_FORFEITS,
    DEALS,
    DEFAULT_ALPHA,
    DEFAULT_BETA,
    DEFAULT_COUNT_FORFEITS,
    DEFAULT_EXECUTOR,
    DEFAULT_GAME,
    DEFAULT_MARGIN,
    DUPLICATE,
    LUCKS,
    MAX_WAIT,
    RAW_LUCK,
    STORE,
)
from arena.model.seatings import ROTATIONS, SEATINGS
from arena.rng import SEED_LIMIT
from arena.signatures import (
    TOPIC_HOW,
    TOPIC_KEPT,
    TOPIC_OVER,
    TOPIC_PLAYED,
    TOPIC_SHOWN,
    Option,
    declared,
)

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

#: Numbers of pairs, and seeds.
PAIRS = Whole(1, MAX_PAIRS)
SEEDS = Whole(0, SEED_LIMIT - 1)

#: A difference in points per game that is less than that of a win and a draw.
MARGINS = Number(0, 0.5, excludes_ends=True)

#: The options that functions take as parameters of their own.
PARAMETER_OPTIONS = {
    "n": Option(
        None,
        "-n N",
        f"number of game pairs, each player moving first once (default: {DEFAULT_PAIRS})",
        TOPIC_PLAYED,
        key="pairs",
        kind=PAIRS,
    ),
    "schedule": Option(
        None,
        "--schedule WHICH",
        "round-robin, gauntlet:PLAYER, swiss:R, knockout, or a plugin (default: round-robin)",
        TOPIC_PLAYED,
    ),
    "gauntlet": Option(
        None, "--gauntlet PLAYER", "short for --schedule gauntlet:PLAYER", TOPIC_PLAYED
    ),
}


class GameOption(TypedDict, total=False):
    """The game."""

    game: Annotated[
        "GameLike",
        Option(DEFAULT_GAME, "--game GAME", "the game, as listed by: arena games", TOPIC_PLAYED),
    ]


class SeedOption(TypedDict, total=False):
    """The seed of all draws. None draws a fresh one."""

    seed: Annotated[
        int | None,
        Option(
            None,
            "--seed S",
            "the same seed gives the same games (default: a fresh one, printed)",
            TOPIC_PLAYED,
            kind=SEEDS,
        ),
    ]


class GameOptions(GameOption, SeedOption, total=False):
    """Which game is played, and under which seed."""


class PlayerOptions(TypedDict, total=False):
    """How players are isolated, and where they are found by name."""

    isolation: Annotated["IsolationLike | None", Option()]
    catalogue: Annotated["Catalogue | None", Option()]


#: The option of workers, which commands without an executor have as well.
WORKERS = Annotated[
    int | None,
    Option(
        None,
        "-j WORKERS",
        "number of games to play in parallel (default: one per core)",
        TOPIC_HOW,
        key="workers",
        kind=Whole(1, MAX_WORKERS),
    ),
]


class WorkOptions(TypedDict, total=False):
    """How many workers play, by default one per core, and by which executor."""

    workers: WORKERS
    executor: Annotated[
        str,
        Option(
            DEFAULT_EXECUTOR,
            "--executor NAME",
            f"where games are played (default: {DEFAULT_EXECUTOR}): dask, dask:tcp://HOST:PORT or"
            " dask:FILE.json for a cluster, serial for a debugger, later to keep the run in its"
            " store for arena resume or volunteers",
            TOPIC_HOW,
        ),
    ]


class OpeningsOption(TypedDict, total=False):
    """Where games begin."""

    openings: Annotated[
        "OpeningsLike | None",
        Option(
            None,
            "--openings WHICH",
            "begin games from random:PLIES, all:PLIES, starts, or a file of PGN, EPD, or lines"
            " with a position or its moves, shuffled by the seed; FILE:NUMBER takes that many"
            " (default: the start)",
            TOPIC_PLAYED,
        ),
    ]


class ProgressOptions(TypedDict, total=False):
    """The function that gets the progress of play, and whether a bar shows it."""

    on_progress: Annotated["OnProgress | None", Option()]
    progress: Annotated[bool, Option(False)]


#: The option of a live file, which a run and its resumption have.
PGN = Annotated[
    "str | os.PathLike[str] | None",
    Option(
        None,
        "--pgn FILE",
        "append every game to this file when it ends, as PGN",
        topic=TOPIC_KEPT,
        key=None,
    ),
]


class PlayOptions(
    GameOptions,
    OpeningsOption,
    WorkOptions,
    ServiceOptions,
    PlayerOptions,
    ProgressOptions,
    total=False,
):
    """Everything that can be said of how games are played. See :func:`arena.fight`."""

    engine: Annotated[
        str,
        Option(
            "auto",
            "--engine NAME",
            "calls asks the players for every move; table plays through a table of them, found"
            " once; batch asks for many moves at once; auto (the default) takes batch where both"
            " players offer it, and the table for long fights where it can",
            TOPIC_HOW,
        ),
    ]
    adjudicate: Annotated[
        str,
        Option(
            "none",
            "--adjudicate WHAT",
            "draws: end a game as a draw once no other outcome is possible",
            TOPIC_PLAYED,
            kind=OneOf(ADJUDICATE),
        ),
    ]
    resign: Annotated[
        str | None,
        Option(
            None,
            "--resign SCORE:MOVES",
            "600:3: a side resigns once it scores its last 3 moves at -600 centipawns or less and"
            " the opponent's last 3 scores agree (default: no side resigns)",
            TOPIC_PLAYED,
            kind=Written(resign_form),
        ),
    ]
    draw: Annotated[
        str | None,
        Option(
            None,
            "--draw SCORE:MOVES:FROM",
            "10:8:40: a game is drawn after 40 moves or more of each side once both score their"
            " last 8 moves within 10 centipawns of 0 (default: no game is)",
            TOPIC_PLAYED,
            kind=Written(draw_form),
        ),
    ]
    wait: Annotated[
        float,
        Option(
            0,
            "--wait SECONDS",
            "wait before each game that is played by calls, so that the machine cools down"
            " (default: no time)",
            TOPIC_PLAYED,
            kind=Number(0, MAX_WAIT),
        ),
    ]
    deals: Annotated[
        str,
        Option(
            DUPLICATE,
            "--deals WHICH",
            "duplicate: both games of a pair have the same cards and dice, as far as they go the"
            " same way; independent: each game has its own",
            TOPIC_PLAYED,
            kind=OneOf(DEALS),
        ),
    ]
    seatings: Annotated[
        str,
        Option(
            ROTATIONS,
            "--seatings WHICH",
            "rotations: the players of a table sit down in every rotation of their order, so that"
            " each has every seat once; all: in every order, for games where the order matters",
            TOPIC_PLAYED,
            kind=OneOf(SEATINGS),
        ),
    ]
    luck: Annotated[
        str,
        Option(
            RAW_LUCK,
            "--luck WHICH",
            "corrected: take out of each payoff what chance brought, and the draws of players"
            " whose probabilities are known, so that fewer games tell as much; raw: leave it in",
            TOPIC_SHOWN,
            kind=OneOf(LUCKS),
        ),
    ]
    value: Annotated[
        "str | os.PathLike[str] | None",
        Option(
            None,
            "--value FILE",
            "with --luck corrected: value histories by the strategies in this file, which arena"
            " solve wrote, or by what the game says of them, game (default: the strategies that cfr"
            " finds before the first game)",
            TOPIC_SHOWN,
            kind=FILE,
        ),
    ]
    count_forfeits: Annotated[
        str,
        Option(
            DEFAULT_COUNT_FORFEITS,
            "--count-forfeits WHICH",
            "all: ratings, intervals and tests count every pair as it was played; none: a pair"
            " with a forfeit counts as two losses of the player that forfeited; tables always show"
            " all games",
            TOPIC_SHOWN,
            kind=OneOf(COUNT_FORFEITS),
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
        ),
    ]
    certificates: Annotated[
        "Sequence[str | os.PathLike[str]]",
        Option(
            (),
            "--certificate FILE",
            "check while it plays that the player named in this certificate plays as certified;"
            " may be given again for another player",
            TOPIC_PLAYED,
            kind=TEXTS,
        ),
    ]
    store: Annotated[
        "StoreLike | None",
        Option(
            None,
            "--store STORE",
            "keep every game in this file or database, postgresql://USER@HOST/DATABASE"
            f" (default: ${STORE}, if that is set)",
            TOPIC_KEPT,
        ),
    ]
    pgn: PGN
    again: Annotated[
        bool,
        Option(
            False,
            "--again",
            "play even if the store has this run already (default: show the stored one)",
            topic=TOPIC_KEPT,
            key=None,
        ),
    ]


class EloOptions(TypedDict, total=False):
    """The two differences in Elo that a sequential test decides between."""

    elo0: Annotated[
        float, Option(0, "--elo0 ELO", "the difference in Elo if H0 is true", TOPIC_OVER)
    ]
    elo1: Annotated[
        float, Option(10, "--elo1 ELO", "the difference in Elo if H1 is true", TOPIC_OVER)
    ]


class ErrorOptions(TypedDict, total=False):
    """The errors of a sequential test, and what its differences in Elo are."""

    alpha: Annotated[
        float,
        Option(
            DEFAULT_ALPHA,
            "--alpha P",
            "probability of accepting H1 wrongly",
            TOPIC_OVER,
            kind=SHARES,
        ),
    ]
    beta: Annotated[
        float,
        Option(
            DEFAULT_BETA, "--beta P", "probability of accepting H0 wrongly", TOPIC_OVER, kind=SHARES
        ),
    ]
    model: Annotated[
        str,
        Option(
            "logistic",
            "--model MODEL",
            "what elo0 and elo1 are: logistic or normalized",
            TOPIC_OVER,
            kind=OneOf(("logistic", "normalized")),
        ),
    ]


class HypothesisOptions(EloOptions, ErrorOptions, total=False):
    """The hypotheses that a sequential test decides between, and its errors."""


class TournamentOptions(PlayOptions, total=False):
    """The question that ends a tournament, if there is one, and how its games are played."""

    until: Annotated[
        str | None,
        Option(
            None,
            "--until QUESTION",
            "play a round robin until it is sure which player is best, which K are (top:K),"
            " or the whole order; -n is then the maximum number of pairs per pairing",
            TOPIC_OVER,
            kind=UntilQuestions(),
        ),
    ]
    margin: Annotated[
        float | None,
        Option(
            None,
            "--margin M",
            "with --until: players whose mean scores differ by at most M need not be told"
            f" apart, in points per game (default: {DEFAULT_MARGIN:g})",
            TOPIC_OVER,
            kind=MARGINS,
        ),
    ]
    alpha: Annotated[
        float | None,
        Option(
            None,
            "--alpha P",
            f"with --until: probability of a wrong answer (default: {DEFAULT_ALPHA:g})",
            TOPIC_OVER,
            kind=SHARES,
        ),
    ]


#: Every option that several commands share, by keyword.
SHARED = PARAMETER_OPTIONS | declared(TournamentOptions)
