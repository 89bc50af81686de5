"""The fights that the page of engines names, with real engines: none loses but at the board."""

from __future__ import annotations

import json
import re
import shlex

import pytest

from tests.conftest import Run
from tests.docs.reading import ROOT

PAGE = (ROOT / "docs" / "engines.md").read_text()
FIGHTS = re.findall(r"^arena (fight .*)", PAGE, re.MULTILINE)
#: The engine of a player in its protocol.
ENGINE = re.compile(r"(?:uci|gtp|gomocup)[^:]*:(\S+)")


def marks_of(command: str) -> list[pytest.MarkDecorator]:
    """Return what an example needs: its engines, and a library for its game."""
    engines = {match[1] for word in shlex.split(command) if (match := ENGINE.fullmatch(word[:99]))}
    engines |= {word.split()[0].partition(":")[2] for word in shlex.split(command) if " " in word}
    needs = [pytest.mark.needs(name) for name in sorted(engines) if "/" not in name]
    if any("/" in name for name in engines):
        needs.append(pytest.mark.skip(reason="the user's own engine"))
    return [*needs, *[pytest.mark.needs("open_spiel")] * ("openspiel:" in command)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", [pytest.param(each, marks=marks_of(each), id=each) for each in FIGHTS]
)
def test_no_engine_forfeits_in_an_example(run: Run, command: str) -> None:
    ran = run(*shlex.split(command), "--seed", "1", "--format", "json")
    assert ran.code == 0, ran.err
    fight = json.loads(ran.out)
    assert fight["games"] >= 10
    assert [player for player, reasons in fight["forfeits"].items() if reasons] == []
    assert fight["total"]["wins"] > fight["total"]["losses"]
    assert fight["void"] == 0


def test_the_page_has_an_example_of_every_protocol() -> None:
    heads = [word.strip(chr(34)).partition(":")[0] for word in "\n".join(FIGHTS).split()]
    protocols = {head.partition(",")[0] for head in heads}
    assert {"uci", "gtp", "gomocup"} <= protocols
