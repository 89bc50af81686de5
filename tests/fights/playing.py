"""Play by the rules of fights, with as few words as a test has."""

from __future__ import annotations

from collections.abc import Sequence

from arena.executors.base import Executor
from arena.fights.engines import CallsEngine, Engine
from arena.fights.journal import PairJournal
from arena.fights.plain import PlainFights
from arena.fights.play import OnProgress, play_by
from arena.fights.rounds import of_two
from arena.fights.sequential import OrderedResults
from arena.fights.stopping import Aim
from arena.records.fights import FightResult
from arena.records.sequential import SprtFight
from arena.records.until import UntilFight


def play_fights(
    engines: Sequence[Engine],
    executor: Executor,
    on_progress: OnProgress | None = None,
    journal: PairJournal | None = None,
) -> list[FightResult]:
    """Play all pairs of some fights."""
    fights = play_by(PlainFights(engines, journal), executor, on_progress, journal)
    return of_two(fights)


def play_until_decided(
    aim: Aim, engine: CallsEngine, executor: Executor, journal: PairJournal | None = None
) -> SprtFight | UntilFight:
    """Play a fight until a rule has decided."""
    played = [] if journal is None else journal.pairs(0)
    return play_by(OrderedResults(engine, aim, played), executor, journal=journal)
