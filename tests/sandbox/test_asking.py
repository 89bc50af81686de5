"""Many questions with one message."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

from arena.errors import Forfeited
from arena.games.mnk import mnk_game
from arena.rng import named_stream
from arena.sandbox import asking
from arena.sandbox.asking import Asking
from arena.sandbox.players import checked, file_player
from arena.sandbox.process import PlayerProcess
from arena.sandbox.remote import Remote
from arena.sandbox.settings import PlayerLimits

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it needs tiers of Linux")

BOT = """
import os

def choose(position, rng):
    if position.ply == 1:
        raise ValueError("odd")
    if position.ply == 2:
        os._exit(3)
    if position.ply == 3:
        print("hm")
        return 99
    return rng.choice(position.legal_moves())
"""


def test_each_question_has_its_own_answer_whatever_the_others_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    info = file_player(str(tmp_path / "bot.py"), PlayerLimits(tier="process"))
    remote = checked(info).remote
    assert isinstance(remote, Remote)
    game = mnk_game(3, 3, 3)
    texts = ["_________", "x________", "xo_______", "xox______", "xoxo_____", "xo_xo____"]
    positions = [game.parse(text) for text in texts]
    numbers = [named_stream(text).own or 0 for text in texts]
    starts, start = Counter[str](), Remote.start

    def counted(self: Remote) -> PlayerProcess:
        starts[self.spec.name] += 1
        return start(self)

    monkeypatch.setattr(Remote, "start", counted)
    ask = Asking(remote, 5.0)
    monkeypatch.setattr(ask, "_size", asking.MAX_QUESTIONS)
    found = list(ask(list(zip(positions, numbers, strict=True)), watch=True))
    drawn = [
        named_stream(text).choice(p.legal_moves()) for text, p in zip(texts, positions, strict=True)
    ]
    assert [found[at].move for at in (0, 4, 5)] == [drawn[at] for at in (0, 4, 5)]
    reasons = [str(answer.move) for answer in found if isinstance(answer.move, Forfeited)]
    assert ["odd" in reasons[0], "exit code 3" in reasons[1]] == [True, True]
    assert "returned 99;" in reasons[2]
    assert found[0].draws == [9]
    assert remote.seen["output"][1] == "xox______"
    assert starts.total() == 3  # the first; after it is lost; after it is lost again
    remote.close()
