"""Counts of parts of a fight add up, in any order, and say which game was the first of its kind."""

from __future__ import annotations

import random
from itertools import permutations
from typing import Any, cast

import pytest

import arena
from arena.fights.counts import PlayedBy, PlayerCounts
from arena.fights.pair_counts import PairCounts, PairEnd
from arena.fights.pairing import Pairing
from arena.game import Outcome, Side
from arena.games.mnk import mnk_game
from arena.match.record import UNMEASURED, Forfeit, GameRecord, MoveTimes, PlayedPair
from arena.player import PlayerInfo
from arena.proof.tables import Sample
from arena.records.entrants import FIRST_PAIRS
from arena.records.fights import FightResult
from arena.records.joint import NOTHING, Joint
from arena.records.notes import GameNotes
from arena.records.prints import Printed
from tests.golden import Wording

WON, DRAWN, LOST = Outcome.FIRST_WINS, Outcome.DRAW, Outcome.SECOND_WINS


def nobody(position: arena.Position, rng: random.Random) -> int:
    raise AssertionError


def pairing_of(asked: int, **options: Any) -> Pairing:
    players = PlayerInfo("a", nobody), PlayerInfo("b", nobody)
    return Pairing(mnk_game(3, 3, 3), *players, asked, 1, **options)


def result_of(
    counts: PairCounts, asked: int, decided: bool | None = None, **more: Any
) -> FightResult:
    return counts.result(pairing_of(asked, **more), PlayedBy(), decided)


def record(
    outcome: Outcome,
    *moves: int,
    printed: tuple[Printed, ...] = (),
    move_times: MoveTimes = UNMEASURED,
) -> GameRecord:
    return GameRecord(moves, outcome, None, move_times, notes=GameNotes(printed=printed))


def forfeit(side: Side, reason: str = "crash") -> GameRecord:
    outcome = WON if side is Side.SECOND else LOST
    return GameRecord((), outcome, Forfeit(side, reason, "gone"))


def said(side: Side, lines: int) -> Printed:
    return Printed(side, 0, "\n" * lines, lines, False)


def pair(number: int, one: GameRecord, other: GameRecord, **more: Any) -> PlayedPair:
    return PlayedPair(number, (one, other), (0.25, 0.5), **more)


#: A fight with something of everything.
PAIRS = [
    pair(1, record(WON, 1), record(DRAWN, 2), opening="x________"),
    pair(2, record(DRAWN, 3), record(WON, 4, printed=(said(Side.FIRST, 3),)), remembers=("z", "")),
    pair(
        3,
        record(LOST, 5, printed=(said(Side.FIRST, 2), said(Side.FIRST, 4))),
        forfeit(Side.FIRST, "timeout"),
        remembers=("y", "b's"),
    ),
    pair(4, forfeit(Side.FIRST), forfeit(Side.FIRST), opening="x________"),
    pair(5, record(WON, 1), forfeit(Side.SECOND), opening="x________"),
    pair(
        6,
        record(WON, 6, move_times=((0.5, 0.25), (0.125,))),
        record(DRAWN, 7, move_times=((2.0,), ())),
    ),
    pair(7, record(DRAWN), record(DRAWN), void="busy"),
    pair(8, record(DRAWN), record(DRAWN), withdrawn=(1, "no more room")),
    pair(9, record(DRAWN), record(DRAWN), withdrawn=(1, "no such file")),
]


def test_every_count_is_what_happened() -> None:
    counts, pairing = PairCounts.of_pairs(PAIRS), pairing_of(9)
    result = result_of(counts, 9)
    a, b = result.both
    assert counts.seconds == 9 * 0.75
    assert result.joint == Joint(wd=2, dl=1, lw=2, wl=1)
    assert (result.pairs, result.void, result.not_played) == (6, 2, 4)
    assert a.forfeits == {"crash": 2}
    assert b.forfeits == {"crash": 1, "timeout": 1}
    assert (a.first_lost, b.first_lost) == (pairing.game_id(2, True), pairing.game_id(1, False))
    assert a.first_forfeit is not None
    assert b.first_forfeit is not None
    assert a.first_forfeit.game_id == pairing.game_id(4, False)
    assert b.first_forfeit.game_id == pairing.game_id(3, True)
    assert (a.printed, a.first_printed) == (6, pairing.game_id(3, False))
    assert (b.printed, b.first_printed) == (3, pairing.game_id(2, True))
    assert (a.remembers, b.remembers) == ("y", "b's")
    assert (a.withdrawn, b.withdrawn) == (None, "no more room")
    assert (a.certified, b.certified) == (False, False)
    assert a.move_times == {0.5: 1, 0.25: 1}
    assert b.move_times == {0.125: 1, 2.0: 1}
    assert result.distinct_games == 10


def test_the_sum_of_parts_is_the_whole_in_any_order() -> None:
    whole = PairCounts.of_pairs(PAIRS)
    parts = [PAIRS[0:2], PAIRS[2:3], PAIRS[3:5], PAIRS[5:8], PAIRS[8:]]
    for order in permutations(parts):
        total = PairCounts()
        for part in order:
            total.add(PairCounts.of_pairs(part))
        total.void_pairs.sort()
        assert total == whole
        assert total.seconds == whole.seconds
        assert result_of(total, 9) == result_of(whole, 9)


def test_of_several_reasons_and_deviations_one_is_always_kept() -> None:
    first, later = cast("Any", "deviation"), cast("Any", "another")
    for order in permutations([(2, first), (3, later), None]):
        counts = PlayerCounts()
        for deviation in order:
            counts.deviate(deviation)
        assert counts.deviation == (2, first)
    for words in permutations(["b", "a", "", "c"]):
        counts = PlayerCounts()
        for word in words:
            counts.remember(word)
            counts.withdraw(word or None)
        assert (counts.remembers, counts.withdrawn) == ("a", "a")


@pytest.mark.parametrize(
    ("end", "counted"),
    [
        (PairEnd(2, 0), Joint(wl=3)),
        (PairEnd(2, 0, by_a=True), Joint(ll=3)),
        (PairEnd(2, 0, by_b=True), Joint(ww=3)),
        (PairEnd(2, 0, by_a=True, by_b=True), Joint(wl=3)),
    ],
)
def test_a_player_that_forfeits_alone_is_counted_as_losing_both_games(
    end: PairEnd, counted: Joint
) -> None:
    assert end.tables(3) == (Joint(wl=3), counted)


def test_games_through_tables_are_counted_by_their_leaves() -> None:
    assert PairCounts().leaves == (0, 0)
    total = PairCounts()
    for joint, leaves in ((Joint(ww=2), (0b101, 0)), (Joint(dd=1), (0b001, 0b10))):
        total.add(PairCounts.of_sample(Sample(joint, leaves)))
    assert (total.joint, total.leaves) == (Joint(ww=2, dd=1), (0b101, 0b10))
    assert result_of(total, 3).distinct_games == 3


def test_openings_are_counted_as_forfeits_are() -> None:
    counts = PairCounts.of_pairs(PAIRS[:5])
    every, none = (result_of(counts, 5, count_forfeits=choice) for choice in ("all", "none"))
    # The pairs 1, 4 and 5 began from one opening, and 2 and 3 from the start; B forfeited both
    # games of 4 with A, A alone one of 5, and B alone one of 3.
    assert set(every.by_opening) == {(Joint(dl=1, lw=1), 1), (Joint(lw=1, wl=1, wd=1), 1)}
    assert set(none.by_opening) == {(Joint(dl=1, ww=1), 1), (Joint(ll=1, lw=1, wd=1), 1)}
    late = PairCounts.of_pairs([PAIRS[2], PAIRS[4]])
    every, none = (result_of(late, 5, count_forfeits=choice) for choice in ("all", "none"))
    assert (every.first_met, none.first_met) == (Joint(wl=1), Joint(ll=1))


def all_forfeited(*sides: Side, reasons: tuple[str, str] = ("crash", "crash")) -> PairCounts:
    return PairCounts.of_pairs(
        pair(number, forfeit(sides[0], reasons[number % 2]), forfeit(sides[1], reasons[number % 2]))
        for number in range(1, FIRST_PAIRS + 1)
    )


@pytest.mark.parametrize(
    "counts",
    [
        all_forfeited(Side.FIRST, Side.SECOND),
        all_forfeited(Side.SECOND, Side.FIRST),
        all_forfeited(Side.FIRST, Side.FIRST),
        all_forfeited(Side.FIRST, Side.SECOND, reasons=("crash", "timeout")),
        all_forfeited(Side.FIRST, Side.FIRST, reasons=("crash", "timeout")),
        PairCounts.of_pairs(PAIRS),
        PairCounts.of_pairs(PAIRS[:5]),
    ],
)
def test_a_fight_says_why_it_is_not_complete(counts: PairCounts, wording: Wording) -> None:
    result = result_of(counts, 100)
    assert result.unfinished is not None
    wording(result.unfinished)


def test_a_test_that_is_over_asked_for_the_pairs_that_it_had() -> None:
    counts = PairCounts.of_pairs(PAIRS)
    decided, undecided = (result_of(counts, 100, is_decided) for is_decided in (True, False))
    assert (decided.planned, undecided.planned) == (7, 7)
    assert (decided.unfinished, decided.b.withdrawn) == (None, None)
    assert undecided.unfinished is not None
    assert "busy" in undecided.unfinished
    assert result_of(PairCounts.of_pairs(PAIRS[:6]), 100, False).unfinished is None
    assert counts.forfeited_joint != NOTHING
