"""``--pgn``: a file of games that grows while a run plays."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.fights.counts import Counts
from arena.notation.pgn import PgnGame
from arena.notation.pgn_reading import read_pgn
from arena.reports.pgn import pgn
from tests.golden import Wording
from tests.observing import observed_by


def games_in(file: Path) -> list[PgnGame]:
    return [*read_pgn(io.BytesIO(file.read_bytes()))]


class Reader:
    """Counts the games of the file whenever a game is told, before that one is written."""

    def __init__(self, file: Path) -> None:
        self.file, self.counts = file, list[int]()

    @arena.hookimpl
    def arena_game_end(self) -> None:
        self.counts.append(len(games_in(self.file)))


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_the_file_has_the_games_of_the_export(tmp_path: Path, workers: int) -> None:
    file, store = tmp_path / "games.pgn", tmp_path / "games.db"
    players = ["monkey", "triples", "tictactoe1"]
    arena.tournament(players, n=3, seed=1, pgn=file, store=store, workers=workers)
    exported = read_pgn(io.BytesIO((pgn(arena.export(store)) + "\n").encode()))
    same = ("Round", "White", "Black", "Result", "PlyCount", "Termination", "GameId")

    def facts(game: PgnGame) -> tuple[Any, ...]:
        return (game.moves, *(game.tags[tag] for tag in same))

    assert sorted(map(facts, games_in(file))) == sorted(map(facts, exported))
    assert len(games_in(file)) == 18


def test_the_file_grows_while_it_is_played(tmp_path: Path) -> None:
    file = tmp_path / "games.pgn"
    reader = Reader(file)
    arena.fight("monkey", "triples", 5, seed=1, pgn=file, catalogue=observed_by(reader))
    assert reader.counts == [*range(10)]
    assert len(games_in(file)) == 10


@pytest.mark.slow
def test_a_file_that_is_there_is_gone_on_with_and_no_table_plays(tmp_path: Path) -> None:
    file = tmp_path / "games.pgn"
    for _ in range(2):
        fight = arena.fight("monkey", "monkey", 500, seed=1, pgn=str(file))
    assert fight.engine == "calls"
    assert len(games_in(file)) == 2000
    assert {game.tags["Black"] for game in games_in(file)} == {"monkey", "monkey#2"}


@pytest.mark.parametrize("file", ["/no/such/games.pgn", ".", 7, "", "a\0b"])
def test_a_file_that_does_not_open_is_one_line(file: Any, wording: Wording) -> None:
    with wording.raises(arena.UsageError):
        arena.fight("monkey", "monkey", 1, pgn=file)


@pytest.mark.slow
def test_a_run_that_is_resumed_appends_what_was_missing(tmp_path: Path) -> None:
    file, store = tmp_path / "games.pgn", tmp_path / "games.db"

    def stop(fight: int, counts: Counts, games: int) -> None:
        if counts.pairs:  # a second chunk may hold all the others
            raise KeyboardInterrupt

    with pytest.raises(arena.Interrupted) as interrupted:
        arena.fight(
            "monkey", "triples", 200, seed=1, pgn=file, store=store, on_progress=stop, workers=1
        )
    assert interrupted.value.resume.endswith(f"games.db 1 --pgn {file}")
    assert 0 < len(games_in(file)) < 400
    arena.resume(store, pgn=file)
    assert len({game.tags["GameId"] for game in games_in(file)}) == len(games_in(file)) == 400
