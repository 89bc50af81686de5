"""Lay out how players did in an exam."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.errors import counted
from arena.features.exam.record import Answer, Difference, Exam, Exams
from arena.model.columns import CSV, Column, flat_rows
from arena.reports.cells import percent
from arena.reports.page import (
    Block,
    MarkBoard,
    Note,
    Page,
    Picture,
    Rows,
    declared_table,
    flat,
    page,
)
from arena.reports.pages.spending import spending


def _number(value: float) -> str:
    return f"{value:.4f}"


def _ends(row: Exam | Difference) -> str:
    if row.low == row.high:
        return "exactly"
    return f"{row.low:.4f} to {row.high:.4f}"


_MARKED: tuple[Column[Exam], ...] = (
    Column("player", is_name=True),
    Column("game", formats=CSV),
    Column("regret", cell=_number),
    Column("low", formats=CSV),
    Column("high", formats=CSV),
    Column("interval", _ends, ("page",), str, title="95 %"),
    Column("right", cell=percent, title="best moves"),
    Column("faults"),
)

_COMPARED: tuple[Column[Difference], ...] = (
    Column("player", is_name=True),
    Column("other", title="against"),
    Column("difference", cell=_number, title="less regret"),
    Column("interval", _ends, ("page",), str, title="95 %"),
)


@page.register
def _exam_page(exam: Exam) -> Page:
    return [
        f"{exam.player} regrets {_number(exam.regret)} {exam.unit} per question at {exam.game}",
        _certainty(exam),
        f"{percent(exam.right)} of its answers are best moves",
        *_faults(exam),
        *_made_of(exam),
        *_spent(exam),
        *_worst(exam),
    ]


def _spent(exam: Exam) -> list[str]:
    if exam.spent is None:
        return []
    lines = spending(exam.player, exam.spent, exam.distinct, "question")
    if exam.is_whole:
        lines.append(f"  {exam.player} answered each question once, and may do otherwise next time")
    return lines


def _certainty(exam: Exam) -> str:
    if exam.is_whole:
        text = str(exam.exact)
        return f"exactly {text}" if len(text) <= MAX_EXACT else "exactly"
    return f"95 % interval: {_ends(exam)}"


#: Characters of a fraction beyond which it is no longer shown.
MAX_EXACT = 40


def _faults(exam: Exam) -> list[str]:
    if not exam.faults:
        return []
    return [f"it did not answer {counted(exam.faults, 'question')}, which counts as the worst move"]


def _made_of(exam: Exam) -> list[str]:
    if exam.is_whole:
        questions = counted(exam.questions, "question")
        return [f"these are all {questions} of the game, each as often as random play asks it"]
    return [
        f"{counted(exam.questions, 'question')} drawn with seed {exam.seed},"
        f" {exam.distinct} of them different"
    ]


def _worst(exam: Exam) -> Iterator[str | Block]:
    for place, answer in enumerate(exam.worst, start=1):
        caption = f"{place}. at {answer.observation}: {_answer_text(answer, exam.unit)}"
        yield Note(caption)
        if answer.picture not in ("", answer.observation):
            pictures = [Picture(answer.svg, caption)] if answer.svg else []
            yield MarkBoard(answer.picture, pictures)


def _answer_text(answer: Answer, unit: str) -> str:
    cost = f"{_number(float(answer.regret))} {unit}"
    if answer.move is None:
        return f"no move, {answer.fault}, which costs {cost}; {answer.better} is best"
    if answer.chance is not None and answer.chance < 1:
        often = f"{answer.move} in {percent(answer.chance)} of its answers"
        return f"{often}, which cost {cost}; {answer.better} is best"
    return f"{answer.move} costs {cost}; {answer.better} is best"


@flat.register
def _exam_rows(exam: Exam) -> Rows:
    return flat_rows(_MARKED, [exam])


@page.register
def _exams_page(exams: Exams) -> Page:
    first = exams.exams[0]
    return [
        f"Regret in {first.unit} per question at {first.game}:",
        declared_table(_MARKED, exams.exams),
        *_made_of(first),
        *_compared(exams.differences),
        *(line for exam in exams.exams for line in _spent(exam)),
        *(line for exam in exams.exams for line in _first_mistake(exam)),
    ]


def _compared(differences: Sequence[Difference]) -> Page:
    if not differences:
        return []
    return ["Compared question by question:", declared_table(_COMPARED, differences)]


def _first_mistake(exam: Exam) -> list[str]:
    if not exam.worst:
        return [f"{exam.player} makes no mistake"]
    worst = exam.worst[0]
    return [
        f"{exam.player}'s worst answer: {_answer_text(worst, exam.unit)}, at {worst.observation}"
    ]


@flat.register
def _exams_rows(exams: Exams) -> Rows:
    return flat_rows(_MARKED, exams.exams)
