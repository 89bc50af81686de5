"""Declare the options that the functions of this package share, each once.

The key and its type in a TypedDict are the keyword. Its :class:`arena.signatures.Option` declares
the rest: the flag of the commands, the key in a contest's file, the default and the help follow.
"""

# Annotations are read at run time, so they are not postponed here.
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from arena.errors import UsageError
from arena.kinds import SHARES, TEXTS, Kind, Number, OneOf, Whole
from arena.model.defaults import (
    ADJUDICATE,
    COUNT_FORFEITS,
    DEFAULT_ALPHA,
    DEFAULT_BETA,
    DEFAULT_COUNT_FORFEITS,
    DEFAULT_EXECUTOR,
    DEFAULT_GAME,
    DEFAULT_MARGIN,
    STORE,
)
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

#: The form of texts, in words, and the function that reads one or raises UsageError.
Form = tuple[str, Callable[[Any], object]]


@dataclass(frozen=True)
class Written(Kind):
    """Texts of a form. The form is loaded when the first text is read."""

    load: Callable[[], Form]

    @property
    def words(self) -> str:
        """What a value must be."""
        return self.load()[0]

    def check(self, value: Any) -> Any:
        """Return the text as it is."""
        words, read = self.load()
        try:
            read(value)
        except UsageError:
            raise ValueError(words) from None
        return value


class Question(Kind):
    """Questions that end a tournament."""

    @property
    def words(self) -> str:
        """What a value must be."""
        return "a text, as in best"

    def check(self, value: Any) -> str:
        """Return the question as it is. Raises UsageError for one that a tournament cannot have."""
        from arena.records.until import OF_TOURNAMENTS, read_until  # few runs have a question

        if not isinstance(value, str):
            raise ValueError(self.words)
        read_until(value, OF_TOURNAMENTS)
        return value


def _resign() -> Form:
    from arena.records.adjudication import RESIGN_FORM, ResignRule  # few runs have such a rule

    return RESIGN_FORM, ResignRule.read


def _draw() -> Form:
    from arena.records.adjudication import DRAW_FORM, DrawRule  # few runs have such a rule

    return DRAW_FORM, DrawRule.read


#: A difference in points per game that is less than that of a win and a draw.
MARGINS = Number(0, 0.5, excludes_ends=True)

#: The options that functions take as parameters of their own.
PARAMETER_OPTIONS = {
    "n": Option(
        None,
        "-n",
        f"number of game pairs, each player moving first once (default: {DEFAULT_PAIRS})",
        "N",
        TOPIC_PLAYED,
        key="pairs",
        kind=PAIRS,
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
            "the game, as listed by: arena games",
            "GAME",
            TOPIC_PLAYED,
            key="game",
        ),
    ]


class SeedOption(TypedDict, total=False):
    """The seed of all draws; None draws a fresh one."""

    seed: Annotated[
        int | None,
        Option(
            None,
            "--seed",
            "the same seed gives the same games (default: a fresh one, printed)",
            "S",
            TOPIC_PLAYED,
            key="seed",
            kind=SEEDS,
        ),
    ]


class GameOptions(GameOption, SeedOption, total=False):
    """Which game is played, and under which seed."""


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
            kind=Whole(1, MAX_WORKERS),
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


class OpeningsOption(TypedDict, total=False):
    """Where games begin."""

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


class ProgressOptions(TypedDict, total=False):
    """Whose function hears of the progress of play, and whether a bar shows it."""

    on_progress: Annotated["OnProgress | None", Option()]
    progress: Annotated[bool, Option(False)]


class PlayOptions(
    GameOptions, OpeningsOption, WorkOptions, PlayerOptions, ProgressOptions, total=False
):
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
    adjudicate: Annotated[
        str,
        Option(
            "none",
            "--adjudicate",
            "draws: end a game as a draw once no other outcome is possible",
            "WHAT",
            TOPIC_PLAYED,
            key="adjudicate",
            kind=OneOf(ADJUDICATE),
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
            kind=Written(_resign),
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
            kind=Written(_draw),
        ),
    ]
    count_forfeits: Annotated[
        str,
        Option(
            DEFAULT_COUNT_FORFEITS,
            "--count-forfeits",
            "all: ratings, intervals and tests count every pair as it was played; none: a pair"
            " with a forfeit counts as two losses of the player that forfeited; tables always show"
            " all games",
            "WHICH",
            TOPIC_SHOWN,
            key="count-forfeits",
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
            key="keep-going",
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
            kind=TEXTS,
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
        ),
    ]


class EloOptions(TypedDict, total=False):
    """The two differences in Elo that a sequential test decides between."""

    elo0: Annotated[
        float, Option(0, "--elo0", "the difference in Elo if H0 is true", "ELO", TOPIC_OVER)
    ]
    elo1: Annotated[
        float, Option(10, "--elo1", "the difference in Elo if H1 is true", "ELO", TOPIC_OVER)
    ]


class ErrorOptions(TypedDict, total=False):
    """The errors of a sequential test, and what its differences in Elo are."""

    alpha: Annotated[
        float,
        Option(
            DEFAULT_ALPHA,
            "--alpha",
            "probability of accepting H1 wrongly",
            "P",
            TOPIC_OVER,
            kind=SHARES,
        ),
    ]
    beta: Annotated[
        float,
        Option(
            DEFAULT_BETA,
            "--beta",
            "probability of accepting H0 wrongly",
            "P",
            TOPIC_OVER,
            kind=SHARES,
        ),
    ]
    model: Annotated[
        str,
        Option(
            "logistic",
            "--model",
            "what elo0 and elo1 are: logistic or normalized",
            "MODEL",
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
            "--until",
            "play a round robin until it is sure which player is best, which K are (top:K),"
            " or the whole order; -n is then the maximum number of pairs per pairing",
            "QUESTION",
            TOPIC_OVER,
            key="until",
            kind=Question(),
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
            kind=MARGINS,
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
            kind=SHARES,
        ),
    ]


#: Every option that several commands share, by keyword.
SHARED = PARAMETER_OPTIONS | declared(TournamentOptions)
