"""Answers in words: a winner, ties, an order, and why a question is open."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.records.answers import CAP, INTERRUPTED, REPEATS
from arena.reports.pages.answers import answer_facts, answer_lines
from tests.golden import Wording
from tests.reports.played import ANSWERED

NEARLY = "cannot be told apart within ±0.02 points per game"
UNTOLD = "cannot be told apart from {} within ±0.02 points per game"
SURE = "wrong with a probability of at most 5 %"


@pytest.mark.parametrize(
    ("rule", "groups", "said"),
    [
        ("best", (("anna",), (), ("bert", "carl")), ["best: anna"]),
        (
            "best",
            (("anna",), ("bert",), ("carl",)),
            ["best: anna", f"bert {UNTOLD.format('it')}"],
        ),
        ("top:2", (("anna", "bert"), (), ("carl",)), ["best 2: anna, bert"]),
        (
            "top:2",
            (("anna", "bert"), ("carl",), ()),
            ["best 2: anna, bert", f"carl {UNTOLD.format('these')}"],
        ),
        ("order", (("anna",), ("bert",), ("carl",)), ["order: anna > bert > carl"]),
        (
            "order",
            (("anna",), ("bert", "carl")),
            ["order: anna > bert = carl", f"players with = between them {NEARLY}"],
        ),
    ],
)
def test_an_answer_names_who_is_sure_and_who_is_tied(
    rule: str, groups: tuple[tuple[str, ...], ...], said: list[str]
) -> None:
    assert answer_lines(replace(ANSWERED, rule=rule, groups=groups)) == [*said, SURE]


@pytest.mark.parametrize(
    ("reason", "repeating"),
    [
        (CAP, ()),
        (INTERRUPTED, ()),
        (REPEATS, ()),
        (REPEATS, (("anna", "bert"),)),
        (REPEATS, (("anna", "bert"),) * 7),
    ],
)
def test_an_open_question_names_who_may_be_among_the_best_and_says_why(
    reason: str, repeating: tuple[tuple[str, str], ...], wording: Wording
) -> None:
    tied = ((), ("anna", "bert"), ("carl",))
    found = replace(ANSWERED, decision="undecided", groups=tied, reason=reason, repeating=repeating)
    first, why = answer_lines(found)
    wording(first)
    wording(why)


def test_the_facts_name_who_left_the_field(wording: Wording) -> None:
    wording(answer_facts(ANSWERED)[-1], "3456", "12", "500")
    wording(answer_facts(replace(ANSWERED, out=("dora",)))[-1])
