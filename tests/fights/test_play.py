"""Fights: the same bytes whoever plays them, every game counted once, nothing lost."""

from __future__ import annotations

import os
import random
import signal
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

import arena
from arena.errors import CannotEnumerate, CannotPlay, UsageError
from arena.executors.serial import SerialExecutor
from arena.fights import play as fights
from arena.fights.chunks import Chunk
from arena.fights.engines import CallsEngine
from arena.fights.pairing import GameId, Pairing
from arena.fights.plain import PlainFights
from arena.fights.play import Interrupted, play_one
from arena.game import Outcome
from arena.match.record import GameRecord
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from arena.records.fights import FightResult
from arena.records.fought import Fought
from arena.sandbox.settings import Isolation
from tests.fights.executors import Interrupting
from tests.fights.playing import play_fights
from tests.golden import Wording
from tests.simple import clumsy


def pairing(
    catalogue: Catalogue,
    a: str,
    b: str,
    pairs: int = 20,
    seed: int = 5,
    game: str = "tictactoe",
    **options: Any,
) -> Pairing:
    players = catalogue.player(a), catalogue.player(b)
    return Pairing(catalogue.game(game), *players, pairs, seed, **options)


@pytest.fixture(scope="module")
def result(catalogue: Catalogue) -> FightResult:
    engine = CallsEngine(pairing(catalogue, "tictactoe1", "monkey", 200))
    return play_fights([engine], SerialExecutor())[0]


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2, 3])
def test_the_number_of_workers_changes_nothing(workers: int, result: FightResult) -> None:
    again = arena.fight("tictactoe1", "monkey", 200, seed=5, workers=workers)
    assert again == result
    assert again.as_json() == result.as_json()


@pytest.mark.parametrize("most", [1, 7, 200])
def test_the_size_of_chunks_changes_nothing(
    most: int, result: FightResult, catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CallsEngine, "chunk_size", most)
    monkeypatch.setattr("arena.fights.plain.MAX_FIRST_CHUNK_PAIRS", most)
    executor, sizes = SerialExecutor(), list[int]()

    class Noting:
        def run(self, work: Any, tasks: Any) -> Any:
            for task, played in executor.run(work, tasks):
                sizes.append(task.pairs)
                yield task, played

    engine = CallsEngine(pairing(catalogue, "tictactoe1", "monkey", 200))
    assert play_fights([engine], Noting())[0].as_json() == result.as_json()
    assert most // 4 <= max(sizes) <= most


def test_quick_games_make_tasks_as_long_as_an_executor_wants(catalogue: Catalogue) -> None:
    engine = CallsEngine(pairing(catalogue, "tictactoe3", "monkey", 10**6))
    queue = PlainFights([engine]).queue

    def size() -> int:
        chunk = queue.next_task()
        assert chunk is not None
        return chunk.pairs

    assert size() <= 125, "nobody knows yet how quick they are"
    queue.pace(Chunk(0, 1, 126), 125 * 25e-6)
    assert size() == pytest.approx(0.1 / 25e-6, abs=1)
    queue.seconds_a_task = lambda: 0.5
    assert size() == pytest.approx(0.5 / 25e-6, abs=1)


@pytest.mark.slow
@pytest.mark.parametrize("after", [5, 17, 40])
def test_the_table_of_an_interrupted_tournament_is_fair(after: int, catalogue: Catalogue) -> None:
    names = ("monkey", "triples", "minimax", "heuristic", "lines")
    pairings = [pairing(catalogue, a, b, 500) for a, b in combinations(names, 2)]
    with pytest.raises(Interrupted) as interrupted:
        play_fights([CallsEngine(each) for each in pairings], Interrupting(after))
    pairs = [fight.pairs for fight in interrupted.value.results]
    assert sum(pairs)
    assert max(pairs) - min(pairs) <= fights_in_a_round(interrupted.value.results)


def fights_in_a_round(results: Sequence[Fought]) -> int:
    """Return by how many pairs a fight may be ahead: a round in which all fights were measured."""
    return 1 if min(fight.pairs for fight in results) < 1 else 500 // 16 + 1


@pytest.mark.slow
def test_another_seed_gives_other_games(result: FightResult) -> None:
    assert arena.fight("tictactoe1", "monkey", 200, seed=6).as_json() != result.as_json()


def test_a_fight_can_be_counted_again_from_its_games_played_one_by_one(
    catalogue: Catalogue, result: FightResult
) -> None:
    fight = pairing(catalogue, "tictactoe1", "monkey", 200)
    tallies = [Counter[Outcome](), Counter[Outcome]()]
    pentanomial, distinct = Counter[int](), set()
    for pair in range(1, 201):
        points = 0
        for swapped in (False, True):
            record = play_one(fight, "calls", pair, swapped)
            tallies[swapped][record.outcome] += 1
            distinct.add((swapped, record.moves))
            won = Outcome.SECOND_WINS if swapped else Outcome.FIRST_WINS
            points += 2 * (record.outcome == won) + (record.outcome == Outcome.DRAW)
        pentanomial[points] += 1
    assert result.first.wins == tallies[0][Outcome.FIRST_WINS]
    assert result.first.losses == tallies[0][Outcome.SECOND_WINS]
    assert result.second.wins == tallies[1][Outcome.SECOND_WINS]
    assert result.second.losses == tallies[1][Outcome.FIRST_WINS]
    assert result.total.draws == tallies[0][Outcome.DRAW] + tallies[1][Outcome.DRAW]
    assert list(result.pentanomial) == [pentanomial[points] for points in range(5)]
    assert result.distinct_games == len(distinct)


@pytest.mark.slow
def test_the_first_game_that_each_lost_can_be_replayed(result: FightResult) -> None:
    for loser, winner in zip(result.both, ("monkey", "tictactoe1"), strict=True):
        game_id = loser.first_lost
        assert game_id is not None
        assert arena.replay(game_id).winner == winner
        first = GameId.parse(game_id)
        for pair in range(1, first.pair):
            for half in (1, 2):
                shown = arena.replay(f"tictactoe/tictactoe1/monkey/5/{pair}.{half}")
                assert shown.winner != winner
    assert arena.fight("tictactoe3", "monkey", 20, seed=1).a.first_lost is None


def test_counts_obey_the_laws_between_games_and_pairs(result: FightResult) -> None:
    total, (ll, ld, mid, wd, ww) = result.total, result.pentanomial
    assert total.games == 2 * result.pairs == 2 * sum(result.pentanomial) == 400
    assert total.wins - total.losses == 2 * ww + wd - ld - 2 * ll
    assert wd + ld <= total.draws <= wd + ld + 2 * mid


@pytest.mark.slow
def test_seeing_a_fight_from_the_other_side_mirrors_the_chances() -> None:
    one = arena.fight("tictactoe3", "monkey", 300, seed=1)
    other = arena.fight("monkey", "tictactoe3", 300, seed=1)
    assert one.total.losses == other.total.wins == 0
    assert abs(one.total.wins - other.total.losses) < 80  # of 600; six standard deviations


def test_a_player_against_itself_has_two_names() -> None:
    result = arena.fight("monkey", "monkey", 5, seed=1)
    assert result.players == ("monkey", "monkey#2")
    assert str(result).startswith("Draw: ")


def test_functions_and_classes_can_fight_without_being_installed() -> None:
    class Remembers:
        def start(self, game: object, side: object, rng: random.Random) -> None:
            self.rng = rng

        def choose(self, position: arena.Position) -> int:
            return self.rng.choice(position.legal_moves())

        def observe(self, move: int) -> None:
            pass

        def finish(self, outcome: object) -> None:
            pass

    def first_free(position: arena.Position, rng: random.Random) -> int:
        return position.legal_moves()[0]

    result = arena.fight(Remembers, first_free, 10, seed=2)
    assert result.players == ("Remembers", "first_free")
    assert result.total.games == 20
    assert result == arena.fight(Remembers, first_free, 10, seed=2, executor="serial")


@pytest.mark.slow
def test_forfeits_are_counted_by_reason_and_the_first_can_be_replayed() -> None:
    result = arena.fight(clumsy, "monkey", 100, seed=3)
    assert set(result.a.forfeits) == {"exception", "illegal"}
    assert result.b.forfeits == {}
    first = result.a.first_forfeit
    assert first is not None
    assert result.b.first_forfeit is None
    assert first.player == "clumsy"
    assert result.total.losses >= sum(result.a.forfeits.values())
    assert result == arena.fight(clumsy, "monkey", 100, seed=3, workers=1)


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_a_player_that_ends_the_process_spoils_its_own_fights_only(workers: int) -> None:
    def suicide(position: arena.Position, rng: random.Random) -> int:
        os._exit(3)

    result = arena.tournament([suicide, "monkey", "triples"], 6, seed=1, workers=workers)
    voided, other, fine = result.fights
    assert voided.players == ("suicide", "monkey")
    assert voided.pairs == 0
    assert voided.void == 12
    assert "exit code 3" in (voided.unfinished or "")
    assert other.unfinished
    assert fine.players == ("monkey", "triples")
    assert fine.unfinished is None
    assert fine.pairs == 6
    assert [fight.players for fight in result.unfinished] == [voided.players, other.players]
    assert result.as_json()["standings"][-1]["score"] is None


@pytest.mark.slow
def test_a_worker_killed_from_outside_changes_nothing(tmp_path: Path) -> None:
    mark = tmp_path / "mark"

    def shot_once(position: arena.Position, rng: random.Random) -> int:
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return rng.choice(position.legal_moves())

    first = arena.fight(shot_once, "monkey", 30, seed=9)
    assert mark.exists()
    assert first == arena.fight(shot_once, "monkey", 30, seed=9)
    assert first.unfinished is None


def test_an_interrupt_keeps_what_was_finished(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.fights.engines.MIN_CHUNKS", 20)  # one pair at a time
    engines = [CallsEngine(pairing(catalogue, "monkey", b)) for b in ("triples", "minimax")]
    with pytest.raises(Interrupted) as interrupted:
        play_fights(engines, Interrupting(after=25))
    one, two = interrupted.value.results
    assert (one.pairs, one.unfinished) == (13, "interrupted")
    assert (two.pairs, two.unfinished) == (12, "interrupted")


@pytest.mark.slow
def test_a_replay_is_the_game_of_the_fight(catalogue: Catalogue) -> None:
    fight = pairing(catalogue, "heuristic", "monkey", 10, seed=77)
    for pair, swapped in ((1, False), (4, True), (10, False)):
        record: GameRecord = play_one(fight, "calls", pair, swapped)
        shown = arena.replay(f"tictactoe/heuristic/monkey/77/{pair}.{1 + swapped}")
        assert shown.moves == tuple(str(move + 1) for move in record.moves)
        assert shown.outcome == record.outcome.value
        assert shown.players == (("monkey", "heuristic") if swapped else ("heuristic", "monkey"))
        assert len(shown.pictures) == len(shown.moves) + 1


def test_what_cannot_be_played_is_refused_before_the_first_move(
    catalogue: Catalogue, wording: Wording
) -> None:
    with wording.raises(CannotPlay):
        arena.fight("triples", "monkey", game="tictactoe-4")
    with wording.raises(UsageError):
        arena.fight("triples", "monkey", 0)
    with pytest.raises(UsageError, match=r"seed .* 0 "):
        arena.fight("triples", "monkey", seed=-1)
    with wording.raises(UsageError):
        arena.fight("triples", "monkey", workers=0)
    with wording.raises(UsageError):
        arena.fight(7, "monkey")  # type: ignore[arg-type]
    with wording.raises(UsageError):
        arena.fight(PurePosixPath("bot.py"), "monkey")  # type: ignore[arg-type]
    with wording.raises(UsageError):
        arena.tournament(["monkey", "monkey"])
    with wording.raises(UsageError):
        arena.tournament(["monkey"])


def test_the_global_random_generator_is_left_alone() -> None:
    random.seed(1)
    before = random.getstate()
    arena.fight("monkey", "tictactoe2", 5, executor="serial")
    assert random.getstate() == before


@pytest.mark.slow
def test_progress_is_told_of_every_pair() -> None:
    seen: list[tuple[int, int, int]] = []
    arena.tournament(
        ["monkey", "triples", "minimax"],
        10,
        seed=1,
        on_progress=lambda index, counts, games: seen.append((index, counts.pairs, games)),
    )
    assert {index for index, _, _ in seen} == {0, 1, 2}
    assert max(done for _, done, _ in seen) == 10
    assert {games for _, _, games in seen} == {60}


def test_players_info_is_what_a_fight_needs() -> None:
    info = PlayerInfo("first", lambda position, rng: position.legal_moves()[0])
    assert arena.fight(info, info, 2, seed=1).distinct_games == 2


def test_without_numpy_a_long_fight_is_played_by_calls(
    monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    fight = arena.fight("monkey", "monkey", n=5000, seed=1, executor="serial")
    assert fight.engine == "calls"
    wording(fight.engine_reason)
    with wording.raises(CannotEnumerate):
        arena.fight("monkey", "monkey", n=5, seed=1, engine="table", executor="serial")


def test_a_fight_knows_what_to_say_about_a_player_that_hangs(wording: Wording) -> None:
    catalogue = load_catalogue()
    a, b = catalogue.player("monkey"), catalogue.player("minimax")
    play = fights._Play((CallsEngine(Pairing(catalogue.game("tictactoe"), a, b, 9, 1)),), False)
    wording(play.on_stall(Chunk(0, 2, 5)))
    wording(play.on_stall(Chunk(0, 2, 3)))
    assert "--isolate" in play.on_stall(Chunk(0, 2, 3))


def test_only_players_without_a_limit_are_named(wording: Wording) -> None:
    catalogue = load_catalogue()
    monkey = catalogue.player("monkey")
    apart = catalogue.isolated(Isolation("process", installed=True)).player("minimax")
    pairing = Pairing(catalogue.game("tictactoe"), apart, monkey, 9, 1)
    play = fights._Play((CallsEngine(pairing),), False)
    wording(play.on_stall(Chunk(0, 1, 2)))
    waits = play.on_stall(Chunk(0, 1, 2), "it waits for a move of minimax")
    assert waits.endswith("1: it waits for a move of minimax")


def test_who_stops_in_mid_chunk_has_the_output_back(catalogue: Catalogue) -> None:
    before = sys.stdin, sys.stdout, sys.stderr
    pairs = CallsEngine(pairing(catalogue, "monkey", "triples")).pairs(1, 9)
    next(iter(pairs))
    assert (sys.stdin, sys.stdout, sys.stderr) == before
