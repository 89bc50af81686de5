"""Declare the options of plans: of a pairing, and of a tournament."""

# Annotations are read at run time, so they are not postponed here.
from typing import Annotated, TypedDict

from arena.inputs.options import (
    DEFAULT_CAP,
    MARGINS,
    GameOptions,
    HypothesisOptions,
    PlayerOptions,
    SeedOption,
    WorkOptions,
)
from arena.inputs.service_options import ServiceOptions
from arena.kinds import SHARES, Whole
from arena.model.defaults import DEFAULT_ALPHA, DEFAULT_MARGIN
from arena.signatures import TOPIC_PLAYED, Option
from arena.stats.plan_ranks import MAX_PLANNED_ENTRANTS

#: Pairs of the trial that a plan is made from: the default, and their bounds.
DEFAULT_TRIAL_PAIRS = 200
TRIAL_PAIRS = Whole(1, 10**6)

#: The flag of the trial's pairs, which ``n`` of :func:`arena.plan` is.
TRIAL_OPTION = Option(
    None,
    "-n N",
    f"number of pairs in the trial that is played first (default: {DEFAULT_TRIAL_PAIRS}); with"
    f" --until the maximum number of pairs per pairing (default: {DEFAULT_CAP})",
    TOPIC_PLAYED,
    kind=TRIAL_PAIRS,
)


class AimOptions(TypedDict, total=False):
    """The aims that games are planned for."""

    error: Annotated[float, Option(10.0, "--error ELO", "the error that you accept in an estimate")]
    loss_rate: Annotated[
        float,
        Option(0.001, "--loss-rate P", "the loss rate to rule out for a player that does not lose"),
    ]
    entrants: Annotated[
        int | None,
        Option(
            None,
            "--entrants N",
            "also plan a round robin that separates the ranks of N players",
            kind=Whole(2, MAX_PLANNED_ENTRANTS),
        ),
    ]
    apart: Annotated[
        float,
        Option(
            20.0,
            "--apart ELO",
            "the distance from each of them to the next, in normalized Elo where games pay",
        ),
    ]


class PlanOptions(
    HypothesisOptions,
    AimOptions,
    GameOptions,
    WorkOptions,
    ServiceOptions,
    PlayerOptions,
    total=False,
):
    """A sequential test that is planned, and how the trial is played."""


class TournamentPlanOptions(SeedOption, total=False):
    """The tournament that is planned: its players, and how sure its answer is."""

    margin: Annotated[
        float, Option(DEFAULT_MARGIN, "--margin M", "as for arena tournament", kind=MARGINS)
    ]
    alpha: Annotated[float, Option(DEFAULT_ALPHA, kind=SHARES)]
    draws: Annotated[
        float, Option(0.5, "--draws SHARE", "the share of draws between equal players")
    ]
