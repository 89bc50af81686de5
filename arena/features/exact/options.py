"""Declare the options of exact results."""

from arena.inputs.options import GameOption, OpeningsOption, PlayerOptions, WorkOptions
from arena.inputs.proof_options import PositionsOption, TimeOption


class ExactOptions(
    GameOption,
    OpeningsOption,
    PlayerOptions,
    PositionsOption,
    TimeOption,
    WorkOptions,
    total=False,
):
    """At which game results are exact, from where, how far, and where they are calculated."""
