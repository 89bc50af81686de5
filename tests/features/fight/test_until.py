"""Test arena fight --until: exit codes, what it prints, its store, and what it refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.golden import Wording
from tests.samples import few

if TYPE_CHECKING:
    from tests.conftest import Ran, Run

pytestmark = pytest.mark.usefixtures("in_a_folder_of_its_own")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("argv", "code", "words"),
    few(
        [
            (("triples", "monkey", "--until", "better"), 0, "triples .*monkey"),
            (("monkey", "triples", "--until", "better"), 1, "triples .*monkey"),
            (("monkey", "triples", "--until", "±20%"), 0, "±20%"),
            (("monkey", "monkey", "-n", "20", "--until", "better"), 3, " 20 "),
            (("monkey", "monkey", "-n", "20", "--until", "±2%"), 3, " 20 "),
            (
                ("minimax", "triples", "--until", "better", "--margin", "0.2"),
                3,
                "±0[.]2 ",
            ),
        ],
        3,
    ),
    ids=["better", "worse", "width", "cap", "wide-at-cap", "margin"],
)
def test_say_by_the_exit_code_what_is_known(
    run: Run, argv: tuple[str, ...], code: int, words: str
) -> None:
    command = ("fight", *argv, "--seed", "1", "--executor", "serial")
    ran = run(*command, "--store", "S")
    assert (ran.code, ran.err) == (code, "")
    assert re.search(words, ran.out.splitlines()[0])
    assert "95 %, anytime" in ran.out
    assert "fixed n" not in ran.out
    assert run("resume", "S", "1", "--executor", "serial") == ran
    assert run("show", "--store", "S") == (0, ran.out, "")
    assert run("verify", "S").code == 0


@pytest.mark.slow
def test_find_a_run_with_the_same_question_and_no_other(run: Run) -> None:
    command = ("fight", "triples", "monkey", "--seed", "1", "--executor", "serial", "--store", "S")
    first = run(*command, "--until", "better")
    assert run(*command, "--until", "better").out == first.out
    for other in (("--until", "±20%"), ("--until", "better", "--alpha", "0.2"), ("--sprt",)):
        run(*command, *other)
    rows = json.loads(run("runs", "--store", "S", "--format", "json").out)["runs"]
    assert [row["schedule"] for row in rows] == [
        "fight until better",
        "fight until ±20%",
        "fight until better",
        "fight by SPRT",
    ]
    assert "fight until better" in run("runs", "--store", "S").out
    assert run("rate", "S").code == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--until", "better", "--sprt"), ["--sprt", "--until"]),
        (("--until", "better", "--exact"), ["--exact", "--until"]),
        (("--margin", "0.02"), ["--margin", "--until"]),
        (("--sprt", "--margin", "0.02"), ["--margin", "--until"]),
        (("--until", "better", "--elo0", "3"), ["--elo0", "--sprt"]),
        (("--until", "better", "--alpha", "1"), ["--alpha", "not '1'"]),
        (("--until", "better", "--alpha", "0"), ["--alpha", "not '0'"]),
        (("--until", "better", "--margin", "0.5"), ["--margin", "not '0.5'"]),
        (("--until", "±2%", "--margin", "0.02"), ["margin", "±W"]),
        (("--until", "±0%"), ["not 0 (0 %)"]),
        (("--until", "±60%"), ["not 0.6 (60 %)"]),
        (("--until", "nan"), ["'nan'"]),
        (("--until", "bettr"), ["'bettr'", "'better'"]),
        (("--until", "best"), ["best", "±W%", "better", "cheapest"]),
        (("--until", "±2%", "--engine", "table"), ["--until", "'table'"]),
    ],
    ids=" ".join,
)
def test_refuse_in_one_line_what_makes_no_sense(
    run: Run, options: tuple[str, ...], words: list[str]
) -> None:
    ran: Ran = run("fight", "monkey", "triples", *options, "--store", "S")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert all(word in ran.err for word in words)
    assert not Path("S").exists()


def test_a_margin_is_in_the_unit_of_the_payoffs(run: Run, wording: Wording) -> None:
    words = "--until", "better", "--margin", "0.05", "-n", "20", "--game", "kuhn", "--seed", "1"
    ran = run("fight", "monkey", "monkey", *words)
    wording.line(ran.out, "better", "±0.2 chips")
