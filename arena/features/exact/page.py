"""Lay out exact results, and games that are compared with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from arena.errors import counted
from arena.model.columns import Column, flat_rows
from arena.records.proofs import Chances, CheckedFight, ExactResult, ExactTournament
from arena.reports.cells import Cell, mean_payoff, percent
from arena.reports.columns.fights import titled
from arena.reports.columns.proofs import EXACT_SIDE, ExactSide, exact_payoffs, exact_sides
from arena.reports.page import Fine, Page, Rows, Table, declared_table, flat, page
from arena.reports.steps import moves_of

#: Characters of a fraction beyond which it is no longer shown.
MAX_CELL_FRACTION = 24


@page.register
def _exact_page(exact: ExactResult) -> Page:
    sides = exact_sides(exact)
    columns = [*titled(EXACT_SIDE, a_moves=exact.players[0]), *exact_payoffs(exact)]
    fractions = [
        column if column.key == "a_moves" else replace(column, cell=str)
        for column in columns
        if column.key != "score"
    ]
    return [
        _result(exact),
        *_mean([exact]),
        *watched_lines([exact]),
        declared_table(columns, sides),
        *_fractions(fractions, sides),
        *map(Fine, _exactly(exact)),
    ]


def _fractions(columns: Sequence[Column[ExactSide]], sides: Sequence[ExactSide]) -> Page:
    """Show fractions that people can read."""
    longest = max(len(str(column.value(side))) for column in columns for side in sides)
    if longest > MAX_CELL_FRACTION:
        return [Fine(f"as fractions of up to {longest} characters: --format json")]
    return ["As fractions:", declared_table(columns, sides)]


def _result(exact: ExactResult) -> str:
    """Say who gets what on average, or else how often who wins."""
    a, b = exact.players
    total = exact.total
    if total.payoffs is not None:
        ours, theirs = map(mean_payoff, total.payoffs)
        return f"Exactly, at {exact.game}: {a} gets {ours} {exact.unit} per game, {b} {theirs}"
    return (
        f"Exactly, at {exact.game}: draw {percent(total.draw)}, {a} wins {percent(total.win)},"
        f" {b} wins {percent(total.loss)}"
    )


@flat.register
def _exact_rows(exact: ExactResult) -> Rows:
    return flat_rows([*EXACT_SIDE, *exact_payoffs(exact)], exact_sides(exact))


def _exactly(exact: ExactResult) -> Iterator[str]:
    """Yield the scores as fractions, how many positions were walked, and the shortest losses."""
    a, b = exact.players
    chances = (exact.first, exact.second, exact.total)
    first, second, total = (chance.score for chance in chances)
    if exact.payoffs is None:
        yield f"score of {a}: {first} moving first, {second} moving second, {total} in all"
    if any(exact.positions):
        ours, theirs = exact.positions
        yield f"walked: {counted(ours, 'position')} with {a} first, {theirs} with {b} first"
    for line in exact.losing_lines:
        origin = f" from {line.opening}" if line.opening else ""
        moves = moves_of(line.moves)
        yield f"shortest loss of {line.player}, moving {line.side}{origin}: {moves}"


def _mean(results: Sequence[ExactResult]) -> list[str]:
    names = {result.openings for result in results} - {""}
    return [f"the mean over the openings {name}" for name in names]


def watched_lines(results: Sequence[ExactResult]) -> list[str]:
    """Say where the tables come from, and how many real games agree with them."""
    names = dict.fromkeys(name for result in results for name in result.watched)
    declared = {name for result in results for name in result.declared}
    kinds = {
        "as a function of the position": [name for name in names if name not in declared],
        "by its own declaration": [name for name in names if name in declared],
    }
    accounts = " and ".join(f"{', '.join(who)} {kind}" for kind, who in kinds.items() if who)
    games = sum(result.games for result in results)
    return [f"{accounts}; {games} real games agree"] if accounts else []


@page.register
def _checked_fight_page(comparison: CheckedFight) -> Page:
    parts = list(page(comparison.fight))
    rows: list[list[Cell]] = []
    for name, tally, chances in (
        ("first", comparison.fight.first, comparison.exact.first),
        ("second", comparison.fight.second, comparison.exact.second),
    ):
        for result, n, chance in (
            ("won", tally.wins, chances.win),
            ("drawn", tally.draws, chances.draw),
            ("lost", tally.losses, chances.loss),
        ):
            expected = f"{float(chance * tally.games):.1f}"
            rows.append([f"moving {name}, {result}", n, expected, str(chance)])
    table = Table([comparison.fight.players[0], "sampled", "expected", "probability"], rows)
    return [*parts, table, _agreement(comparison), *watched_lines([comparison.exact])]


def _agreement(comparison: CheckedFight) -> str:
    """Return how well the sample agrees with the exact result, in words."""
    p_value = comparison.p_value
    if p_value is None:
        return "no p-value: the fight played some openings more often than others"
    return f"{comparison.p_value_test} p-value {p_value:{'.4f' if p_value >= 0.001 else '.1e'}}"


@flat.register
def _checked_fight_rows(comparison: CheckedFight) -> Rows:
    header, *rows = flat(comparison.fight)
    tests = [comparison.p_value, comparison.p_value_test]
    chances = (side.chances for side in exact_sides(comparison.exact))
    return [
        [*header, "win", "draw", "loss", "p_value", "p_value_test"],
        *([*row, c.win, c.draw, c.loss, *tests] for row, c in zip(rows, chances, strict=True)),
    ]


@page.register
def _exact_tournament_page(tournament: ExactTournament) -> Page:
    first = tournament.pairings[0]
    value = first.unit or "score"
    standings = Table(
        ["rank", "player", value, ""],
        [
            [s.rank, s.player, percent(s.score), str(s.score)]
            if s.payoff is None
            else [s.rank, s.player, mean_payoff(s.payoff), str(s.payoff)]
            for s in tournament.standings
        ],
    )
    scores: dict[tuple[str, str], str] = {}
    for pairing in tournament.pairings:
        a, b = pairing.players
        scores[a, b] = _value(pairing.total)
        scores[b, a] = _value(pairing.total.reversed())
    names = [s.player for s in tournament.standings]
    rows: list[list[Cell]] = [
        [place, row, *(scores.get((row, column), "") for column in names)]
        for place, row in enumerate(names, start=1)
    ]
    cross = Table(
        ["", "player", *(str(place) for place in range(1, len(names) + 1))], rows, keys=2, names=1
    )
    return [
        standings,
        f"Expected {value}{' per game' * bool(first.unit)} of the row's player:",
        cross,
        f"exact round robin of {len(names)} players at {tournament.game}",
        *_mean(tournament.pairings),
        *watched_lines(tournament.pairings),
        *(f"left out: {reason}" for reason in tournament.left_out.values()),
    ]


@flat.register
def _exact_tournament_rows(tournament: ExactTournament) -> Rows:
    totals = [exact_sides(pairing)[-1] for pairing in tournament.pairings]
    return flat_rows([*EXACT_SIDE[1:], *exact_payoffs(tournament.pairings[0])], totals)


def _value(chances: Chances) -> str:
    """Return a player's payoff per game, or else its score."""
    return percent(chances.score) if chances.payoffs is None else mean_payoff(chances.payoffs[0])
