"""Declare the options of sitting down at a board."""

# Annotations are read at run time, so they are not postponed here.
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from arena.inputs.options import GameOptions
from arena.signatures import Option

if TYPE_CHECKING:
    from arena.plugin.catalogue import Catalogue


class SitOptions(GameOptions, total=False):
    """Which game is played, and what was played of it before."""

    moves: Annotated["Sequence[str]", Option(())]
    winners: Annotated["Sequence[int | None]", Option(())]
    catalogue: Annotated["Catalogue | None", Option()]
