"""Play all games of a store again, and compare each with the one that is stored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import islice

from sqlalchemy import Connection

from arena.errors import UsageError
from arena.executors.base import Executor, TaskFailed, TaskList
from arena.features.verify.record import Divergence
from arena.fights.alike import difference
from arena.fights.choosing import engine_of
from arena.fights.pairing import Pairing
from arena.match.record import PlayedPair
from arena.player.purse import PaidPlayer
from arena.plugin.catalogue import Catalogue
from arena.proof import progress
from arena.records.entrants import UNPLAYED
from arena.runs.changes import isolated_as_before
from arena.runs.luck import as_corrected_before
from arena.runs.players_again import changed_players, players_again, what_changed
from arena.runs.stored_runs import game_of
from arena.store.reading import StoredRun, pairings_of, read_pairs, read_runs
from arena.store.sql import Store

#: Pairs that a worker plays at a time.
PAIRS_A_TASK = 20

#: The place of a fight in its run, and some of its pairs as they are stored.
_ReplayTask = tuple[int, Sequence[PlayedPair]]


def play_again(
    store: Store, catalogue: Catalogue, executor: Executor
) -> tuple[int, Divergence | None]:
    """Return how many games were played again, and the first that came out otherwise.

    Raises UsageError for players that cannot play again.
    """
    games = 0
    with store.read() as connection:
        for run in read_runs(connection):
            pairings = _pairings(store, run, catalogue)
            compared, divergence = _first_other(connection, run, pairings, executor)
            games += compared
            if divergence is not None:
                return games, divergence
    return games, None


def _pairings(store: Store, run: StoredRun, catalogue: Catalogue) -> list[Pairing]:
    """Return the fights of a run with its players. Raises UsageError if they cannot play again."""
    game = game_of(run, catalogue)
    catalogue = isolated_as_before(run, catalogue).for_game(game)
    players = players_again(run, catalogue)
    models = [each.name for each in players.values() if isinstance(each.remote, PaidPlayer)]
    if models:
        raise UsageError(
            f"run {run.number} has {models[0]}, a language model, which answers otherwise each time"
        )
    if changed := changed_players(run, players):
        raise UsageError(what_changed(store.name, run, changed, players))
    pairings = pairings_of(run, game, players, plugins=catalogue.files)
    if "luck" in run.options:
        return as_corrected_before(pairings, set(), catalogue.game)
    return pairings


def _first_other(
    connection: Connection, run: StoredRun, pairings: Sequence[Pairing], executor: Executor
) -> tuple[int, Divergence | None]:
    """Return how many games of a run were compared, and the first that comes out otherwise."""
    divergences: dict[tuple[int, int], Divergence] = {}
    compared, done, total = 0, 0, sum(fight.games for fight in run.fights)
    work = partial(_compare, pairings)
    tasks = TaskList(_tasks(connection, run, pairings))
    with closing(executor.run(work, tasks)) as answers:
        for (fight, pairs), answer in answers:
            done += len(pairs) * pairings[fight].games_a_pair
            progress.tell(done, total, f"games of run {run.number} played again")
            if isinstance(answer, TaskFailed):
                answer = 0, (pairings[fight].path, f"a worker ended: {answer.reason}")
            compared += answer[0]
            if answer[1] is not None:
                divergences[fight, pairs[0].pair] = Divergence(run.number, *answer[1])
    return compared, divergences[min(divergences)] if divergences else None


def _tasks(
    connection: Connection, run: StoredRun, pairings: Sequence[Pairing]
) -> Iterator[_ReplayTask]:
    for place, (fight, pairing) in enumerate(zip(run.fights, pairings, strict=True)):
        pairs = read_pairs(connection, run.number, fight.number, pairing)
        while some := list(islice(pairs, PAIRS_A_TASK)):
            yield place, some


def _compare(pairings: Sequence[Pairing], task: _ReplayTask) -> tuple[int, tuple[str, str] | None]:
    """Return how many games were compared, and the id of the first that comes out otherwise, and
    how: the work of a worker. Games that a dropout forfeited unplayed have nothing to compare.
    """
    place, pairs = task
    pairing, compared = pairings[place], 0
    engine = engine_of(pairing)
    for stored in pairs:
        [repetition] = engine.pairs(stored.pair, stored.pair + 1)
        if not repetition.records:
            why = repetition.void or (repetition.withdrawn[1] if repetition.withdrawn else "")
            problem = f"it cannot be played again: {why}"
            return compared, (pairing.game_id(stored.pair, 0), problem)
        for half, (old, new) in enumerate(zip(stored.records, repetition.records, strict=True)):
            if old.forfeit is not None and old.forfeit.reason == UNPLAYED:
                continue
            compared += 1
            if problem := difference(pairing, old, new):
                return compared, (pairing.game_id(stored.pair, half), f"played again, {problem}")
    return compared, None
