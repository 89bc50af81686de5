"""Declare the options of listing games."""

# Annotations are read at run time, so they are not postponed here.
from typing import TYPE_CHECKING, Annotated, TypedDict

from arena.kinds import OneOf
from arena.records.entrants import UNPLAYED
from arena.signatures import Option

if TYPE_CHECKING:
    from arena.plugin.catalogue import Catalogue

#: The results of a game for a player.
PLAYER_RESULTS = ("won", "drawn", "lost")

#: Why a player may forfeit a game.
REASONS = (
    *("illegal", "exception", "timeout", "crash", "protocol", "import-error", "budget"),
    *("memory", "off-turn", "referee"),
    UNPLAYED,
)


class BrowseOptions(TypedDict, total=False):
    """Which games of a store are listed."""

    player: Annotated[str | None, Option(None, "--player NAME", "only games of this player")]
    result: Annotated[str | None, Option(kind=OneOf(PLAYER_RESULTS))]
    reason: Annotated[
        str | None,
        Option(
            None,
            "--reason REASON",
            "only games that ended by a forfeit of this kind, such as timeout",
            kind=OneOf(REASONS),
        ),
    ]
    catalogue: Annotated["Catalogue | None", Option()]
