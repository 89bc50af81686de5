"""Declare the options of regression runs."""

# Annotations are read at run time, so they are not postponed here.
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from arena.inputs.options import PAIRS, SEEDS, PlayerOptions, WorkOptions
from arena.inputs.service_options import ServiceOptions
from arena.kinds import FILE, SHARES, Kind
from arena.signatures import TOPIC_OVER, TOPIC_PLAYED, Option

if TYPE_CHECKING:
    from arena.inputs.resolve import GameLike, StoreLike

#: The baseline that is meant when none is named: a file in the current folder.
DEFAULT_BASELINE = "arena-baseline.json"

#: The probability that any player is wrongly called weaker.
DEFAULT_LEVEL = 0.05

#: The fall in points per game that games must show or exclude, and the same with --quick.
DEFAULT_REGRESSION_MARGIN = 0.05
QUICK_MARGIN = 0.1

#: Pairs that games need over the whole panel: a fall by DEFAULT_REGRESSION_MARGIN is then found in
#: 95 % of the runs, whatever the game. The results of two pairs differ most, with a variance of 1/4
#: in points per game, if no game is drawn and every outcome is even:
#: 1/4 * ((1.96 + 1.645) / 0.05)**2 = 1300.
ENOUGH_PAIRS = 1400

#: Pairs that an update plays against each opponent at least, and their seed, by default.
MIN_UPDATE_PAIRS = 200
DEFAULT_UPDATE_SEED = 1


class Names(Kind):
    """Different names of players, with commas between them on the command line."""

    @property
    def words(self) -> str:
        """The values that it allows, in words."""
        return "different names with commas"

    def check(self, value: Any) -> tuple[str, ...]:
        """Return the names."""
        is_list = isinstance(value, list | tuple) and all(isinstance(name, str) for name in value)
        if not is_list or not all(value) or len(set(value)) < len(value):
            raise ValueError(self.words)
        return tuple(value)

    def read(self, text: str) -> tuple[str, ...]:
        """Return the names of a text."""
        return self.check([name.strip() for name in text.split(",")])


class RegressOptions(WorkOptions, ServiceOptions, PlayerOptions, total=False):
    """How players are checked against a baseline. See :func:`regress`."""

    game: Annotated[
        "GameLike | None",
        Option(
            None,
            "--game GAME",
            "check only this game (default: those of the baseline)",
            TOPIC_PLAYED,
        ),
    ]
    baseline: Annotated[
        "str | Path | None",
        Option(
            None,
            "--baseline FILE",
            f"what to compare with (default: {DEFAULT_BASELINE}, if it is there)",
            kind=FILE,
        ),
    ]
    update: Annotated[
        bool, Option(False, "--update", "rewrite the baseline, to accept what changed")
    ]
    panel: Annotated[
        "Sequence[str]",
        Option(
            (),
            "--panel A,B,...",
            "the opponents to measure strength against (default: the baseline's; for a"
            " new one, all players)",
            kind=Names(),
        ),
    ]
    quick: Annotated[
        bool, Option(False, "--quick", "play at most half the pairs, with a larger margin")
    ]
    level: Annotated[
        float,
        Option(
            DEFAULT_LEVEL,
            "--level P",
            "probability of wrongly calling any player weaker",
            kind=SHARES,
        ),
    ]
    margin: Annotated[
        float | None,
        Option(
            None,
            "--margin POINTS",
            "the fall that games must show or rule out, in points per game, or as a share of"
            " what a game pays (default:"
            f" {DEFAULT_REGRESSION_MARGIN}, with --quick {QUICK_MARGIN})",
            TOPIC_OVER,
            kind=SHARES,
        ),
    ]
    n: Annotated[
        int | None,
        Option(
            None,
            "-n N",
            "number of pairs against each opponent where policies cannot be enumerated: with"
            " --update, or if the baseline has a policy (default: the baseline's, or"
            f" {ENOUGH_PAIRS} shared by the opponents, at least {MIN_UPDATE_PAIRS} each)",
            TOPIC_PLAYED,
            kind=PAIRS,
        ),
    ]
    seed: Annotated[
        int | None,
        Option(
            None,
            "--seed S",
            f"the seed of these pairs (default: the baseline's, or {DEFAULT_UPDATE_SEED})",
            TOPIC_PLAYED,
            kind=SEEDS,
        ),
    ]
    store: Annotated["StoreLike | None", Option(None, "--store", kind=FILE)]
