"""The store keeps which volunteer played what, and forgets the games of one that is dismissed."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import select

import arena
from arena.match.record import PlayedPair
from arena.plugin.manager import load_catalogue
from arena.runs.stored_runs import game_of
from arena.store import schema
from arena.store.journal import StoreJournal
from arena.store.parts import Parts
from arena.store.reading import find_run, pairings_of
from arena.store.sql import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    path = tmp_path / "s.db"
    arena.tournament(["monkey", "tictactoe1", "tree"], n=4, seed=1, store=path)
    return Store(path)


def journal_of(store: Store) -> StoreJournal:
    run = find_run(store, None)
    return StoreJournal(
        store, run.number, pairings_of(run, game_of(run, load_catalogue())), run.fights
    )


def pairs(journal: StoreJournal, fight: int) -> list[int]:
    return [pair.pair for pair in journal.pairs(fight)]


@pytest.mark.slow
def test_all_games_of_a_dismissed_volunteer_are_forgotten(store: Store) -> None:
    with journal_of(store) as journal:
        parts = Parts(journal)
        parts.note("anna", 0, 1, 3)
        parts.note("mallory", 0, 3, 5)
        parts.note("mallory", 2, 1, 2)
        parts.note("mallory", 2, 1, 2)  # once more, after its answer was lost
        assert find_run(store, None).finished is not None
        assert parts.dismiss("mallory", "it lied") == 6
        assert [pairs(journal, fight) for fight in range(3)] == [[1, 2], [1, 2, 3, 4], [2, 3, 4]]
        assert parts.dismissed() == {"mallory": "it lied"}
        assert parts.dismiss("mallory", "again") == 0
        assert parts.dismissed() == {"mallory": "it lied"}
    run = find_run(store, None)
    assert run.finished is None
    assert [fight.result for fight in run.fights] == [None] * 3
    with store.read() as connection:
        [row] = connection.execute(select(schema.parts)).all()
    assert row.worker == "anna"


@pytest.mark.slow
def test_the_run_is_played_to_the_same_end(store: Store) -> None:
    before = arena.show(store.name)
    with journal_of(store) as journal:
        parts = Parts(journal)
        parts.note("mallory", 1, 1, 5)
        parts.dismiss("mallory", "it lied")
    assert str(arena.resume(store.name)) == str(before)
    assert arena.verify(store.name).divergence is None


@pytest.mark.slow
def test_part_of_what_was_noted_may_not_be_there(store: Store) -> None:
    with journal_of(store) as journal:
        parts = Parts(journal)
        parts.note("mallory", 0, 900, 950)  # noted, and killed before it counted
        assert parts.dismiss("mallory", "it lied") == 0
    assert find_run(store, None).finished is not None


@pytest.mark.slow
def test_a_complete_run_by_rounds_keeps_no_pairs_that_no_round_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    names = ["monkey", "tictactoe1", "tree", "heuristic", "a=monkey"]
    played = arena.tournament(names, n=2, seed=1, store=path, schedule="swiss:2")
    store = Store(path)
    run = find_run(store, None)
    empty = next(place for place, fight in enumerate(run.fights) if not fight.games)
    with journal_of(store) as journal:
        [pair, *_] = journal.pairs(next(p for p, fight in enumerate(run.fights) if fight.games))
        extra: PlayedPair = pair._replace(pair=1)
        journal.write(empty, [extra])
        Parts(journal).note("mallory", 0, 1, 2)
        Parts(journal).dismiss("mallory", "it lied")
    again = arena.resume(path)
    assert str(again) == str(played)
    assert not find_run(store, None).fights[empty].games
    assert arena.verify(path).divergence is None
