"""Declare the options of training."""

# Annotations are read at run time, so they are not postponed here.
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from arena.inputs.options import PlayerOptions, SeedOption
from arena.kinds import Kind, Number, Whole
from arena.records.training import SELF
from arena.signatures import Option

if TYPE_CHECKING:
    from arena.inputs.resolve import PlayerLike

#: The most games at once: more need memory, and teach little.
MAX_GAMES_AT_ONCE = 4096

#: More games than a user trains with; larger numbers are slips.
MAX_TRAINED_GAMES = 10**9


class FeatureNames(Kind):
    """Names of features, with commas between them on the command line."""

    @property
    def words(self) -> str:
        """The values that it allows, in words."""
        return "names of features"

    def check(self, value: Any) -> Sequence[str]:
        """Return the names."""
        if not isinstance(value, list | tuple) or not all(isinstance(name, str) for name in value):
            raise ValueError(self.words)
        return value

    def read(self, text: str) -> Sequence[str]:
        """Return the names of a text."""
        return text.split(",")


class TrainOptions(SeedOption, PlayerOptions, total=False):
    """How a player is trained. See :func:`train`."""

    against: Annotated[
        "PlayerLike", Option(SELF, "--against PLAYER", "a stateless player, or self (the default)")
    ]
    games: Annotated[
        int,
        Option(
            5000, "--games N", "number of games to learn from", kind=Whole(1, MAX_TRAINED_GAMES)
        ),
    ]
    features: Annotated[
        "Sequence[str]",
        Option(
            ("rules",),
            "--features NAME[,..]",
            "squares, counts, list, rules, and single ones; an unknown name lists all (default:"
            " rules)",
            kind=FeatureNames(),
        ),
    ]
    start: Annotated[str, Option("random", "--start BOARD", "where games begin: empty or random")]
    rate: Annotated[
        float, Option(0.01, "--rate X", "the learning rate", kind=Number(0, excludes_ends=True))
    ]
    at_once: Annotated[
        int,
        Option(
            1,
            "--at-once N",
            "number of games to play in lockstep with the same weights: several times faster",
            kind=Whole(1, MAX_GAMES_AT_ONCE),
        ),
    ]
    curve: Annotated[bool, Option(False, "--curve", "measure the exact strength during training")]
    on_progress: Annotated["Callable[[int], object] | None", Option()]
