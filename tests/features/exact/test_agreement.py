"""The p-value of a fight with openings against the exact result of its pairing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import arena
from arena.game import Position

BOOK = "1\n5 1\n9 5 1\n2 1\n3\n"


def lowest(position: Position, rng: Any) -> int:
    return position.legal_moves()[0]


def highest(position: Position, rng: Any) -> int:
    return position.legal_moves()[-1]


@pytest.mark.parametrize(
    ("openings", "pairs", "is_tested"),
    [
        ("book", 3, True),
        ("book", 5, True),
        ("book", 12, True),
        ("book:3", 3, True),
        ("book:3", 6, False),
        ("book:5", 10, False),
        ("all:1", 9, True),
        ("all:1", 18, True),
        ("all:1", 5, False),
        ("all:1", 12, False),
        ("random:1", 12, True),
    ],
)
def test_a_fight_that_prefers_some_openings_is_not_tested(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, openings: str, pairs: int, is_tested: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("book").write_text(BOOK)
    checked = arena.checked_fight(lowest, highest, pairs, seed=1, openings=openings)
    assert (checked.p_value is not None) is is_tested
    assert bool(checked.p_value_test) is is_tested
