"""JUnit XML: valid against the common structure, whatever a report has in it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from platform import node
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from arena.errors import UsageError
from arena.features.regress.junit_xml import junit
from arena.features.regress.record import (
    ChangedPosition,
    ClaimCheck,
    Comparison,
    LostLine,
    PanelScore,
    RegressionReport,
    RegressionVerdict,
)
from arena.plugin.catalogue import Catalogue
from arena.records.listings import Listing
from arena.records.proofs import LineStep
from tests.golden import Wording

if TYPE_CHECKING:
    import xmlschema

LINE = LostLine("first", (LineStep("1", True, " x | 2", "a draw"),), "arena certify anna")
REPORT = RegressionReport(
    baseline="arena-baseline.json",
    claims=(
        ClaimCheck(
            "anna", "tictactoe", "never-loses:tictactoe", RegressionVerdict.HOLDS, "12 positions"
        ),
        ClaimCheck(
            "bert",
            "tictactoe",
            "never-loses:tictactoe",
            RegressionVerdict.BROKEN,
            "by 1",
            line=LINE,
        ),
    ),
    comparisons=(
        Comparison("anna", "tictactoe", RegressionVerdict.SAME, "", "policy"),
        Comparison(
            "bert",
            "tictactoe",
            RegressionVerdict.WEAKER,
            "it fell",
            "policy",
            panel=(PanelScore("anna", Fraction(1, 2), Fraction(1, 3)),),
            changed=2,
            examples=(
                ChangedPosition(
                    "__",
                    " 1 | 2",
                    {"1": Fraction(1)},
                    {"2": Fraction(1)},
                    {"2": "a draw"},
                    "arena move bert __",
                ),
            ),
        ),
        Comparison("cleo", "tictactoe", RegressionVerdict.UNDECIDED, "too few", "games"),
        Comparison("dora", "tictactoe", RegressionVerdict.FAULT, "it raised"),
    ),
    broken=("plugin emil: no such module",),
)


@pytest.fixture(scope="module")
def schema() -> xmlschema.XMLSchema:
    import xmlschema  # takes long to import

    return xmlschema.XMLSchema(str(Path(__file__).parent / "junit.xsd"))


@pytest.mark.slow
def test_one_case_a_claim_and_a_comparison(schema: xmlschema.XMLSchema) -> None:
    text = junit(REPORT)
    schema.validate(text)
    suite = ElementTree.fromstring(text)[0]
    matches = {
        (case.get("classname"), case.get("name")): [child.tag for child in case]
        for case in suite.findall("testcase")
    }
    assert matches == {
        ("tictactoe.anna", "never-loses:tictactoe"): [],
        ("tictactoe.bert", "never-loses:tictactoe"): ["failure"],
        ("tictactoe.anna", "policy"): [],
        ("tictactoe.bert", "policy"): ["failure"],
        ("tictactoe.cleo", "games"): ["failure"],
        ("tictactoe.dora", "strength"): ["error"],
        ("plugins", "plugin emil"): ["error"],
    }
    counts = {key: suite.get(key) for key in ("tests", "failures", "errors")}
    assert counts == {"tests": "7", "failures": "3", "errors": "2"}
    assert {problem.get("type") for problem in suite.iter("failure")} == {
        "broken",
        "weaker",
        "undecided",
    }


def test_times_are_those_of_the_checks_and_the_host_is_this_one(
    schema: xmlschema.XMLSchema,
) -> None:
    timed = replace(
        REPORT,
        claims=tuple(replace(claim, seconds=0.25) for claim in REPORT.claims),
        comparisons=(replace(REPORT.comparisons[0], seconds=61.5),),
    )
    text = junit(timed)
    schema.validate(text)
    suite = ElementTree.fromstring(text)[0]
    assert [case.get("time") for case in suite.iter("testcase")] == [
        *("0.250", "0.250", "61.500", "0.000"),
    ]
    assert (suite.get("time"), suite.get("hostname")) == ("62.000", node())
    assert "seconds" not in str(timed.as_json()), "JSON is the same for the same seed"


def test_a_failure_explains_itself(wording: Wording) -> None:
    broken, weaker, _ = ElementTree.fromstring(junit(REPORT)).iter("failure")
    assert broken.text is not None
    wording(broken.text)
    assert weaker.text is not None
    wording(weaker.text, "arena move bert __")


@pytest.mark.parametrize("odd", ["\x00", "\x1b[31m", "\ud800", "\ufffe", "<&>\"'", "]]>", "é漢🎲"])
def test_odd_characters_do_no_harm(schema: xmlschema.XMLSchema, odd: str) -> None:
    player = f"p{odd}"
    comparison = Comparison(player, "tictactoe", RegressionVerdict.FAULT, f"it raised {odd}")
    text = junit(replace(REPORT, comparisons=(comparison,), broken=(odd,)))
    schema.validate(text)
    ElementTree.fromstring(text.encode("utf-8"))


def test_a_night_without_checks_is_valid(schema: xmlschema.XMLSchema) -> None:
    schema.validate(junit(RegressionReport(None, (), ())))


def test_other_records_have_no_such_form(catalogue: Catalogue, wording: Wording) -> None:
    with wording.raises(UsageError):
        catalogue.reports.get("junit")(Listing("players", (), ()))
