"""Lay out what a learner has learned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from arena.errors import counted
from arena.model.columns import Column, Format, flat_rows
from arena.records.training import LEARNER, CurvePoint, Training
from arena.reports.cells import percent
from arena.reports.page import Note, Page, Rows, Table, declared_table, flat, page

_LISTED: tuple[Format, ...] = ("page", "csv")


class _Weight(NamedTuple):
    """A weight, and its values for the side that moves first and second."""

    name: str
    first: float
    second: float


def _weights(training: Training) -> list[_Weight]:
    return [_Weight(name, first, training.second[name]) for name, first in training.first.items()]


def _weight_cell(weight: float) -> str:
    return f"{weight:z.2f}"


#: The columns of a weight.
WEIGHT: tuple[Column[_Weight], ...] = (
    Column("weight", lambda row: row.name, _LISTED),
    Column("first", lambda row: row.first, _LISTED, _weight_cell, title="moving first"),
    Column("second", lambda row: row.second, _LISTED, _weight_cell, title="moving second"),
)


def _curve_columns(training: Training) -> Sequence[Column[CurvePoint]]:
    """Return the columns of the curve: the games, and the score against each opponent."""
    return [
        Column("games", lambda point: point.games, _LISTED),
        *(_score_column(name) for name in training.curve[0].scores),
    ]


def _score_column(opponent: str) -> Column[CurvePoint]:
    return Column(opponent, lambda point: point.scores[opponent], _LISTED, percent, title=opponent)


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
