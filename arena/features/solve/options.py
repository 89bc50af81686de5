"""Declare the options of solving a game."""

# Annotations are read at run time, so they are not postponed here.
import os
from typing import TYPE_CHECKING, Annotated

from arena.inputs.proof_options import POSITIONS, TimeOption
from arena.kinds import FILE
from arena.signatures import TOPIC_HOW, Option

if TYPE_CHECKING:
    from arena.plugin.catalogue import Catalogue


class SolveOptions(TimeOption, total=False):
    """How far a game is solved, what is kept of it, and where games are found by name."""

    certificate: Annotated[
        "str | os.PathLike[str] | None",
        Option(
            None,
            "--certificate",
            "write moves that prove the value; arena certify --check FILE verifies them",
            "FILE",
            kind=FILE,
        ),
    ]
    checkpoint: Annotated[
        "str | os.PathLike[str] | None",
        Option(
            None,
            "--checkpoint",
            "save the state of a long search here, and resume from it",
            "FOLDER",
            kind=FILE,
        ),
    ]
    max_positions: Annotated[
        int | None,
        Option(
            None,
            "--max-positions",
            "give up after this many positions (default: as many as fit into a gigabyte)",
            "N",
            TOPIC_HOW,
            kind=POSITIONS,
        ),
    ]
    plies: Annotated[
        bool,
        Option(
            True,
            "--value-only",
            "find only the value, not after how many plies the game ends",
        ),
    ]
    catalogue: Annotated["Catalogue | None", Option()]
