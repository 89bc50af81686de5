"""Many questions with one message."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

from arena.errors import Forfeited
from arena.games.mnk import mnk_game
from arena.match import play_game
from arena.player import PlayerInfo
from arena.rng import Stream, named_stream
from arena.sandbox import queries
from arena.sandbox.players import file_player, with_checks
from arena.sandbox.process import PlayerProcess
from arena.sandbox.queries import Queries, Query
from arena.sandbox.remote import Remote
from arena.sandbox.settings import PlayerLimits
from tests import needs

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


@pytest.mark.slow
def test_each_question_has_its_own_answer_whatever_the_others_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    info = file_player(str(tmp_path / "bot.py"), PlayerLimits(tier="process"))
    remote = with_checks(info).remote
    assert isinstance(remote, Remote)
    game = mnk_game(3, 3, 3)
    texts = ["_________", "x________", "xo_______", "xox______", "xoxo_____", "xo_xo____"]
    positions = [game.parse(text) for text in texts]
    numbers = [named_stream(text).first_bits or 0 for text in texts]
    starts, start = Counter[str](), Remote.start

    def counted(self: Remote) -> PlayerProcess:
        starts[self.spec.name] += 1
        return start(self)

    monkeypatch.setattr(Remote, "start", counted)
    ask = Queries(remote, 5.0)
    monkeypatch.setattr(ask, "_size", queries.MAX_QUESTIONS)
    result = list(ask(list(map(Query, positions, numbers)), watch=True))
    drawn = [
        named_stream(text).choice(p.legal_moves()) for text, p in zip(texts, positions, strict=True)
    ]
    assert [result[at].move for at in (0, 4, 5)] == [drawn[at] for at in (0, 4, 5)]
    reasons = [str(answer.move) for answer in result if isinstance(answer.move, Forfeited)]
    assert ["odd" in reasons[0], "exit code 3" in reasons[1]] == [True, True]
    assert "returned 99;" in reasons[2]
    assert result[0].draws == [9]
    assert remote.seen["output"][1] == "xox______"
    assert starts.total() == 3  # the first; after it is lost; after it is lost again
    remote.close()


#: Prints all by which it could tell a check from a game.
DETECTIVE = """
import os, sys
from hashlib import blake2b

def evidence(rng):
    frame, stack = sys._getframe(), []
    while frame is not None:
        stack.append((frame.f_code.co_filename, frame.f_code.co_qualname, frame.f_lineno))
        frame = frame.f_back
    command = open("/proc/self/cmdline").read().split("\\0")
    words = [word for word in command if not word.isdigit() and not word.startswith("{")]
    outputs = [type(sys.stdout), type(sys.stderr), sys.stdout.fileno(), sys.stdout.isatty()]
    return words, sys.argv, sorted(sys.modules), stack, outputs, type(rng), sorted(os.environ)

def choose(position, rng):
    facts = evidence(rng)
    print(*(blake2b(repr(fact).encode(), digest_size=3).hexdigest() for fact in facts))
    return position.legal_moves()[0]
"""


@pytest.mark.slow
@pytest.mark.parametrize("tier", needs.tiers("process", "locked", "bwrap"))
@pytest.mark.parametrize("is_watched", [True, False])
def test_a_player_cannot_tell_a_check_from_a_game(
    tier: str, is_watched: bool, tmp_path: Path
) -> None:
    (tmp_path / "bot.py").write_text(DETECTIVE)
    info = file_player(str(tmp_path / "bot.py"), PlayerLimits(tier=tier))
    game = mnk_game(3, 3, 3)
    other = PlayerInfo("last", lambda position, rng: position.legal_moves()[-1])
    record = play_game(game, (info, other), "x", (Stream(), Stream()))
    in_game = {message.text for message in record.notes.printed}
    remote = with_checks(info).remote
    assert isinstance(remote, Remote)
    questions = [Query(game.start(), 1), Query(game.parse("xo_______"), 2)]
    answers = Queries(remote, 5.0)(questions, watch=is_watched)
    assert [answer.move for answer in answers] == [0, 2]
    if is_watched:
        seen = remote.seen["output"][0]
    else:
        process = remote.take(False)
        seen = str(process.channel.log)
        remote.give_back(process)
    remote.close()
    assert in_game
    assert all(text.strip() in seen for text in in_game)
