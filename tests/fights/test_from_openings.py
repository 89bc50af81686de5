"""Fights from openings: what is played, repeated, adjudicated and kept."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.errors import UsageError
from arena.fights import ratings
from arena.fights.pairing import GameId
from arena.game import Outcome, Position
from tests.fights.opened import TICTACTOE, texts
from tests.golden import Wording
from tests.samples import few


def drop(game: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in game.items() if name != key}


def games_of(path: Path) -> list[list[dict[str, Any]]]:
    (run,) = arena.export(path).as_json()["runs"]
    return [fight["games"] for fight in run["fights"]]


@pytest.mark.slow
@pytest.mark.parametrize("openings", ["random:3", "all:1"])
def test_everybody_has_the_same_openings_from_both_sides(tmp_path: Path, openings: str) -> None:
    players = ["monkey", "triples", "minimax"]
    path = tmp_path / "S"
    played = arena.tournament(players, 12, seed=5, openings=openings, store=path)
    expected = [text for text in texts(openings, 5, 12) for _ in (1, 2)]
    for games in games_of(path):
        assert [game["opening"] for game in games] == expected
        for one, other in zip(games[::2], games[1::2], strict=True):
            assert one["players"] == other["players"][::-1]
    alone = arena.fight("triples", "minimax", 12, seed=5, openings=openings, workers=1)
    assert alone == played.fights[2]
    assert alone.openings == openings
    assert alone.different_openings == len(set(expected))


@pytest.mark.slow
@pytest.mark.parametrize("openings", ["random:3", "all:2"])
def test_a_game_is_replayed_from_its_id(tmp_path: Path, openings: str) -> None:
    path = tmp_path / "S"
    arena.fight("monkey", "heuristic", 5, seed=9, openings=openings, store=path)
    for game in games_of(path)[0]:
        shown = arena.replay(game["game_id"])
        assert list(shown.moves) == game["moves"]
        assert shown.outcome == game["outcome"]
        assert shown.opening == game["opening"]
        named = GameId.parse(game["game_id"])
        assert (named.opening, named.seed) == (game["opening"], 9)


@pytest.mark.slow
@pytest.mark.parametrize("openings", ["all:1", "random:1"])
def test_a_sample_agrees_with_the_exact_mean(openings: str) -> None:
    played = arena.fight("tictactoe1", "monkey", 900, seed=2, openings=openings)
    checked = arena.compare(played, arena.exact("tictactoe1", "monkey", openings=openings))
    assert (checked.p_value or 0) > 0.001


@pytest.mark.slow
def test_players_without_chance_say_no_more_than_one_pair_an_opening() -> None:
    def last(position: Any, rng: random.Random) -> int:
        return int(max(position.legal_moves()))

    once = arena.fight("triples", last, 9, seed=1, openings="all:1")
    often = arena.fight("triples", last, 90, seed=1, openings="all:1")
    assert not once.repeats
    assert often.repeats
    assert often.pentanomial == tuple(10 * n for n in once.pentanomial)
    assert often.observations.counts == once.observations.counts == once.pentanomial
    assert often.distinct_games == 18
    chance = arena.fight("monkey", last, 90, seed=1, openings="all:1")
    assert not chance.repeats


def nearly_last(position: Any, rng: random.Random) -> int:
    """Plays without chance but in one game of twenty."""
    moves = sorted(position.legal_moves())
    return int(moves[-1] if rng.random() > 0.01 else moves[0])


@pytest.mark.slow
def test_an_opening_is_one_observation_also_where_only_some_pairs_repeat() -> None:
    fight = arena.fight("triples", nearly_last, 90, seed=1, openings="all:1")
    assert not fight.repeats
    assert sum(fight.observations.counts) == fight.different_openings == 9
    start = arena.fight("triples", nearly_last, 90, seed=1)
    assert not start.repeats
    assert sum(start.observations.counts) == 90


@pytest.mark.slow
def test_more_pairs_from_the_same_openings_make_no_rating_more_certain() -> None:
    def width(pairs: int) -> float:
        fight = arena.fight("triples", "lms", pairs, seed=1, openings="all:2")
        elo = ratings.of_fights([fight]).players[0].elo
        return (elo.high or 0) - (elo.low or 0)

    assert width(360) > 0.8 * width(72)


@pytest.mark.slow
def test_a_test_ends_when_every_opening_repeats() -> None:
    def last(position: Any, rng: random.Random) -> int:
        return int(max(position.legal_moves()))

    cases: tuple[tuple[str, Any, int], ...] = (
        ("all:1", last, 20),
        ("random:1", last, 90),
        ("all:1", "monkey", 90),
    )
    for openings, player, pairs in cases:
        played = arena.sprt_fight(
            "triples", player, 5000, elo0=-1e-3, elo1=1e-3, seed=1, openings=openings
        )
        assert played.fight.different_openings == 9
        assert played.fight.pairs == pairs
        assert sum(played.test.counts) == 9
        assert played.test.decision == "continue"


@pytest.mark.slow
def test_players_with_little_chance_are_not_decided_by_repeats() -> None:
    """They are within 5 Elo over these openings, and 4000 pairs of them made H1 look true."""
    played = arena.sprt_fight("triples", "lms", elo0=0, elo1=5, seed=1, openings="all:2")
    assert played.test.decision == "continue"
    assert played.fight.pairs <= 720
    low, high = played.test.score_low, played.test.score_high
    truth = arena.exact("triples", "lms", openings="all:2").total.score
    assert (low or 0) < truth < (high or 1)


@pytest.mark.slow
def test_openings_need_calls(tmp_path: Path, wording: Wording) -> None:
    with wording.raises(UsageError):
        arena.fight("monkey", "triples", 9, openings="all:1", engine="table")
    result = arena.fight("monkey", "triples", 5001, openings="all:1", seed=1, workers=2)
    assert result.engine == "calls"


@pytest.mark.slow
@pytest.mark.parametrize("game", ["tictactoe", "mnk-4-3-3", "tictactoe-4", "connect4"])
@pytest.mark.parametrize("openings", [None, "random:5"])
def test_adjudication_changes_no_result(game: str, openings: str | None, tmp_path: Path) -> None:
    settings: Any = {"game": game, "seed": 3, "openings": openings}
    path = tmp_path / "S"
    plain = arena.fight("monkey", "monkey", 20, store=tmp_path / "P", **settings)
    early = arena.fight("monkey", "monkey", 20, store=path, adjudicate="draws", **settings)
    assert early.joint == plain.joint
    assert early.adjudicate == "draws"
    (whole,), (short,) = games_of(tmp_path / "P"), games_of(path)
    for one, other in zip(whole, short, strict=True):
        assert one["moves"][: len(other["moves"])] == other["moves"]
        assert one["outcome"] == other["outcome"]
        if len(other["moves"]) < len(one["moves"]):
            assert one["outcome"] == "draw"
    if game == "tictactoe-4":
        assert sum(len(g["moves"]) for g in short) < sum(len(g["moves"]) for g in whole)
    assert arena.verify(path).divergence is None
    assert arena.resume(path, 1) == early == arena.show(path)


def test_a_dead_draw_is_one_whatever_is_played() -> None:
    """On every position of tic-tac-toe: by the end of all games from there."""

    @cache
    def ends(position: Position) -> frozenset[Outcome]:
        outcome = position.outcome()
        if outcome is not None:
            return frozenset([outcome])
        moves = position.legal_moves()
        return frozenset().union(*(ends(position.play(move)) for move in moves))

    seen, dead, level = 0, 0, {TICTACTOE.start()}
    while level:
        seen += len(level)
        for position in level:
            if position.is_dead_draw():
                dead += 1
                assert ends(position) == {Outcome.DRAW}
        level = {p.play(move) for p in level for move in p.legal_moves()}
    assert seen == 5478
    assert dead > 16


def test_what_to_adjudicate_is_one_of_two_words(wording: Wording) -> None:
    with wording.raises(UsageError, match=r"'draw'.*'draws'"):
        arena.fight("monkey", "triples", 1, adjudicate="draw")


@pytest.mark.parametrize(
    "statement",
    few(
        [
            "UPDATE games SET pair='x' WHERE pair=3",
            "UPDATE games SET moves='5 5' WHERE pair=2 AND half=1",
            "UPDATE runs SET options='{\"openings\": 7}'",
            "UPDATE runs SET options='{\"openness\": 7}'",
            "UPDATE runs SET options='{}'",
        ],
        2,
    ),
)
def test_openings_that_were_tampered_with_are_named(
    tmp_path: Path, statement: str, wording: Wording
) -> None:
    path = tmp_path / "S"
    arena.fight("monkey", "triples", 4, seed=1, openings="all:4", store=path)
    assert arena.verify(path).divergence is None
    with closing(sqlite3.connect(path)) as database:
        database.execute(statement)
        database.commit()
    divergence = arena.verify(path).divergence
    assert divergence is not None
    wording(divergence.problem)


@pytest.mark.slow
def test_a_deal_is_an_opening_of_both_games_of_a_pair(tmp_path: Path) -> None:
    stores = [tmp_path / f"S{workers}" for workers in (1, 2)]
    for workers, path in enumerate(stores, start=1):
        options: dict[str, Any] = {"seed": 3, "store": path, "workers": workers}
        arena.fight("cfr", "monkey", 40, game="kuhn", openings="random:2", **options)
    one, other = ([drop(game, "seconds") for game in games_of(path)[0]] for path in stores)
    assert one == other
    for first, second in zip(one[::2], one[1::2], strict=True):
        assert first["opening"] == second["opening"]
        assert arena.replay(first["game_id"]).moves == tuple(first["moves"])
    assert len({game["opening"] for game in one}) == 6


@pytest.mark.parametrize(
    "options",
    [{"openings": "all:2"}, {"openings": "random:2", "luck": "corrected"}],
    ids=["all", "corrected"],
)
def test_what_openings_do_not_go_with_where_there_are_payoffs(
    options: dict[str, Any], wording: Wording
) -> None:
    with wording.raises(UsageError):
        arena.fight("cfr", "monkey", 2, game="kuhn", **options)
