"""Runs of which some fights are by batches: kept, gone on with and found as any other."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.errors import StoreError
from arena.fights.pairing import GameId
from arena.fights.play import Interrupted
from arena.main import main
from arena.records.tournaments import TournamentResult
from tests.fights.executors import Interrupting
from tests.golden import Wording
from tests.samples import few
from tests.store.writing import resume

#: Two of them offer batches.
MIXED = ("monkey", "lms", "lines", "triples")

#: A file that offers batches, and one that does not.
CALLED = "def choose(position, rng):\n    return rng.choice(position.legal_moves())\n"
ABLE = CALLED + "\n\ndef choose_batch(positions, rng):\n    return rng.choice(positions.legal)\n"


def play(*players: str, **options: Any) -> TournamentResult:
    return arena.tournament(players, 8, seed=3, executor="serial", **options)


def interrupt(monkeypatch: pytest.MonkeyPatch, after: int, *players: str, **options: Any) -> None:
    """Play a tournament until some tasks are done."""
    with monkeypatch.context() as patched:
        patched.setattr("arena.runs.begin.open_executor", lambda *_: Interrupting(after))
        with pytest.raises(Interrupted):
            play(*players, **options)


def stored(path: Path, run: int = 0) -> dict[str, Any]:
    return dict(arena.export(path).as_json()["runs"][run])


def games_of(path: Path, run: int = 0) -> dict[str, Any]:
    """Return every game of a run by its id, without the seconds that it took."""
    exported = stored(path, run)
    fights = [*exported["fights"], *exported.get("left_out", ())]
    games = [game for fight in fights for game in fight["games"]]
    return {game["game_id"]: {**game, "seconds": 0} for game in games}


def engines_of(played: TournamentResult) -> dict[tuple[str, str], str]:
    return {fight.players: fight.engine for fight in played.fights}


def test_a_fight_is_by_batches_unless_one_of_its_players_is_called(path: Path) -> None:
    played = play(*MIXED, store=path)
    assert {both for both, engine in engines_of(played).items() if engine == "batch"} == {
        ("lms", "lines")
    }
    assert stored(path)["options"] == {"engine": "batch", "called": [0, 3]}
    assert played.as_json() == play(*MIXED).as_json() == arena.show(path).as_json()
    for game in games_of(path):
        named = GameId.parse(game)
        assert named.engine == ("batch" if {*named.players} == {"lms", "lines"} else "calls")
        report = arena.replay(game, store=path)
        if named.pair == 5:
            assert arena.replay(game) == report
    verified = arena.verify(path, replay=True)
    assert (verified.divergence, verified.replayed) == (None, 6 * 16)


def test_its_games_are_those_of_fights_of_their_own(path: Path) -> None:
    play(*MIXED, store=path)
    for players in (("lms", "lines"), ("monkey", "lines")):
        own = path.with_name("-".join(players))
        arena.fight(*players, 8, seed=3, store=own, executor="serial")
        games, mixed = games_of(own), games_of(path)
        assert len(games) == 16
        assert {game: mixed[game] for game in games} == games
        assert stored(own)["options"] == ({"engine": "batch"} if "lms" in players else {})


@pytest.mark.parametrize(
    ("how", "after"), few([({}, 4), ({"schedule": "swiss:2"}, 2), ({"until": "best"}, 5)])
)
def test_an_interrupted_one_goes_on(
    path: Path, how: Any, after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = play(*MIXED, **how)
    interrupt(monkeypatch, after, *MIXED, store=path, **how)
    before = games_of(path)
    assert before
    assert arena.verify(path).divergence is None
    assert resume(path, workers=2).as_json() == whole.as_json()
    after_it = games_of(path)
    assert {game: after_it[game] for game in before} == before


@pytest.mark.slow
def test_the_same_command_finds_it(path: Path) -> None:
    played = play(*MIXED, store=path)
    assert play(*MIXED, store=path) == played
    assert len(arena.stored_runs(path).rows) == 1
    for number, engine in enumerate(("calls", "batch"), start=2):
        other = play(*MIXED, store=path, engine=engine)
        assert other.engine == engine
        assert len(arena.stored_runs(path).rows) == number
    assert play(*MIXED, store=path) == played
    assert [stored(path, run)["options"] for run in (1, 2)] == [{}, {"engine": "batch"}]


def test_a_copy_is_the_same(path: Path) -> None:
    played, other = play(*MIXED, store=path), path.with_name("T")
    arena.copy_store(path, other)
    assert arena.show(other).as_json() == played.as_json()
    assert games_of(other) == games_of(path)
    assert resume(other) == played


def test_its_games_are_imported_elsewhere_and_known_here(path: Path) -> None:
    play(*MIXED, store=path)
    file = path.with_name("games.pgn")
    assert main(["export", "--store", str(path), "--output", str(file)]) == 0
    elsewhere = arena.import_games(file, path.with_name("T"))
    assert elsewhere.games == 6 * 16
    assert arena.import_games(file, path).games == 0


@pytest.mark.slow
def test_who_comes_to_it_plays_as_it_would_have_from_the_beginning(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(path.parent)
    Path("able.py").write_text(ABLE)
    Path("called.py").write_text(CALLED)
    options: Any = {"isolation": "none"}
    play(*MIXED, store=path, **options)
    before = games_of(path)
    grown = resume(path, add=["./able.py", "./called.py"], withdraw=["triples"], **options)
    whole = play("monkey", "lms", "lines", "./able.py", "./called.py", **options)
    assert replace(grown, left_out=()).as_json() == whole.as_json()
    assert sum(engine == "batch" for engine in engines_of(grown).values()) == 3
    assert stored(path)["options"]["called"] == [0, 3, 5]
    games = games_of(path)
    assert {game: games[game] for game in before} == before
    again = play("monkey", "lms", "lines", "./able.py", "./called.py", store=path, **options)
    assert replace(again, left_out=()) == replace(grown, left_out=())
    assert len(arena.stored_runs(path).rows) == 1


@pytest.mark.slow
def test_a_player_of_the_same_name_may_have_another_engine(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(path.parent)
    Path("one.py").write_text(ABLE)
    Path("two.py").write_text(CALLED)
    options: Any = {"isolation": "none"}
    play("monkey", "lms", "lines", "bot=./one.py", store=path, **options)
    before = games_of(path)
    replaced = resume(path, replace=["bot=bot=./two.py"], **options)
    whole = play("monkey", "lms", "lines", "bot=./two.py", **options)
    assert replace(replaced, left_out=()).as_json() == whole.as_json()
    games = games_of(path)
    assert {game: games[game] for game in before if "bot" not in game or "batch" in game} == {
        game: before[game] for game in before if "bot" not in game or "batch" in game
    }
    played = "tictactoe/lms/bot/3/batch/2.1"
    assert list(arena.replay(played, store=path).moves) == before[played]["moves"]
    back = resume(path, replace=["bot=bot=./one.py"], **options)
    first = play("monkey", "lms", "lines", "bot=./one.py", **options)
    assert replace(back, left_out=()).as_json() == first.as_json()


def test_a_run_of_one_engine_keeps_it_for_whoever_comes(path: Path) -> None:
    play("monkey", "lms", store=path)
    grown = resume(path, add=["lines"])
    assert grown.as_json() == play("monkey", "lms", "lines", engine="calls").as_json()
    other = path.with_name("T")
    play("lms", "lines", store=other)
    grown = resume(other, add=["monkey"])
    assert grown.as_json() == play("lms", "lines", "monkey", engine="batch").as_json()


@pytest.mark.slow
def test_a_player_that_does_not_load_any_more_is_withdrawn(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(path.parent)
    loads = "import os\n\nif os.path.exists('broken'):\n    raise RuntimeError('no library')\n\n\n"
    Path("one.py").write_text(loads + ABLE)
    Path("two.py").write_text(ABLE)
    players, options = ("./one.py", "./two.py", "monkey"), {"isolation": "process"}
    interrupt(monkeypatch, 1, *players, store=path, **options)
    Path("broken").touch()
    without = resume(path, **options)
    absent = [each.withdrawn for fight in without.fights for each in (fight.a, fight.b)]
    assert [bool(each) for each in absent] == [True, False, True, False, False, False]
    assert "no library" in str(absent[0])
    assert engines_of(without)["./one.py", "./two.py"] == "batch"
    Path("broken").unlink()
    assert resume(path, **options).as_json() == play(*players, **options).as_json()


@pytest.mark.slow
def test_a_player_of_a_schedule_is_taken_out(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    players = "lms", "lines", "monkey", "triples"
    interrupt(monkeypatch, 7, *players, store=path, schedule="swiss:3")
    before = games_of(path)
    assert any("/batch/" in game for game in before)
    result = resume(path, withdraw=["lms"])
    engines = engines_of(result)
    assert engines.pop(("lms", "lines")) == "batch"
    assert {*engines.values()} == {"calls"}
    assert arena.verify(path, replay=True).divergence is None
    games = games_of(path)
    assert {game: games[game] for game in before} == before


@pytest.mark.parametrize("called", few(["lms", [4], ["lms"], {"0": 1}, [[0]]], 2))
def test_places_that_no_player_has_are_named(path: Path, called: Any, wording: Wording) -> None:
    play(*MIXED, store=path)
    with closing(sqlite3.connect(path)) as store:
        options = json.dumps({"engine": "batch", "called": called})
        store.execute("UPDATE runs SET options = ?", [options])
        store.commit()
    with wording.raises(StoreError):
        arena.show(path)
