"""A Swiss tournament: everybody plays each round, nobody meets twice, at most one bye each."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.schedules import PairingResult, RoundResult, TournamentState
from arena.schedules.named import Round
from arena.schedules.swiss import Swiss, most_rounds, next_round, standings
from tests.schedules.simulated import entrants, play


def check_rounds(state: TournamentState, rounds: list[Round]) -> None:
    met = Counter(frozenset(pairing[:2]) for each in rounds for pairing in each.pairings)
    byes = Counter(chain.from_iterable(each.byes for each in rounds))
    assert {*met.values(), *byes.values()} <= {1}
    assert all(len(each.byes) <= 1 for each in rounds)


@pytest.mark.slow
@given(st.integers(2, 24), st.integers(0, 10**6))
def test_a_tournament_of_any_size_goes_on_to_its_last_round(size: int, seed: int) -> None:
    rng, names = random.Random(seed), entrants(size)
    length = most_rounds(size)
    state, rounds = play(Swiss(length), TournamentState(names, rng.randint(1, 3)), rng)
    assert len(rounds) == length
    check_rounds(state, rounds)
    for each in rounds:
        playing = [name for pairing in each.pairings for name in pairing[:2]]
        assert sorted([*playing, *each.byes]) == sorted(names)


@pytest.mark.slow
def test_two_hundred_entrants_play_eight_rounds() -> None:
    state, rounds = play(Swiss(8), TournamentState(entrants(199), 2), random.Random(1))
    assert len(rounds) == 8
    check_rounds(state, rounds)


@pytest.mark.slow
@given(st.integers(3, 16), st.integers(0, 10**6), st.data())
def test_who_leaves_plays_no_more_and_who_comes_late_plays_on(
    size: int, seed: int, data: st.DataObject
) -> None:
    names = entrants(size)
    leaver, moment = data.draw(st.sampled_from(names)), data.draw(st.integers(0, 3))
    late = data.draw(st.integers(0, 3))
    rng = random.Random(seed)
    state, rounds = play(
        Swiss(most_rounds(size)),
        TournamentState(names, 1),
        rng,
        {moment: [leaver]},
        {late: ["late"]},
    )
    check_rounds(state, rounds)
    for number, each in enumerate(rounds):
        playing = {name for pairing in each.pairings for name in pairing[:2]} | {*each.byes}
        assert (leaver in playing) == (number < moment)
        assert ("late" in playing) == (number >= late)


@pytest.mark.slow
@given(st.integers(3, 9), st.integers(0, 10**6), st.integers(1, 3))
def test_no_round_has_nearer_scores(size: int, seed: int, before: int) -> None:
    rng = random.Random(seed)
    state, _ = play(
        Swiss(min(before, most_rounds(size) - 1)), TournamentState(entrants(size), 1), rng
    )
    scores, met = state.scores(), {frozenset(result.both) for result in state.results()}
    had = {name for each in state.rounds for name in each.byes}

    def cost(a: str | None, b: str | None) -> Fraction:
        there = [min(scores.values()) if name is None else scores[name] for name in (a, b)]
        return (there[0] - there[1]) ** 2

    def least(left: frozenset[str | None]) -> Fraction | None:
        if not left:
            return Fraction(0)
        first = min(left, key=str)
        results = []
        for other in left - {first}:
            both = frozenset((first, other))
            if both in met or (None in both and both & had):
                continue
            rest = least(left - both)
            if rest is not None:
                results.append(rest + cost(first, other))
        return min(results, default=None)

    everybody: frozenset[str | None] = frozenset((*state.entrants, *[None] * (size % 2)))
    round_ = next_round(state)
    if not round_:
        assert least(everybody) is None
        return
    pairs = [tuple(item[:2]) if len(item) > 1 else (item[0], None) for item in round_]
    assert sum(cost(*pair) for pair in pairs) == least(everybody)


def test_the_upper_half_meets_the_lower_half_and_the_last_has_the_bye() -> None:
    first = next_round(TournamentState(entrants(7), 5))
    assert [item[:2] for item in first] == [("p0", "p3"), ("p1", "p4"), ("p2", "p5"), ("p6",)]


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 7, 8, 200])
def test_more_rounds_than_the_entrants_allow_are_refused(size: int) -> None:
    most = most_rounds(size)
    Swiss(most)(TournamentState(entrants(size), 1))
    problem = f"swiss:{most + 1} .* {size} .* {most} "
    with pytest.raises(UsageError, match=problem):
        Swiss(most + 1)(TournamentState(entrants(size), 1))


def test_one_round_more_can_find_nobody_left_to_meet() -> None:
    # After these rounds of six entrants each has met the other three, and three of them are left.
    names = entrants(6)
    state = TournamentState(names, 1)
    for turn in range(3):
        both = [(names[place], names[3 + (place + turn) % 3]) for place in range(3)]
        results = tuple(PairingResult(*each, 1, (Fraction(1), Fraction(1))) for each in both)
        state = TournamentState(names, 1, 0, (*state.rounds, RoundResult(results)))
    assert next_round(state) == []


@pytest.mark.slow
@given(st.integers(2, 12), st.integers(0, 10**6))
def test_standings_are_those_of_a_second_computation(size: int, seed: int) -> None:
    rng = random.Random(seed)
    state, _ = play(Swiss(most_rounds(size)), TournamentState(entrants(size), 2), rng, {1: ["p1"]})
    # A cross table: what each has from each other one, None where they did not meet.
    table = {
        (name, other): next(
            (
                points[0] if result.a == name else points[1]
                for result in state.results()
                if {result.a, result.b} == {name, other}
                for points in [result.points]
            ),
            None,
        )
        for name in state.entrants
        for other in state.entrants
    }
    byes = Counter(chain.from_iterable(each.byes for each in state.rounds))
    points: dict[str, Fraction] = {}
    expected: dict[str, tuple[Fraction, ...]] = {}
    for name in state.entrants:
        own = [table[name, other] for other in state.entrants]
        points[name] = sum((p for p in own if p is not None), Fraction(4 * byes[name]))
    for name in state.entrants:
        rivals = [o for o in state.entrants if table[name, o] is not None]
        unplayed = len(state.rounds) - len(rivals)
        buchholz = sum(points[o] for o in rivals) + unplayed * points[name]
        won = sum((points[o] * (table[name, o] or 0) / 4 for o in rivals), Fraction(0))
        expected[name] = (points[name], buchholz, won + byes[name] * points[name])
    for place in standings(state):
        assert tuple(place.marks.values()) == expected[place.player]
        better = [name for name in expected if expected[name] > expected[place.player]]
        assert place.rank == 1 + len(better)


def test_a_hand_made_table_has_the_numbers_of_the_definitions() -> None:
    """Three entrants, two rounds: a beats b 2-0, c has the bye; then a and c draw, b has it."""
    two, none, one = Fraction(2), Fraction(0), Fraction(1)
    rounds = (
        RoundResult((PairingResult("a", "b", 1, (two, none)),), ("c",)),
        RoundResult((PairingResult("a", "c", 1, (one, one)),), ("b",)),
    )
    result = standings(TournamentState(("a", "b", "c"), 1, 0, rounds))
    assert [(place.rank, place.player, *map(int, place.marks.values())) for place in result] == [
        (1, "c", 3, 6, 4),
        (2, "a", 3, 5, 3),
        (3, "b", 2, 5, 2),
    ]
    assert result[0].marks["sonneborn_berger"] == Fraction(9, 2)
