"""The keywords that the functions of this package share, each declared once."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, TypedDict

from arena.errors import UsageError
from arena.executors.base import DEFAULT_EXECUTOR
from arena.inputs.resolve import DEFAULT_GAME, GameLike, IsolationLike, OpeningsLike, StoreLike
from arena.plugin.catalogue import Catalogue
from arena.proof.limit import MAX_POSITIONS

if TYPE_CHECKING:
    from arena.fights.play import OnProgress
    from arena.records.sequential import Hypotheses
    from arena.records.until import Until


#: More pairs than a user plays; larger numbers are slips.
MAX_PAIRS = 10**15
MAX_WORKERS = 1024


class GameOptions(TypedDict, total=False):
    """Which game is played, and under which seed; None draws a fresh one."""

    game: GameLike
    seed: int | None


class PlayerOptions(TypedDict, total=False):
    """How players are isolated, and where they are found by name."""

    isolation: IsolationLike | None
    catalogue: Catalogue | None


class WorkOptions(TypedDict, total=False):
    """How many workers play, by default one per core, and by which executor."""

    workers: int | None
    executor: str


class PlayOptions(GameOptions, WorkOptions, PlayerOptions, total=False):
    """Everything that can be said of how games are played; see :func:`arena.fight`."""

    engine: str
    openings: OpeningsLike | None
    adjudicate: str
    resign: str | None
    draw: str | None
    count_forfeits: str
    keep_going: bool
    certificates: Sequence[str | os.PathLike[str]]
    store: StoreLike | None
    again: bool
    on_progress: OnProgress | None
    progress: bool


class HypothesisOptions(TypedDict, total=False):
    """The two differences in Elo that a sequential test decides between, and its errors."""

    elo0: float
    elo1: float
    alpha: float
    beta: float
    model: str


class SprtOptions(HypothesisOptions, PlayOptions, total=False):
    """A sequential test, and how its games are played."""


class TournamentOptions(PlayOptions, total=False):
    """The question that ends a tournament, if there is one, and how its games are played."""

    until: str | None
    margin: float | None
    alpha: float | None


class UntilOptions(PlayOptions, total=False):
    """The question that games are played for, and how they are played."""

    until: str | float
    margin: float | None
    alpha: float


class PlanOptions(HypothesisOptions, GameOptions, WorkOptions, PlayerOptions, total=False):
    """A sequential test that is planned, and how the trial is played."""


class CheckOptions(GameOptions, PlayerOptions, total=False):
    """How a player is checked."""


class ProofOptions(PlayerOptions, total=False):
    """At which game players are proved, and how far."""

    game: GameLike
    max_positions: int
    max_seconds: float | None


class ExactOptions(WorkOptions, ProofOptions, total=False):
    """The options of exact results, and of where to calculate them."""


class ResumeOptions(WorkOptions, PlayerOptions, total=False):
    """How a run is resumed."""

    changed_players: str
    add: Sequence[str]
    replace: Sequence[str]
    withdraw: Sequence[str]
    on_progress: OnProgress | None
    progress: bool


#: The value of each keyword that is not given, the same in every function that takes it.
USUAL: dict[str, object] = {
    "game": DEFAULT_GAME,
    "seed": None,
    "workers": None,
    "executor": DEFAULT_EXECUTOR,
    "isolation": None,
    "catalogue": None,
    "engine": "auto",
    "openings": None,
    "adjudicate": "none",
    "resign": None,
    "draw": None,
    "count_forfeits": "all",
    "keep_going": False,
    "certificates": (),
    "store": None,
    "again": False,
    "on_progress": None,
    "progress": False,
    "elo0": 0,
    "elo1": 10,
    "alpha": 0.05,
    "beta": 0.05,
    "model": "logistic",
    "until": "better",
    "margin": None,
    "changed_players": "refuse",
    "add": (),
    "replace": (),
    "withdraw": (),
    "max_positions": MAX_POSITIONS,
    "max_seconds": None,
}

#: The usual values for a tournament, which has no question unless the user asks one.
USUAL_OF_TOURNAMENTS = {**USUAL, "until": None, "margin": None, "alpha": None}


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
    from arena.records.answers import DEFAULT_MARGIN  # most commands answer no question
    from arena.records.intervals import DEFAULT_ALPHA
    from arena.records.until import OF_TOURNAMENTS, read_until

    margin = DEFAULT_MARGIN if margin is None else margin
    return read_until(
        until, OF_TOURNAMENTS, margin=margin, alpha=DEFAULT_ALPHA if alpha is None else alpha
    )


def hypotheses_of(options: HypothesisOptions) -> Hypotheses:
    """Return what these complete options have a sequential test decide between.

    Raises UsageError if they make no sense.
    """
    from arena.records.sequential import Hypotheses  # most commands test nothing
    from arena.stats.sprt import sprt

    elos = options["elo0"], options["elo1"]
    hypotheses = Hypotheses(*elos, options["alpha"], options["beta"], options["model"])
    sprt([0] * 5, **asdict(hypotheses))
    return hypotheses
