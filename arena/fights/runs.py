"""Runs: fights, played or read from a store, and put together to what their command shows."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

from arena.errors import StoreError
from arena.executors.base import Executor
from arena.fights import sequential, standings
from arena.fights.counts import Counts
from arena.fights.engines import CallsEngine, Engine
from arena.fights.pairing import Pairing, Setting
from arena.fights.play import Interrupted, OnProgress, play_fights, results_of
from arena.records.fights import FightResult
from arena.records.sequential import SprtFight
from arena.records.tournaments import TournamentResult

if TYPE_CHECKING:
    from arena.match import PlayedPair
    from arena.store.journal import Journal

#: What commands that play show.
Played = FightResult | SprtFight | TournamentResult


def play(
    setting: Setting,
    engines: Sequence[Engine],
    executor: Executor,
    on_progress: OnProgress | None = None,
    journal: Journal | None = None,
) -> Played:
    """Play what is to be played; on Ctrl-C Interrupted, with the record of what was."""
    try:
        if setting.sprt is not None:
            (engine,) = engines
            played: Played = sequential.play_until_decided(
                setting.sprt, engine, executor, on_progress, journal
            )
        else:
            played = _together(setting, play_fights(engines, executor, on_progress, journal))
    except Interrupted as interrupted:
        interrupted.partial = _together(setting, interrupted.results)
        if journal is not None:
            interrupted.run = f"{shlex.quote(journal.store.name)} {journal.run}"
        raise
    except StoreError as error:
        assert journal is not None
        run = f"{shlex.quote(journal.store.name)} {journal.run}"
        raise StoreError(f"{error}; when that is mended: arena resume {run}") from error
    if journal is not None:
        journal.finish(fights_of(played))
    return played


def recount(
    setting: Setting,
    pairings: Sequence[Pairing],
    pairs: Sequence[Sequence[PlayedPair]],
    missed: Sequence[Counts] = (),
) -> Played:
    """Return the record of these pairs of every pairing, as :func:`play` would.

    ``missed`` has of every pairing the pairs that are void, and who is withdrawn.
    """
    engines = [CallsEngine(pairing) for pairing in pairings]
    if setting.sprt is not None:
        return sequential.InOrder(engines[0], setting.sprt, pairs[0], missed).result()
    totals = [Counts.of_pairs(own) for own in pairs]
    for total, counts in zip(totals, missed, strict=False):
        total.add(counts)
    return _together(setting, results_of(totals, engines))


def fights_of(played: Played) -> tuple[FightResult, ...]:
    """Return the fights of a record."""
    if isinstance(played, TournamentResult):
        return played.fights
    return (played.fight,) if isinstance(played, SprtFight) else (played,)


def _together(setting: Setting, results: Sequence[FightResult]) -> FightResult | TournamentResult:
    if setting.schedule == "fight":
        return results[0]
    return standings.tournament_of(results, setting.schedule)
