"""Declare the options of fights that a rule ends."""

# Annotations are read at run time, so they are not postponed here.
from typing import Annotated, TypedDict

from arena.inputs.options import DEFAULT_CAP, MARGINS, HypothesisOptions, PlayOptions
from arena.kinds import SHARES
from arena.model.defaults import DEFAULT_ALPHA, DEFAULT_MARGIN
from arena.signatures import TOPIC_OVER, Option


class SprtOptions(HypothesisOptions, PlayOptions, total=False):
    """A sequential test, and how its games are played."""


class QuestionOptions(TypedDict, total=False):
    """The question that games are played for."""

    until: Annotated[
        str | float,
        Option(
            "better",
            "--until WHAT",
            "play until the question is answered: ±2% (the half-width of the interval),"
            " better (which player is), or cheapest (which player to take, by score and cost);"
            f" -n is then the maximum number of pairs (default: {DEFAULT_CAP})",
            TOPIC_OVER,
        ),
    ]
    margin: Annotated[
        float | None,
        Option(
            None,
            "--margin M",
            "with --until better: also stop once the score is known to lie within M of one half, in"
            " points per game; with --until cheapest: how much worse the cheaper player may be"
            f" (default: {DEFAULT_MARGIN:g})",
            TOPIC_OVER,
            kind=MARGINS,
        ),
    ]
    alpha: Annotated[
        float,
        Option(
            DEFAULT_ALPHA,
            "--alpha P",
            "probability of accepting H1 wrongly, or of a wrong answer to --until",
            TOPIC_OVER,
            kind=SHARES,
        ),
    ]


class UntilOptions(QuestionOptions, PlayOptions, total=False):
    """The question that games are played for, and how they are played."""
