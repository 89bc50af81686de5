"""Runs: fights, played or read from a store, and put together to what their command shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from arena.errors import KeptForLater, StoreError, UsageError, WorkerError
from arena.executors.base import Executor
from arena.fights.choosing import engine_of
from arena.fights.counting import counts_of
from arena.fights.counts import Counts
from arena.fights.engines import CallsEngine, Engine
from arena.fights.journal import Journal
from arena.fights.observers import RunObserver, run_of
from arena.fights.pair_counts import PairCounts
from arena.fights.pairing import Pairing, RunSetting
from arena.fights.plain import PlainFights
from arena.fights.play import Interrupted, OnProgress, play_by, results_of
from arena.fights.rounds import RoundChooser, RoundRule, of_two
from arena.fights.rounds import recount as recount_rounds
from arena.match.record import PlayedPair
from arena.plugin.observers import Audience, Observers, watching
from arena.records.commands import with_plugins
from arena.records.fights import FightResult
from arena.records.fought import Fought

if TYPE_CHECKING:
    from arena.records.played import Played
    from arena.records.proofs import CheckedFight

#: The observers of a run without observers.
NO_OBSERVERS = Observers()


def play(
    setting: RunSetting,
    engines: Sequence[Engine],
    executor: Executor,
    on_progress: OnProgress | None = None,
    journal: Journal | None = None,
    observers: Observers = NO_OBSERVERS,
    rounds: RoundChooser | None = None,
) -> Played:
    """Play the missing pairs, and tell the observers.

    With ``rounds`` these choose what is played, and make the record of it. Raises Interrupted on
    Ctrl-C, with the record of what was played.
    """
    audience = Audience(observers, run_of(setting, engines, rounds is not None))
    with _interruptible(audience), watching(audience):
        most_pairs = None if rounds is None else rounds.most_pairs
        watch = RunObserver(setting, engines, audience, journal, on_progress, most_pairs)
        with _resumable(setting, journal, audience, rounds):
            how = executor, watch.on_progress, watch.journal
            results: Mapping[int, Fought]
            called = [engine for engine in engines if isinstance(engine, CallsEngine)]
            if rounds is not None:
                course = RoundRule(rounds, called, watch.journal, watch.begin_round)
                results = play_by(course, *how)
                played: Played = rounds.result(list(results.values()))
            elif setting.aim is not None:
                from arena.fights.sequential import OrderedResults  # few fights look

                pairs = [] if watch.journal is None else watch.journal.pairs(0)
                played = play_by(OrderedResults(called[0], setting.aim, pairs), *how)
                results = dict(enumerate(fights_of(played)))
            else:
                first = engines[0].pairing
                stops = setting.schedule == "fight" and not first.others
                on_forfeits = "stop" if stops else "forfeit"
                on_forfeits = "play" if first.plays_on else on_forfeits
                fights = play_by(PlainFights(engines, watch.journal, on_forfeits), *how)
                results = dict(enumerate(fights))
                played = _record_of(setting, fights)
        if journal is not None:
            is_over = rounds is None or not rounds.fault
            journal.finish(results, is_over, by_rounds=rounds is not None)
        audience.result = played
        watch.finish(results)
    return played


@contextmanager
def _interruptible(audience: Audience) -> Iterator[None]:
    """Raise Interrupted with the complete record if the user interrupts an observer at the end."""
    try:
        yield
    except Interrupted:
        raise
    except KeyboardInterrupt as cause:
        if audience.result is None:
            raise
        complete = Interrupted([], cause)
        complete.partial = audience.result
        raise complete from None


@contextmanager
def _resumable(
    setting: RunSetting, journal: Journal | None, audience: Audience, rounds: RoundChooser | None
) -> Iterator[None]:
    """Add to an interrupt or a store's error what was played, and how to go on."""
    try:
        yield
    except Interrupted as interrupted:
        audience.result = interrupted.partial = _record_of(setting, interrupted.results, rounds)
        if journal is not None:
            interrupted.run = journal.address
            interrupted.resume = _command_to_resume(journal, audience)
        raise
    except KeptForLater as kept:
        if journal is None:
            raise UsageError("the executor 'later' keeps a run in a store: add --store") from None
        kept.resume = _command_to_resume(journal, audience)
        raise
    except (StoreError, WorkerError) as error:
        if journal is None:
            raise
        mended = f"when that is mended: {_command_to_resume(journal, audience)}"
        raise type(error)(f"{error}; {mended}") from error


def _command_to_resume(journal: Journal, audience: Audience) -> str:
    """Return the command that plays what is missing, with the same files and limits."""
    command = " ".join(["arena resume", journal.address, *audience.resume_options])
    return with_plugins(command, audience.files)


def recount(
    setting: RunSetting,
    pairings: Sequence[Pairing],
    pairs: Sequence[Sequence[PlayedPair]],
    void_counts: Sequence[Counts] = (),
    rounds: RoundChooser | None = None,
) -> Played:
    """Return the record of these pairs of every pairing, as :func:`play` would.

    ``void_counts`` has the void pairs of every pairing, and the player that is withdrawn.
    """
    engines = [engine_of(pairing) for pairing in pairings]
    if rounds is not None:
        course = RoundRule(rounds, engines, StoredPairs(pairs, void_counts))
        return rounds.result(recount_rounds(course))
    if setting.aim is not None:
        from arena.fights.sequential import OrderedResults

        counted = [counts for counts in void_counts if isinstance(counts, PairCounts)]
        return OrderedResults(engines[0], setting.aim, pairs[0], counted).answer()
    totals = list(map(counts_of, pairings, pairs))
    for total, counts in zip(totals, void_counts, strict=False):
        total.add(counts)
    return _record_of(setting, results_of(totals, engines))


class StoredPairs(NamedTuple):
    """The stored pairs of the fights of a run."""

    played: Sequence[Sequence[PlayedPair]]
    others: Sequence[Counts]

    def pairs(self, fight: int) -> Sequence[PlayedPair]:
        """Return the played pairs of a fight."""
        return self.played[fight]

    def void_counts(self, fight: int) -> Counts:
        """Return the void pairs of a fight, and which of its players is withdrawn."""
        return self.others[fight] if self.others else PairCounts()


def fights_of(played: Played | CheckedFight) -> tuple[FightResult, ...]:
    """Return the fights of two players in a record. Tables of more have none."""
    if isinstance(played, FightResult):
        return (played,)
    from arena.records.tables import TablesResult
    from arena.records.tournaments import TournamentResult

    if isinstance(played, TablesResult):
        return ()

    return played.fights if isinstance(played, TournamentResult) else (played.fight,)


def _record_of(
    setting: RunSetting, results: Sequence[Fought], rounds: RoundChooser | None = None
) -> Played:
    if rounds is not None:
        return rounds.result(results)
    fights = of_two(results)
    if len(fights) < len(results):
        return _record_of_tables(setting, results)
    if setting.schedule == "fight":
        return fights[0]
    from arena.fights.standings import tournament_of  # a fight need not wait for its ratings

    return tournament_of(fights, setting.schedule, setting.left_out)


def _record_of_tables(setting: RunSetting, results: Sequence[Fought]) -> Played:
    """Return the record of tables of more than two players."""
    from arena.fights.table_standings import result_of_tables  # most runs have two players
    from arena.records.tables import TableResult

    tables = [table for table in results if isinstance(table, TableResult)]
    played = result_of_tables(tables, setting.schedule)
    return replace(played, left_out=setting.left_out, unscheduled=setting.unscheduled)
