"""Answers in words: a winner, ties, an order, and why a question is open."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.records.answers import CAP, INTERRUPTED, REPEATS, Valued
from arena.reports.pages.answers import answer_facts, answer_lines
from tests.golden import Wording
from tests.reports.played import ANSWERED


@pytest.mark.parametrize(
    ("rule", "groups", "facts"),
    [
        ("best", (("anna",), (), ("bert", "carl")), [" anna"]),
        ("best", (("anna",), ("bert",), ("carl",)), [" anna\nbert ", "±0.02"]),
        ("top:2", (("anna", "bert"), (), ("carl",)), ["2: anna, bert"]),
        ("top:2", (("anna", "bert"), ("carl",), ()), ["2: anna, bert\ncarl ", "±0.02"]),
        ("order", (("anna",), ("bert",), ("carl",)), ["anna > bert > carl"]),
        ("order", (("anna",), ("bert", "carl")), ["anna > bert = carl", "±0.02"]),
    ],
)
def test_an_answer_names_who_is_sure_and_who_is_tied(
    rule: str, groups: tuple[tuple[str, ...], ...], facts: list[str], wording: Wording
) -> None:
    message = "\n".join(answer_lines(replace(ANSWERED, rule=rule, groups=groups)))
    wording(message, *facts, " 5 %")


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
    result = replace(
        ANSWERED, decision="undecided", groups=tied, reason=reason, repeating=repeating
    )
    first, why = answer_lines(result)
    wording(first)
    wording(why)


def test_the_facts_name_who_left_the_field(wording: Wording) -> None:
    wording(answer_facts(ANSWERED)[-1], "3456", "12", "500")
    wording(answer_facts(replace(ANSWERED, out=("dora",)))[-1])


def ordered(**above: str) -> tuple[Valued, ...]:
    """Return four entrants of an order, each with the initials of those that it is above."""
    names = ("anna", "bert", "carl", "dora")
    lists = {name: [n for n in names if n[0] in above.get(name[0], "")] for name in names}
    return tuple(
        Valued(
            name, 0.5, 0.4, 0.6, 1 + sum(name in below for below in lists.values()),
            4 - len(lists[name]), tuple(lists[name]),
        )
        for name in names
    )  # fmt: skip


ALL = (("anna", "bert", "carl", "dora"),)


@pytest.mark.parametrize("decision", ["decided", "undecided"])
def test_no_equals_sign_links_entrants_that_are_told_apart(decision: str, wording: Wording) -> None:
    """Neighbours are not told apart, and the first and the last are."""
    chain = replace(
        ANSWERED, rule="order", decision=decision, reason=CAP, groups=ALL,
        players=ordered(a="cd", b="d"),
    )  # fmt: skip
    lines = answer_lines(chain)
    assert "=" not in "".join(lines)
    assert "anna 1 to 2, bert 1 to 3, carl 2 to 4, dora 3 to 4" in lines[0]
    assert "3 of 6 pairs: anna above carl, anna above dora, bert above dora" in lines[1]
    wording("\n".join(lines))


def test_an_order_that_is_open_says_that_nothing_is_told_apart(wording: Wording) -> None:
    unknown = replace(
        ANSWERED, rule="order", decision="undecided", reason=CAP, groups=ALL, players=ordered()
    )
    first, apart, _ = answer_lines(unknown)
    assert "anna 1 to 4" in first
    wording(apart, " 6 pairs")
    assert "=" not in first


def test_a_long_list_of_pairs_that_are_told_apart_is_cut() -> None:
    first = replace(ANSWERED, rule="order", groups=ALL, players=ordered(a="bcd", b="cd", c="d"))
    assert answer_lines(replace(first, decision="undecided", reason=CAP))[1].endswith("and 1 more")
