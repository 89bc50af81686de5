"""Declare the options of functions that take the id of a game."""

# Annotations are read at run time, so they are not postponed here.
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, TypedDict

from arena.inputs.options import PlayerOptions
from arena.kinds import FILE, TEXTS
from arena.signatures import Option

if TYPE_CHECKING:
    from arena.inputs.resolve import StoreLike


class SpecsOption(TypedDict, total=False):
    """Where players come from that a game's id has under a name."""

    players: Annotated[
        "Sequence[str]",
        Option(
            (),
            "--player NAME=SPEC",
            "where the player behind a name in the id is, as in alice=./alice.py",
            kind=TEXTS,
        ),
    ]


class GameIdOptions(SpecsOption, total=False):
    """Where the game of an id comes from. It needs no store to be played again."""

    store: Annotated[
        "StoreLike | None",
        Option(
            None,
            "--store STORE",
            "show the game as it was played, from this store, without its players; ID 3 is then"
            " the third game of the store's last run",
        ),
    ]


class AnswersOption(TypedDict, total=False):
    """The file with the answers of language models."""

    record: Annotated[
        "str | os.PathLike[str] | None",
        Option(
            None,
            "--record FILE",
            "take the answers of language models from this file, which --record of a run wrote;"
            " they are not asked again",
            kind=FILE,
        ),
    ]


class ReplayOptions(GameIdOptions, AnswersOption, PlayerOptions, total=False):
    """How a game is played again."""
