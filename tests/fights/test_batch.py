"""The engine ``batch``: the same games in any company, every move checked, nothing lost."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import arena
from arena.errors import UsageError
from arena.executors.serial import SerialExecutor
from arena.fights import lockstep
from arena.fights.batch import BatchEngine
from arena.fights.choosing import TABLE_PAIRS, by_batch, choose_engines
from arena.fights.engines import CallsEngine
from arena.fights.openings import openings_of
from arena.fights.pair_counts import PairCounts
from arena.fights.pairing import BATCH, GameId, Pairing
from arena.fights.play import Interrupted, play_one
from arena.game import Position
from arena.player import PlayerInfo
from arena.player.batches import BatchRandom
from arena.proof.certificate_file import read_certificate
from arena.records.fights import FightResult
from tests.fights.executors import Interrupting
from tests.fights.playing import play_fights
from tests.golden import Wording


def choose(position: Position, rng: random.Random) -> int:
    return rng.choice(position.legal_moves())


def choose_batch(positions: Any, rng: BatchRandom) -> Any:
    return rng.choice(positions.legal)


def in_sequence(positions: Any, rng: BatchRandom) -> Any:
    """Choose as for a game without planes: the positions are a sequence."""
    moves = [position.legal_moves() for position in positions]
    drawn = rng.integers([len(own) for own in moves]).tolist()
    return [own[at] for own, at in zip(moves, drawn, strict=True)]


def weighted(positions: Any, rng: BatchRandom) -> Any:
    """Choose by a small network, whose bits change with the size of a block."""
    weights = np.random.Generator(np.random.PCG64(1))
    seen = np.concatenate([positions.mine, positions.theirs], axis=1).astype(np.float32)
    hidden = np.tanh(seen @ weights.standard_normal((seen.shape[1], 64), np.float32))
    scores = hidden @ weights.standard_normal((64, positions.legal.shape[1]), np.float32)
    scores = 0.05 * scores + np.stack([rng.random() for _ in scores[0]], axis=1)
    return np.where(positions.legal, scores, -np.inf).argmax(axis=1)


def player(name: str, batch: Any = choose_batch) -> PlayerInfo:
    return PlayerInfo(name, choose, choose_batch=batch)


def pairing(a: PlayerInfo, b: PlayerInfo, pairs: int, game: str = "tictactoe") -> Pairing:
    return Pairing(arena.get_game(game), a, b, pairs, 5, engine=BATCH)


def counted(engine: BatchEngine, *cuts: int) -> PairCounts:
    """Count pairs that are played in parts, from one number to the next."""
    counts = PairCounts()
    for start, stop in pairwise(cuts):
        counts.add(engine.play(start, stop))
    return counts


@pytest.mark.parametrize(
    ("game", "batch"),
    [
        ("tictactoe", weighted),
        pytest.param("connect4", weighted, marks=pytest.mark.slow),
        ("mnk-9-8-5", choose_batch),
        ("tictactoe-misere", choose_batch),
        ("nim-3-4-5", in_sequence),
        ("tictactoe", in_sequence),
    ],
)
def test_a_game_is_the_same_in_any_company(game: str, batch: Any) -> None:
    engine = BatchEngine(pairing(player("a", batch), player("b", batch), 300, game))
    every = {pair.pair: pair.records for pair in engine.pairs(1, 301)}
    assert len({*every.values()}) > 20
    for start, stop in ((1, 2), (7, 20), (255, 301)):
        for pair in engine.pairs(start, stop):
            assert pair.records == every[pair.pair]
    for swapped in (False, True):
        assert play_one(engine.pairing, BATCH, 123, swapped) == every[123][swapped]
    for records in list(every.values())[:40]:
        for record in records:
            assert record.forfeit is None
            position = engine.pairing.game.start()
            for move in record.moves:
                position = position.play(move)
            assert position.outcome() == record.outcome


def test_counting_makes_no_difference_to_making_records() -> None:
    engine = BatchEngine(pairing(player("a"), player("b", weighted), 500))
    assert counted(engine, 1, 501) == PairCounts.of_pairs(engine.pairs(1, 501))
    assert counted(engine, 1, 2, 257, 300, 501) == counted(engine, 1, 501)


def test_no_more_pairs_are_played_at_a_time_than_the_page_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sizes, play_half = list[int](), lockstep.play_half

    def noting(own: Pairing, swapped: bool, start: int, stop: int) -> Any:
        sizes.append(stop - start)
        return play_half(own, swapped, start, stop)

    monkeypatch.setattr(lockstep, "play_half", noting)
    engine = BatchEngine(pairing(player("a"), player("b"), 20_000))
    assert engine.chunk_size == 4096
    assert [pair.pair for pair in engine.pairs(1, 5001)] == [*range(1, 5001)]
    assert sizes == [2500] * 4
    sizes.clear()
    assert engine.play(1, 9001) == counted(engine, 1, 4000, 9001)
    assert max(sizes) <= 4096


def test_a_player_without_it_is_called_one_by_one() -> None:
    seen: list[Position] = []

    def noting(position: Position, rng: random.Random) -> int:
        seen.append(position)
        return rng.choice(position.legal_moves())

    engine = BatchEngine(pairing(player("a"), PlayerInfo("b", noting), 60))
    counts = counted(engine, 1, 61)
    moves = sum(len(record.moves) for pair in engine.pairs(1, 61) for record in pair.records)
    assert counts == counted(engine, 1, 30, 61)
    assert len(seen) > moves / 2


def test_games_begin_from_openings_of_any_length() -> None:
    openings = openings_of("all:1", arena.get_game("tictactoe"))
    mixed = Pairing(
        *(arena.get_game("tictactoe"), player("a"), player("b"), 30, 5),
        openings=openings,
        engine=BATCH,
    )
    engine = BatchEngine(mixed)
    every = list(engine.pairs(1, 31))
    assert engine.play(1, 31) == PairCounts.of_pairs(every)
    identity = mixed.game_id(3, True)
    assert GameId.parse(identity).engine == BATCH
    assert GameId.parse(identity).opening == every[2].opening
    [alone] = engine.pairs(3, 4)
    assert alone.records == every[2].records


def bad(positions: Any, rng: BatchRandom) -> Any:
    """Move to a taken square, or nowhere, in some games."""
    moves, drawn = rng.choice(positions.legal), rng.random()
    return np.where(drawn < 0.02, 99, np.where(drawn < 0.05, positions.mine.argmax(axis=1), moves))


def raising(positions: Any, rng: BatchRandom) -> Any:
    if (rng.random() < 0.003).any():
        raise ValueError("no idea")
    return rng.choice(positions.legal)


@pytest.mark.slow
@pytest.mark.parametrize(("batch", "reason"), [(bad, "illegal"), (raising, "exception")])
def test_who_fails_forfeits_that_game_alone(batch: Any, reason: str) -> None:
    fight = arena.fight(player("a", batch), player("b"), 300, seed=3, workers=1)
    assert fight.engine == BATCH
    assert (fight.pairs, fight.void) == (300, 0)
    assert 0 < fight.a.forfeits[reason] < 200
    assert not fight.b.forfeits
    first = fight.a.first_forfeit
    assert first is not None
    assert first.game_id is not None
    named = GameId.parse(first.game_id)
    own = pairing(player("a", batch), player("b"), 300)
    record = play_one(
        Pairing(own.game, own.a, own.b, 300, 3, engine=BATCH), BATCH, named.pair, named.half
    )
    assert record.forfeit is not None
    assert record.forfeit.message == first.message


def test_who_always_fails_plays_no_more_than_its_first_games(wording: Wording) -> None:
    fight = arena.fight(
        player("a", lambda positions, rng: np.zeros(256)), player("b"), 300, seed=3, workers=1
    )
    assert fight.pairs == 10
    assert fight.unfinished is not None
    wording(fight.unfinished, "20")


@pytest.mark.slow
def test_auto_takes_it_where_both_offer_it() -> None:
    offers, called = player("a"), PlayerInfo("c", choose)
    assert arena.fight(offers, player("b"), 12, seed=1, workers=1).engine == BATCH
    assert arena.fight(offers, called, 12, seed=1, workers=1).engine == "calls"
    assert arena.fight(offers, called, 12, seed=1, workers=1, engine=BATCH).engine == BATCH
    ended = arena.fight(offers, player("b"), 12, seed=1, workers=1, adjudicate="draws")
    assert ended.engine == "calls"


def test_a_certificate_is_compared_with_single_moves(tmp_path: Path, wording: Wording) -> None:
    file = tmp_path / "certificate.json"
    record = {**arena.certify("tictactoe3", games=0).with_moves(), "player": "a"}
    file.write_text(json.dumps(record))
    options: Any = {"seed": 1, "workers": 1, "certificates": [file]}
    fight = arena.fight(player("a"), player("b"), 12, **options)
    assert fight.engine == "calls"
    assert fight.a.deviation is not None
    with wording.raises(UsageError):
        arena.fight(player("a"), player("b"), 12, engine=BATCH, **options)
    certificate = read_certificate(file, arena.get_game)
    for pairs in (12, TABLE_PAIRS):
        called = pairing(player("a"), player("b"), pairs)
        setting = replace(called, certificates=(certificate, None), engine="calls")
        [engine] = choose_engines(by_batch([setting], "auto"), "auto", SerialExecutor())
        assert (type(engine), engine.reason) == (CallsEngine, "")


class Stateful:
    def start(self, game: Any, side: Any, rng: Any) -> None: ...
    def choose(self, position: Any) -> int:
        return int(position.legal_moves()[0])


def test_a_pairing_that_cannot_be_batched_is_refused(wording: Wording) -> None:
    stateful = arena.get_player(Stateful)
    with wording.raises(UsageError):
        arena.fight(player("a"), stateful, 5, engine=BATCH)
    with wording.raises(UsageError):
        arena.fight(player("a"), player("b"), 5, engine=BATCH, adjudicate="draws")


FILE = """
def choose(position, rng):
    return rng.choice(position.legal_moves())

def choose_batch(positions, rng):
    return rng.choice(positions.legal)
"""


@pytest.mark.slow
def test_a_file_in_arenas_own_process_plays_by_batches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text(FILE)
    options: Any = {"n": 300, "seed": 1, "isolation": arena.Isolation(tier="none")}
    one, two = (arena.fight("./bot.py", "lms", workers=workers, **options) for workers in (1, 2))
    assert one.engine == BATCH
    assert one.as_json() == two.as_json()
    checked = arena.check("./bot.py", seed=1, isolation=options["isolation"], positions=50)
    assert sum(finding.check.startswith("batch: ") for finding in checked.findings) == 3


def test_a_pairing_that_is_resumed_is_refused_too(wording: Wording) -> None:
    with wording.raises(UsageError):
        choose_engines(
            [pairing(player("a"), arena.get_player(Stateful), 5)], "calls", SerialExecutor()
        )
    assert by_batch([pairing(player("a"), player("b"), 5)], "calls")[0].engine == BATCH


def test_a_sequential_test_goes_by_the_same_pairs() -> None:
    result = arena.until_fight(
        player("a", weighted), player("b"), 400, until=0.09, seed=2, workers=1
    )
    assert result.fight.engine == BATCH
    whole = arena.fight(player("a", weighted), player("b"), result.fight.pairs, seed=2, workers=1)
    assert result.fight.joint == whole.joint


def test_a_sprt_goes_by_the_same_pairs() -> None:
    options: Any = {"elo0": 0, "elo1": 100, "seed": 2, "workers": 1}
    result = arena.sprt_fight(player("a", weighted), player("b"), 400, **options)
    assert result.fight.engine == BATCH
    whole = arena.fight(player("a", weighted), player("b"), result.fight.pairs, seed=2, workers=1)
    assert result.fight.joint == whole.joint
    assert result.fight.pairs < 400


@pytest.mark.slow
def test_the_number_of_workers_changes_nothing() -> None:
    one, two = (
        arena.fight("lms", "lms:players/lms.json", 600, seed=4, workers=workers)
        for workers in (1, 2)
    )
    assert isinstance(one, FightResult)
    assert one.engine == BATCH
    assert one.as_json() == two.as_json()


@pytest.mark.slow
def test_an_interrupted_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = arena.fight("lms", "lms:players/lms.json", 900, seed=4, workers=1)
    store = tmp_path / "S"
    make = "arena.runs.begin.open_executor"
    with monkeypatch.context() as patched:
        patched.setattr(make, lambda *_: Interrupting(after=1))
        with pytest.raises(Interrupted):
            arena.fight("lms", "lms:players/lms.json", 900, seed=4, store=store)
    interrupted = arena.show(store)
    assert isinstance(interrupted, FightResult)
    assert 0 < interrupted.pairs < 900
    resumed = arena.resume(store, workers=1)
    assert resumed.as_json() == whole.as_json() == arena.show(store).as_json()
    assert arena.verify(store).divergence is None
    played = "tictactoe/lms/lms%3Aplayers%2Flms.json/4/batch/300.2"
    assert arena.replay(played) == arena.replay(played, store=store)


@pytest.mark.slow
def test_a_table_of_a_tournament_has_the_engine() -> None:
    result = arena.tournament([player("a"), player("b"), player("c")], 20, seed=1, workers=1)
    assert {fight.engine for fight in result.fights} == {BATCH}
    engines = [BatchEngine(pairing(player("a"), player("b"), 20))]
    assert play_fights(engines, SerialExecutor())[0].pairs == 20
