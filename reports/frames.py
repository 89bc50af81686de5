"""Turn records into tables of pandas, which the extra ``notebook`` brings."""

from __future__ import annotations

from fractions import Fraction
from functools import singledispatch
from typing import TYPE_CHECKING, Any

from arena.errors import UsageError
from arena.records.base import Record
from arena.records.history import History
from arena.records.training import Training
from arena.reports.page import Rows, flat, has_page

if TYPE_CHECKING:
    from pandas import DataFrame


def frame(record: Record) -> DataFrame:
    """Return a record's rows as a table. Raises UsageError without pandas."""
    try:
        import pandas
    except ImportError as error:
        needs = "a table needs pandas: pip install 'proving-arena[notebook]'"
        raise UsageError(needs) from error
    if not has_page(type(record)):
        return pandas.json_normalize(record.as_json())
    header, *rows = tidy(record)
    return pandas.DataFrame([[*map(_value, row)] for row in rows], columns=list(header))


@singledispatch
def tidy(record: Record) -> Rows:
    """Return a header and a row for each observation, by default the rows of CSV."""
    return flat(record)


@tidy.register
def _training_tidy_rows(training: Training) -> Rows:
    """Return a row for each opponent at each point of the curve, or without one for each weight."""
    if not training.curve:
        return flat(training)
    rows = [[p.games, name, score] for p in training.curve for name, score in p.scores.items()]
    return [["games", "opponent", "score"], *rows]


@tidy.register
def _history_tidy_rows(history: History) -> Rows:
    """Return a row for each verdict, with the strength as a number."""
    header, *rows = flat(history)
    place = header.index("score") if rows else -1
    numbered = [[_number(v) if i == place else v for i, v in enumerate(row)] for row in rows]
    return [header, *numbered]


def _number(score: str | None) -> float | None:
    return None if score is None else float(Fraction(score))


def _value(value: Any) -> Any:
    """Return a value that pandas knows: a fraction as a number, a cell of no value as None."""
    if isinstance(value, Fraction):
        return float(value)
    if isinstance(value, (list, tuple)):
        return " ".join(map(str, value))
    return None if value == "" else value
