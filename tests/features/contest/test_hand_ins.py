"""Contests and hand-ins in a store, in a file and on a server."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.features.contest import hand_ins as kept
from arena.features.hand_in.record import CHECKING, PASSED, REPLACED, WAITING, HandIn
from arena.store.sql import Store

#: A seed as arena draws it: that of a contest.
SEED = 1234567890123456


def test_a_contest_is_found_again_by_the_name_of_its_file(backend: str) -> None:
    store = Store(backend, create=True)
    first = kept.opened(store, "c.toml")
    assert kept.opened(store, "c.toml") == first
    assert kept.opened(store, "d\udcff.toml") == kept.opened(store, "d\udcff.toml") != first
    with store.write() as connection:
        kept.set_conducted(connection, first, started=1, closes="", withdrawn=["b\udcffb"])
    with store.read() as connection:
        result = kept.read_conducted(connection, first)
    assert result == kept.ContestState(first, True, "", ("b\udcffb",))


def test_hand_ins_are_kept_with_all_that_is_known_of_them(backend: str) -> None:
    store = Store(backend, create=True)
    contest = kept.opened(store, "c.toml")
    content = bytes(range(256))

    def add(_: int) -> HandIn:
        with store.write() as connection:
            store.alone(connection)
            return kept.add_hand_in(connection, contest, "zoë\x00", "b\udcff.py", content)

    with ThreadPoolExecutor(4) as pool:
        made = sorted(pool.map(add, range(8)), key=lambda own: own.number)
    assert [own.number for own in made] == [*range(1, 9)]
    with store.write() as connection:
        assert kept.take(connection, contest, made[-1])
        assert not kept.take(connection, contest, made[-1])
        assert not kept.take(connection, contest, made[0])
    with store.read() as connection:
        states = [own.state for own in kept.read_hand_ins(connection, contest)]
        assert states == [*[REPLACED] * 7, CHECKING]
        assert kept.content_of(connection, contest, made[3]) == content
        assert kept.read_hand_ins(connection, contest, "zoe") == []
    report = {"conforms": True, "text": "\x00\udcff\N{SNOWMAN}"}
    values = {"state": PASSED, "report": report, "problem": "\udcff", "seconds": 0.5}
    with store.write() as connection:
        kept.take_back_checks(connection, contest)
        [waits] = kept.read_hand_ins(connection, contest, states=[WAITING])
        kept.note_outcome(connection, contest, waits, values)
    with store.read() as connection:
        [passed] = kept.read_hand_ins(connection, contest, "zoë\x00", states=[PASSED])
        [brief] = kept.read_hand_ins(connection, contest, states=[PASSED], brief=True)
    assert (passed.size, passed.report, passed.problem) == (256, report, "\udcff")
    assert (brief.report, brief.number) == (None, passed.number) == (None, 8)


@pytest.mark.slow
def test_who_plays_a_run_is_read_with_where_it_comes_from(backend: str) -> None:
    store = Store(backend, create=True)
    names = ["monkey", "a=triples", "b=heuristic"]
    with store.read() as connection:
        assert kept.read_playing(connection, "c.toml") is None
    Path("c.toml").write_text("pairs = 1\n")
    arena.tournament(["c.toml", *names], seed=SEED, store=backend)
    arena.resume(backend, replace=["a=a=lines"], withdraw=["monkey"], add=["c=monkey"])
    with store.read() as connection:
        playing = kept.read_playing(connection, "c.toml")
        assert kept.text_of(connection, 1) == "pairs = 1\n"
    specs = {"a": "lines", "b": "heuristic", "c": "monkey"}
    assert playing == kept.ContestRun(1, specs, True, absent={})


@pytest.mark.slow
def test_a_run_with_a_chosen_seed_or_another_schedule_is_not_a_contests(backend: str) -> None:
    store = Store(backend, create=True)
    Path("c.toml").write_text('players = ["monkey", "triples", "lines"]\npairs = 1\n')
    others: list[dict[str, Any]] = [
        {"seed": 7},
        {"seed": 2**32 - 1},
        {"seed": 2**53},
        {"seed": SEED, "schedule": "swiss:1"},
        {"seed": SEED, "schedule": "knockout"},
    ]
    for words in others:
        arena.tournament("c.toml", store=backend, **words)
        with store.read() as connection:
            assert kept.run_of(connection, "c.toml") is None
            assert kept.read_playing(connection, "c.toml") is None
    own: list[dict[str, Any]] = [{"seed": SEED}, {"gauntlet": "monkey"}, {}]
    for number, words in enumerate(own, 6):
        arena.tournament("c.toml", store=backend, again=True, **words)
        with store.read() as connection:
            assert kept.run_of(connection, "c.toml") == number
    arena.tournament("c.toml", store=backend, seed=8)
    with store.read() as connection:
        assert kept.run_of(connection, "c.toml") == 8
