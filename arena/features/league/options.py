"""Declare the options of what a league does."""

# Annotations are read at run time, so they are not postponed here.
import os
from typing import TYPE_CHECKING, Annotated, TypedDict

from arena.features.league.files import LEAGUE_FILE
from arena.inputs.options import WORKERS
from arena.kinds import FILE
from arena.signatures import Option

if TYPE_CHECKING:
    from arena.plugin.catalogue import Catalogue


class LeagueFileOption(TypedDict, total=False):
    """The file of the league."""

    file: Annotated[
        "str | os.PathLike[str]",
        Option(LEAGUE_FILE, "--league FILE", "the file of the league", kind=FILE),
    ]


class LeagueOptions(LeagueFileOption, total=False):
    """Which league it is, and where its game and players are found by name."""

    catalogue: Annotated["Catalogue | None", Option()]


class PlayLeagueOptions(LeagueFileOption, total=False):
    """How a league is played. The secret is the file with the hidden seed of a season."""

    secret: Annotated[
        "str | os.PathLike[str] | None",
        Option(
            None,
            "--secret FILE",
            "with seal: the file to write the hidden seed to; play, archive",
            kind=FILE,
        ),
    ]
    workers: WORKERS
    catalogue: Annotated["Catalogue | None", Option()]
