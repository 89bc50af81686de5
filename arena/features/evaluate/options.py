"""Declare the options of evaluating players."""

# Annotations are read at run time, so they are not postponed here.
from typing import Annotated, TypedDict

from arena.inputs.stored_options import RecountOption, StoredGameOption
from arena.kinds import OneOf
from arena.signatures import Option

#: Players meet each other, or each game is a task.
WAYS = ("player", "game")
BY_GAME = WAYS[1]


class WayOption(TypedDict, total=False):
    """What players are compared by."""

    by: Annotated[
        str,
        Option(
            WAYS[0],
            "--by {player,game}",
            "compare players by the scores against each other, or by those at all games of the"
            " runs, each of which is a task and votes",
            kind=OneOf(WAYS),
        ),
    ]


class EvaluateOptions(StoredGameOption, WayOption, RecountOption, total=False):
    """Which results of stores are evaluated, and how."""
