"""Searches that are killed, and go on from their checkpoint."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from arena import get_game
from arena.errors import Undecided, UsageError
from arena.game import Game, Side
from arena.games.connect4 import connect_game
from arena.games.mnk import mnk_game
from arena.proof import progress
from arena.proof.limit import Limit
from arena.solver import checkpoint as module
from arena.solver import falling
from arena.solver.checkpoint import SearchCheckpoint
from arena.solver.falling import FallingSearch
from arena.solver.general import GeneralSearch
from arena.solver.retrograde import Retrograde
from arena.solver.solution import solve
from tests.golden import Wording


class Killed(BaseException):
    """The process has ended."""


@pytest.fixture
def deaths(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Have every state kept, and the process end when it has told how far it is so often."""
    remaining: list[int] = []

    def tell(*_: object) -> None:
        if remaining:
            remaining[0] -= 1
            if not remaining[0]:
                remaining.clear()
                raise Killed

    monkeypatch.setattr(module, "STATE_SECONDS", 0.0)
    monkeypatch.setattr(falling, "MAX_NODES_A_TURN", 500)
    monkeypatch.setattr(progress, "tell", tell)
    return remaining


@pytest.mark.slow
def test_questions_go_on_where_a_killed_process_was(tmp_path: Path, deaths: list[int]) -> None:
    start = connect_game(4, 4, 4).start()
    fresh = FallingSearch(start, compiles=False)
    assert not fresh.wins(Side.SECOND)
    deaths.append(4)
    with pytest.raises(Killed):
        FallingSearch(start, SearchCheckpoint(tmp_path / "state", start), compiles=False).wins(
            Side.SECOND
        )
    again = FallingSearch(start, SearchCheckpoint(tmp_path / "state", start), compiles=False)
    deaths.append(fresh.nodes // 500 - 1)  # it has fewer steps to go
    assert not again.wins(Side.SECOND)
    assert again.nodes == fresh.nodes


@pytest.mark.slow
@pytest.mark.parametrize("steps", [3, 10, 15, 20])
def test_values_go_on_where_a_killed_process_was(
    tmp_path: Path, deaths: list[int], steps: int
) -> None:
    start = mnk_game(4, 3, 3).start()
    fresh = Retrograde(start, Limit(10**6))
    deaths.append(steps)
    with pytest.raises(Killed):
        Retrograde(start, Limit(10**6), SearchCheckpoint(tmp_path / "state", start))
    deaths[:] = [26 - steps + 2]
    again = Retrograde(start, Limit(10**6), SearchCheckpoint(tmp_path / "state", start))
    assert len(again.levels) == len(fresh.levels)
    for one, other in zip(again.levels, fresh.levels, strict=True):
        assert (one.keys == other.keys).all()
        assert (one.scores == other.scores).all()


@pytest.mark.parametrize(
    ("name", "steps"), [("nim-5-6-7", 20), pytest.param("hex-4", 40, marks=pytest.mark.slow)]
)
def test_a_search_of_any_game_goes_on_where_a_killed_process_was(
    tmp_path: Path, deaths: list[int], monkeypatch: pytest.MonkeyPatch, name: str, steps: int
) -> None:
    start = get_game(name).start()
    fresh = GeneralSearch(start, Limit(2**20))
    value = fresh.solve()
    deaths.append(steps)
    with pytest.raises(Killed):
        GeneralSearch(start, Limit(2**20), SearchCheckpoint(tmp_path / "state", start)).solve()
    monkeypatch.setattr(module, "STATE_SECONDS", 60.0)  # keeping every state takes long
    again = GeneralSearch(start, Limit(2**20), SearchCheckpoint(tmp_path / "state", start))
    assert again.positions == 256 * (steps - 1)  # at the look before
    assert 0 < again.remembered < fresh.remembered
    assert again.solve() == value
    assert again.positions < 1.25 * fresh.positions


@pytest.mark.slow
def test_a_search_that_goes_on_counts_what_was_looked_at_before(
    tmp_path: Path, deaths: list[int]
) -> None:
    start = get_game("hex-4").start()
    checkpoint = SearchCheckpoint(tmp_path / "state", start)
    deaths.append(10)
    with pytest.raises(Killed):
        GeneralSearch(start, Limit(10**6), checkpoint).solve()
    again = GeneralSearch(start, Limit(2000), checkpoint)
    known = again.remembered
    assert known > 0
    with pytest.raises(Undecided, match="hex-4"):
        again.solve()
    assert again.remembered == known  # there was nothing left to look at


def test_a_checkpoint_belongs_to_one_search(tmp_path: Path, wording: Wording) -> None:
    SearchCheckpoint(tmp_path / "state", mnk_game(3, 3, 3).start())
    with wording.raises(UsageError):
        SearchCheckpoint(tmp_path / "state", mnk_game(4, 3, 3).start())
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.jpg").touch()
    with wording.raises(UsageError):
        SearchCheckpoint(tmp_path / "photos", mnk_game(3, 3, 3).start())
    assert [file.name for file in (tmp_path / "photos").iterdir()] == ["cat.jpg"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "state"),
    [
        (mnk_game(3, 3, 3), "positions"),
        (connect_game(4, 4, 4), "search"),
        (get_game("hex-3"), "search"),
    ],
    ids=["retrograde", "falling", "general"],
)
@pytest.mark.parametrize("content", ["broken", "another"])
def test_a_broken_state_is_named(tmp_path: Path, game: Game, state: str, content: str) -> None:
    checkpoint = SearchCheckpoint(tmp_path / "state", game.start())
    file = tmp_path / "state" / f"{state}.npz"
    if content == "broken":
        file.write_bytes(b"PK broken")
    else:
        np.savez(file, a=np.arange(3))
    with pytest.raises(UsageError, match=rf"{state}\.npz"):
        solve(game.start(), checkpoint=checkpoint)
    assert file.exists()
