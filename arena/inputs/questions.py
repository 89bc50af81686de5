"""Read the questions that games are played for from the options."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from arena.errors import UsageError
from arena.inputs.options import HypothesisOptions, TournamentOptions
from arena.model.defaults import DEFAULT_ALPHA, DEFAULT_MARGIN

if TYPE_CHECKING:
    from arena.records.sequential import Hypotheses
    from arena.records.until import Until


def question_of(options: TournamentOptions) -> Until | None:
    """Return the question that ends a tournament with these complete options.

    Raises UsageError if it makes no sense.
    """
    until, margin, alpha = options["until"], options["margin"], options["alpha"]
    if until is None:
        for name, value in (("margin", margin), ("alpha", alpha)):
            if value is not None:
                raise UsageError(f"--{name} goes with --until")
        return None
    from arena.records.until import OF_TOURNAMENTS, read_until  # most commands answer no question

    margin = DEFAULT_MARGIN if margin is None else margin
    return read_until(
        until, OF_TOURNAMENTS, margin=margin, alpha=DEFAULT_ALPHA if alpha is None else alpha
    )


def hypotheses_of(options: HypothesisOptions) -> Hypotheses:
    """Return the hypotheses that a sequential test with these complete options decides between.

    Raises UsageError if they make no sense.
    """
    from arena.records.sequential import Hypotheses  # most commands test nothing
    from arena.stats.sprt import sprt

    elos = options["elo0"], options["elo1"]
    hypotheses = Hypotheses(*elos, options["alpha"], options["beta"], options["model"])
    sprt([0] * 5, **asdict(hypotheses))
    return hypotheses
