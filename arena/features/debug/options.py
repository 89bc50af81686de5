"""Declare the options of debugging a player."""

# Annotations are read at run time, so they are not postponed here.
from typing import TYPE_CHECKING, Annotated

from arena.features.replay.options import SpecsOption
from arena.kinds import Whole
from arena.signatures import Option

if TYPE_CHECKING:
    from arena.plugin.catalogue import Catalogue


class DebugOptions(SpecsOption, total=False):
    """Which game is played again, and where the debugger stops."""

    move: Annotated[
        int | None,
        Option(
            None,
            "--move K",
            "stop before the player makes this move of the game, as arena replay counts them",
            kind=Whole(1, 10**6),
        ),
    ]
    catalogue: Annotated["Catalogue | None", Option()]
