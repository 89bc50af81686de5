"""Games of OpenSpiel that ``arena solve`` solves."""

from __future__ import annotations

from pathlib import Path

import pytest

import arena
from tests.conftest import Run
from tests.golden import Wording

pytestmark = pytest.mark.needs("open_spiel")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tic_tac_toe", "draw"),
        ("connect_four(columns=4,rows=3)", "draw"),
        ("breakthrough(columns=3,rows=3)", "win"),
        ("nim(pile_sizes=1;2;3)", "loss"),
    ],
)
def test_a_certificate_proves_the_value(name: str, value: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    report = arena.solve(f"openspiel:{name}", certificate=file)
    theorem = arena.check_certificate(file)
    assert isinstance(theorem, arena.records.Theorem)
    assert (report.value, theorem.value) == (value, value)


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [("tic_tac_toe", "tictactoe"), ("connect_four(columns=4,rows=3)", "connect-4-3-4")],
)
def test_the_same_game_has_the_same_value_after_as_many_moves(theirs: str, ours: str) -> None:
    for moves in (0, 3):
        results = []
        for name in (f"openspiel:{theirs}", ours):
            game = arena.get_game(name)
            position = game.start()
            for _ in range(moves):
                position = position.play(position.legal_moves()[0])
            report = arena.solve(game, position)
            results.append((report.value, report.plies))
        assert results[0] == results[1]


@pytest.mark.parametrize(
    ("name", "code"),
    [("connect_four", 3), ("matrix_pd", 2), ("backgammon", 3), ("quoridor(players=3)", 2)],
)
def test_another_game_is_refused(run: Run, name: str, code: int, wording: Wording) -> None:
    ran = run("solve", f"openspiel:{name}")
    assert (ran.code, len(ran.err.splitlines())) == (code, 1)
    wording(ran.err)
