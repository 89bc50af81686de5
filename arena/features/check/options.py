"""Declare the options of checks of players."""

# Annotations are read at run time, so they are not postponed here.
from typing import Annotated

from arena.inputs.options import GameOptions, PlayerOptions
from arena.inputs.proof_options import POSITIONS, PatienceOption
from arena.signatures import Option


class CheckOptions(GameOptions, PlayerOptions, PatienceOption, total=False):
    """How a player is checked."""

    positions: Annotated[
        int | None,
        Option(
            None,
            "--positions N",
            "ask at this many positions (default: all of a small game, 1000 of a larger one); a"
            " player that keeps state, as engines do, plays whole games of about as many turns",
            kind=POSITIONS,
        ),
    ]
    timed: Annotated[bool, Option(False, "--time", "show how long a move takes, too, which varies")]
