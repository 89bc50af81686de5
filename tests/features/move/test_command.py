"""``arena move``, as its user sees it."""

from __future__ import annotations

import io
import json
from fractions import Fraction

import pytest

from tests.cli.examples import EXAMPLES
from tests.conftest import Run
from tests.golden import Wording


def test_move_shows_fractions_in_the_games_notation(run: Run) -> None:
    record = json.loads(run(*EXAMPLES["move"], "--format", "json").out)
    assert record["moves"] == {"1": "1/4", "3": "1/4", "7": "1/4", "9": "1/4"}
    assert record["position"] == "____x____"


def test_move_reads_positions_from_standard_input(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("XOX.O.../.\n\n_________\n"))
    lines = run("move", "monkey", "-", "--format", "json").out.splitlines()
    records = [json.loads(line) for line in lines]
    assert [record["position"] for record in records] == ["xox_o____", "_________"]
    assert [sum(map(Fraction, record["moves"].values())) for record in records] == [1, 1]


def test_move_shows_what_each_legal_move_is_worth(run: Run) -> None:
    record = json.loads(run("move", "tictactoe1", "xo_______", "--format", "json").out)
    assert set(record["values"]) == {"3", "4", "5", "6", "7", "8", "9"}
    assert record["values"]["5"] == "win in 5"
    assert "win in 5" in run("move", "tictactoe1", "xo_______").out
    assert "value" not in run("move", "monkey", "_" * 42, "--game", "connect4").out


def test_a_wrong_line_on_standard_input_is_named(
    run: Run, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("_________\n\nxxx\n"))
    ran = run("move", "monkey", "-")
    assert ran.code == 2
    wording(ran.err, "'xxx'")
