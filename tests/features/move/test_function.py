"""What a player does in a position, as the command shows it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import arena

if TYPE_CHECKING:
    from tests.conftest import Run


def test_the_command_prints_the_record_of_the_function(run: Run) -> None:
    for position in ("____x____", "x___o____"):
        shown = json.loads(run("move", "triples", position, "--format", "json").out)
        assert shown == arena.move("triples", position).as_json()


def test_lines_are_positions_but_for_empty_ones() -> None:
    texts = ["____x____\n", "\n", "\ufeffx________ "]
    reports = list(arena.moves("tictactoe3", texts))
    assert reports == [arena.move("tictactoe3", text.strip("\ufeff \n")) for text in texts[::2]]


def test_a_line_that_has_no_position_is_named_by_its_number() -> None:
    with pytest.raises(arena.ArenaError, match=r"^line 3: "):
        list(arena.moves("tictactoe3", ["____x____", "", "nonsense"]))
