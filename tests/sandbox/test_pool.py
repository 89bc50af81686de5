"""The processes of a player: which plays on, which is replaced, and how each ends."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.plugin.catalogue import Catalogue
from tests.golden import Wording
from tests.sandbox.conftest import Make
from tests.sandbox.remotes import BOTS, play, remote_of, written

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="players are stopped by signals")

STATE = """
import os, sys
def choose(position, rng):
    sys.games = getattr(sys, "games", 0) + (len(position.legal_moves()) > 7)
    print("game", sys.games, os.getpid())
    if sys.games == 2: raise ValueError("in the second game")
    return position.legal_moves()[0]
"""


@pytest.mark.slow
def test_a_process_plays_game_after_game_until_one_is_forfeited(
    catalogue: Catalogue, made: Make, tmp_path: Path
) -> None:
    player, monkey = made(written(tmp_path, STATE)), catalogue.player("monkey")
    forfeits = [play(catalogue, player, monkey, str(n)).forfeit for n in range(4)]
    assert [f and f.message for f in forfeits] == [None, "ValueError: in the second game"] * 2


def test_a_process_that_is_killed_loses_and_is_replaced(
    catalogue: Catalogue, made: Make, wording: Wording
) -> None:
    player, monkey = made(str(BOTS / "first_free.py")), catalogue.player("monkey")
    assert play(catalogue, player, monkey).forfeit is None
    result = remote_of(player).take()
    pid = result.family.player
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    remote_of(player).give_back(result)
    forfeit = play(catalogue, player, monkey).forfeit
    assert forfeit is not None
    assert forfeit.reason == "crash"
    wording(forfeit.message, "SIGKILL")
    assert play(catalogue, player, monkey).forfeit is None


@pytest.mark.slow
def test_the_end_is_made_once(made: Make) -> None:
    remote = remote_of(made(str(BOTS / "first_free.py")))
    result = remote.take()
    result.end()
    pipes = os.pipe()  # these get the numbers of what was closed
    result.end()
    os.write(pipes[1], b"x")
    assert os.read(pipes[0], 1) == b"x"
    for descriptor in pipes:
        os.close(descriptor)


@pytest.mark.slow
def test_an_interrupted_question_does_not_spoil_the_next_game(
    catalogue: Catalogue, made: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    player, monkey = made(str(BOTS / "first_free.py")), catalogue.player("monkey")

    def interrupt(*_: Any) -> int:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("arena.sandbox.wire.protocol.read_move", interrupt)
        with pytest.raises(KeyboardInterrupt):
            play(catalogue, player, monkey)
    assert play(catalogue, player, monkey).forfeit is None
