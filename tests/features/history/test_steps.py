"""The strength of a training run by step."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import arena
from arena.features.history.steps import step_of
from tests.golden import Wording

if TYPE_CHECKING:
    from tests.conftest import Run


def level(number: int):  # type: ignore[no-untyped-def]
    """Return a policy that is the better the higher the number is, from 0 to 3."""

    def choose(position, rng):  # type: ignore[no-untyped-def]
        if rng.random() * 3 < number:
            return arena.plugin.load_catalogue().player("tictactoe3").player(position, rng)
        return position.legal_moves()[0]

    return choose


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store with the games of four steps."""
    folder = tmp_path_factory.mktemp("steps") / "runs.db"
    for number in range(4):
        policy, name = level(number), f"step-{100 * number}"
        arena.evaluate(policy, ["monkey", "tictactoe1"], 30, name=name, store=folder, seed=1)
    return folder


@pytest.mark.slow
def test_steps_come_in_their_order_with_the_ratings_of_all_games(store: Path) -> None:
    history = arena.step_history(store)
    rated = {row.player: row.elo for row in arena.rate_stores(store).players}
    assert [row.step for row in history.rows] == [0, 100, 200, 300]
    assert all(row.elo == rated[row.player] for row in history.rows)
    assert {*history.others} == {"monkey", "tictactoe1"}
    assert history.best == "step-300"
    before = None
    for row in history.rows:
        assert row.elo.value is not None
        change = None if before is None else round(row.elo.value - before, 4)
        assert row.change == change
        before = row.elo.value if before is None else max(before, row.elo.value)


@pytest.mark.slow
def test_the_command_shows_them_and_has_every_format(
    run: Run, store: Path, wording: Wording
) -> None:
    page = run("history", str(store), "--by", "step")
    assert (page.code, page.err) == (0, "")
    wording.line(page.out, "step-300 ", " rating")
    assert max(map(len, page.out.splitlines())) <= 80
    rows = run("history", "--by", "step", "--store", str(store), "--format", "csv").out.splitlines()
    assert [row.split(",")[0] for row in rows] == ["step", "0", "100", "200", "300"]
    written = json.loads(run("history", "--by", "step", str(store), "--format", "json").out)
    assert written == json.loads(json.dumps(arena.step_history(store).as_json()))


@pytest.mark.parametrize(
    ("name", "step"),
    [
        *(("step-1000", 1000), ("1000", 1000), ("epoch_05", 5), ("model100k", 100), ("a1b2", 2)),
        *(("monkey", None), ("minimax:depth=2", None), ("step-5 [a1b2c3]", None), ("", None)),
        ("9" * 30, int("9" * 30)),
    ],
)
def test_the_step_is_the_last_number_of_a_name(name: str, step: int | None) -> None:
    assert step_of(name) == step


@pytest.mark.parametrize(
    "words",
    [(), ("--by", "step"), ("--by", "day", "x"), ("--by", "step", "none.db")],
)
def test_a_mistake_is_a_line(
    run: Run, words: tuple[str, ...], in_a_folder_of_its_own: None, wording: Wording
) -> None:
    ran = run("history", *words)
    assert ran.code == 2
    wording(ran.err)


def test_a_store_without_steps_is_told(run: Run, tmp_path: Path, wording: Wording) -> None:
    store = tmp_path / "games.db"
    arena.fight("monkey", "tictactoe1", 2, store=store, seed=1)
    ran = run("history", "--by", "step", str(store))
    assert ran.code == 2
    wording(ran.err)
