"""Tables: every two sit together equally often, and everybody has as many tables."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, islice, permutations
from math import comb, factorial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.fights.table_schedule import MAX_ALL_TABLES, balanced_tables, gauntlet_tables
from arena.model.seatings import SEATINGS, games_a_block, seating


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.integers(3, 8), st.integers(0, 30))
def test_every_two_meet_equally_often_within_one(seats: int, more: int) -> None:
    players = seats + more
    tables = balanced_tables(players, seats)
    met = Counter(pair for table in tables for pair in combinations(table, 2))
    times = {met[pair] for pair in combinations(range(players), 2)}
    assert max(times) - min(times) <= (1 if seats < 7 else 2)
    assert min(times) >= 1
    assert len({*Counter(player for table in tables for player in table).values()}) == 1
    assert all([*table] == sorted({*table}) and len(table) == seats for table in tables)


def test_few_players_sit_together_in_every_way() -> None:
    tables = balanced_tables(12, 3)
    assert len({*tables}) == len(tables) == comb(12, 3) <= MAX_ALL_TABLES
    assert len(balanced_tables(30, 4)) == 90 < comb(30, 4) == 27_405


def test_in_a_gauntlet_one_player_sits_at_every_table() -> None:
    for players, seats in ((2, 2), (5, 3), (30, 4)):
        tables = gauntlet_tables(players, seats)
        others = Counter(player for table in tables for player in table if player)
        assert all(table[0] == 0 for table in tables)
        assert sorted(others) == [*range(1, players)]
        assert len({*others.values()}) == 1


def test_too_few_players_are_refused() -> None:
    with pytest.raises(UsageError, match="2 players for 3 seats"):
        balanced_tables(2, 3)


@pytest.mark.parametrize("seats", range(2, 6))
@pytest.mark.parametrize("seatings", SEATINGS)
def test_every_player_sits_equally_often_in_every_seat(seats: int, seatings: str) -> None:
    games = games_a_block(seats, seatings)
    sittings = [seating(seats, seatings, game) for game in range(games)]
    assert len({*sittings}) == games == (factorial(seats) if seatings == "all" else seats)
    for seat in range(seats):
        times = Counter(sitting[seat] for sitting in sittings)
        assert {*times.values()} == {games // seats}
    assert sittings[0] == tuple(range(seats))


def test_two_sit_down_as_a_pair_does() -> None:
    assert [seating(2, "rotations", game) for game in (0, 1)] == [(0, 1), (1, 0)]
    assert [seating(2, "all", game) for game in (0, 1)] == [(0, 1), (1, 0)]
    assert [*islice(permutations(range(3)), 6)] == [seating(3, "all", game) for game in range(6)]


@pytest.mark.parametrize(("players", "seats"), [(35, 3), (37, 3), (30, 4), (40, 4), (24, 5)])
def test_no_table_of_a_gauntlet_comes_twice(players: int, seats: int) -> None:
    tables = gauntlet_tables(players, seats)
    assert len({*tables}) == len(tables)
    met = Counter(other for table in tables for other in table[1:])
    assert max(met.values()) - min(met.values()) <= 1
