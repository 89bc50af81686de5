"""A Python player that does not answer in time is told the line at which it is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from arena.errors import MAX_REPEATED_MESSAGE
from arena.sandbox.stacks import innermost
from tests.golden import Wording
from tests.samples import few

if TYPE_CHECKING:
    from tests.conftest import Run

pytestmark = pytest.mark.usefixtures("in_a_folder_of_its_own")

LOOP = """import json


def turn(position):
    while True:
        json.dumps(str(position))


def choose(position, rng):
    return turn(position)
"""
REGEX = """import re


def choose(position, rng):
    return re.match("(a+)+$", 40 * "a" + "b")
"""
SILENT = """import faulthandler, signal
faulthandler.unregister(signal.SIGUSR1)


def choose(position, rng):
    while True:
        pass
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "bot", "line"),
    few(
        [
            (("move", "./bot.py", "_________"), LOOP, "(5|6)"),
            (("certify", "./bot.py"), REGEX, "5"),
        ]
    ),
)
def test_a_command_that_asks_for_moves_says_it(
    run: Run, command: tuple[str, ...], bot: str, line: str, wording: Wording
) -> None:
    Path("bot.py").write_text(bot)
    ran = run(*command, "--move-time", "0.3")
    assert (ran.code, ran.out, ran.err.count("\n")) == (4, "", 1)
    wording(ran.err, "./bot.py", "0.3", "_________")
    assert re.search(rf"\(stuck at bot\.py:{line}\)$", ran.err), ran.err


@pytest.mark.slow
def test_a_forfeit_says_it_and_who_hides_it_forfeits_all_the_same(
    run: Run, wording: Wording
) -> None:
    for name, bot in (("loop", LOOP), ("silent", SILENT)):
        Path(f"{name}.py").write_text(bot)
    fight = ("fight", "./loop.py", "./silent.py", "-n", "1", "--seed", "1", "--move-time", "0.3")
    ran = run(*fight)
    assert ran.code == 0
    assert "(stuck at loop.py:" in " ".join(ran.out.split())
    wording.line(ran.out, "(timeout 1)")
    assert "printed" not in ran.out


def test_a_stack_that_a_player_prints_itself_makes_no_long_message() -> None:
    stack = f'  File "\t{"x" * 30_000}", line {"1" * 30_000} in choose'
    printed: Any = [("", stack)]
    result, _ = innermost(printed, ())
    assert result.startswith("stuck at \\txxx")
    assert len(result) <= MAX_REPEATED_MESSAGE + 1
