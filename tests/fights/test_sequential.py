"""Fights that end by a sequential test: at the same pair, whoever plays them in whatever order."""

from __future__ import annotations

import os
import random
from collections.abc import Generator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.errors import UsageError
from arena.executors.base import Executor, Tasks
from arena.executors.processes import ProcessExecutor
from arena.executors.serial import SerialExecutor
from arena.fights.chunks import Chunk, ChunkResult
from arena.fights.counts import Counts, PlayerCounts
from arena.fights.engines import CallsEngine
from arena.fights.estimates import report
from arena.fights.pair_counts import PairCounts
from arena.fights.pairing import Pairing, RunSetting
from arena.fights.play import Interrupted
from arena.fights.rounds import of_two
from arena.fights.sequential import OrderedResults
from arena.fights.stopping import LOOK_PAIRS
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.records.intervals import ANYTIME
from arena.records.sequential import Hypotheses, SprtFight
from arena.records.void import VoidPairs
from arena.store.journal import StoreJournal
from arena.store.sql import Store
from tests.fights.executors import Interrupting, Shuffled
from tests.fights.playing import play_until_decided
from tests.samples import few
from tests.simple import lowest

WIDE = Hypotheses(-100, 100)


def coin(position: arena.Position, rng: random.Random) -> int:
    """Wins where it can, now and then."""
    wins = position.winning_moves(position.to_move)  # type: ignore[attr-defined]
    if wins and rng.random() < 0.5:
        return int(rng.choice(wins))
    return rng.choice(position.legal_moves())


def engine_of(
    catalogue: Catalogue, a: str | PlayerInfo, b: str, pairs: int, seed: int
) -> CallsEngine:
    one = catalogue.player(a) if isinstance(a, str) else a
    return CallsEngine(Pairing(catalogue.game("tictactoe"), one, catalogue.player(b), pairs, seed))


def part(pair: int, counts: PairCounts) -> ChunkResult:
    return ChunkResult(Chunk(0, pair, pair + 1), counts)


def simple_loop(
    a: Any, b: Any, cap: int, seed: int, hypotheses: Hypotheses
) -> tuple[int, str, tuple[int, ...]]:
    """Where the test decides, by the fights of the first 10, 20, 30 ... pairs."""
    for pairs in [*range(LOOK_PAIRS, cap, LOOK_PAIRS), cap]:
        fight = arena.fight(a, b, pairs, seed=seed, executor="serial", engine="calls")
        decision = report(fight.observations.counts, hypotheses).decision
        if decision != "continue" or fight.repeats or pairs == cap:
            return pairs, decision, fight.pentanomial
    raise AssertionError


CASES = [
    ("coin", "monkey", 300, WIDE),
    ("monkey", "monkey", 95, Hypotheses(0, 10)),
    ("triples", "monkey", 100, WIDE),
    ("monkey", "triples", 100, Hypotheses(0, 50, 0.01, 0.2)),
    ("tictactoe2", "triples", 64, Hypotheses(-20, 20, model="normalized")),
    ("minimax", "minimax", 200, Hypotheses(0, 40)),
    ("monkey", "tictactoe1", 7, WIDE),
]


@pytest.mark.slow
@pytest.mark.parametrize(("a", "b", "cap", "hypotheses"), few(CASES, 3))
def test_it_decides_where_a_simple_loop_does(
    catalogue: Catalogue, a: str, b: str, cap: int, hypotheses: Hypotheses
) -> None:
    player: Any = PlayerInfo("coin", coin) if a == "coin" else a
    where, decision, pentanomial = simple_loop(player, b, cap, 3, hypotheses)
    results = [
        play_until_decided(hypotheses, engine_of(catalogue, player, b, cap, 3), executor)
        for executor in (SerialExecutor(), Shuffled(1, 3), Shuffled(2, 8), ProcessExecutor(2))
    ]
    (result,) = {repr(result.as_json()): result for result in results}.values()
    assert result.fight.pairs == result.fight.planned == where
    assert result.fight.unfinished is None
    assert result.fight.pentanomial == pentanomial
    assert isinstance(result, SprtFight)
    assert result.test.decision == decision
    assert result.cap == cap
    fixed = arena.fight(player, b, where, seed=3)
    assert replace(result.fight, is_sequential=False) == fixed


@pytest.mark.slow
def test_the_cases_end_in_every_way() -> None:
    ends = set()
    for a, b, cap, hypotheses in CASES:
        player: Any = PlayerInfo("coin", coin) if a == "coin" else a
        where, decision, _ = simple_loop(player, b, cap, 3, hypotheses)
        ends.add((decision, where == cap))
    assert ends >= {("H0", False), ("H1", False), ("continue", True)}


@pytest.mark.parametrize("seed", few(range(6), 2))
def test_the_order_in_which_pairs_arrive_changes_nothing(catalogue: Catalogue, seed: int) -> None:
    engine = engine_of(catalogue, "tictactoe2", "triples", 150, seed)
    hypotheses = Hypotheses(-60, 60)
    pairs = list(engine.pairs(1, 151))
    expected = OrderedResults(engine, hypotheses, pairs).answer()
    line = OrderedResults(engine, hypotheses)
    random.Random(seed).shuffle(pairs)
    for pair in pairs:
        line.add(part(pair.pair, PairCounts.of_pairs([pair])))
    assert line.is_over
    assert line.answer() == expected


def test_pairs_after_the_first_that_is_missing_do_not_count(catalogue: Catalogue) -> None:
    engine = engine_of(catalogue, "monkey", "monkey", 100, 1)
    line = OrderedResults(engine, Hypotheses(0, 1))
    for pair in engine.pairs(2, 60):
        line.add(part(pair.pair, PairCounts.of_pairs([pair])))
    assert line.answer().fight.pairs == 0
    (first,) = engine.pairs(1, 2)
    line.add(part(1, PairCounts.of_pairs([first])))
    assert line.answer().fight.pairs == 50
    assert not line.is_over


def test_pairs_after_the_decision_do_not_count(catalogue: Catalogue) -> None:
    engine = engine_of(catalogue, "triples", "monkey", 100, 1)
    decided = play_until_decided(WIDE, engine, SerialExecutor())
    assert decided.fight.pairs < 100
    assert OrderedResults(engine, WIDE, list(engine.pairs(1, 101))).answer() == decided


@pytest.mark.slow
@pytest.mark.parametrize(("a", "b", "cap", "hypotheses"), CASES)
def test_a_test_that_stops_early_asked_for_no_more_pairs(
    catalogue: Catalogue, a: str, b: str, cap: int, hypotheses: Hypotheses
) -> None:
    player: Any = PlayerInfo("coin", coin) if a == "coin" else a
    where, _, _ = simple_loop(player, b, cap, 3, hypotheses)
    result = play_until_decided(
        hypotheses, engine_of(catalogue, player, b, cap, 3), SerialExecutor()
    )
    assert result.stopped_early == (where < cap)
    assert (result.fight.planned, result.fight.not_played, result.fight.unfinished) == (
        where,
        0,
        None,
    )


def test_void_pairs_leave_a_gap_only_in_what_is_undecided(catalogue: Catalogue) -> None:
    for hypotheses, decided in ((WIDE, True), (Hypotheses(0, 1), False)):
        engine = engine_of(catalogue, "triples", "monkey", 20, 1)
        line = OrderedResults(engine, hypotheses, list(engine.pairs(1, 20)))
        line.add(part(20, PairCounts(void_pairs=[VoidPairs(20, 20, "busy")])))
        assert line.is_over
        result = line.answer()
        assert result.is_decided == decided
        assert result.fight.unfinished == (None if result.stopped_early else "pair 20: busy")
        assert result.stopped_early == decided


def test_an_absence_beyond_the_end_changes_nothing(catalogue: Catalogue) -> None:
    """Only speed says whether a worker notices it before the test is over."""
    engine = engine_of(catalogue, "monkey", "monkey", 20, 1)
    lines = [OrderedResults(engine, Hypotheses(0, 1)) for _ in range(2)]
    lines[1].add(part(20, PairCounts(b=PlayerCounts(withdrawn="gone"))))
    for line in lines:
        for pair in engine.pairs(1, 20):
            line.add(part(pair.pair, PairCounts.of_pairs([pair])))
        line.add(part(20, PairCounts(void_pairs=[VoidPairs(20, 20, "busy")])))
        assert line.is_over
    assert lines[0].answer() == lines[1].answer()


def test_two_games_over_and_over_end_it_at_the_first_look(catalogue: Catalogue) -> None:
    result = arena.sprt_fight(lowest, lowest, 5000, seed=1)
    assert result.fight.pairs == LOOK_PAIRS
    assert result.fight.repeats
    assert result.test.decision == "continue"
    assert sum(result.test.counts) == 1, "ten times the same pair says what one of them says"
    assert result.fight.unfinished is None
    assert result.fight.planned == LOOK_PAIRS


@pytest.mark.slow
def test_players_who_always_draw_are_decided_or_go_to_the_cap() -> None:
    equal = arena.sprt_fight("minimax", "tictactoe3", elo0=0, elo1=50, seed=1)
    assert equal.test.decision == "H0"
    assert equal.fight.total.draws == equal.fight.total.games
    between = arena.sprt_fight("minimax", "tictactoe3", 100, elo0=-5, elo1=5, seed=1)
    assert (between.test.decision, between.fight.pairs) == ("continue", 100)


@pytest.mark.parametrize("cap", few([1, 9, 10, 11, 20, 25], 3))
def test_the_cap_is_kept_to_the_pair(cap: int) -> None:
    result = arena.sprt_fight("monkey", "monkey", cap, elo0=0, elo1=1, seed=1)
    assert (result.fight.pairs, result.fight.planned, result.cap) == (cap, cap, cap)
    assert result.as_json()["sprt"]["cap"] == cap
    fixed = arena.fight("monkey", "monkey", cap, seed=1)
    assert replace(result.fight, is_sequential=False) == fixed


@pytest.mark.parametrize(
    "hypotheses",
    [
        Hypotheses(5, 5),
        Hypotheses(5, -5),
        Hypotheses(0, 10, 0),
        Hypotheses(0, 10, 1),
        Hypotheses(0, 10, 0.05, -1),
        Hypotheses(0, 10, 0.6, 0.6),
        Hypotheses(0, 10, model="pentagonal"),
        Hypotheses(0, float("nan")),
        Hypotheses(float("-inf"), 0),
    ],
    ids=str,
)
def test_hypotheses_that_make_no_sense_stop_it_before_the_first_game(
    catalogue: Catalogue, hypotheses: Hypotheses
) -> None:
    def never(position: arena.Position, rng: random.Random) -> int:
        raise AssertionError

    class Nobody:
        def run(self, work: Any, tasks: Any) -> Any:
            raise AssertionError

    engine = engine_of(catalogue, PlayerInfo("never", never), "monkey", 10, 1)
    with pytest.raises(UsageError):
        play_until_decided(hypotheses, engine, Nobody())


@pytest.mark.slow
def test_a_pair_that_kills_its_worker_ends_it_where_it_stands() -> None:
    def deadly(position: arena.Position, rng: random.Random) -> int:
        if rng.random() < 0.004:
            os._exit(3)
        return rng.choice(position.legal_moves())

    results = [
        arena.sprt_fight(deadly, "monkey", 400, elo0=0, elo1=1, seed=2, workers=workers)
        for workers in (1, 3)
    ]
    assert results[0] == results[1]
    fight = results[0].fight
    assert "exit code 3" in (fight.unfinished or "")
    assert (fight.pairs + fight.void // 2) % LOOK_PAIRS == 0
    assert 0 < fight.pairs < fight.planned == 400


def test_an_interrupt_keeps_what_was_looked_at(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.fights.engines.MIN_CHUNKS", 50)  # two pairs at a time
    engine = engine_of(catalogue, "monkey", "monkey", 100, 1)
    with pytest.raises(Interrupted) as interrupted:
        play_until_decided(Hypotheses(0, 1), engine, Interrupting(25))
    (fight,) = of_two(interrupted.value.results)
    assert fight.unfinished == "interrupted"
    assert 0 < fight.pairs <= 50
    assert fight.interval is not None
    assert fight.interval.kind == ANYTIME
    assert fight.pairs % LOOK_PAIRS == 0


@pytest.mark.slow
@pytest.mark.parametrize("executor", [SerialExecutor(), Shuffled(5, 4)], ids=["serial", "shuffled"])
@pytest.mark.parametrize("after", [0, 1, 2, 7, 13])
def test_an_interrupted_test_that_is_gone_on_with_decides_at_the_same_pair(
    catalogue: Catalogue, tmp_path: Path, after: int, executor: Executor
) -> None:
    engine = engine_of(catalogue, "tictactoe2", "triples", 200, 4)
    hypotheses = Hypotheses(-60, 60)
    whole = play_until_decided(hypotheses, engine, SerialExecutor())
    store = Store(tmp_path / "S", create=True)
    journal = StoreJournal.begin(store, RunSetting("fight", hypotheses), [engine.pairing])
    with pytest.raises(Interrupted):
        play_until_decided(hypotheses, engine, Interrupting(after), journal=journal)
    before = journal.pairs(0)
    again = play_until_decided(hypotheses, engine, executor, journal=journal)
    assert again == whole
    assert [pair for pair in journal.pairs(0) if pair in before] == before
    recorder = Recorder()
    assert play_until_decided(hypotheses, engine, recorder, journal=journal) == whole
    assert recorder.chunks == []


class Recorder(SerialExecutor):
    def __init__(self) -> None:
        self.chunks: list[Any] = []

    def run(self, work: Any, tasks: Tasks[Any]) -> Generator[Any, None, None]:
        for task, result in super().run(work, tasks):
            self.chunks.append(task)
            yield task, result


def test_a_task_may_be_across_looks_and_a_look_is_after_so_many_pairs(
    catalogue: Catalogue,
) -> None:
    recorder = Recorder()
    engine = engine_of(catalogue, "monkey", "monkey", 5000, 4)
    result = play_until_decided(Hypotheses(0, 20), engine, recorder)
    chunks: Sequence[Chunk] = recorder.chunks
    assert chunks[0].pairs == LOOK_PAIRS
    assert max(chunk.pairs for chunk in chunks) > 3 * LOOK_PAIRS
    assert isinstance(result, SprtFight)
    assert {pairs % LOOK_PAIRS for pairs, _ in result.path} == {0}


def test_progress_tells_of_pairs_in_order() -> None:
    seen: list[tuple[int, int, int]] = []

    def on_progress(index: int, counts: Counts, games: int) -> None:
        seen.append((index, counts.pairs, games))

    result = arena.sprt_fight(
        "triples", "monkey", 100, elo0=-100, elo1=100, seed=1, on_progress=on_progress
    )
    assert {(index, games) for index, _, games in seen} == {(0, 200)}
    done = [pairs for _, pairs, _ in seen]
    assert done == sorted(done)
    assert done[-1] == result.fight.pairs
    assert isinstance(result, SprtFight)
