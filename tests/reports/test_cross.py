"""Cross tables: every format reads the same cells."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import arena
from arena.records.base import Tally
from arena.reports.cross import cross_cells
from arena.reports.html.cross import cross_rows
from arena.reports.page import Table, page


def test_fights_of_the_same_two_players_are_added_in_every_format() -> None:
    once = arena.tournament(["monkey", "triples"], 3, seed=1, executor="serial")
    fight = once.fights[0]
    again = arena.fight("triples", "monkey", 2, seed=2, executor="serial")
    both = replace(once, fights=(fight, again))
    a, b = fight.players
    expected: Tally = fight.total + again.total.reversed()
    cells = cross_cells(both)
    assert cells[a, b].tally == expected
    assert cells[b, a].tally == expected.reversed()
    in_html = dict(cross_rows(both, ["first", "second"]))
    [of_a] = [cell for cell in in_html[a] if cell is not None]
    assert (of_a.tally, of_a.link) == (expected, "second")
    tables = [part for part in page(both) if isinstance(part, Table)]
    [row] = [row for table in tables if table.headers[0] == "" for row in table.rows if row[1] == a]
    assert f"{expected.wins}-{expected.draws}-{expected.losses}" in map(str, row)


def test_payoffs_are_means_over_all_games_of_two_players() -> None:
    options: Any = {"game": "kuhn", "executor": "serial"}
    once = arena.tournament(["monkey", "uniform=monkey"], 4, seed=1, **options)
    fight = once.fights[0]
    again = arena.fight("uniform=monkey", "monkey", 1, seed=2, **options)
    assert fight.paid is not None
    assert again.paid is not None
    total = fight.paid.sides[0].total + again.paid.sides[1].total
    assert cross_cells(replace(once, fights=(fight, again)))[fight.players].mean == Fraction(
        total, 10
    )
