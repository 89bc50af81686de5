"""The types that a user's type checker sees of the API; mypy --strict reads this, nobody runs it.

Each comment says what mypy must complain of: an unused one is an error, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Unpack

import arena


def wrapped(a: str, **options: Unpack[arena.PlayOptions]) -> arena.records.FightResult:
    options["seed"] = 7
    return arena.fight(a, "monkey", **options)


def results() -> Iterator[
    arena.records.FightResult
    | arena.records.TournamentResult
    | arena.records.SprtFight
    | arena.records.UntilFight
    | arena.records.CheckedFight
    | arena.records.RatingTable
    | arena.records.Plan
    | arena.records.Training
]:
    yield arena.fight("a", "b", 10, seed=1, isolation=arena.Isolation(move_time=0.5))
    yield arena.tournament(["a", "b"], gauntlet="a", store="games.db", engine="calls")
    yield arena.sprt_fight("a", "b", elo0=0, elo1=5, adjudicate="draws")
    yield arena.until_fight("a", "b", until="±2%", margin=None, alpha=0.01)
    yield arena.checked_fight("a", "b", openings="all:1")
    yield arena.plan("a", "b", error=5, alpha=0.01)
    yield arena.train(features=["squares"], games=10, on_progress=print)
    yield arena.rate([arena.Result("a", "b", wrapped("a").total)])


def mistakes() -> None:
    arena.fight("a", "b", sead=1)  # type: ignore[call-arg]
    arena.fight("a", "b", seed="1")  # type: ignore[arg-type]
    arena.tournament(["a"], gauntlet=1)  # type: ignore[arg-type]
    arena.sprt_fight("a", "b", elo="0")  # type: ignore[call-arg]
    arena.train(games="5000")  # type: ignore[arg-type]
    arena.regress(["a"], margins=0.1)  # type: ignore[call-arg]
    arena.check("a", executor="serial")  # type: ignore[call-arg]
    arena.resume("games.db", changed="keep")  # type: ignore[call-arg]
