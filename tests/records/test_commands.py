"""The commands that a record tells its reader to run."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

import arena
from arena import Isolation
from arena.reports.names import shortened

BOT = "def choose(position, rng):\n    return position.legal_moves()[0]\n"


@pytest.mark.slow
def test_a_replay_has_the_limits_of_the_fight(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text(BOT)
    isolation = Isolation(tier="process", move_time=9, players={"kim": Isolation(memory=300)})
    for players, options in (
        (("./bot.py", "kim=./bot.py"), "--player kim=./bot.py --move-time 9 --memory kim=300"),
        (("monkey", "kim=./bot.py"), "--player kim=./bot.py --move-time 9 --memory 300"),
        (("./bot.py", "monkey"), "--move-time 9"),
        (("triples", "monkey"), ""),
    ):
        fight = shortened(
            arena.fight(*players, n=1, seed=1, executor="serial", isolation=isolation)
        )
        assert isinstance(fight, arena.records.FightResult)
        named = fight.a.first_lost or fight.b.first_lost
        command = f"arena replay {named} {options}".strip()
        assert shlex.split(fight.replay_of(named)) == shlex.split(command)
        if named:
            limits = isolation if options else None
            replayed = arena.replay(
                named, players=["kim=./bot.py"] if "kim" in named else [], isolation=limits
            )
            assert replayed.game_id == named
