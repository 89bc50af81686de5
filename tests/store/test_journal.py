"""The journal of a run: what is written, found again, locked and forgotten."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.errors import StoreError, UsageError
from arena.executors.base import Result, Task, TaskFailed, Tasks
from arena.executors.serial import SerialExecutor
from arena.fights.engines import CallsEngine
from arena.fights.pairing import Pairing, RunSetting
from arena.match.record import PlayedPair
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.records.sequential import Hypotheses
from arena.records.until import Until
from arena.store.journal import NOT_STORED, StoreJournal
from arena.store.reading import find_run, read_runs
from arena.store.sql import Store
from tests.fights.playing import play_fights
from tests.golden import Wording


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "S", create=True)


@pytest.fixture
def pairings(catalogue: Catalogue) -> list[Pairing]:
    game = catalogue.game("tictactoe")
    a, b, c = (catalogue.player(name) for name in ("monkey", "triples", "minimax"))
    return [Pairing(game, one, other, 10, 5) for one, other in ((a, b), (a, c), (b, c))]


@pytest.fixture
def journal(store: Store, pairings: list[Pairing]) -> StoreJournal:
    return StoreJournal.begin(store, RunSetting("round robin"), pairings)


def played(pairing: Pairing, *pairs: int) -> list[PlayedPair]:
    return [pair for n in pairs for pair in CallsEngine(pairing).pairs(n, n + 1)]


def games_in(store: Store) -> list[Any]:
    with closing(sqlite3.connect(store.name)) as database:
        return database.execute("SELECT * FROM games").fetchall()


@pytest.mark.slow
def test_what_is_written_is_read_again(journal: StoreJournal, pairings: list[Pairing]) -> None:
    assert journal.pairs(1) == []
    late, early = played(pairings[1], 7, 8), played(pairings[1], 2)
    journal.write(1, late)
    journal.write(1, early)
    assert journal.pairs(1) == early + late
    assert journal.pairs(0) == journal.pairs(2) == []


@pytest.mark.slow
def test_games_of_other_games_have_their_own_notation(store: Store, catalogue: Catalogue) -> None:
    a, b = catalogue.player("monkey"), catalogue.player("minimax")
    for name in ("connect4", "mnk-11-3-3"):
        pairing = Pairing(catalogue.game(name), a, a if name == "connect4" else b, 3, 5)
        fight = StoreJournal.begin(store, RunSetting("fight"), [pairing])
        pairs = played(pairing, 1, 2, 3)
        fight.write(0, pairs)
        assert fight.pairs(0) == pairs


@pytest.mark.slow
def test_forfeits_are_kept_whoever_committed_them(store: Store, catalogue: Catalogue) -> None:
    def clumsy(position: arena.Position, rng: Any) -> int:
        if rng.random() < 0.3:
            raise ZeroDivisionError("a \udcff and a \U0001f0a1")
        return int(rng.randrange(-1, 10))

    pairing = Pairing(
        catalogue.game("tictactoe"), PlayerInfo("clumsy", clumsy), catalogue.player("monkey"), 9, 5
    )
    pairs = played(pairing, *range(1, 10))
    forfeits = [record.forfeit for pair in pairs for record in pair.records if record.forfeit]
    assert {forfeit.reason for forfeit in forfeits} == {"illegal", "exception"}
    assert {int(forfeit.side) for forfeit in forfeits} == {0, 1}
    journal = StoreJournal.begin(store, RunSetting("fight"), [pairing])
    journal.write(0, pairs)
    assert journal.pairs(0) == pairs


def test_a_pair_is_written_with_both_its_games_or_not_at_all(
    journal: StoreJournal, store: Store, pairings: list[Pairing]
) -> None:
    journal.write(0, played(pairings[0], 1))
    with pytest.raises(StoreError, match="UNIQUE"):
        journal.write(0, played(pairings[0], 2, 1))
    assert [pair.pair for pair in journal.pairs(0)] == [1]
    assert len(games_in(store)) == 2


@pytest.mark.slow
def test_what_is_kept_of_a_run_is_what_it_was_asked_for(
    store: Store, journal: StoreJournal
) -> None:
    run = find_run(store, None)
    assert run == find_run(store, 1)
    assert (run.number, run.game, run.seed, run.setting) == (1, "tictactoe", 5, journal_setting())
    assert [player.name for player in run.players] == ["monkey", "triples", "minimax"]
    assert all(player.package == "proving-arena" and player.digest for player in run.players)
    assert [(fight.a, fight.b, fight.pairs) for fight in run.fights] == [
        (0, 1, 10),
        (0, 2, 10),
        (1, 2, 10),
    ]
    assert run.finished is None
    assert all(fight.result is None and fight.games == 0 for fight in run.fights)


def journal_setting() -> RunSetting:
    return RunSetting("round robin")


@pytest.mark.slow
def test_the_hypotheses_of_a_sequential_test_are_kept(
    store: Store, pairings: list[Pairing]
) -> None:
    setting = RunSetting("fight", Hypotheses(-1.5, 1 / 3, 0.01, 0.1, "normalized"))
    StoreJournal.begin(store, setting, pairings[:1])
    assert find_run(store, None).setting == setting


@pytest.mark.slow
@pytest.mark.parametrize(
    "until", [Until("width", 0.02), Until("better", None, 0.1, 0.01), Until("top", 3)]
)
def test_keep_the_question_of_a_run(store: Store, pairings: list[Pairing], until: Until) -> None:
    setting = RunSetting("fight", until=until)
    StoreJournal.begin(store, setting, pairings[:1])
    result = find_run(store, None)
    assert result.setting == setting
    assert "until" not in result.options


@pytest.mark.slow
def test_a_player_against_itself_is_one_player(store: Store, catalogue: Catalogue) -> None:
    monkey = catalogue.player("monkey")
    StoreJournal.begin(
        store, RunSetting("fight"), [Pairing(catalogue.game("tictactoe"), monkey, monkey, 1, 5)]
    )
    run = find_run(store, None)
    assert len(run.players) == 1
    assert (run.fights[0].a, run.fights[0].b) == (0, 0)


@pytest.mark.slow
def test_a_run_is_complete_when_all_its_fights_are(
    journal: StoreJournal, store: Store, pairings: list[Pairing]
) -> None:
    engines = [CallsEngine(pairing) for pairing in pairings]
    results = play_fights(engines, SerialExecutor(), journal=journal)
    journal.finish({0: results[0], 1: results[1], 2: unfinished(results[2])})
    run = find_run(store, 1, unfinished=True)
    assert [fight.result is not None for fight in run.fights] == [True, True, False]
    assert run.finished is None
    journal.finish(dict(enumerate(results)))
    finished = find_run(store, 1)
    assert [fight.result for fight in finished.fights] == [
        {key: value for key, value in one.as_json().items() if key not in NOT_STORED}
        for one in results
    ]
    assert finished.finished is not None
    assert finished.finished >= finished.started
    assert find_run(store, None, unfinished=True) == finished


def unfinished(result: arena.records.FightResult) -> arena.records.FightResult:
    from dataclasses import replace

    return replace(result, unfinished="interrupted")


@pytest.mark.slow
def test_a_run_that_was_complete_is_not_completed_again(
    journal: StoreJournal, store: Store, pairings: list[Pairing], monkeypatch: pytest.MonkeyPatch
) -> None:
    engines = [CallsEngine(pairing) for pairing in pairings]
    results = play_fights(engines, SerialExecutor(), journal=journal)
    journal.finish(dict(enumerate(results)))
    before = find_run(store, 1)
    monkeypatch.setattr("arena.store.journal.timestamp", lambda: "9999-01-01T00:00:00Z")
    again = play_fights(engines, SerialExecutor(), journal=journal)
    journal.finish(dict(enumerate(again)))
    assert find_run(store, 1) == before


@pytest.mark.slow
def test_what_is_reported_has_been_written(
    journal: StoreJournal, store: Store, pairings: list[Pairing]
) -> None:
    reported = []

    def on_progress(index: int, counts: Any, games: int) -> None:
        on_disk = sum(row[1] == index for row in games_in(store))
        assert 2 * counts.pairs <= on_disk
        reported.append(games)

    play_fights([CallsEngine(p) for p in pairings], SerialExecutor(), on_progress, journal)
    assert set(reported) == {60}
    assert len(games_in(store)) == 60


class Reversed:
    """An executor that has all tasks before it plays the last one first."""

    def run(
        self, work: Callable[[Task], Result], tasks: Tasks[Task]
    ) -> Generator[tuple[Task, Result | TaskFailed], None, None]:
        for task in reversed(list(iter(tasks.next_task, None))):
            yield task, work(task)


@pytest.mark.slow
def test_pairs_may_come_in_any_order(journal: StoreJournal, pairings: list[Pairing]) -> None:
    engines = [CallsEngine(pairing) for pairing in pairings]
    results = play_fights(engines, Reversed(), journal=journal)
    assert results == play_fights(engines, SerialExecutor())
    assert [pair.pair for pair in journal.pairs(2)] == list(range(1, 11))


@pytest.mark.slow
def test_only_what_is_missing_is_played(journal: StoreJournal, pairings: list[Pairing]) -> None:
    engines = [CallsEngine(pairing) for pairing in pairings]
    journal.write(0, played(pairings[0], 1, 2, 5, 10))
    journal.write(2, played(pairings[2], *range(1, 11)))
    pairs: list[tuple[int, int]] = []

    class Watched(SerialExecutor):
        def run(self, work: Any, tasks: Tasks[Any]) -> Generator[Any, None, None]:
            for task, result in super().run(work, tasks):
                pairs.extend((task.pairing, pair) for pair in range(task.start, task.stop))
                yield task, result

    assert play_fights(engines, Watched(), journal=journal) == play_fights(
        engines, SerialExecutor()
    )
    missing = [(0, n) for n in (3, 4, 6, 7, 8, 9)] + [(1, n) for n in range(1, 11)]
    assert sorted(pairs) == missing
    assert pairs[0] == (1, 1), "who is behind comes first"


@pytest.mark.slow
def test_what_is_played_is_cut_so_that_little_is_lost(store: Store, catalogue: Catalogue) -> None:
    def slow(position: arena.Position, rng: Any) -> int:
        time.sleep(0.01)
        return int(rng.choice(position.legal_moves()))

    monkey = catalogue.player("monkey")
    pairing = Pairing(catalogue.game("tictactoe"), PlayerInfo("slow", slow), monkey, 400, 5)
    journal = StoreJournal.begin(store, RunSetting("fight"), [pairing])
    sizes: list[int] = []

    class Watched(SerialExecutor):
        def run(self, work: Any, tasks: Tasks[Any]) -> Generator[Any, None, None]:
            for task in iter(tasks.next_task, None):
                sizes.append(task.pairs)
                yield task, work(task)
                if len(sizes) == 4:
                    raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_fights([CallsEngine(pairing)], Watched(), journal=journal)
    assert sizes[0] == 1
    assert max(sizes) <= 3  # a pair takes about 0.07 s
    assert len(games_in(store)) == 2 * sum(sizes)


def test_a_lock_can_be_taken_again_when_it_was_given_back(store: Store) -> None:
    for _ in range(2):
        lock = store.lock(1)
        store.lock(2**31).release()
        lock.release()


def test_a_lock_that_cannot_be_had_is_a_fault(
    store: Store, monkeypatch: Any, wording: Wording
) -> None:
    Path(f"{store.name}-lock").mkdir()
    with wording.raises(StoreError):
        store.lock(1)


def test_runs_that_are_not_there_are_named(
    store: Store, journal: StoreJournal, wording: Wording
) -> None:
    with store.read() as connection:
        assert [run.number for run in read_runs(connection)] == [1]
        assert [run.number for run in read_runs(connection, [1, 1])] == [1]
        with wording.raises(UsageError):
            read_runs(connection, [1, 2, 3])
    with wording.raises(UsageError):
        find_run(store, 7)


def test_an_empty_store_has_no_run(store: Store, wording: Wording) -> None:
    with wording.raises(UsageError, match="'.*'"):
        find_run(store, None)
    with wording.raises(UsageError):
        find_run(store, 1)


@pytest.mark.slow
def test_a_test_that_is_refused_leaves_no_run(tmp_path: Path) -> None:
    store = tmp_path / "S"
    arena.fight("monkey", "triples", 2, seed=1, store=store)
    mistakes: list[dict[str, Any]] = [{"elo0": 10}, {"alpha": 2.0}, {"model": "x"}]
    for wrong in mistakes:
        options: dict[str, Any] = {"elo0": 0, "elo1": 5, **wrong}
        with pytest.raises(UsageError):
            arena.sprt_fight("monkey", "triples", store=store, **options)
    assert len(arena.stored_runs(store).rows) == 1
