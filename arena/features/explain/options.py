"""Declare the options of explaining a game."""

# Annotations are read at run time, so they are not postponed here.
import os
from typing import Annotated

from arena.features.replay.options import GameIdOptions
from arena.inputs.options import PlayerOptions
from arena.inputs.proof_options import POSITIONS
from arena.kinds import FILE, Whole
from arena.proof.explaining import MAX_MOVE_POSITIONS
from arena.signatures import Option

#: Positions that a solver looks at for the worth of a move: some four seconds.
SOLVER_POSITIONS = 20_000_000


class ExplainOptions(PlayerOptions, GameIdOptions, total=False):
    """How hard a game is searched, and how its players are found."""

    max_positions: Annotated[
        int,
        Option(
            MAX_MOVE_POSITIONS,
            "--max-positions N",
            "search this many positions for each move of a game that is too large to solve",
            kind=POSITIONS,
        ),
    ]
    certificate: Annotated[
        "str | os.PathLike[str] | None",
        Option(None, "--certificate FILE", "rely on what this certificate proves", kind=FILE),
    ]
    solver_positions: Annotated[
        int,
        Option(
            SOLVER_POSITIONS,
            "--solver-positions N",
            "with --certificate at four in a row: solve over this many positions for each move"
            " that nothing else values",
            kind=Whole(1, 10**12),
        ),
    ]
