"""The player that learned, and the weights that come with it."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import arena
from arena.game import WIN_FOR
from arena.games.mnk import mnk_game
from arena.learning.performance_system import Performer
from arena.learning.weights import read_weights
from arena.players import lms
from tests.golden import Wording

if TYPE_CHECKING:
    from tests.conftest import Run

START = mnk_game(3, 3, 3).start()


@pytest.mark.slow
def test_one_command_makes_the_weights_that_are_shipped(
    run: Run, tmp_path: Path, wording: Wording
) -> None:
    wording(str(lms.__doc__), "--seed")
    assert run("train", "lms", "--seed", "1", "--output", str(tmp_path / "lms.json")).code == 0
    assert (tmp_path / "lms.json").read_bytes() == lms.WEIGHTS_FILE.read_bytes()


@pytest.mark.slow
def test_it_scores_at_least_95_percent_against_the_monkey() -> None:
    assert arena.exact("lms", "monkey").total.score >= Fraction(95, 100)


@pytest.mark.slow
def test_it_never_loses_moving_first_and_loses_second_as_documented() -> None:
    certificate = arena.certify("lms")
    assert certificate.first.never_loses
    line = certificate.second.losing_line
    assert line is not None
    assert " ".join(step.move for step in line) == "1 5 9 3 7 4 8"
    page = (Path(__file__).parents[2] / "docs" / "learning.md").read_text()
    assert "1 5 9 3 7 4 8" in page


@pytest.mark.parametrize("text", ["_________", "x________", "x___o___x", "xo__x___o", "xx_oo____"])
def test_it_moves_to_the_board_whose_features_add_up_to_most(text: str) -> None:
    """Computed here from the file alone."""
    weights = json.loads(lms.WEIGHTS_FILE.read_text())
    position = START.game.parse(text)
    me = position.to_move
    values = {}
    for move in position.legal_moves():
        board = position.play(move)
        total = weights[("first", "second")[me]]["constant"]
        for whose, side in (("mine", me), ("theirs", me.other)):
            marks = {s for s in range(9) if board.marks(side) >> s & 1}
            for name, x in {
                "line": board.outcome() is WIN_FOR[side],
                "wins": len(board.winning_moves(side)),
                "forks": len(board.forking_moves(side)),
                "centre": 4 in marks,
                "corners": len(marks & {0, 2, 6, 8}),
                "sides": len(marks & {1, 3, 5, 7}),
            }.items():
                total += weights[("first", "second")[me]][f"{name}-{whose}"] * x
        values[move] = total
    best = [move for move in values if values[move] > max(values.values()) - 1e-9]
    assert list(arena.distribution("lms", position)) == best


@pytest.mark.slow
def test_a_file_of_weights_is_a_player_like_any_other() -> None:
    name = f"lms:{lms.WEIGHTS_FILE}"
    assert arena.exact(name, "heuristic").total == arena.exact("lms", "heuristic").total
    assert arena.certify(name).first.never_loses
    info = arena.get_player(name)
    assert info.code == (str(lms.WEIGHTS_FILE),)
    assert pickle.loads(pickle.dumps(info)).player == Performer(read_weights(lms.WEIGHTS_FILE))


@pytest.mark.slow
def test_a_file_of_weights_plays_in_several_processes_and_through_tables() -> None:
    name = f"lms:{lms.WEIGHTS_FILE}"
    one, two = (arena.fight(name, "monkey", 200, seed=1, workers=n) for n in (1, 2))
    assert one == two
    exact = float(arena.exact("lms", "monkey").total.score)
    sampled = arena.fight(name, "monkey", 20_000, seed=1, engine="table").total.score
    assert sampled == pytest.approx(exact, abs=0.005)


@pytest.mark.slow
def test_it_conforms() -> None:
    assert arena.check("lms", seed=1, positions=100).conforms


def test_a_wrong_file_of_weights_is_refused_in_one_line(
    run: Run, tmp_path: Path, wording: Wording
) -> None:
    (tmp_path / "weights.json").write_text("{}")
    for name in ("weights.json", "none.json"):
        ran = run("exact", f"lms:{tmp_path / name}", "monkey")
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
        wording(ran.err)
