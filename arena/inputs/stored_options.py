"""Declare the options of functions that read what stores have, each once."""

# Annotations are read at run time, so they are not postponed here.
from dataclasses import replace
from typing import Annotated, TypedDict

from arena.inputs.options import SHARED
from arena.signatures import Option

_COUNTED = SHARED["count_forfeits"]


class StoredGameOption(TypedDict, total=False):
    """The game whose runs count. None takes those of all games."""

    game: Annotated[str | None, Option(None, "--game GAME", "count only the runs at this game")]


class RecountOption(TypedDict, total=False):
    """Which pairs of a run count. None counts them as the run did."""

    count_forfeits: Annotated[
        str | None,
        replace(_COUNTED, default=None, help=f"{_COUNTED.help} (default: as the run was played)"),
    ]
