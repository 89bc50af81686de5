"""Ratings from the places at tables."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.errors import UsageError
from arena.fights.ratings import Anchor
from arena.fights.table_ratings import (
    NOT_ESTIMATED,
    PlacedBlock,
    PlacedGame,
    at_anchor,
    placed_blocks,
    rating_table,
    ratings_of,
)
from arena.records.tables import SeatRating
from tests.golden import Wording
from tests.reports.played import TABLE

GAME = PlacedGame(("ann", "bob", "cem"), (1, 2, 2))


def test_a_table_of_ratings_has_those_of_the_result() -> None:
    tables = [TABLE, replace(TABLE, facts=TABLE.facts[::-1])]
    inside = ratings_of(tables)
    table = rating_table([*placed_blocks(tables)])
    assert inside is not None
    assert {(row.player, row.elo, row.low, row.high) for row in table.players} == {
        (row.player, row.elo, row.low, row.high) for row in inside.players
    }
    assert table.seats == inside.seats
    assert all(isinstance(seat, SeatRating) for seat in table.seats)
    assert (table.games, table.blocks) == (18, 6)


def test_blocks_that_only_repeat_count_as_one_observation() -> None:
    repeating = replace(TABLE, distinct_games=3, forfeited_blocks=0, ends=TABLE.ends[1:])
    assert [(b.blocks, b.observations) for b in placed_blocks([repeating])] == [(2, 1.0)]
    two = rating_table([PlacedBlock((GAME,), 2, 1.0)])
    one = rating_table([PlacedBlock((GAME,), 1, 1.0)])
    assert [row.elo for row in two.players] == [row.elo for row in one.players]
    assert [row.games for row in two.players] == [2, 2, 2]


def test_games_of_different_sizes_share_a_mean_place() -> None:
    duel = PlacedGame(("bob", "ann"), (1, 2))
    table = rating_table([PlacedBlock((GAME, duel), 1, 1.0), PlacedBlock((duel,), 3, 3.0)])
    assert {row.player: (row.games, row.blocks, row.place) for row in table.players} == {
        "ann": (5, 4, 1.8),
        "bob": (5, 4, 1.3),
        "cem": (1, 1, 2.5),
    }


def test_games_that_do_not_tell_the_worth_of_a_seat_say_so(wording: Wording) -> None:
    for knows_seats in (True, False):
        table = rating_table([PlacedBlock((GAME,), 5, 5.0)], knows_seats)
        assert table.seats == ()
        wording(table.statements)


@pytest.mark.slow
def test_too_many_players_have_no_rating(wording: Wording) -> None:
    names = [f"p{number}" for number in range(4002)]
    games = [PlacedGame(tuple(names[at : at + 3]), (1, 2, 3)) for at in range(0, 4002, 3)]
    table = rating_table([PlacedBlock((game,), 1, 1.0) for game in games], knows_seats=False)
    assert {row.elo for row in table.players} == {None}
    assert (len(table.players), table.statements) == (4002, (NOT_ESTIMATED,))
    with wording.raises(UsageError):
        at_anchor(table, Anchor("p1", 1500))


def test_without_a_game_there_is_nothing_to_rate() -> None:
    with pytest.raises(UsageError):
        rating_table([])
