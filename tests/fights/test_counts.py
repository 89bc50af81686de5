"""Counting: no game is dropped, and it does not matter how the pairs were cut."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arena
from arena.errors import UsageError, VoidGame
from arena.fights.counts import PlayedBy
from arena.fights.pair_counts import PairCounts
from arena.fights.pairing import Pairing
from arena.game import Outcome, Side
from arena.games.mnk import mnk_game
from arena.match.record import Forfeit, GameRecord, PlayedPair
from arena.player import PlayerInfo
from arena.records.fights import FightResult
from arena.records.joint import Joint
from arena.reports.page import page
from arena.rng import Stream
from tests.golden import Wording

GAME = mnk_game(3, 3, 3)
DECIDED = [Outcome.FIRST_WINS, Outcome.SECOND_WINS, Outcome.DRAW]
NOTHING = GameRecord((), Outcome.DRAW, None)


def nobody(position: arena.Position, rng: random.Random) -> int:
    raise AssertionError


def result_of(counts: PairCounts, asked: int, **options: Any) -> FightResult:
    pairing = Pairing(GAME, PlayerInfo("a", nobody), PlayerInfo("b", nobody), asked, 1, **options)
    return counts.result(pairing, PlayedBy())


@st.composite
def records(draw: st.DrawFn) -> GameRecord:
    moves = tuple(draw(st.lists(st.integers(0, 8), max_size=3)))
    forfeit = draw(
        st.none() | st.builds(Forfeit, st.sampled_from(Side), st.just("crash"), st.just("x"))
    )
    won = [Outcome.SECOND_WINS, Outcome.FIRST_WINS]
    outcome = won[forfeit.side] if forfeit else draw(st.sampled_from(DECIDED))
    return GameRecord(moves, outcome, forfeit)


@st.composite
def fights(draw: st.DrawFn) -> list[PlayedPair]:
    """Return what the pairs 1, 2, ... came to: played, void, or not played by who was withdrawn."""
    pairs = []
    for number in range(1, draw(st.integers(0, 12)) + 1):
        kind = draw(st.sampled_from(["played"] * 4 + ["void", "withdrawn"]))
        both = (draw(records()), draw(records())) if kind == "played" else (NOTHING, NOTHING)
        void = "busy" * (kind == "void")
        withdrawn = (draw(st.integers(0, 1)), "no") if kind == "withdrawn" else None
        opening = draw(st.sampled_from(["x________", "_x_______", "__x______"]))
        pairs.append(PlayedPair(number, both, (0.0, 0.0), void, withdrawn, opening))
    return pairs


def forfeiters(pair: PlayedPair) -> set[int]:
    """Who forfeited a game of a pair: A (0) or B (1)."""
    games = enumerate(record.forfeit for record in pair.records)
    return {forfeit.side ^ half for half, forfeit in games if forfeit is not None}


def points(pair: PlayedPair, choice: str) -> tuple[int, int]:
    """A's doubled points in the two games of a pair."""
    if choice == "none" and len(forfeiters(pair)) == 1:
        return (0, 0) if 0 in forfeiters(pair) else (2, 2)
    score = {Outcome.FIRST_WINS: 2, Outcome.DRAW: 1, Outcome.SECOND_WINS: 0}
    first, second = (score[record.outcome] for record in pair.records)
    return first, 2 - second


def table_of(pairs: list[PlayedPair], choice: str) -> Joint:
    result = Counter(points(pair, choice) for pair in pairs)
    return Joint(*(result[i, j] for i in range(3) for j in range(3)))


@pytest.mark.slow
@settings(max_examples=50)
@given(fights(), st.integers(0, 3), st.sampled_from(["all", "none"]))
def test_no_game_is_dropped(pairs: list[PlayedPair], more: int, choice: str) -> None:
    played = [pair for pair in pairs if not pair.void and pair.withdrawn is None]
    count = max(1, len(pairs) + more)
    result = result_of(PairCounts.of_pairs(pairs), count, count_forfeits=choice)
    assert result.total.games == 2 * len(played)
    assert result.void == 2 * sum(bool(pair.void) for pair in pairs)
    assert [p.first for p in result.void_pairs] == [p.pair for p in pairs if p.void]
    assert result.total.games + result.void + result.not_played == 2 * count
    assert (result.unfinished is None) == (result.pairs == count)
    assert result.counted == table_of(played, choice)
    assert result.counted_total.games == 2 * len(played)
    assert result.repeats == result_of(PairCounts.of_pairs(played), count).repeats
    games = {(half, p.opening, p.records[half].moves) for p in played for half in (0, 1)}
    assert result.distinct_games == len(games)
    forfeits = [r.forfeit for p in played for r in p.records if r.forfeit]
    assert sum(sum(player.forfeits.values()) for player in result.both) == len(forfeits)


@pytest.mark.slow
@settings(max_examples=50)
@given(fights(), st.randoms())
def test_how_pairs_are_cut_changes_nothing(pairs: list[PlayedPair], rng: random.Random) -> None:
    games = max(1, len(pairs))
    whole = result_of(PairCounts.of_pairs(pairs), games)
    cuts = sorted(rng.randrange(len(pairs) + 1) for _ in range(3))
    pieces = [pairs[a:b] for a, b in zip([0, *cuts], [*cuts, len(pairs)], strict=True)]
    rng.shuffle(pieces)
    total = PairCounts()
    for piece in pieces:
        total.add(PairCounts.of_pairs(piece))
    assert result_of(total, games) == whole
    assert whole.joint == total.joint


@pytest.mark.slow
@settings(max_examples=50)
@given(fights(), st.sampled_from(["all", "none"]))
def test_every_opening_is_one_observation_the_mean_of_its_pairs(
    pairs: list[PlayedPair], choice: str
) -> None:
    result = result_of(PairCounts.of_pairs(pairs), max(1, len(pairs)), count_forfeits=choice)
    means: dict[str, list[float]] = {}
    for pair in pairs:
        if not pair.void and pair.withdrawn is None:
            means.setdefault(pair.opening, []).append(sum(points(pair, choice)) / 4)
    if len(means) < 2:
        return
    table = result.observations
    seen = [s for s, n in zip(table.scores, table.counts, strict=True) for _ in range(n)]
    assert sorted(seen) == pytest.approx(sorted(map(fmean, means.values())))
    joint = result.independent_joint
    assert sum(map(sum, joint)) == pytest.approx(len(means))
    answer = sum((i + j) / 4 * joint[i][j] for i in range(3) for j in range(3))
    assert answer == pytest.approx(sum(map(fmean, means.values())))


class Apart:
    """A player whose process is played by this test: now and then something happens to it."""

    remembers = ""
    shares_core = False

    def __init__(self, rng: random.Random, fault: Exception, often: float) -> None:
        self.rng, self.fault, self.often = rng, fault, often

    def __call__(self, fresh: bool = True) -> Apart:
        return self

    def start(self, game: arena.Game, side: Side, rng: Stream) -> None:
        if self.rng.random() < self.often:
            raise self.fault

    def choose(self, position: arena.Position) -> int:
        return position.legal_moves()[0]

    def observe(self, move: int) -> None:
        pass

    finish = observe


def player_apart(fault: Exception, often: float, name: str = "bot") -> PlayerInfo:
    remote: Any = Apart(random.Random(4), fault, often)
    return PlayerInfo(name, remote, stateless=False, remote=remote)


@pytest.mark.slow
def test_a_pair_that_stays_void_is_left_out_alone(tmp_path: Path) -> None:
    """Two in five of its games are voided, so that some pairs are three times in a row."""
    busy = player_apart(VoidGame("the machine was busy"), 0.4)
    settings: Any = {"seed": 1, "executor": "serial", "store": tmp_path / "S"}
    played = arena.tournament([busy, "monkey", "triples"], 20, **settings)
    voided = [fight for fight in played.fights if fight.void]
    assert voided
    for fight in voided:
        assert fight.pairs > 0
        assert fight.pairs + fight.void // 2 == 20
        assert "the machine was busy" in (fight.unfinished or "")
    games = {row.player: row.tally.games for row in played.standings}
    assert games["bot"] == sum(fight.total.games for fight in played.fights[:2]) > 0
    rated = {row.player: row.tally.games for row in played.ratings.players}
    assert rated == games
    assert arena.show(tmp_path / "S") == played
    assert arena.verify(tmp_path / "S").divergence is None


def clumsy(position: arena.Position, rng: random.Random) -> int:
    if rng.random() < 0.05:
        raise ZeroDivisionError
    return rng.choice(position.legal_moves())


@pytest.mark.slow
def test_what_ratings_count_is_chosen_kept_and_shown(tmp_path: Path, wording: Wording) -> None:
    store = tmp_path / "S"
    players: Any = [clumsy, "monkey", "triples"]
    every = arena.tournament(players, 30, seed=1, store=store)
    some = arena.tournament(players, 30, seed=1, store=store, count_forfeits="none")
    assert [row.tally for row in every.standings] == [row.tally for row in some.standings]
    assert every.ratings.players != some.ratings.players
    wording(some.ratings.statements[-1])
    for number, played in enumerate((every, some), start=1):
        assert arena.show(store, number) == played
    assert arena.show(store, 1, count_forfeits="none") == some
    assert arena.show(store, 2, count_forfeits="all") == every
    assert arena.verify(store).divergence is None
    record = some.as_json()
    assert record["count_forfeits"] == "none"
    fight = record["fights"][0]
    assert fight["pairs"] == 30 == fight["counted_pairs"]
    assert re.search(rf"clumsy .* {fight['forfeited_pairs']} .* 30 ", str(page(some.fights[0])))
    assert fight["pairs_forfeited"] == {"clumsy": fight["forfeited_pairs"], "monkey": 0}


def test_a_test_goes_by_what_it_counts(tmp_path: Path, wording: Wording) -> None:
    store = tmp_path / "S"
    hypotheses: Any = {"elo0": -50, "elo1": 50, "seed": 1}
    played = arena.sprt_fight(
        clumsy, "monkey", 200, store=store, count_forfeits="none", **hypotheses
    )
    assert sum(played.test.counts) == played.fight.pairs
    assert played.fight.counted_total.losses > played.fight.total.losses
    assert arena.show(store) == played
    assert arena.show(store, 1, count_forfeits="none") == played
    with wording.raises(UsageError, match="'none'"):
        arena.show(store, 1, count_forfeits="all")


def test_what_to_count_is_one_of_two_words(wording: Wording) -> None:
    with wording.raises(UsageError, match="'nona'"):
        arena.fight("monkey", "triples", 1, count_forfeits="nona")


@st.composite
def resigned(draw: st.DrawFn) -> tuple[list[PlayedPair], list[PlayedPair]]:
    """Pairs of two honest players, and the same when A resigns some of the games that it loses."""
    honest, resigning = [], []
    for number in range(1, draw(st.integers(1, 12)) + 1):
        both = [draw(records()), draw(records())]
        honest.append(PlayedPair(number, (both[0], both[1]), (0.0, 0.0)))
        for half, record in enumerate(both):
            lost = record.outcome.winner == Side(1 - half)
            if lost and record.forfeit is None and draw(st.booleans()):
                forfeit = Forfeit(Side(half), "exception", "it is lost anyway")
                both[half] = record._replace(forfeit=forfeit)
        resigning.append(PlayedPair(number, (both[0], both[1]), (0.0, 0.0)))
    return honest, resigning


@pytest.mark.slow
@settings(max_examples=50)
@given(resigned(), st.sampled_from(["all", "none"]))
def test_who_resigns_when_lost_never_has_more_than_its_honest_twin(
    played: tuple[list[PlayedPair], list[PlayedPair]], choice: str
) -> None:
    """In no pair, so in no score, and no rating or test that goes by scores."""
    for one, other in zip(*played, strict=True):
        results = [
            result_of(PairCounts.of_pairs([pair]), 1, count_forfeits=choice)
            for pair in (one, other)
        ]
        honest, resigning = (result.counted_total.points for result in results)
        assert resigning <= honest
        assert [result.counted_total.games for result in results] == [2, 2]


def honest(position: arena.Position, rng: random.Random) -> int:
    return rng.choice(position.legal_moves())


def resign(position: arena.Position, rng: random.Random) -> int:
    """Play like its honest twin, but raise where every move lets the opponent win at once."""
    move = honest(position, rng)
    after = [position.play(own) for own in position.legal_moves()]
    if all(p.outcome() is None and _can_win(p) for p in after):
        raise ZeroDivisionError
    return move


def _can_win(position: arena.Position) -> bool:
    ends = (position.play(move).outcome() for move in position.legal_moves())
    return any(end is not None and end.winner == position.to_move for end in ends)


@pytest.mark.slow
@pytest.mark.parametrize("choice", ["all", "none"])
def test_a_bot_that_raises_when_it_is_lost_gains_under_no_option(choice: str) -> None:
    """The twins have the same draws in their own fights with the others, under one name."""
    resign.__name__ = honest.__name__
    ratings = []
    for twin in (resign, honest):
        players: Any = [twin, "monkey", "tictactoe1"]
        result = arena.tournament(players, 50, seed=3, count_forfeits=choice)
        ratings.append({row.player: row.elo.value or 0 for row in result.ratings.players}["honest"])
        pairs = [fight.pairs_forfeited[0] for fight in result.fights[:2]]
        assert all(pairs) == (twin is resign)
    assert ratings[0] < ratings[1]
