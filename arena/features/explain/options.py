"""Declare the options of explaining a game."""

# Annotations are read at run time, so they are not postponed here.
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from arena.inputs.options import PlayerOptions
from arena.inputs.proof_options import POSITIONS
from arena.kinds import FILE, TEXTS, Whole
from arena.proof.explaining import MAX_MOVE_POSITIONS
from arena.signatures import Option

if TYPE_CHECKING:
    from arena.inputs.resolve import StoreLike


#: Positions that a solver looks at for the worth of a move: some four seconds.
SOLVER_POSITIONS = 20_000_000


class ExplainOptions(PlayerOptions, total=False):
    """How hard a game is searched, and how its players are found."""

    players: Annotated["Sequence[str]", Option((), kind=TEXTS)]
    store: Annotated["StoreLike | None", Option()]
    max_positions: Annotated[
        int,
        Option(
            MAX_MOVE_POSITIONS,
            "--max-positions",
            "search this many positions for each move of a game that is too large to solve",
            "N",
            kind=POSITIONS,
        ),
    ]
    certificate: Annotated[
        "str | os.PathLike[str] | None",
        Option(None, "--certificate", "rely on what this certificate proves", "FILE", kind=FILE),
    ]
    solver_positions: Annotated[
        int,
        Option(
            SOLVER_POSITIONS,
            "--solver-positions",
            "with --certificate at four in a row: solve over this many positions for each move"
            " that nothing else values",
            "N",
            kind=Whole(1, 10**12),
        ),
    ]
