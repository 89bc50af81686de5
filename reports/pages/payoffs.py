"""Lay out what the games of a fight paid."""

from __future__ import annotations

from arena.model.defaults import DUPLICATE
from arena.records.fights import FightResult
from arena.records.paid import PayoffInterval
from arena.reports.columns.fights import level, titled
from arena.reports.columns.payoffs import PAID, paid_rows
from arena.reports.page import Table, declared_table

#: What duplicates saved is said from this factor on, and in round numbers.
MIN_SAVED = 1.05


def payoff_table(fight: FightResult, interval: PayoffInterval | None, alpha: float) -> Table:
    """Return the payoffs of a fight with this interval of A's, wrong with probability alpha."""
    assert fight.paid is not None
    shown = fight.payoff if interval is None else interval
    titles = {"per_game": f"{fight.paid.unit} per game"}
    if shown is not None:
        titles["interval"] = level(shown.kind, alpha)
    return declared_table(titled(PAID, **titles), paid_rows(fight, interval), keys=1)


def deal_facts(fight: FightResult) -> list[str]:
    """Say whose luck the games had, and what it saved where both of a pair had the same."""
    if not fight.deals:
        return []
    if fight.deals != DUPLICATE:
        return ["each game had luck of its own"]
    saved = None if fight.paid is None else fight.paid.saved
    same = "both games of a pair had the same luck"
    if saved is None or not saved >= MIN_SAVED:
        return [same]
    return [f"{same}: without that it takes {saved:.2g} times as many games to be as sure"]
