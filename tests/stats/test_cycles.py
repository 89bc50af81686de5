"""Cycles: three players that beat each other in a circle, and nothing that chance makes."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest

from arena.stats.cycles import MAX_NAMED_CYCLES, cycles_of, sides
from arena.stats.independence import PAIR_SCORES, Observations
from arena.stats.ranks import Two, critical_value

WON = Observations((0, 2, 6, 10, 22), PAIR_SCORES)
LEVEL = Observations((5, 10, 10, 10, 5), PAIR_SCORES)


def reversed_(table: Observations) -> Observations:
    return Observations(table.counts[::-1], PAIR_SCORES)


def tables(winners: set[Two], players: int) -> dict[Two, Observations]:
    """Each pairing is won by the first of two in ``winners``, or level."""
    result = dict.fromkeys(combinations(range(players), 2), LEVEL)
    result |= {(a, b): WON for a, b in winners if a < b}
    return result | {(b, a): reversed_(WON) for a, b in winners if a > b}


def test_name_each_cycle_once_whichever_way_round() -> None:
    for order in permutations(range(3)):
        a, b, c = order
        result = cycles_of(tables({(a, b), (b, c), (c, a)}, 3))
        assert result.number == 1
        assert set(sides(result.strongest[0])) == {(a, b), (b, c), (c, a)}


def test_count_the_cycles_of_a_larger_table() -> None:
    """By trying every three players, in both directions."""
    rng = np.random.default_rng(1)
    for _ in range(20):
        winners = {two if rng.random() < 0.5 else two[::-1] for two in combinations(range(8), 2)}
        result = cycles_of(tables(winners, 8))
        expected = {
            frozenset(three) for three in permutations(range(8), 3) if set(sides(three)) <= winners
        }
        assert result.number == len(expected)
        assert {frozenset(one) for one in result.strongest} <= expected
        assert len(result.strongest) == min(MAX_NAMED_CYCLES, len(expected))
        assert result.triples == 56


def test_a_chain_and_a_level_pairing_make_no_cycle() -> None:
    assert cycles_of(tables({(0, 1), (1, 2), (0, 2)}, 3)).number == 0
    assert cycles_of(tables({(0, 1), (1, 2)}, 3)).number == 0


def test_the_strongest_cycle_comes_first() -> None:
    weak = Observations((2, 4, 8, 10, 16), PAIR_SCORES)
    result = tables({(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)}, 6)
    result[0, 1] = weak
    assert cycles_of(result).strongest == ((3, 4, 5), (0, 1, 2))


def test_share_the_error_out_over_what_can_be_false() -> None:
    """A triple can be a cycle in two directions; more pairings than that have fewer results."""
    three = cycles_of(tables(set(), 3))
    assert three.triples == 1
    assert three.critical_value == pytest.approx(critical_value(1))
    assert cycles_of(tables(set(), 4)).critical_value == pytest.approx(critical_value(4))
    assert cycles_of(tables(set(), 9)).critical_value == pytest.approx(critical_value(36))
    assert cycles_of({(0, 1): WON, (0, 2): WON}).triples == 0


def test_games_that_repeat_make_no_cycle() -> None:
    once = Observations((0, 0, 0, 0, 1), PAIR_SCORES)
    assert cycles_of({(0, 1): once, (1, 2): once, (2, 0): once}).number == 0


@pytest.mark.parametrize("players", [3, 8])
def test_equal_players_make_hardly_any_cycle(players: int) -> None:
    rng = np.random.default_rng(5)
    wrong = 0
    for _ in range(200):
        drawn = {
            two: Observations(
                tuple(map(int, rng.multinomial(12, [0.3, 0.1, 0.2, 0.1, 0.3]))), PAIR_SCORES
            )
            for two in combinations(range(players), 2)
        }
        wrong += bool(cycles_of(drawn).number)
    assert wrong / 200 < 0.1
