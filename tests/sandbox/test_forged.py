"""A player that replaces the functions of arena's shim: what it forges costs it the game alone."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import arena
from arena.errors import ArenaError
from tests import needs
from tests.sandbox.remotes import written

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it needs tiers of Linux")

#: Sends other frames in place of those of the shim, once it is loaded.
FORGER = """
import sys
shim = sys.modules["__main__"]
frame = shim.frame
shim.frame = lambda number, said: frame(number, {said!r} if number else said)
def choose(position, rng): return position.legal_moves()[0]
"""

FORGED = {
    "no weights": b"m1\0[[]]",
    "weights without a sum": b'm1\0[["0","0"]]',
    "a negative weight": b'm1\0[["-1","1"]]',
    "a division by zero": b'm1\0[["1/0"]]',
    "a float": b"m1\0[0.5]",
    "not a number": b"m1\0[NaN]",
    "nested": b"m1\0" + b"[" * 3000,
    "huge": b"m1\0[%s]" % (b"9" * 4000),
    "a number for a text": b'{"move": "1", "draws": 5}',
    "another question's answer": b'{"refused": "no"}',
    "an unknown sighting": b'{"move": "1", "draws": "", "seen": {"x": ["a", "b"]}}',
    "nothing": b"",
}
TIERS = needs.tiers("process", "locked", "bwrap")


@pytest.mark.slow
@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("said", FORGED.values(), ids=FORGED)
def test_a_forged_frame_is_the_players_fault_everywhere(
    said: bytes, tier: str, tmp_path: Path
) -> None:
    bot = written(tmp_path, FORGER.format(said=said))
    fight = arena.fight(bot, "monkey", n=2, seed=1, isolation=tier)
    assert fight.as_json()["forfeits"][fight.players[0]].keys() == {"protocol"}
    assert fight.total.losses == 4
    for ask in (
        lambda: arena.exact(bot, "monkey", isolation=tier),
        lambda: arena.certify(bot, isolation=tier),
        lambda: arena.move(bot, "____x____", isolation=tier),
        lambda: arena.fight(bot, "monkey", n=6000, engine="table", isolation=tier),
    ):
        with pytest.raises(ArenaError) as caught:
            ask()
        assert caught.value.exit_code == 4
        assert str(caught.value).isprintable()
    report = arena.check(bot, isolation=tier)
    (failure,) = [finding for finding in report.findings if finding.level == "fail"]
    assert failure.check == "process"


@pytest.mark.slow
def test_forged_draws_are_a_forfeit(tmp_path: Path) -> None:
    bot = written(tmp_path, FORGER.format(said=FORGED["no weights"]))
    fight = arena.fight(bot, "monkey", n=1, seed=1)
    assert fight.as_json()["forfeits"][fight.players[0]].keys() == {"protocol"}
