"""Lay out what a learner has learned."""

from __future__ import annotations

from arena.errors import counted
from arena.records.training import LEARNER, Training
from arena.reports.cells import Cell, percent
from arena.reports.page import Note, Page, Table, page


@page.register
def _(training: Training) -> Page:
    course = training.course
    weights: list[list[Cell]] = [
        [name, f"{training.first[name]:z.2f}", f"{training.second[name]:z.2f}"]
        for name in training.first
    ]
    parts: list[str | Table] = [
        f"{LEARNER} learned from {counted(course.games, 'game')} against {course.against}:",
        Table(["weight", "moving first", "moving second"], weights),
    ]
    if training.curve:
        names = list(training.curve[0].scores)
        scores: list[list[Cell]] = [
            [point.games, *(percent(point.scores[name]) for name in names)]
            for point in training.curve
        ]
        parts += [
            "Exact score after the number of games, against:",
            Table(["games", *names], scores),
        ]
    facts = (
        f"features {','.join(course.features)}, from {course.start} boards,"
        f" rate {course.rate}, seed {course.seed}"
    )
    return [*parts, Note(facts)]
