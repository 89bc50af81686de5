"""Rankings are rated by the model of Davidson and Luce, whose likelihood is written anew here."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import inf, log, nan
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from arena.errors import UsageError
from arena.stats import davidson, ranking_estimates
from arena.stats.estimates import RatingInterval, estimates
from arena.stats.firth import fit
from arena.stats.pairings import PairingCounts, pooled
from arena.stats.ranking_estimates import RankingEstimates, estimate, seats_told, student, to_elo
from arena.stats.rankings import Blocks, PlaceChoice, RankedBlock, RankingLikelihood, choices
from benchmarks.coverage.rankings import CLOSE, SOME_TIES, UNEVEN_SEATS, Tournament, law

Array = NDArray[np.floating[Any]]

#: Blocks, and how often each came.
Counted = list[tuple[RankedBlock, float]]

#: A few games of three and four players with ties, some of them in blocks.
SMALL: Counted = [
    ((((0, 1, 2), (1, 1, 3)), ((1, 2, 0), (2, 2, 1))), 2.0),
    ((((2, 1, 3, 0), (1, 2, 2, 2)),), 1.0),
    ((((3, 0, 1, 2), (4, 1, 2, 3)), ((0, 3, 2, 1), (1, 2, 3, 3))), 3.0),
    ((((1, 0, 3), (1, 2, 3)),), 1.0),
]


def drawn(tournament: Tournament, seed: int = 0) -> Counted:
    return tournament.drawn(np.random.default_rng(seed))


def design(seats: Sequence[tuple[int, int]], players: int, size: int, ties: int) -> Any:
    """Return the coefficients of each set that can be best among the seated, by the set."""
    rows = {}
    for count in range(1, min(len(seats), ties + 1) + 1):
        for best in combinations(range(len(seats)), count):
            row = np.zeros(players + size + ties)
            for one in best:
                player, seat = seats[one]
                row[player] += 1 / count
                row[players + seat] += 1 / count
            if count > 1:
                row[players + size + count - 2] = 1
            rows[best] = row
    return rows


def stages(blocks: Counted, players: int, size: int, ties: int) -> Any:
    """Yield block, times, coefficients of all subsets, and the number of the one that was best."""
    for number, (block, times) in enumerate(blocks):
        for seated, places in block:
            remaining = [(player, seat) for seat, player in enumerate(seated)]
            while len(remaining) > 1:
                place = min(places[seat] for _, seat in remaining)
                best = tuple(i for i, (_, seat) in enumerate(remaining) if places[seat] == place)
                rows = design(remaining, players, size, ties)
                yield number, times, np.array(list(rows.values())), list(rows).index(best)
                remaining = [one for one in remaining if places[one[1]] != place]


def brute(blocks: Counted, likelihood: RankingLikelihood, point: Array) -> tuple[float, Array]:
    """Return the penalised log-likelihood, and the scores of the blocks."""
    total, size, information = 0.0, len(point), np.zeros((len(point), len(point)))
    scores = np.zeros((len(blocks), size))
    shape = likelihood.players, likelihood.seats, likelihood.ties
    for number, times, rows, best in stages(blocks, *shape):
        logs = rows @ point
        chances = np.exp(logs - np.logaddexp.reduce(logs))
        total += times * np.log(chances[best])
        centred = rows - chances @ rows
        information += times * centred.T @ (chances[:, None] * centred)
        scores[number] += rows[best] - chances @ rows
    scores[:, likelihood.held] = 0
    free = np.ix_(*[np.setdiff1d(np.arange(size), likelihood.held)] * 2)
    return float(total + np.linalg.slogdet(information[free])[1] / 2), scores


def a_point(likelihood: RankingLikelihood, seed: int = 1) -> Array:
    point = np.random.default_rng(seed).normal(0, 0.7, likelihood.parameters)
    point[likelihood.held] = 0
    return point


def estimated(blocks: Counted, players: int, seats_effect: bool = True) -> RankingEstimates:
    result = estimate(blocks, players, seats_effect)
    assert result is not None
    return result


def values(result: RankingEstimates) -> list[float]:
    assert None not in result.ratings
    return [rating.value for rating in result.ratings if rating is not None]


def ends(intervals: Sequence[RatingInterval | None]) -> Array:
    return np.array([(i.low, i.high) for i in intervals if i is not None], dtype=np.float64)


def test_a_ranking_is_a_row_of_choices() -> None:
    assert list(choices((1, 3, 2, 3))) == [
        PlaceChoice((0, 1, 2, 3), (0,)),
        PlaceChoice((1, 2, 3), (2,)),
        PlaceChoice((1, 3), (1, 3)),
    ]
    assert list(choices((5, 5))) == [PlaceChoice((0, 1), (0, 1))]


def test_the_chances_of_all_rankings_add_up_to_one() -> None:
    """The likelihood of each ranking is its chance by the law that the simulation draws from."""
    worths, ties = (0.5, -0.3, 0.1), (1.0, 0.4, 0.2)
    results, cumulated = law(worths, ties)
    everything: Counted = [((((0, 1, 2), places),), 1.0) for places in results]
    point = np.array([*worths, log(0.4), log(0.2)])
    point[:3] -= point[0]

    def log_likelihood(*more: tuple[Any, float]) -> float:
        blocks = Blocks.of([*everything, *more], 3)
        look = RankingLikelihood(blocks, [0], seats=False).look(point)
        return float(look.value + np.linalg.slogdet(look.inverse[1:, 1:])[1] / 2)

    chances = [np.exp(log_likelihood(game) - log_likelihood()) for game in everything]
    assert sum(chances) == pytest.approx(1)
    assert np.cumsum(chances) == pytest.approx(cumulated)


def test_the_likelihood_is_that_of_a_dense_design() -> None:
    likelihood = RankingLikelihood(Blocks.of(SMALL, 4), [0], seats=True)
    points = np.array([a_point(likelihood, seed) for seed in range(3)])
    looks = likelihood.look(points)
    steps = 1e-5 * np.eye(likelihood.parameters)
    steps[likelihood.held] = 0
    for point, value, gradient in zip(points, looks.value, looks.gradient, strict=True):
        assert value == pytest.approx(brute(SMALL, likelihood, point)[0])
        up, down = (
            np.array([brute(SMALL, likelihood, point + sign * step)[0] for step in steps])
            for sign in (1, -1)
        )
        assert gradient == pytest.approx((up - down) / 2e-5, rel=1e-5, abs=1e-7)


def test_the_sandwich_is_made_of_the_scores_of_the_blocks() -> None:
    likelihood = RankingLikelihood(Blocks.of(SMALL, 4), [1], seats=True)
    point = a_point(likelihood)
    scores = brute(SMALL, likelihood, point)[1]
    meat = sum(t * np.outer(s, s) for s, (_, t) in zip(scores, SMALL, strict=True))
    inverse = likelihood.look(point).inverse
    assert likelihood.sandwich(point) == pytest.approx(inverse @ meat @ inverse)


def test_the_fit_is_the_largest_penalised_likelihood() -> None:
    likelihood = RankingLikelihood(Blocks.of(SMALL, 4), [0], seats=True)
    fitted: Any = fit(likelihood, 1)  # type: ignore[arg-type]
    best = brute(SMALL, likelihood, fitted.point)[0]
    for seed in range(30):
        nearby = fitted.point + 0.05 * a_point(likelihood, seed)
        assert brute(SMALL, likelihood, nearby)[0] < best


def test_a_player_counts_the_blocks_that_tell_of_it() -> None:
    (block, _), *_ = drawn(Tournament(CLOSE[:4], 1))
    blocks = [(block, 30.0), *renumbered([(block, 30.0)], [4, 5, 6, 7], range(4))]
    likelihood = RankingLikelihood(Blocks.of(blocks, 8), [0, 4], seats=False)
    numbers = likelihood.effective_blocks(likelihood.start(), np.eye(8)[[1, 2, 5]])
    assert numbers == pytest.approx([30, 30, 30])


#: Pairs of two games by players: a's doubled points moving first, and moving second.
PAIRS = {(0, 1): ((5, 3, 9), (2, 8, 4), (7, 6, 12)), (1, 2): ((1, 0, 4), (3, 2, 2), (0, 1, 5))}


def pairs_as_blocks() -> Counted:
    places = {0: (2, 1), 1: (1, 1), 2: (1, 2)}
    blocks: Counted = []
    for (a, b), joint in PAIRS.items():
        for first, row in enumerate(joint):
            for second, times in enumerate(row):
                games = ((a, b), places[first]), ((b, a), places[2 - second])
                blocks.append((games, float(times)))
    return blocks


@pytest.mark.parametrize("seats", [True, False])
def test_two_seats_are_rated_by_davidsons_model(seats: bool) -> None:
    pairings = pooled(3, [PairingCounts.of_pairs(*two, joint) for two, joint in PAIRS.items()])
    known = davidson.Likelihood(3, pairings, [1], advantage=seats)
    blocks = pairs_as_blocks()
    likelihood = RankingLikelihood(Blocks.of(blocks, 3), [1], seats=seats)
    here: Any = fit(likelihood, 4)  # type: ignore[arg-type]
    there: Any = fit(known, 4)
    # Davidson's advantage is the effect of the first seat less that of the second.
    change = np.zeros((5, likelihood.parameters))
    change[[0, 1, 2, 4], [0, 1, 2, -1]] = 1
    if seats:
        change[3, 4] = -1
    assert change @ here.point == pytest.approx(there.point, abs=1e-6)
    assert change @ here.model @ change.T == pytest.approx(there.model, abs=1e-6)
    assert change @ here.sandwich @ change.T == pytest.approx(there.sandwich, abs=1e-6)


def test_the_public_estimates_of_two_seats_are_those_of_davidsons_model() -> None:
    pairings = pooled(3, [PairingCounts.of_pairs(*two, joint) for two, joint in PAIRS.items()])
    known = estimates([(0, 1, 2)], pairings, advantage=True, profiled=True)
    result = estimated(pairs_as_blocks(), 3)
    assert known is not None
    assert values(result) == pytest.approx([known.intervals[p].value for p in range(3)], abs=1e-6)
    first, second = result.seats
    assert first.value - second.value == pytest.approx(known.intervals[3].value, abs=1e-6)
    assert result.ties[0].value == pytest.approx(known.intervals[4].value, abs=1e-6)
    theirs = np.array([(known.intervals[p].low, known.intervals[p].high) for p in range(3)])
    assert ends(result.ratings) == pytest.approx(theirs, abs=0.1)  # another factor


def test_two_players_without_ties_have_firths_odds() -> None:
    games: Counted = [((((0, 1), (1, 2)),), 7.0), ((((1, 0), (1, 2)),), 3.0)]
    strong, weak = values(estimated(games, 2, seats_effect=False))
    assert strong - weak == pytest.approx(log(7.5 / 3.5), abs=1e-6)


def test_only_the_order_of_places_counts() -> None:
    spread = [(tuple((s, tuple(5 * p for p in q)) for s, q in b), n) for b, n in SMALL]
    assert estimated(spread, 4) == estimated(SMALL, 4)


@pytest.mark.slow
def test_rankings_without_ties_are_rated_as_choix_does() -> None:
    choix = pytest.importorskip("choix")
    blocks = drawn(Tournament(CLOSE, 40))
    orders = [
        [player for _, player in sorted(zip(places, players, strict=True))]
        for block, _ in blocks
        for players, places in block
    ]
    theirs = choix.ilsr_rankings(len(CLOSE), orders)
    result = values(estimated(blocks, len(CLOSE), seats_effect=False))
    assert result == pytest.approx(list(theirs - theirs.mean()), abs=2e-3)


@pytest.mark.slow
def test_the_parameters_of_the_law_are_found() -> None:
    blocks = drawn(Tournament(CLOSE, 150, UNEVEN_SEATS, SOME_TIES), 1)
    result = estimated(blocks, len(CLOSE))
    assert [to_elo(rating).value for rating in result.ratings if rating] == pytest.approx(
        CLOSE, abs=20
    )
    assert [to_elo(seat).value for seat in result.seats] == pytest.approx(UNEVEN_SEATS, abs=15)
    assert [tie.value for tie in result.ties] == pytest.approx(np.log(SOME_TIES[1:]), abs=0.3)


def test_a_player_that_always_wins_has_a_finite_rating() -> None:
    games = [((0, a, b), (1, 2, 3)) for a, b in ((1, 2), (2, 1), (1, 3), (3, 2))]
    result = estimated([((game,), 5.0) for game in games], 4, seats_effect=False)
    assert np.isfinite(values(result)).all()
    assert max(values(result)) == values(result)[0]
    assert ends(result.ratings)[0, 0] > 0


@pytest.mark.slow
def test_one_order_in_every_game_has_finite_ratings() -> None:
    order = tuple(range(8))
    games = [(order[turn:] + order[:turn]) for turn in range(8)]
    block = tuple((seats, tuple(player + 1 for player in seats)) for seats in games)
    result = values(estimated([(block, 20.0)], 8))
    assert np.isfinite(result).all()
    assert result == sorted(result, reverse=True)


def test_ties_alone_leave_players_level() -> None:
    result = estimated([((((0, 1, 2), (1, 1, 1)),), 30.0)], 3)
    assert values(result) == pytest.approx([0, 0, 0], abs=1e-6)
    assert len(result.ties) == 2
    assert result.ties[1].value > result.ties[0].value


def renumbered(blocks: Counted, players: Sequence[int], seats: Sequence[int]) -> Counted:
    """Return the games with other numbers for players, and other orders of the seats."""
    return [
        (
            tuple(
                (tuple(players[game[0][s]] for s in seats), tuple(game[1][s] for s in seats))
                for game in block
            ),
            times,
        )
        for block, times in blocks
    ]


@pytest.mark.slow
def test_other_numbers_for_players_and_seats_change_no_estimate() -> None:
    blocks = drawn(Tournament(CLOSE, 2, UNEVEN_SEATS, SOME_TIES))
    players, seats = [3, 0, 5, 1, 4, 2], [2, 0, 3, 1]
    one, other = estimated(blocks, 6), estimated(renumbered(blocks, players, seats), 6)
    moved = [other.ratings[players[player]] for player in range(6)]
    assert ends(moved) == pytest.approx(ends(one.ratings), abs=1e-3)
    assert values(one) == pytest.approx([rating.value for rating in moved if rating], abs=1e-6)
    assert [other.seats[seats.index(seat)].value for seat in range(4)] == pytest.approx(
        [seat.value for seat in one.seats], abs=1e-6
    )
    assert ends(other.ties) == pytest.approx(ends(one.ties), abs=1e-3)


@pytest.mark.slow
def test_counted_blocks_are_the_same_as_repeated_ones() -> None:
    counted = estimated(SMALL, 4)
    repeated = [(block[::-1], 1.0) for block, times in SMALL for _ in range(int(times))]
    result = estimated(repeated, 4)
    assert ends(result.ratings) == pytest.approx(ends(counted.ratings), abs=1e-3)
    assert result.observations == counted.observations == 7


def test_players_that_never_met_do_not_compare() -> None:
    near = drawn(Tournament(CLOSE[:4], 10))
    far = renumbered(drawn(Tournament(CLOSE[:4], 10), 1), [4, 5, 6, 7], range(4))
    result = estimated([*near, *far], 9, seats_effect=False)
    alone = estimated(far, 9, seats_effect=False)
    assert result.groups == ((0, 1, 2, 3), (4, 5, 6, 7), (8,))
    assert result.ratings[8] is None
    for group in result.groups[:2]:
        ratings = [result.ratings[player] for player in group]
        assert sum(rating.value for rating in ratings if rating) == pytest.approx(0, abs=1e-9)
    apart, together = ([r.value for r in one.ratings[4:8] if r] for one in (alone, result))
    assert together == pytest.approx(apart, abs=1e-6)
    assert alone.ratings[:4] == (None,) * 4


def test_seats_are_estimated_where_the_games_tell_them_from_strength() -> None:
    still: Counted = [((((0, 1, 2), (1, 2, 3)), ((0, 1, 2), (3, 2, 1))), 9.0)]
    assert not seats_told(Blocks.of(still, 3))
    # Player 2 always sits last: its rating and the effect of its seat are one.
    two_move: Counted = [((((0, 1, 2), (1, 2, 3)), ((1, 0, 2), (3, 2, 1))), 9.0)]
    assert not seats_told(Blocks.of(two_move, 3))
    rotations: Counted = [((((0, 1, 2), (1, 2, 3)), ((1, 2, 0), (3, 2, 1))), 9.0)]
    assert seats_told(Blocks.of(rotations, 3))
    for blocks, count in ((still, 0), (two_move, 0), (rotations, 3)):
        result = estimated(blocks, 3)
        assert len(result.seats) == count


@pytest.mark.slow
def test_games_that_depend_widen_the_intervals() -> None:
    blocks = drawn(Tournament(CLOSE, 3))
    alone: Counted = [((game,), 1.0) for block, _ in blocks for game in block]
    copies: Counted = [((game,) * 4, 1.0) for (game,), _ in alone]
    apart: Counted = [((game,), 4.0) for (game,), _ in alone]
    results = [estimated(blocks, 6) for blocks in (alone, copies, apart)]
    widths = [np.diff(ends(result.ratings)).mean() for result in results]
    width, with_copies, without = widths
    assert with_copies == pytest.approx(width, rel=0.15)
    assert without == pytest.approx(width / 2, rel=0.15)


def test_one_block_has_the_intervals_of_the_model() -> None:
    (block, _), *_ = drawn(Tournament(CLOSE[:4], 1))
    result = estimated([(block * 5, 1.0)], 4)
    assert np.isfinite(ends(result.ratings)).all()


@pytest.mark.slow
def test_a_large_table_has_walds_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = drawn(Tournament(CLOSE, 40))
    profiles = estimated(blocks, 6)
    monkeypatch.setattr(ranking_estimates, "MAX_PROFILED_TERMS", 0)
    wald = estimated(blocks, 6)
    assert ends(wald.ratings) != pytest.approx(ends(profiles.ratings), abs=1e-9)
    assert ends(wald.ratings) == pytest.approx(ends(profiles.ratings), abs=2e-3)


def test_students_quantiles_are_right_to_a_percent() -> None:
    table = {2: 4.3027, 3: 3.1824, 5: 2.5706, 10: 2.2281, 30: 2.0423, 1000: 1.9623}
    quantiles = student(np.array(list(table), dtype=float))
    assert quantiles == pytest.approx(list(table.values()), rel=0.01)


def test_no_games_and_too_many_worths_have_no_estimates(monkeypatch: pytest.MonkeyPatch) -> None:
    assert estimate([], 3) is None
    assert estimate([((), 2.0), (SMALL[0][0], 0.0)], 3) is None
    monkeypatch.setattr(ranking_estimates, "MAX_WORTHS", 4)
    assert estimate(SMALL, 4) is None
    assert estimate(SMALL, 4, seats_effect=False) is not None


@pytest.mark.parametrize("seats", [(0, 0), (0, 4), (0, -1), (0,), (0, 1, 2)])
def test_an_impossible_game_is_refused(seats: tuple[int, ...]) -> None:
    with pytest.raises(UsageError):
        estimate([(((seats, (1, 2)),), 1.0)], 4)


@pytest.mark.parametrize("times", [-1.0, inf, nan])
def test_an_impossible_number_of_blocks_is_refused(times: float) -> None:
    with pytest.raises(UsageError):
        estimate([(SMALL[0][0], times)], 4)
