"""Declare the options of fights that a rule ends."""

# Annotations are read at run time, so they are not postponed here.
from typing import Annotated, TypedDict

from arena.inputs.options import DEFAULT_CAP, MARGINS, HypothesisOptions, PlayOptions
from arena.kinds import SHARES
from arena.model.defaults import DEFAULT_ALPHA
from arena.signatures import TOPIC_OVER, Option


class SprtOptions(HypothesisOptions, PlayOptions, total=False):
    """A sequential test, and how its games are played."""


class QuestionOptions(TypedDict, total=False):
    """The question that games are played for."""

    until: Annotated[
        str | float,
        Option(
            "better",
            "--until",
            "play until the question is answered: ±2% (the half-width of the interval), or"
            " better (which player is); -n is then the maximum number of pairs (default:"
            f" {DEFAULT_CAP})",
            "WHAT",
            TOPIC_OVER,
        ),
    ]
    margin: Annotated[
        float | None,
        Option(
            None,
            "--margin",
            "with --until: also stop once the score is known to lie within M of one half, in"
            " points per game",
            "M",
            TOPIC_OVER,
            kind=MARGINS,
        ),
    ]
    alpha: Annotated[
        float,
        Option(
            DEFAULT_ALPHA,
            "--alpha",
            "probability of accepting H1 wrongly, or of a wrong answer to --until",
            "P",
            TOPIC_OVER,
            kind=SHARES,
        ),
    ]


class UntilOptions(QuestionOptions, PlayOptions, total=False):
    """The question that games are played for, and how they are played."""
