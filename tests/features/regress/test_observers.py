"""Observers of a regression hear of the pairs that count, in the order of the opponents."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from tests.observing import Ends, Recorder, observed_by


class Follower:
    """Plays near the opponent's last move, so that no policy can be enumerated."""

    def start(self, game: Any, side: Any, rng: random.Random) -> None:
        self.rng, self.last = rng, -1

    def choose(self, position: Any) -> int:
        legal: tuple[int, ...] = position.legal_moves()
        return min(legal, key=lambda move: (abs(move - self.last), self.rng.random()))

    def observe(self, move: int) -> None:
        self.last = move

    def finish(self, outcome: Any) -> None:
        pass


PLAYER = PlayerInfo("follower", Follower, games=("tictactoe",), stateless=False)


def regress(file: Path, catalogue: Catalogue, **options: Any) -> Any:
    return arena.regress(
        [PLAYER], game="tictactoe", baseline=file, catalogue=catalogue, **options
    )  # fmt: skip


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory, catalogue: Catalogue) -> Path:
    file = tmp_path_factory.mktemp("observed") / "baseline.json"
    regress(file, catalogue, update=True, panel=["monkey", "triples"], n=60)
    return file


@pytest.mark.slow
def test_observers_hear_of_every_game_and_every_opponent(
    tmp_path: Path, catalogue: Catalogue
) -> None:
    file, how = tmp_path / "baseline.json", {"executor": "serial", "update": True}
    recorder = Recorder()
    report = regress(file, observed_by(recorder), panel=["monkey", "triples"], n=3, **how)
    [comparison] = [one for one in report.comparisons if one.player == "follower"]
    fights, games = recorder.of("fight"), recorder.of("game")
    assert [(fight.pairs, fight.planned, fight.unfinished) for fight in fights] == [
        (3, 3, None)
    ] * 2
    assert [fight.players for fight in fights] == [("follower", "monkey"), ("follower", "triples")]
    places = [(game.fight, game.pair) for game in games]
    assert places == [(fight, pair) for fight in (0, 1) for pair in (1, 2, 3) for _ in "ab"]
    assert comparison.pairs == 6
    assert regress(tmp_path / "other.json", catalogue, panel=["monkey", "triples"], n=3, **how) == (
        replace(report, baseline=str(tmp_path / "other.json"))
    )


@pytest.mark.slow
def test_the_sequence_changes_nothing_and_is_that_of_any_number_of_workers(
    recorded: Path, catalogue: Catalogue
) -> None:
    plain = regress(recorded, catalogue, executor="serial")
    first = None
    for options in ({"executor": "serial"}, {"workers": 1}, {"workers": 2}):
        recorder, ends = Recorder(), Ends()
        report = regress(recorded, observed_by(recorder, ends), **options)
        assert report == plain
        assert first in (None, recorder.heard)
        first = recorder.heard
        assert [result for result in first if result[0] != "game"] == ends.heard
        assert first[-1] == ("end", report)


@pytest.mark.slow
def test_games_and_fights_are_those_that_the_comparison_counts(recorded: Path) -> None:
    recorder = Recorder()
    report = regress(recorded, observed_by(recorder), workers=2)
    [comparison] = report.comparisons
    fights, games = recorder.of("fight"), recorder.of("game")
    assert sum(fight.pairs for fight in fights) == comparison.pairs > 0
    assert len(games) == 2 * comparison.pairs
    assert [fight.unfinished for fight in fights] == [None, None]
    after = {score.opponent: score.after for score in comparison.panel}
    for number, fight in enumerate(fights):
        name, opponent = fight.players
        assert name == "follower"
        assert fight.total.points / fight.total.games == after[opponent]
        own = [game for game in games if game.fight == number]
        assert [game.pair for game in own[::2]] == list(range(1, fight.pairs + 1))
        assert sum(game.winner == name for game in own) == fight.total.wins
