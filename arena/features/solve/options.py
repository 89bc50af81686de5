"""Declare the options of solving a game."""

# Annotations are read at run time, so they are not postponed here.
import os
from typing import TYPE_CHECKING, Annotated

from arena.inputs.proof_options import POSITIONS, TimeOption
from arena.kinds import FILE
from arena.signatures import TOPIC_HOW, Option

if TYPE_CHECKING:
    from arena.plugin.catalogue import Catalogue


class GameValueOptions(TimeOption, total=False):
    """How far a game is solved, where its solution is written, and where it is found by name."""

    certificate: Annotated[
        "str | os.PathLike[str] | None",
        Option(
            None,
            "--certificate FILE",
            "write moves that prove the value; arena certify --check FILE verifies them",
            kind=FILE,
        ),
    ]
    max_positions: Annotated[
        int | None,
        Option(
            None,
            "--max-positions N",
            "give up after this many positions (default: as many as fit into a gigabyte)",
            TOPIC_HOW,
            kind=POSITIONS,
        ),
    ]
    catalogue: Annotated["Catalogue | None", Option()]


class SolveOptions(GameValueOptions, total=False):
    """How far a position is solved, and what is kept of it."""

    checkpoint: Annotated[
        "str | os.PathLike[str] | None",
        Option(
            None,
            "--checkpoint FOLDER",
            "save the state of a long search here, and resume from it",
            kind=FILE,
        ),
    ]
    plies: Annotated[
        bool,
        Option(True, "--value-only", "find only the value, not after how many plies the game ends"),
    ]
