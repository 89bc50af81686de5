"""Rogues in a tournament harm nobody, nor does a busy machine harm who works honestly."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from arena.sandbox.players import file_player
from arena.sandbox.remote import Remote
from arena.sandbox.settings import PlayerLimits
from benchmarks import fairness
from tests.processes import wait_until
from tests.sandbox.rogues import gallery
from tests.sandbox.test_rogues import processes_of

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="players are stopped by signals"),
]

ROOT = Path(__file__).parents[2]
HONEST = ("monkey", "triples", "tictactoe2")

#: What rogues of eight families lose by, when they move first.
FAMILIES = {
    "sleeps": "timeout",
    "segfaults": "crash",
    "prints_forever": "timeout",
    "forges": "protocol illegal",  # what it forges is its own answer too
    "forks": "",  # it cannot, and plays on
    "gulp": "exception",
    "daemonises": "exception",
    "reads_neighbour": "exception",
}


def test_of_twelve_with_eight_rogues_the_honest_four_play_as_if_alone(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    bot, rogues = tmp_path / "greedy.py", tmp_path / "players.py"
    bot.write_text((ROOT / "examples/bots/two_players.py").read_text())
    gallery.write_players(rogues)
    (tmp_path / "opponent.txt").write_text("secret")
    files = sorted(tmp_path.iterdir())
    patient = PlayerLimits(move_time=10, game_time=60, memory=256)
    honest = [*map(catalogue.player, HONEST), file_player(f"{bot}:greedy", patient)]
    mischief = [gallery.python_player(rogues, name, "auto", game_time=1) for name in FAMILIES]
    alone, _ = played(catalogue, honest)
    before, memory = gallery.descriptors(), gallery.memory()
    mixed, seconds = played(catalogue, [*honest, *mischief])
    assert gallery.descriptors() == before
    assert gallery.memory() - memory < 16  # MiB
    assert wait_until(lambda: not processes_of(tmp_path)), processes_of(tmp_path)
    assert sorted(tmp_path.iterdir()) == files
    assert len(mixed.fights) == 66
    assert seconds < 60  # some 5 on a machine that is free

    result = {fight.players: fight for fight in mixed.fights}
    for fight in alone.fights:
        both = [{**known.as_json(), "time_use": {}} for known in (result[fight.players], fight)]
        for record in both:
            record["a"].pop("move_times", None)
            record["b"].pop("move_times", None)
        assert json.dumps(both[0]) == json.dumps(both[1])
    lost_by: dict[str, set[str]] = {}
    for players, fight in result.items():
        is_honest = not set(players) & set(FAMILIES)
        assert (fight.void, fight.pairs, fight.unfinished) == (0, 1, None) or not is_honest
        for player in fight.both:
            # A rogue may be late, too, where the machine is busy; nobody honest is ever.
            own = FAMILIES.get(player.name)
            reasons = set() if own is None else {"timeout", *own.split()}
            assert set(player.forfeits) <= reasons, (players, player.forfeits)
            lost_by.setdefault(player.name, set()).update(player.forfeits)
    assert {name for name in FAMILIES if not lost_by[name]} <= {"forks"}


def played(catalogue: Catalogue, players: list[PlayerInfo]) -> tuple[Any, float]:
    """Their tournament, a pair of games for each two, and how long it took."""
    begun = time.monotonic()
    settings: Any = {"n": 1, "seed": 7, "engine": "calls", "workers": 2}
    result = arena.tournament(players, catalogue=catalogue, **settings)
    for player in players:
        if isinstance(player.remote, Remote):
            player.remote.close()
    return result, time.monotonic() - begun


def test_who_works_two_thirds_of_its_time_is_never_late_on_a_busy_machine(tmp_path: Path) -> None:
    result = fairness.fight(tmp_path, 100, fairness.LIMITS["limit 60 ms"])
    assert (
        result.a.forfeits == result.b.forfeits == {}
    )  # whatever else the machine does; games may be void
    assert 2 * result.pairs + result.void == 16
    row = fairness.row(result, 100, 4, "limit 60 ms")
    assert row.measured == f"0 in {14 * result.pairs} moves, {result.void} games void, 4 s"
    assert row.met == (result.void == 0)


SLEEPER = "import time\ndef choose(position, rng):\n    time.sleep(0.07)\n    return {}\n"


def test_who_sleeps_for_longer_than_the_limit_is_late_at_once(tmp_path: Path) -> None:
    bot = tmp_path / "sleeper.py"
    bot.write_text(SLEEPER.format("position.legal_moves()[0]"))
    catalogue = load_catalogue()
    player = file_player(str(bot), PlayerLimits(move_time=0.06))
    assert isinstance(player.remote, Remote)
    records = [gallery.play(catalogue, player) for _ in range(5)]
    player.remote.close()
    late = [record for record in records if record.forfeit is not None]
    # An arena that was itself kept waiting for 10 ms finds the answer there, and lets it count.
    assert late
    assert {record.forfeit.reason for record in late if record.forfeit} == {"timeout"}
    assert any(record.moves == () for record in late)
