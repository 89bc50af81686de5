"""Players by name, and limits that nothing keeps."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

import pytest

import arena
from arena import Isolation

BOT = "def choose(position, rng):\n    return rng.choice(position.legal_moves())\n"
START = "arena: no limit holds for "
FILE = f"{START}./bot.py, which plays in arena's process: leave --isolation none out, and it holds"
INSTALLED = (
    f"{START}tree, monkey, which play in arena's process: --isolate gives every player a process"
    " of its own"
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "isolation", "said"),
    [
        (("./bot.py", "monkey"), Isolation(tier="none", move_time=1), [FILE]),
        (("./bot.py", "monkey"), Isolation(tier="none"), []),
        (("./bot.py", "monkey"), Isolation(tier="process", memory=400), []),
        (("tree", "monkey"), Isolation(game_time=1), [INSTALLED]),
        (("tree", "monkey"), Isolation(), []),
    ],
)
def test_a_limit_that_nothing_keeps_is_told(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    players: tuple[str, str],
    isolation: Isolation,
    said: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text(BOT)
    with caplog.at_level(logging.WARNING):
        arena.fight(*players, n=1, seed=1, executor="serial", isolation=isolation)
    assert caplog.messages == said


@pytest.mark.parametrize("call", [arena.exams, arena.exact_tournament, arena.regress])
@pytest.mark.parametrize("alone", ["monkey", len, arena.get_player("monkey"), 3, None])
def test_one_player_is_not_a_list(call: Callable[..., object], alone: object) -> None:
    with pytest.raises(arena.UsageError, match="as one list"):
        call(alone)


def test_one_player_is_not_a_table() -> None:
    with pytest.raises(arena.UsageError, match="as one list"):
        arena.table_fight("monkey", game="snakes-3")
