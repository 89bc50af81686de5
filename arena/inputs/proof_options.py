"""Declare the options of proofs, checks and other calculations, each once."""

# Annotations are read at run time, so they are not postponed here.
from typing import Annotated, TypedDict

from arena.inputs.options import GameOption, GameOptions, PlayerOptions
from arena.kinds import Number, Whole
from arena.model.defaults import MAX_POSITIONS
from arena.signatures import TOPIC_HOW, Option

#: Numbers of positions.
POSITIONS = Whole(1, 10**9)


class TimeOption(TypedDict, total=False):
    """How long a calculation may take."""

    max_seconds: Annotated[
        float | None,
        Option(
            None,
            "--max-seconds S",
            "give up after so many seconds (default: never)",
            TOPIC_HOW,
            kind=Number(0, 10**9, excludes_ends=True),
        ),
    ]


class PositionsOption(TypedDict, total=False):
    """How many positions a calculation may reach."""

    max_positions: Annotated[
        int,
        Option(
            MAX_POSITIONS,
            "--max-positions N",
            "give up after this many positions",
            TOPIC_HOW,
            kind=POSITIONS,
        ),
    ]


class ProofOptions(GameOption, PlayerOptions, PositionsOption, TimeOption, total=False):
    """At which game players are proved, and how far."""


class PatienceOption(TypedDict, total=False):
    """How long an answer may take."""

    patience: Annotated[
        float,
        Option(
            60.0,
            "--patience S",
            "seconds allowed for one answer",
            TOPIC_HOW,
            kind=Number(0, 10**6, excludes_ends=True),
        ),
    ]


class AskOptions(GameOptions, PlayerOptions, PatienceOption, total=False):
    """How a player is asked at one position."""

    times: Annotated[
        int,
        Option(1, "--repeat N", "ask this many times, each in a new process", kind=Whole(1, 10**6)),
    ]
