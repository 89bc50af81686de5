"""Games for more than two that a referee plays: places, payoffs, forfeits, stores."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import arena
from arena.errors import GameFault, IllegalMove, MoveError, PositionError, Withdrawn
from arena.features.check.games import check_game
from arena.game import Outcome, Payoffs, as_seat
from arena.match.ranked import RankedPosition, shares_beaten
from arena.match.record import GameRecord
from arena.match.refereed import RefereedGame, Verdict, moves_to
from arena.match.table import play_table
from arena.player import PlayerInfo, stand_in
from arena.plugin.catalogue import Catalogue
from arena.rng import Stream
from tests.golden import Wording

PLAYERS = [stand_in(name) for name in ("anna", "ben", "carl", "dora")]

#: The numbers of rankings with ties: https://oeis.org/A000670.
RANKINGS = {3: 13, 4: 75, 5: 541}


class Dice(RefereedGame):
    """Each player throws a die of the seed; anna throws with two, and ben forfeits at a six."""

    def referee(self, players: tuple[PlayerInfo, ...], seed: int) -> Verdict:
        dice = Random(seed)
        scores = [dice.randint(1, 6) for _ in players]
        names = [player.name for player in players]
        if scores[names.index("ben")] == 6:
            seat = as_seat(names.index("ben"))
            return Verdict(tuple(scores), forfeits=seat, reason="a six")
        scores[names.index("anna")] += 2
        return Verdict(tuple(scores))


DICE = Dice("dice", 4)
PAID = Dice("paid", 4, Payoffs(1, 8, "pips", None))


def fractions(text: str) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, text.split()))


def record_of(verdict: object, game: RefereedGame = DICE) -> GameRecord:
    class Fixed(RefereedGame):
        def referee(self, players: object, seed: int) -> Any:
            if isinstance(verdict, Exception):
                raise verdict
            return verdict

    fixed = Fixed("fixed", game.seats, None if game.pays_places else game.payoffs)
    return play_table(fixed, PLAYERS[: game.seats], "fixed/7/1.1", [Stream()] * game.seats)


@pytest.mark.parametrize("seats", RANKINGS)
def test_the_lines_of_a_game_are_the_rankings_with_ties(seats: int) -> None:
    game = Dice("dice", seats)
    ends: list[RankedPosition] = []

    def walk(position: RankedPosition) -> None:
        moves = position.legal_moves()
        assert bool(moves) == (position.outcome() is None)
        assert game.parse(str(position)) == position
        for move in moves:
            walk(position.play(move))
        if not moves:
            ends.append(position)

    start = game.start()
    assert isinstance(start, RankedPosition)
    walk(start)
    by_scores = {moves_to(Verdict(scores), seats) for scores in product(range(seats), repeat=seats)}
    assert {end.before for end in ends} == by_scores
    assert len(ends) == RANKINGS[seats]


@given(st.lists(st.integers(-3, 3), min_size=2, max_size=8))
def test_a_player_gets_the_share_of_the_others_that_it_beats(scores: list[int]) -> None:
    paid = shares_beaten(scores)
    assert sum(paid) == Fraction(len(scores), 2)
    for score, share in zip(scores, paid, strict=True):
        others = [other for other in scores if other < score]
        ties = scores.count(score) - 1
        assert share * (len(scores) - 1) == len(others) + Fraction(ties, 2)


def test_the_position_keeps_the_contract_of_games(wording: Wording) -> None:
    assert check_game(DICE, 1, "DICE").conforms
    with wording.raises(MoveError, match="'5'"):
        DICE.parse_move("5")
    with wording.raises(PositionError, match="'1-1-2'"):
        DICE.parse("1-1-2")
    with wording.raises(IllegalMove):
        DICE.parse("1-1-3").play(1)


def test_places_are_moves_and_pay_shares() -> None:
    record = record_of(Verdict((3, 0, 3, 1.5)))
    assert record.moves == (0, 3, 0, 2)
    assert record.payoffs == fractions("5/6 0 5/6 1/3")
    assert (record.outcome, record.forfeits) == (Outcome.OVER, ())
    assert DICE.parse("1-4-1-3").payoffs() == record.payoffs


def test_who_forfeits_gets_the_least_and_the_others_their_scores() -> None:
    verdict = Verdict((9, 0, 3, 1), as_seat(0), "late", ((as_seat(3), "wrong"),))
    record = record_of(verdict)
    assert record.payoffs == fractions("0 2/3 1 0")
    assert [(int(each.side), each.reason, each.message) for each in record.forfeits] == [
        (0, "referee", "late"), (3, "referee", "wrong")
    ]  # fmt: skip
    paid = record_of(Verdict((9, 2, 3, 1), as_seat(0), "late"), PAID)
    assert paid.payoffs == fractions("1 2 3 1")


def test_a_player_that_cannot_be_started_has_forfeited() -> None:
    record = record_of(Withdrawn("ben", "crash", "no interpreter"))
    assert record.payoffs == fractions("2/3 0 2/3 2/3")
    assert record.forfeit is not None
    assert (record.forfeit.side, record.forfeit.reason) == (1, "crash")


@pytest.mark.parametrize(
    "verdict",
    [
        Verdict((1, 2)),
        Verdict(forfeits=as_seat(1)),
        Verdict((1, 2, 3, 4), forfeits=as_seat(4)),
        Verdict((1, 2, 3, 4), later=((as_seat(1), "late"),)),
        Verdict((1, 2, 3, 4), as_seat(1), "late", ((as_seat(1), "late"),)),
        Verdict((1, 2, 3, 9)),
    ],
)
def test_another_answer_is_the_fault_of_the_game(verdict: Verdict, wording: Wording) -> None:
    with wording.raises(GameFault, match="'fixed'"):
        record_of(verdict, PAID)


@pytest.mark.slow
@pytest.mark.parametrize("game", [DICE, PAID], ids=["places", "paid"])
def test_a_table_is_the_same_for_any_number_of_workers_and_from_a_store(
    game: RefereedGame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, catalogue: Catalogue
) -> None:
    monkeypatch.setattr(type(catalogue), "untried_game", lambda self, name: game)
    file = tmp_path / "games.db"
    options: dict[str, Any] = {"game": game, "seed": 7, "catalogue": catalogue}
    played = arena.table_fight(PLAYERS, 12, store=file, executor="serial", **options)
    assert played == arena.table_fight(PLAYERS, 12, workers=2, **options)
    [table] = played.tables
    assert table.facts[1].forfeits["referee"] > 0
    assert arena.verify(file, catalogue).holds
    assert arena.show(file, catalogue=catalogue) == played
    rows = arena.browse(file, catalogue=catalogue).rows
    assert len(rows) == 48
    for row in (rows[0], next(row for row in rows if row["forfeited"])):
        shown = arena.replay(row["game"], store=file, catalogue=catalogue)
        assert shown.referee is not None
        assert shown.referee.scores is not None
        assert list(map(str, shown.payoffs or ())) == row["payoffs"]
        saved = tmp_path / "game.json"
        saved.write_text(json.dumps(shown.as_json()))
        assert arena.replay(str(saved), catalogue=catalogue) == shown


def test_all_games_of_a_block_have_one_seed(catalogue: Catalogue) -> None:
    heard: list[int] = []

    class Listens(Dice):
        def referee(self, players: tuple[PlayerInfo, ...], seed: int) -> Verdict:
            heard.append(seed)
            return super().referee(players, seed)

    game = Listens("listens", 4)
    arena.table_fight(PLAYERS, 3, game=game, seed=7, executor="serial", catalogue=catalogue)
    assert [heard.count(seed) for seed in dict.fromkeys(heard)] == [4, 4, 4]
