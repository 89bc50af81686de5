"""Declare the options of resuming a run."""

# Annotations are read at run time, so they are not postponed here.
from collections.abc import Sequence
from typing import Annotated

from arena.inputs.options import PGN, PlayerOptions, ProgressOptions, WorkOptions
from arena.inputs.service_options import ServiceOptions
from arena.kinds import TEXTS, OneOf
from arena.signatures import Option

#: The ways in which ``resume`` treats a player whose code has changed; the first by default.
CHANGED = ("refuse", "keep", "replay")


class ResumeOptions(WorkOptions, ServiceOptions, PlayerOptions, ProgressOptions, total=False):
    """How a run is resumed."""

    pgn: PGN
    add: Annotated[
        "Sequence[str]",
        Option((), "--add PLAYER", "add this player; may be given again", kind=TEXTS),
    ]
    replace: Annotated[
        "Sequence[str]",
        Option(
            (),
            "--replace OLD=NEW",
            "replace OLD by NEW; the games of OLD no longer count",
            kind=TEXTS,
        ),
    ]
    withdraw: Annotated[
        "Sequence[str]",
        Option(
            (), "--withdraw PLAYER", "remove this player; its games no longer count", kind=TEXTS
        ),
    ]
    changed_players: Annotated[
        str,
        Option(
            CHANGED[0],
            "--changed-players WHAT",
            "when a player's code has changed: refuse (the default), keep the games it has played,"
            " or replay its fights",
            kind=OneOf(CHANGED),
        ),
    ]
