"""Ratings of a whole table: other programs, the likelihood itself, and what cannot be rated."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence

import choix
import evalica
import numpy as np
import pytest
from evalica import Winner
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize  # type: ignore[import-untyped]

from arena.errors import UsageError
from arena.stats.binomial import upper_bound
from arena.stats.bradley_terry import ELO, ROUGH, Ratings, expected, rate
from arena.stats.meetings import Game, Meeting

Joint = list[list[int]]

#: Games lost, drawn and won of four players; nobody is perfect.
GAMES = {(0, 1): (20, 30, 50), (0, 2): (10, 40, 60), (1, 2): (33, 20, 30), (2, 3): (5, 5, 9)}
DECIDED = {pair: (lost, 0, won) for pair, (lost, _, won) in GAMES.items()}

WON, LOST, LEVEL = ([[0] * 3 for _ in range(3)] for _ in range(3))
WON[2][2] = LOST[0][0] = LEVEL[1][1] = 9
FIRST_MOVER = [[0, 0, 0], [0, 0, 0], [9, 0, 0]]


def names(players: int) -> list[str]:
    return [f"p{player}" for player in range(players)]


def by_games(table: dict[tuple[int, int], tuple[int, int, int]]) -> list[Meeting]:
    return [Meeting.of_games(a, b, counts) for (a, b), counts in table.items()]


def values(table: Ratings) -> list[float]:
    assert None not in [rating.value for rating in table.ratings]
    return [rating.value or 0.0 for rating in table.ratings]


def sampled(ratings: Sequence[float], pairs: int, seed: int) -> list[Meeting]:
    """A round robin with an advantage of 52 Elo and nu 0.6, games independent."""
    rng = random.Random(seed)
    meetings = []
    for a, b in itertools.combinations(range(len(ratings)), 2):
        joint = [[0] * 3 for _ in range(3)]
        y = ratings[a] - ratings[b]
        first = rng.choices(range(3), expected(y + 52, 0.6), k=pairs)
        second = rng.choices(range(3), expected(y - 52, 0.6), k=pairs)
        for i, j in zip(first, second, strict=True):
            joint[i][j] += 1
        meetings.append(Meeting.of_pairs(a, b, joint))
    return meetings


def test_without_draws_it_is_what_choix_fits() -> None:
    """The models coincide: without draws nu is 0, and without an order there is no advantage."""
    data = [(b, a) for (a, b), (lost, _, _) in DECIDED.items() for _ in range(lost)]
    data += [(a, b) for (a, b), (_, _, won) in DECIDED.items() for _ in range(won)]
    theirs = ELO * np.asarray(choix.ilsr_pairwise(4, data, tol=1e-10))
    ours = rate(names(4), by_games(DECIDED), replicates=0)
    assert values(ours) == pytest.approx(list(theirs - theirs.mean()), abs=1e-4)
    assert ours.draws.value == 0


def test_with_draws_it_is_what_evalica_fits_by_newmans_method() -> None:
    """Newman's model (JMLR 24, 2023) has ties as Davidson's: its v is half of nu."""
    played = [
        (a, b, winner)
        for (a, b), counts in GAMES.items()
        for winner, games in zip((Winner.Y, Winner.Draw, Winner.X), counts, strict=True)
        for _ in range(games)
    ]
    xs, ys, winners = zip(*played, strict=True)
    found = evalica.newman(xs, ys, winners, tolerance=1e-13, limit=100_000)
    theirs = 400 * np.log10(found.scores.sort_index().to_numpy())
    ours = rate(names(4), by_games(GAMES), replicates=0)
    assert values(ours) == pytest.approx(list(theirs - theirs.mean()), abs=1e-3)
    assert ours.draws.value == pytest.approx(2 * found.v, rel=1e-5)


def test_with_an_order_it_is_the_maximum_of_davidson_and_beavers_likelihood() -> None:
    """As they wrote it, with strengths, a factor for who moves first, and ties of their own."""
    meetings = sampled([90.0, 10.0, -20.0, -80.0], 50, seed=1)

    def loss(parameters: np.ndarray) -> float:
        strengths = np.exp([0.0, *parameters[:3]])
        order, tie = np.exp(parameters[3:])
        total = 0.0
        for meeting in meetings:
            for cell, times in meeting.cells:
                for moved, points in cell:
                    ahead = order if moved > 0 else 1
                    behind = order if moved < 0 else 1
                    a, b = ahead * strengths[meeting.a], behind * strengths[meeting.b]
                    draw = tie * math.sqrt(strengths[meeting.a] * strengths[meeting.b])
                    total -= times * math.log((b, draw, a)[points] / (a + b + draw))
        return total

    theirs = minimize(loss, np.zeros(5), method="BFGS", options={"gtol": 1e-4}).x
    strengths = ELO * np.array([0.0, *theirs[:3]])
    ours = rate(names(4), meetings, replicates=0)
    assert values(ours) == pytest.approx(list(strengths - strengths.mean()), abs=1e-2)
    assert ours.advantage.value == pytest.approx(ELO * theirs[3], abs=1e-2)
    assert ours.draws.value == pytest.approx(math.exp(theirs[4] - theirs[3] / 2), abs=1e-4)


@given(st.lists(st.integers(1, 10**9), min_size=27, max_size=27))
@settings(max_examples=60)
def test_the_fit_expects_the_points_draws_and_first_movers_points_that_were(
    counts: list[int],
) -> None:
    """The likelihood equations: they say all that a maximum is, as it is concave."""
    pairs = [(0, 1), (1, 2), (2, 0)]
    meetings = [
        Meeting.of_pairs(a, b, [counts[9 * k + 3 * i : 9 * k + 3 * i + 3] for i in range(3)])
        for k, (a, b) in enumerate(pairs)
    ]
    table = rate(names(3), meetings, replicates=0)
    ratings = values(table)
    surplus: dict[str, float] = dict.fromkeys(("0", "1", "2", "first", "draws"), 0.0)
    for meeting in meetings:
        for cell, times in meeting.cells:
            for moved, points in cell:
                y = ratings[meeting.a] - ratings[meeting.b] + moved * (table.advantage.value or 0)
                lost, drawn, won = expected(y, table.draws.value or 0)
                excess = times * ((points - 1) - (won - lost))
                surplus[str(meeting.a)] += excess
                surplus[str(meeting.b)] -= excess
                surplus["first"] += moved * excess
                surplus["draws"] += times * ((points == 1) - drawn)
    assert list(surplus.values()) == pytest.approx([0] * 5, abs=1e-6 * sum(counts))


def test_links_of_very_different_weight_keep_their_digits() -> None:
    """Two played 2 * 10^15 games, one of them only 4 against a third, and won 3 of those."""
    meetings = [Meeting.of_games(0, 1, (10**15, 0, 10**15)), Meeting.of_games(1, 2, (1, 0, 3))]
    a, b, c = values(rate(names(3), meetings, replicates=0))
    assert a - b == pytest.approx(0, abs=1e-6)
    assert b - c == pytest.approx(400 * math.log10(3), rel=1e-9)


def test_how_the_results_are_handed_in_makes_no_difference() -> None:
    meetings = sampled([50.0, 0.0, -50.0], 40, seed=2)
    table = rate(names(3), meetings, seed=4)
    halves = [
        Meeting(m.a, m.b, ((cell, part),))
        for m in meetings
        for cell, times in m.cells
        for part in (times // 2, times - times // 2)
    ]
    mirrored = [meeting.mirrored() for meeting in reversed(halves)]
    assert rate(names(3), mirrored, seed=4) == table
    assert rate(names(3), meetings, seed=5) != table


def test_names_do_not_matter_but_the_order_of_players_is_kept() -> None:
    ratings = values(rate(names(4), by_games(GAMES), replicates=0))
    swapped = {(3 - a, 3 - b): counts for (a, b), counts in GAMES.items()}
    assert values(rate("wxyz", by_games(swapped), replicates=0)) == pytest.approx(ratings[::-1])
    assert sum(ratings) == pytest.approx(0, abs=1e-9)


def test_the_intervals_cover_the_truth_about_as_often_as_they_say() -> None:
    truth = [70.0, 20.0, -30.0, -60.0]
    covered = 0
    for seed in range(40):
        table = rate(names(4), sampled(truth, 30, seed), replicates=100, seed=seed)
        found = [*table.ratings, table.advantage, table.draws]
        for parameter, true in zip(found, [*truth, 52.0, 0.6], strict=True):
            assert parameter.low is not None
            assert parameter.high is not None
            covered += parameter.low <= true <= parameter.high
    assert 216 <= covered <= 238  # of 240: 95 % are 228, with a standard deviation of 3.4 or more


def half_width(joint: Joint) -> float:
    rating = rate("ab", [Meeting.of_pairs(0, 1, joint)], replicates=400).ratings[0]
    assert rating.low is not None
    assert rating.high is not None
    return (rating.high - rating.low) / 2


def test_errors_are_those_of_pairs_not_of_games() -> None:
    """The same games, won and lost half and half: in pairs alike, apart, and independent."""
    apart = half_width([[1, 0, 99], [0, 0, 0], [99, 0, 1]])
    independent = half_width([[50, 0, 50], [0, 0, 0], [50, 0, 50]])
    alike = half_width([[99, 0, 1], [0, 0, 0], [1, 0, 99]])
    games = rate("ab", [Meeting.of_games(0, 1, (200, 0, 200))], replicates=400).ratings[0]
    assert apart < independent / 3
    assert alike > 1.2 * independent
    assert ((games.high or 0) - (games.low or 0)) / 2 == pytest.approx(independent, rel=0.15)


@pytest.mark.parametrize("pairs", [1, 30])
def test_results_that_were_all_alike_still_have_an_interval(pairs: int) -> None:
    """Two who only drew: of one more pair, won or lost, the difference is as wide as it should be.

    The draws of the others fix nu. The equation of the points is then solved by bisection.
    """
    sure = [Meeting.of_games(1, 2, (10**9, 10**9, 10**9))]
    level = [[0, 0, 0], [0, pairs, 0], [0, 0, 0]]
    rating = rate("abc", [*sure, Meeting.of_pairs(0, 1, level)], replicates=2000).ratings[0]
    assert rating.value == pytest.approx(0, abs=0.01)
    assert rating.low is not None
    assert rating.high is not None
    # The 5 % tail of an exponential over a gamma variate of this shape: its share of the weight.
    share = upper_bound(0, pairs)
    low, high = 0.0, 10_000.0
    for _ in range(100):
        middle = (low + high) / 2
        lost, _, won = expected(middle, draws=1)
        low, high = (middle, high) if won - lost < share else (low, middle)
    # a is 2/3 of the difference from the mean of all three
    assert rating.high == pytest.approx(low * 2 / 3, rel=0.15)
    assert rating.low == pytest.approx(-low * 2 / 3, rel=0.15)


def test_who_won_everything_has_no_upper_bound_and_the_rest_are_rated() -> None:
    best = [Meeting.of_pairs(3, b, WON) for b in range(3)]
    rest = sampled([50.0, 0.0, -50.0], 40, seed=2)
    table = rate(["x", "y", "z", "tictactoe3"], best + rest)
    assert table.groups == ((3,), (0, 1, 2))
    assert table.statements == (
        "tictactoe3 won everything: its rating has no upper bound",
        "x, y and z lost everything outside their group: their ratings compare only with each"
        " other",
    )
    assert table.ratings[3].value is None
    assert table.ratings[3].reason == "won everything"
    alone = rate(["x", "y", "z"], rest)
    assert values(alone) == [rating.value for rating in table.ratings[:3]]
    assert table.ratings[0].reason == "compares only with y and z"


def test_who_never_met_is_said() -> None:
    table = rate("abcde", [Meeting.of_games(0, 1, (1, 0, 2)), Meeting.of_games(2, 3, (3, 0, 5))])
    assert table.groups == ((0, 1), (2, 3), (4,))
    assert table.statements == (
        "a and b met nobody else: their ratings compare only with each other",
        "c and d met nobody else: their ratings compare only with each other",
        "e met nobody",
    )
    assert rate("", []).ratings == ()


def test_draws_link_players_but_cannot_bound_how_far_apart_they_are() -> None:
    """Of 10 wins and 20 draws the model says: loss impossible, so infinitely stronger."""
    table = rate(["strong", "weak"], [Meeting.of_games(0, 1, (0, 20, 10))])
    assert [rating.value for rating in table.ratings] == [None, None]
    assert table.draws.value is None
    assert table.groups == ((0,), (1,))
    assert table.statements == ("the results put no bound on how far apart strong and weak are",)
    one_loss = rate(["strong", "weak"], [Meeting.of_games(0, 1, (1, 20, 10))])
    assert values(one_loss)[0] - values(one_loss)[1] == pytest.approx(400, abs=1e-3)


def test_what_other_parameters_are_not_bounded_has_a_reason() -> None:
    mover = rate("ab", [Meeting.of_pairs(0, 1, FIRST_MOVER)])
    assert mover.advantage.value is None
    assert mover.advantage.reason == "the results put no upper bound on it"
    assert values(mover) == pytest.approx([0, 0], abs=1e-6)
    drawn = rate("ab", [Meeting.of_pairs(0, 1, LEVEL)])
    assert drawn.draws.reason == "every game was drawn"
    assert values(drawn) == [0, 0]
    assert mover.draws.value == 0
    assert mover.draws.reason == "no game was drawn"


def test_an_advantage_that_looks_like_strength_is_not_estimated() -> None:
    always_first = [Meeting.of_games(0, 1, (3, 3, 9), moved=1)]
    assert "told from strength" in rate("ab", always_first).advantage.reason
    assert "not known" in rate("ab", by_games({(0, 1): (3, 3, 9)})).advantage.reason
    circle = [Meeting.of_games(a, b, (3, 3, 9), moved=1) for a, b in ((0, 1), (1, 2), (2, 0))]
    found = rate("abc", circle, replicates=0).advantage.value
    assert found == pytest.approx(400 * math.log10(3), abs=1e-3)


def check(players: int, meetings: list[Meeting]) -> None:
    table = rate(names(players), meetings, replicates=3)
    assert sorted(itertools.chain(*table.groups)) == list(range(players))
    for parameter in (*table.ratings, table.advantage, table.draws):
        numbers = (parameter.value, parameter.low, parameter.high)
        assert all(number is None or math.isfinite(number) for number in numbers)
        assert parameter.reason or None not in numbers
        if parameter.low is not None and parameter.high is not None:
            assert parameter.value is not None
            assert parameter.low <= parameter.value <= parameter.high
    for group in table.groups:
        rated = [table.ratings[player].value for player in group]
        assert (None in rated) == (len(group) == 1)
        assert sum(value or 0 for value in rated) == pytest.approx(0, abs=1e-5)
    one_group = max(map(len, table.groups)) == players
    assert bool(set(table.statements) - {ROUGH}) != one_group


def test_every_small_table_of_two_players_has_an_answer() -> None:
    for cells in itertools.product((0, 1), repeat=9):
        check(2, [Meeting.of_pairs(0, 1, [cells[:3], cells[3:6], cells[6:]])])
    for counts in itertools.product(range(5), repeat=3):
        check(2, [Meeting.of_games(0, 1, counts)])


def test_every_way_three_players_can_beat_each_other_has_an_answer() -> None:
    for joints in itertools.product((None, WON, LOST, LEVEL, FIRST_MOVER), repeat=3):
        pairs = zip(itertools.combinations(range(3), 2), joints, strict=True)
        check(3, [Meeting.of_pairs(*pair, joint) for pair, joint in pairs if joint])


counts = st.sampled_from([0, 0, 0, 1, 1, 2, 1000, 10**9, 10**15])
games = st.builds(Game, st.sampled_from([-1, 0, 1]), st.sampled_from([0, 1, 2]))
cells = st.tuples(st.lists(games, max_size=2).map(tuple), counts)
pairings = st.sampled_from(list(itertools.permutations(range(4), 2)))


@given(st.lists(st.tuples(pairings, st.lists(cells, max_size=5)), max_size=7))
@settings(max_examples=200, deadline=None)
def test_every_table_has_an_answer(
    table: list[tuple[tuple[int, int], list[tuple[tuple[Game, ...], int]]]],
) -> None:
    check(4, [Meeting(a, b, tuple(seen)) for (a, b), seen in table])


@pytest.mark.parametrize(
    "meeting",
    [
        Meeting(0, 0, ()),
        Meeting(0, 2, ()),
        Meeting(0, 1, (((Game(0, 3),), 1),)),
        Meeting(0, 1, (((Game(0, 1),), -1),)),
    ],
)
def test_what_is_no_meeting_is_refused(meeting: Meeting) -> None:
    with pytest.raises(UsageError):
        rate("ab", [meeting])


def test_many_players_are_named_by_the_first() -> None:
    games = [Meeting.of_games(a, a + 1, (1, 0, 1)) for a in range(8)]
    games.append(Meeting.of_games(9, 0, (0, 0, 1)))
    assert (
        rate(names(10), games, replicates=0)
        .statements[1]
        .startswith("p0, p1, p2, p3, p4 and 4 others lost everything")
    )
