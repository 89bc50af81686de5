"""Lay out an evaluation: the methods, who is told apart, the cycles and the matrix."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import Any

from arena.features.evaluate.record import (
    EvaluatedPairing,
    EvaluatedPlayer,
    Evaluation,
    Orders,
    Ranged,
    RankSpan,
)
from arena.model.columns import CSV, Column, flat_rows
from arena.reports.cells import Cell, Tone, TonedText
from arena.reports.page import Fine, Note, Page, Rows, Table, declared_table, flat, page

#: The methods by their keys, as a page names them.
METHOD_TITLES = {
    "nash": "Nash",
    "against_nash": "against Nash",
    "alpha_rank": "alpha-rank",
    "lottery": "lottery",
    "ranked_pairs": "ranked pairs",
}

#: A line names at most this many players.
MAX_NAMED_TOGETHER = 6

#: The score of two players that are level.
_EVEN = 0.5


def _ranged(number: Ranged) -> str:
    return f"{number.value:.2f} {_ends(number.low, number.high)}"


def _ends(low: float, high: float) -> str:
    return f"({low:.2f}-{high:.2f})"


def _ranks(span: RankSpan) -> Cell:
    return f"{span.value} ({span.low}-{span.high})"


def _columns() -> Iterator[Column[EvaluatedPlayer]]:
    yield Column("player", is_name=True)
    for key, title in METHOD_TITLES.items():
        form: Callable[[Any], Cell] = _ranks if key == "ranked_pairs" else _ranged
        yield Column(key, attrgetter(key), ("page",), title=title, cell=form)
        yield Column(key, attrgetter(f"{key}.value"), CSV)
        yield Column(f"{key}_low", attrgetter(f"{key}.low"), CSV)
        yield Column(f"{key}_high", attrgetter(f"{key}.high"), CSV)


#: The columns of a player: each number with its ends, on a page in one cell.
EVALUATED = tuple(_columns())


@page.register
def _evaluation_page(evaluation: Evaluation) -> Page:
    names = [row.player for row in evaluation.players]
    return [
        *_headline(evaluation),
        declared_table(EVALUATED, evaluation.players, keys=1),
        "In parentheses: the ends over all matrices in the band, together at"
        f" {100 * (1 - evaluation.error):g} %.",
        "Told apart, by all of these matrices:",
        *(Note(_told_apart(orders, names)) for orders in evaluation.told_apart),
        *_cycles(evaluation),
        *_tasks(evaluation),
        *_matrix(evaluation, names),
        *map(Note, evaluation.statements),
        Fine(
            f"the ends of an entry are {evaluation.critical_value:.2f} standard errors away, for"
            f" {evaluation.entries} together"
        ),
    ]


@flat.register
def _evaluation_rows(evaluation: Evaluation) -> Rows:
    return flat_rows(EVALUATED, evaluation.players)


def _headline(evaluation: Evaluation) -> Page:
    number = len(evaluation.players)
    if evaluation.tasks:
        return [Note(f"{number} agents at {len(evaluation.games)} tasks")]
    played = sum(pairing.is_played for pairing in evaluation.pairings)
    pairings = f"{played} of {len(evaluation.pairings)} pairings played"
    return [Note(f"{number} players at {evaluation.games[0]}, {pairings}")]


def _told_apart(orders: Orders, names: Sequence[str]) -> str:
    """Say which players a method tells apart, with those together that are above the same."""
    below: dict[str, list[str]] = {name: [] for name in names}
    for better, worse in orders.above:
        below[better].append(worse)
    groups: dict[tuple[str, ...], list[str]] = {}
    for name, worse_ones in below.items():
        if worse_ones:
            groups.setdefault(tuple(worse_ones), []).append(name)
    title = METHOD_TITLES.get(orders.method, orders.method)
    parts = [f"{_listed(above)} above {_listed(worse)}" for worse, above in groups.items()]
    return f"  {title}: {'; '.join(parts) or 'none'}"


def _listed(names: Sequence[str]) -> str:
    if len(names) > MAX_NAMED_TOGETHER:
        first = names[: MAX_NAMED_TOGETHER - 1]
        return f"{', '.join(first)} and {len(names) - len(first)} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _cycles(evaluation: Evaluation) -> Iterator[Note]:
    """Name the players of each cycle, with their scores."""
    verb = "beats" if not evaluation.tasks else "is above"
    for cycle in evaluation.cycles:
        steps = zip(cycle.players[1:] + cycle.players[:1], cycle.scores, strict=True)
        sentence = ", which ".join(f"{verb} {name} ({score:.2f})" for name, score in steps)
        kind = "sure" if cycle.is_sure else "possible"
        yield Note(f"{kind} cycle: {cycle.players[0]} {sentence}")


def _tasks(evaluation: Evaluation) -> Iterator[str | Table]:
    """Show the weights of tasks, and the scores of agents at them."""
    if not evaluation.tasks:
        return
    games = evaluation.games
    cells = {(s.player, s.game): f"{s.score:.2f} {_ends(s.low, s.high)}" for s in evaluation.scores}
    rows: list[list[Cell]] = [
        [row.player, *(cells[row.player, game] for game in games)] for row in evaluation.players
    ]
    rows.append(["Nash weight", *(_ranged(task.weight) for task in evaluation.tasks)])
    yield "Scores of the agents at the tasks, and the tasks' weights:"
    yield Table(["agent", *games], rows, keys=1)


def _matrix(evaluation: Evaluation, names: Sequence[str]) -> Iterator[str | Table]:
    """Show the score of each row against each column."""
    scores: dict[tuple[str, str], Cell] = {}
    for pairing in evaluation.pairings:
        scores[pairing.a, pairing.b] = _score(pairing)
        scores[pairing.b, pairing.a] = _score(_mirrored(pairing))
    rows: list[list[Cell]] = [
        [place, name, *(scores.get((name, other), "") for other in names)]
        for place, name in enumerate(names, start=1)
    ]
    what = "Share of tasks that place" if evaluation.tasks else "Score of"
    against = "above" if evaluation.tasks else "against"
    yield f"{what} the row {against} the column (* surely not a half):"
    yield Table(["", "player", *map(str, range(1, len(names) + 1))], rows, keys=2, names=1)


def _score(pairing: EvaluatedPairing) -> Cell:
    if not pairing.is_played:
        return "?"
    if pairing.low > _EVEN:
        return TonedText(f"{pairing.score:.2f}*", Tone.GOOD)
    return (
        TonedText(f"{pairing.score:.2f}*", Tone.BAD)
        if pairing.high < _EVEN
        else (f"{pairing.score:.2f}")
    )


def _mirrored(pairing: EvaluatedPairing) -> EvaluatedPairing:
    return EvaluatedPairing(
        pairing.b,
        pairing.a,
        1 - pairing.score,
        1 - pairing.high,
        1 - pairing.low,
        pairing.is_played,
    )
