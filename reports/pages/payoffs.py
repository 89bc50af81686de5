"""Lay out what the games of a fight paid."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from arena.model.defaults import DUPLICATE
from arena.records.fights import FightResult
from arena.records.intervals import fixed
from arena.records.paid import PayoffInterval
from arena.reports.cells import payoff_cell, payoff_ends
from arena.reports.columns.fights import level, titled
from arena.reports.columns.payoffs import PAID, paid_rows
from arena.reports.page import Fine, Table, declared_table

#: What duplicates saved is said from this factor on, and in round numbers.
MIN_SAVED = 1.05

#: Beyond this factor what is left is rounding.
MAX_SAVED = 1e6


def payoff_table(fight: FightResult, interval: PayoffInterval | None, alpha: float) -> Table:
    """Return the payoffs of a fight with this interval of A's, wrong with probability alpha."""
    assert fight.paid is not None
    payoff = fight.payoff if interval is None else interval
    titles = {"per_game": f"{fight.paid.unit} per game"}
    if payoff is not None:
        titles["interval"] = level(payoff.kind, alpha)
    return declared_table(titled(PAID, **titles), paid_rows(fight, interval), keys=1)


def luck_facts(fight: FightResult) -> list[str]:
    """Say what luck was taken out of the payoffs, what they were before, and what it saved."""
    corrected, paid = fight.corrected, fight.paid
    if corrected is None or paid is None:
        return []
    raw = corrected.raw
    is_signed, before = raw.least < 0, raw.mean
    interval = raw.in_unit(fixed(raw.observations)) if raw.pairs else None
    return [
        f"corrected for {_and(corrected.terms)} by the value function {corrected.value}"
        f"{_saved(fight, corrected.saved)}",
        f"uncorrected, {fight.players[0]} gets {payoff_cell(_float(before), is_signed)}"
        f" {paid.unit} per game (95 %: {payoff_ends(interval, is_signed)})",
        Fine(f"digest of the value function, from before the first game: {corrected.digest}"),
    ]


def _saved(fight: FightResult, saved: float | None) -> str:
    """Say how many games it takes without a correction."""
    if saved is None:
        return ""
    if saved > MAX_SAVED:
        a, b = fight.players
        exact = f"arena exact {a} {b} --game {fight.game}"
        return f": that leaves nothing to chance, and {exact} needs no games for it"
    if saved < 1:
        return f": without that it takes only {saved:.2g} times as many games, so leave it out"
    return f": without that it takes {saved:.2g} times as many games to be as sure"


def _and(terms: Sequence[str]) -> str:
    if not terms:
        return "nothing"
    *others, last = terms
    return f"{', '.join(others)} and {last}" if others else last


def _float(payoff: Fraction | None) -> float | None:
    return None if payoff is None else float(payoff)


def deal_facts(fight: FightResult) -> list[str]:
    """Say whose luck the games had, and what it saved where both of a pair had the same."""
    if not fight.deals:
        return []
    if fight.deals != DUPLICATE:
        return ["each game had luck of its own"]
    saved = None if fight.paid is None or fight.corrected else fight.paid.saved
    same = "both games of a pair had the same luck"
    if saved is None or not saved >= MIN_SAVED:
        return [same]
    return [f"{same}: without that it takes {saved:.2g} times as many games to be as sure"]
