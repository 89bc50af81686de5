"""Declare the options of checks of players and of games."""

# Annotations are read at run time, so they are not postponed here.
from typing import TYPE_CHECKING, Annotated, TypedDict

from arena.inputs.options import SEEDS, GameOptions, PlayerOptions
from arena.inputs.proof_options import POSITIONS, PatienceOption
from arena.kinds import Whole
from arena.signatures import TOPIC_HOW, TOPIC_SHOWN, Option

if TYPE_CHECKING:
    from arena.plugin.catalogue import Catalogue

#: A game with secrets of at most this many histories is followed wholly, by default.
MAX_HISTORIES = 50_000


class CheckOptions(GameOptions, PlayerOptions, PatienceOption, total=False):
    """How a player is checked."""

    positions: Annotated[
        int | None,
        Option(
            None,
            "--positions N",
            "ask at this many positions (default: all of a small game, 1000 of a larger one); a"
            " player that keeps state, as engines do, plays whole games of about as many turns",
            TOPIC_HOW,
            kind=POSITIONS,
        ),
    ]
    timed: Annotated[
        bool, Option(False, "--time", "show how long a move takes, too, which varies", TOPIC_SHOWN)
    ]


class CheckGameOptions(TypedDict, total=False):
    """How a game is checked."""

    seed: Annotated[int, Option(1, kind=SEEDS)]
    catalogue: Annotated["Catalogue | None", Option()]
    histories: Annotated[
        int,
        Option(
            MAX_HISTORIES,
            "--histories N",
            "of a game with secrets follow up to N histories, and where there are more as many of"
            " random games",
            TOPIC_HOW,
            kind=Whole(1, 10**9),
        ),
    ]
