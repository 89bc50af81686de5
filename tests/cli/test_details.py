"""What ``-v`` adds to a result, for every command that docs/terminal.md promises it of."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import arena
from tests.samples import few

if TYPE_CHECKING:
    from tests.conftest import Run

pytestmark = pytest.mark.usefixtures("in_a_folder_of_its_own")

TERMINAL = Path(__file__).parents[2] / "docs" / "terminal.md"

#: A command line for each row of the table, and a pattern of what only ``-v`` shows of it.
CASES = {
    "fight monkey triples -n 3 --seed 1": "pairs by monkey's points in them, from 0 to 2",
    "fight monkey triples --sprt -n 20 --seed 1": r"log-likelihood ratio at \d of \d looks: -",
    "tournament triples monkey lines -n 1 --seed 1": "moving first is worth 0 Elo",
    "show --store k.db": "pairs by triples's points in them",
    "resume k.db": "pairs by triples's points in them",
    "exact tictactoe1 monkey": "shortest loss of tictactoe1, moving second: 1 3 2 7 5 8 9",
    "certify triples --seed 1 --games 40": "moving first, positions by ply: 1 ",
    "solve tictactoe": "positions by ply: 1 3 12 38 108 174 204 153 57 15",
    "solve nim-1-1-2": r"\d positions are in its table",
    "solve connect-4-4-4": "a table of 4,096 entries for whether the first side wins",
    "move monkey xx_oo____": "probability that the player keeps it: 1/5",
    "check triples --seed 1 --positions 20": "plain ints: looked at during 30 answers",
    "regress triples --game tictactoe --baseline b.json": "policy, against monkey: ",
    "sprt --counts 3,10,20,30,12 --elo0 0 --elo1 5": "about 219 more pairs decide",
    "rate k.db": "games that count: triples 4, monkey 4",
    "runs --store k.db": "run 1: .*seed 3, players 2, arena version ",
    "verify k.db": "checked: run 1 at tictactoe, version 1: 1 fight, 4 games",
    "games": "connect4: first moves 7, longest game 42 plies, players mcts, minimax",
    "players": "minimax: .*claims never-loses:tictactoe",
    "plugins": "minimax: .*hooks arena_register_players",
    "copy k.db other.db": "run 1 is run 1 there",
}

#: Commands whose details have tests of their own.
OTHERS = {"play", "doctor"}


def prepare(command: str, run: Run) -> None:
    if "k.db" in command:
        arena.fight("triples", "monkey", 2, seed=3, store="k.db")
    if command.startswith("copy"):
        run(*command.split())
    if "b.json" in command:
        run(*command.split(), "--update")


def comparable(text: str) -> list[str]:
    """Return the lines that every run of a command shows."""
    return [
        line for line in text.splitlines() if line and not re.search("more lines? with -v", line)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("command", few(CASES, 4))
def test_v_adds_lines_and_changes_none(run: Run, command: str) -> None:
    prepare(command, run)
    plain, full = run(*command.split()), run(*command.split(), "-v")
    assert plain.code == full.code
    assert not re.search(CASES[command], plain.out)
    assert re.search(CASES[command], full.out)
    remaining = iter(full.out.splitlines())
    assert all(line in remaining for line in comparable(plain.out)), "a line is lost, or moved"


@pytest.mark.slow
@pytest.mark.parametrize("command", few(CASES, 2))
def test_v_leaves_json_alone(run: Run, command: str) -> None:
    prepare(command, run)
    argv = (*command.split(), "--format", "json")
    plain = run(*argv).out
    assert json.loads(plain)
    assert run(*argv, "-v").out == plain


def test_every_promise_of_details_has_a_case() -> None:
    table = TERMINAL.read_text().partition("| command | `-v` adds |")[2].partition("\n\n")[0]
    promised = {name for row in table.splitlines()[2:] for name in re.findall("`(.*?)`", row[:40])}
    assert promised == {command.split()[0] for command in CASES} | OTHERS
