"""Lay out the rounds of a tournament, and the bracket of a knockout as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from arena.errors import counted
from arena.reports.cells import Cell
from arena.reports.page import Block, Table
from arena.schedules import TournamentState
from arena.schedules.knockout import Match, bracket
from arena.schedules.tables import TablesState

#: A bracket with more places in its first round is shown as a table of rounds alone.
MAX_PLACES = 64


def points_cell(points: Fraction | float | str) -> str:
    """Show points: halves as they are, others with two decimals.

    >>> points_cell(Fraction(7, 2)), points_cell(Fraction(3)), points_cell(Fraction(1, 3))
    ('3.5', '3', '0.33')
    """
    if isinstance(points, str):
        return points
    return f"{float(points):g}" if 2 * points % 1 == 0 else f"{float(points):.2f}"


def rounds_table(state: TournamentState) -> Table:
    """Return the pairings of all rounds that are over, and the byes."""
    rows: list[list[Cell]] = []
    for number, each in enumerate(state.rounds, start=1):
        for result in each.pairings:
            a, b = map(points_cell, result.points)
            rows.append([number, result.a, f"{a} : {b}", result.b])
        rows += [[number, name, f"{2 * state.pairs} : -", "(bye)"] for name in each.byes]
    return Table(["round", "player", "points", "opponent"], rows)


def round_facts(schedule: str, state: TournamentState, game: str) -> list[str]:
    """Count the rounds and the players, and name those that left."""
    facts = [
        f"{schedule} of {len(state.entrants)} players at {game}, {counted(state.pairs, 'pair')} per"
        f" pairing, {counted(len(state.rounds), 'round')}"
    ]
    if any(each.byes for each in state.rounds) and schedule != "knockout":
        facts.append(f"a bye is worth {2 * state.pairs} points, all games of a pairing")
    facts += [
        f"{name} left after {counted(over, 'round')}" for name, over in state.withdrawn.items()
    ]
    return facts


def seated_rounds(state: TablesState) -> Table:
    """Return the tables of all rounds that are over, the best of each first, and the byes."""
    rows: list[list[Cell]] = []
    for number, each in enumerate(state.rounds, start=1):
        for table in each.tables:
            in_order = sorted(table.by_player.items(), key=lambda item: (-item[1], item[0]))
            words = (f"{name} {points_cell(points)}" for name, points in in_order)
            rows.append([number, ", ".join(words)])
        if each.byes:
            rows.append([number, f"bye, worth {points_cell(each.mean)}: {', '.join(each.byes)}"])
    return Table(["round", "table"], rows)


def seated_facts(schedule: str, state: TablesState, game: str) -> list[str]:
    """Count the rounds and the players of a tournament of tables."""
    facts = [
        f"{schedule} of {len(state.entrants)} players at {game},"
        f" {counted(state.blocks, 'block')} per table, {counted(len(state.rounds), 'round')}"
    ]
    if any(each.byes for each in state.rounds):
        facts.append("a bye is worth the mean of all points of its round")
    return facts


def bracket_block(state: TournamentState) -> list[Block]:
    """Return the bracket of a knockout, unless it is too wide for a text."""
    levels = bracket(state)
    if 2 * len(levels[0]) > MAX_PLACES:
        return []
    return [Block("\n".join(_bracket_lines(levels)))]


def _bracket_lines(levels: Sequence[Sequence[Match]]) -> Iterable[str]:
    """Draw matches from left to right, each between the two lines of its players."""
    height = 4 * len(levels[0]) - 1
    rows = [""] * height
    texts = [name or "(bye)" for match in levels[0] for name in (match.a, match.b)]
    for depth, level in enumerate(levels):
        step = 2 << depth
        lines = [step // 2 - 1 + step * place for place in range(len(texts))]
        width = max(len(rows[line]) + len(text) for line, text in zip(lines, texts, strict=True))
        for line, text in zip(lines, texts, strict=True):
            rows[line] += f"{text} ".ljust(width - len(rows[line]) + 2, "-") + "+"
        for line in range(height):
            is_inside = (line - lines[0]) // step % 2 == 0 and lines[0] <= line <= lines[-1]
            if line not in lines:
                rows[line] = rows[line].ljust(width + 2) + ("|" if is_inside else " ")
        texts = [_outcome(match) for match in level]
        for place in range(len(texts)):
            rows[step - 1 + 2 * step * place] += "- "
    rows[height // 2] += texts[0]
    return [row.rstrip() for row in rows]


def _outcome(match: Match) -> str:
    """Return the entrant that goes on, with the points of the match if it was played."""
    if match.winner is None:
        return "?" if match.is_open else "(nobody)"
    if not match.pairs:
        return match.winner
    won, lost = match.points if match.winner == match.a else match.points[::-1]
    by_seed = " by seed" if won == lost else ""
    return f"{match.winner} {points_cell(won)}:{points_cell(lost)}{by_seed}"
