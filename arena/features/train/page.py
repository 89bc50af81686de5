"""Lay out what a learner has learned."""

from __future__ import annotations

from arena.errors import counted
from arena.model.columns import Column, flat_rows
from arena.records.training import LEARNER, CurvePoint, Training
from arena.reports.cells import percent
from arena.reports.page import Note, Page, Rows, Table, declared_table, flat, page

#: The name of a weight, and its values for the side that moves first and second.
_Weight = tuple[str, float, float]


def _weights(training: Training) -> list[_Weight]:
    return [(name, first, training.second[name]) for name, first in training.first.items()]


def _weight_cell(weight: float) -> str:
    return f"{weight:z.2f}"


#: The columns of a weight.
WEIGHT: tuple[Column[_Weight], ...] = (
    Column("weight", lambda row: row[0]),
    Column("first", lambda row: row[1], cell=_weight_cell, title="moving first"),
    Column("second", lambda row: row[2], cell=_weight_cell, title="moving second"),
)


def _curve_columns(training: Training) -> list[Column[CurvePoint]]:
    """Return the columns of the curve: the games, and the score against each opponent."""
    return [Column("games"), *map(_score_column, training.curve[0].scores)]


def _score_column(opponent: str) -> Column[CurvePoint]:
    return Column(opponent, lambda point: point.scores[opponent], cell=percent, title=opponent)


@page.register
def _training_page(training: Training) -> Page:
    course = training.course
    parts: list[str | Table] = [
        f"{LEARNER} learned from {counted(course.games, 'game')} against {course.against}:",
        declared_table(WEIGHT, _weights(training)),
    ]
    if training.curve:
        parts += [
            "Exact score after the number of games, against:",
            declared_table(_curve_columns(training), training.curve),
        ]
    facts = (
        f"features {','.join(course.features)}, from {course.start} boards,"
        f" rate {course.rate}, seed {course.seed}"
    )
    return [*parts, Note(facts)]


@flat.register
def _training_rows(training: Training) -> Rows:
    if training.curve:
        return flat_rows(_curve_columns(training), training.curve)
    return flat_rows(WEIGHT, _weights(training))
