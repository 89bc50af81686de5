"""``arena exact``, as its user sees it."""

from __future__ import annotations

import json

import pytest

from tests.conftest import Run


@pytest.mark.slow
def test_exact_of_two_of_many_and_of_all(run: Run) -> None:
    assert "7003/7560" in run("exact", "tictactoe3", "monkey").out
    three = json.loads(run("exact", "triples", "monkey", "tictactoe1", "--format", "json").out)
    assert [fight["players"] for fight in three["pairings"]] == [
        ["triples", "monkey"],
        ["triples", "tictactoe1"],
        ["monkey", "tictactoe1"],
    ]
    all_ = json.loads(run("exact", "--format", "json").out)
    assert all_["schema"] == "arena.exact-tournament/1"
    assert len(all_["pairings"]) >= 21
