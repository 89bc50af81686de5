"""Lay out the players of several games together."""

from __future__ import annotations

from arena.player.purse import money
from arena.records.leaderboards import Leaderboard, LeaderboardRow
from arena.reports.cells import Cell, percent
from arena.reports.page import Table


def leaderboard_table(board: Leaderboard) -> Table:
    """Return the table of a leaderboard: scores, ranks, and what models took."""
    has_cost = any(row.cost is not None for row in board.rows)
    has_models = any(row.faults is not None for row in board.rows)
    headers = ["rank", "player", "score", "ranks", *board.games, "forfeits"]
    headers += ["faults", "s an answer"] * has_models + ["cost"] * has_cost
    rows: list[list[Cell]] = []
    for row in board.rows:
        cells: list[Cell] = [row.rank, row.player, percent(row.score), _span(row)]
        cells += [percent(score) for score in row.scores] + [row.forfeits]
        if has_models:
            seconds = row.seconds_an_answer
            cells.append("-" if row.faults is None else row.faults)
            cells.append("-" if seconds is None else f"{seconds:.2f}")
        if has_cost:
            cells.append("-" if row.cost is None else money(row.cost))
        rows.append(cells)
    return Table(headers, rows)


def leaderboard_facts(board: Leaderboard) -> str:
    """Say how the players are compared."""
    return (
        f"{len(board.games)} games, each of which counts alike; every player's rank lies in its"
        " span, all at once, with 95 % confidence"
    )


def _span(row: LeaderboardRow) -> str:
    low, high = row.rank_low, row.rank_high
    return str(low) if low == high else f"{low}-{high}"
