"""A knockout: who wins it has won every match, and the byes go to the top seeds."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.schedules import (
    MAX_REMATCHES,
    PairingResult,
    RoundResult,
    ScheduledPairing,
    TournamentState,
)
from arena.schedules.knockout import Knockout, bracket, seeded, standings
from tests.schedules.simulated import entrants, play

sizes = st.integers(2, 18) | st.sampled_from([64, 65, 200])


@pytest.mark.slow
@given(sizes, st.integers(0, 10**6))
def test_the_winner_won_every_match_and_everybody_else_lost_one(size: int, seed: int) -> None:
    state, rounds = play(Knockout(), TournamentState(entrants(size), 1), random.Random(seed))
    matches = [match for level in bracket(state) for match in level if match.a and match.b]
    assert len(matches) == size - 1
    losers = [name for match in matches for name in (match.a, match.b) if name != match.winner]
    (winner,) = {*state.entrants} - {*losers}
    assert len(losers) == len({*losers}) == size - 1
    places = standings(state)
    assert (places[0].rank, places[0].player) == (1, winner)
    assert places[1].rank == 2
    assert [place.rank for place in places].count(2) == 1
    assert [each.byes for each in rounds[1:]] == [()] * (len(rounds) - 1)
    full = 1 << (size - 1).bit_length()
    assert sorted(rounds[0].byes) == sorted(entrants(size)[: full - size])


@pytest.mark.slow
@given(sizes, st.integers(0, 10**6))
def test_a_drawn_match_doubles_its_pairs_and_nobody_else_plays_then(size: int, seed: int) -> None:
    state, _ = play(Knockout(), TournamentState(entrants(size), 1), random.Random(seed))
    before: dict[frozenset[str], int] = {}
    decided: set[frozenset[str]] = set()
    for each in state.rounds:
        for result in each.pairings:
            key = frozenset(result.both)
            assert result.pairs == max(1, before.get(key, 0))
            assert key not in decided
            before[key] = before.get(key, 0) + result.pairs
            if result.points[0] != result.points[1]:
                decided.add(key)


def test_the_better_seed_goes_on_when_a_match_stays_drawn() -> None:
    state = TournamentState(("a", "b"), 3)
    played = []
    while round_ := Knockout()(state):
        (pairing,) = round_
        assert isinstance(pairing, ScheduledPairing)
        half = Fraction(pairing.pairs)
        played.append(pairing.pairs)
        result = PairingResult(*pairing, (half, half))
        state = TournamentState(("a", "b"), 3, 0, (*state.rounds, RoundResult((result,))))
    assert played == [3, 3, 6, 12]
    assert sum(played) == MAX_REMATCHES * 3
    assert [place.player for place in standings(state)] == ["a", "b"]


@pytest.mark.slow
@given(st.integers(3, 40), st.integers(0, 10**6), st.data())
def test_who_leaves_gives_its_place_to_its_opponent(
    size: int, seed: int, data: st.DataObject
) -> None:
    names = entrants(size)
    leavers = data.draw(st.lists(st.sampled_from(names), max_size=size - 1, unique=True))
    leave: dict[int, list[str]] = {}
    for name in leavers:
        leave.setdefault(data.draw(st.integers(0, 4)), []).append(name)
    state, rounds = play(Knockout(), TournamentState(names, 1), random.Random(seed), leave)
    for number, each in enumerate(rounds):
        playing = chain.from_iterable(pairing[:2] for pairing in each.pairings)
        assert all(state.withdrawn.get(name, 99) > number for name in playing)
    final = bracket(state)[-1]
    assert len(final) == 1
    winner = final[0].winner
    if winner is None:
        assert {final[0].a, final[0].b} <= {None, *state.withdrawn}, "all who were left went"
        return
    for result in state.results():
        if winner in result.both:
            total = [one for one in state.results() if {*one.both} == {*result.both}]
            assert (
                sum((2 * one.by_player[winner] - 2 * one.pairs for one in total), Fraction()) >= 0
            )
    assert standings(state)[0].player == winner


def test_the_best_seeds_meet_last() -> None:
    for size in (2, 4, 8, 64):
        places = [int(name) for name in seeded([str(seed) for seed in range(size)]) if name]
        while len(places) > 1:
            both = list(zip(places[::2], places[1::2], strict=True))
            assert {a + b for a, b in both} == {len(places) - 1}
            places = [min(each) for each in both]


@pytest.mark.parametrize(("gone", "winner"), [({"a": 1}, "b"), ({"a": 0}, "b"), ({"b": 2}, "a")])
def test_who_leaves_after_a_match_was_there_for_it(gone: dict[str, int], winner: str) -> None:
    level = PairingResult("a", "b", 1, (Fraction(1), Fraction(1)))
    match = bracket(TournamentState(("a", "b"), 1, 0, (RoundResult((level,)),), gone))[-1][0]
    assert (match.winner, match.is_open) == (winner, False)
