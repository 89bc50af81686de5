"""The choice of engines: in one run each pairing is played by the best that it can be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

import arena
from arena.errors import UsageError
from arena.executors.serial import SerialExecutor
from arena.fights.batch import BatchEngine
from arena.fights.choosing import TABLE_PAIRS, by_batch, choose_engines, offers_batch
from arena.fights.engines import CallsEngine, TableEngine
from arena.fights.pairing import BATCH, Pairing
from arena.player import PlayerInfo
from arena.records.adjudication import Adjudication
from tests.fights.test_batch import Stateful, choose, player, weighted
from tests.golden import Wording
from tests.samples import few

SLOW = PlayerInfo("slow", choose)


def pairings(players: Sequence[PlayerInfo], pairs: int = 5, **options: Any) -> list[Pairing]:
    game = arena.get_game("tictactoe")
    return [Pairing(game, a, b, pairs, 5, **options) for a, b in combinations(players, 2)]


def by_names(every: Sequence[Pairing]) -> dict[tuple[str, str], str]:
    return {pairing.names: pairing.engine for pairing in every}


def test_auto_marks_each_pairing_that_can_be_played_by_batches() -> None:
    clocked = replace(player("timed"), limits=(("move_time", 5.0),))
    stateful = arena.get_player(Stateful)
    players = [player("a"), SLOW, player("b"), clocked, stateful]
    assert [offers_batch(each) for each in players] == [True, False, True, False, False]
    every = pairings(players)
    marked = by_names(by_batch(every, "auto"))
    assert [both for both, engine in marked.items() if engine == BATCH] == [("a", "b")]
    assert len(marked) == len(every)
    assert by_batch(every, "calls") == by_batch(every, "table") == every
    with pytest.raises(UsageError, match=stateful.name):
        by_batch(every, BATCH)
    assert {*by_names(by_batch(every[:2], BATCH)).values()} == {BATCH}


def test_what_is_in_the_way_of_a_whole_run_leaves_all_to_calls() -> None:
    ends = Adjudication.read("draws", None, None)
    every = pairings([player("a"), player("b"), SLOW], adjudication=ends)
    assert by_batch(every, "auto") == every


def test_the_others_have_the_engines_that_they_have_without_batches() -> None:
    first = arena.get_player("tictactoe1")
    every = pairings([player("a"), player("b"), first, arena.get_player("minimax")], TABLE_PAIRS)
    chosen = choose_engines(by_batch(every, "auto"), "auto", SerialExecutor())
    assert [engine.pairing.names for engine in chosen] == [each.names for each in every]
    without = choose_engines(every[1:], "auto", SerialExecutor())
    assert type(chosen[0]) is BatchEngine
    assert [type(engine) for engine in chosen[1:]] == [type(engine) for engine in without]
    assert {engine.pairing.engine for engine in chosen[1:]} == {"calls"}
    assert TableEngine in map(type, without)
    called = choose_engines(by_batch(every, "auto"), "calls", SerialExecutor())
    assert [type(engine) for engine in called] == [BatchEngine, *[CallsEngine] * 5]


def test_who_keeps_pairings_from_batches_is_named(
    caplog: pytest.LogCaptureFixture, wording: Wording
) -> None:
    every = pairings([player("a"), player("b"), player("c"), SLOW])
    by_batch(every, "auto")
    [record] = caplog.records
    wording(record.getMessage())
    by_batch([every[0], *pairings([player("a"), SLOW]), *pairings([player("b"), SLOW])], "auto")
    wording(caplog.messages[1], "2 of 3")
    by_batch(every, "calls")
    by_batch(pairings([player("a"), SLOW]), "auto")
    by_batch(pairings([player("a"), player("b")]), "auto")
    assert len(caplog.records) == 2


def test_many_players_without_batches_are_counted_and_arenas_own_are_not_told(
    caplog: pytest.LogCaptureFixture,
) -> None:
    called = [PlayerInfo(f"p{number}", choose) for number in range(6)]
    own = [replace(player(name), package="proving-arena") for name in "ab"]
    for offering, count in ((own, 0), ([player("a"), player("b")], 1)):
        by_batch(pairings([*offering, *called]), "auto")
        assert len(caplog.messages) == count
    assert ": p0, p1, p2, 3 more " in caplog.messages[0]


def test_a_pairing_of_a_mixed_run_plays_the_games_of_a_fight_of_its_own() -> None:
    a, b = player("a"), player("b", weighted)
    options: Any = {"seed": 1, "workers": 1}
    mixed = arena.tournament([a, SLOW, b], 300, **options)
    assert mixed.engine == "batch, calls"
    fights = {fight.players: fight for fight in mixed.fights}
    for pair in ((a, b), (a, SLOW), (SLOW, b)):
        own = arena.fight(*pair, 300, **options)
        other = fights[own.players]
        assert other.engine == own.engine == (BATCH if SLOW not in pair else "calls")
        assert (other.joint, other.distinct_games) == (own.joint, own.distinct_games)
        assert (other.a.first_lost, other.b.first_lost) == (own.a.first_lost, own.b.first_lost)


@pytest.mark.parametrize(
    "how",
    few(
        [
            {},
            {"gauntlet": "lines"},
            {"schedule": "swiss:2"},
            {"schedule": "knockout"},
            {"until": "best"},
        ]
    ),
)
def test_the_number_of_workers_and_the_executor_change_nothing(how: Any) -> None:
    ways: list[Any] = [{"workers": 1}, {"workers": 2}, {"executor": "serial"}]
    players = ["lms", "lines", "monkey", "triples"]
    one, *others = (arena.tournament(players, 60, seed=4, **how, **way) for way in ways)
    assert "batch" in one.engine
    assert [other.as_json() for other in others] == [one.as_json()] * 2
    if not how:
        assert one.engine == "batch, calls"
