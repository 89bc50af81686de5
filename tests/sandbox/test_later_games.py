"""Rogues that behave for a while: as one side, in some games, until something else is started."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from arena.errors import Withdrawn
from arena.executors.endings import describe_ending
from arena.game import Side
from arena.match.record import GameRecord
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.sandbox.players import program_player
from arena.sandbox.remote import Remote
from arena.sandbox.settings import PlayerLimits
from arena.sandbox.wire.json_lines import COMMAND
from tests import needs
from tests.conftest import Run
from tests.golden import Wording
from tests.sandbox.conftest import Make
from tests.sandbox.rogues import gallery

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="strong tiers are Linux's")

STRONG = pytest.mark.parametrize("tier", needs.tiers("locked", "bwrap"))


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Make a player from the text of its file; its process ends with the test."""
    made: list[PlayerInfo] = []

    def make(text: str, tier: str = "auto", **limits: object) -> PlayerInfo:
        file = tmp_path / "bot.py"
        file.write_text(text)
        options = {"move_time": 5.0, "game_time": 20.0, **limits}
        made.append(gallery.python_player(file, "choose", tier, **options))
        return made[-1]

    yield make
    for player in made:
        assert isinstance(player.remote, Remote)
        player.remote.close()


def reason(record: GameRecord) -> str:
    return record.forfeit.reason if record.forfeit else gallery.OK


AS_SECOND = """
import os
def choose(position, rng):
    legal = position.legal_moves()
    if len(legal) % 2 == 0: os._exit(3)
    return legal[0]
"""


@pytest.mark.slow
def test_who_crashes_as_the_second_side_loses_those_games(catalogue: Catalogue, make: Make) -> None:
    player = make(AS_SECOND)
    for _ in range(2):
        assert gallery.play(catalogue, player).forfeit is None
        forfeit = gallery.play(catalogue, gallery.HONEST, player).forfeit
        assert forfeit is not None
        assert forfeit[:3] == (Side.SECOND, "crash", describe_ending(3))


LATE = """
import os, sys
def choose(position, rng):
    legal = position.legal_moves()
    games = sys.games = getattr(sys, "games", 0) + (len(legal) == 9)
    if games == 20 and len(legal) == 5: os.kill(os.getpid(), 11) or os.abort()
    return legal[0]
"""


@pytest.mark.slow
def test_who_crashes_in_a_late_game_loses_that_one(catalogue: Catalogue, make: Make) -> None:
    player = make(LATE, "process")
    reasons = [reason(gallery.play(catalogue, player)) for _ in range(41)]
    assert [number for number, result in enumerate(reasons, 1) if result == "crash"] == [20, 40]
    assert set(reasons) == {"crash", "ok"}


LEAKS = """
import sys
kept = sys.__dict__.setdefault("kept", [])
def choose(position, rng):
    legal = position.legal_moves()
    if len(legal) == 9: kept.append(bytes(range(256)) * (1 << 14))  # 4 MiB a game
    return legal[0]
"""


@pytest.mark.slow
def test_who_leaks_runs_into_its_limit_and_begins_anew(catalogue: Catalogue, make: Make) -> None:
    player, before = make(LEAKS, memory=64), gallery.memory()
    reasons = [reason(gallery.play(catalogue, player)) for _ in range(40)]
    assert set(reasons) == {"exception", "ok"}  # MemoryError
    at = [number for number, result in enumerate(reasons) if result == "exception"]
    assert len(at) >= 2
    assert all(8 <= b - a <= 17 for a, b in pairwise(at))
    assert gallery.memory() - before < 16


OUTSIDE = """
import os, sys
def choose(position, rng):
    here = os.path.dirname(__file__)
    planted = [m.__name__ for m in list(sys.modules.values()) if here in (getattr(m, "__file__", "") or "")]
    odd = [k for k in os.environ if k.startswith(("LD_", "PYTHONP", "PYTHONS", "PYTHONI", "SECRET"))]
    own = [name for name in planted if not name.startswith("arena_file_")]
    if own or odd: raise ValueError(f"{own} {odd}")
    return position.legal_moves()[0]
"""  # noqa: E501


@STRONG
def test_nothing_that_lies_beside_a_player_is_run_with_it(
    tier: str, catalogue: Catalogue, make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("sitecustomize.py", "usercustomize.py", "json.py", "random.py", "evil.pth")
    for name in names:
        (tmp_path / name).write_text("import os; os._exit(9)\n")
    # Here they would be run.
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("PYTHONSTARTUP", str(tmp_path / "sitecustomize.py"))
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    monkeypatch.setenv("SECRET", "hunter2")
    monkeypatch.chdir(tmp_path)
    assert gallery.play(catalogue, make(OUTSIDE, tier)).forfeit is None


FOLLOWS = """
import pathlib
def choose(position, rng):
    raise ValueError(pathlib.Path(__file__).with_name("own").joinpath("link.txt").read_text())
"""


@pytest.mark.slow
@STRONG
def test_a_link_to_the_opponents_file_leads_nowhere(
    tier: str, catalogue: Catalogue, make: Make, tmp_path: Path
) -> None:
    own, opponent = tmp_path / "own", tmp_path / "opponent.txt"
    own.mkdir()
    opponent.write_text("his secret")
    (own / "link.txt").symlink_to(opponent)
    forfeit = gallery.play(catalogue, make(FOLLOWS, tier, readable=(str(own),))).forfeit
    assert forfeit is not None
    assert forfeit.message.startswith(("FileNotFoundError", "PermissionError"))
    opponent.rename(own / "mine.txt")
    (own / "link.txt").unlink()
    (own / "link.txt").symlink_to("mine.txt")
    forfeit = gallery.play(catalogue, make(FOLLOWS, tier, readable=(str(own),))).forfeit
    assert forfeit is not None
    assert forfeit.message == "ValueError: his secret"  # which is its own now


IMPORTS = """
import helper, parts.one
def choose(position, rng):
    raise ValueError(helper.NAME + parts.one.NAME)
"""


@STRONG
def test_a_readable_module_is_found_in_a_folder_that_may_not_be_listed(
    tier: str, catalogue: Catalogue, make: Make, tmp_path: Path, wording: Wording
) -> None:
    (tmp_path / "helper.py").write_text("NAME = 'helper'")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts/__init__.py").touch()
    (tmp_path / "parts/one.py").write_text("NAME = ' and one'")
    readable = (str(tmp_path / "helper.py"), str(tmp_path / "parts"))
    forfeit = gallery.play(catalogue, make(IMPORTS, tier, readable=readable)).forfeit
    assert forfeit is not None
    wording(forfeit.message, "ValueError")
    with wording.raises(Withdrawn, match="'helper'"):
        gallery.play(catalogue, make(IMPORTS, tier))


def test_no_terminal_obeys_a_players_log(
    catalogue: Catalogue, make: Make, caplog: pytest.LogCaptureFixture
) -> None:
    player = make("def choose(p, rng):\n    print('\\x1b[2Jä\\tb\\x07\\x9b')\n    1 / 0\n")
    with caplog.at_level(logging.INFO):
        assert reason(gallery.play(catalogue, player)) == "exception"
    assert "\\x1b[2Jä\tb\\x07\\x9b\n" in caplog.text
    assert all(c.isprintable() or c in "\n\t" for c in caplog.text)


@pytest.mark.parametrize("name", ["cmd:./b\0t", "./\x1b[2J.py", "./\udcff.py", "cmd:./\u202ebot"])
def test_a_name_that_cannot_be_printed_is_none(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    if "\0" not in name:
        file = tmp_path / os.fsencode(name.removeprefix("cmd:")).decode(errors="surrogateescape")
        file.write_text("def choose(p, rng): return p.legal_moves()[0]")
        file.chmod(0o755)
    code, out, err = run("fight", name, "monkey", "-n", "1")
    assert (code, out) == (2, "")
    wording(err)
    assert err.strip().isprintable()


def test_a_program_does_not_see_the_users_environment(
    catalogue: Catalogue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET", "hunter2")
    bot = tmp_path / "bot"
    bot.write_text("#!/bin/sh\nread line\necho ${SECRET:-none} ${LD_PRELOAD:-none} $PATH >&2\n")
    bot.chmod(0o755)
    player = program_player(f"cmd:{bot}", PlayerLimits(), COMMAND)
    forfeit = gallery.play(catalogue, player).forfeit
    assert forfeit is not None
    assert forfeit.message.endswith("printed: none none /usr/local/bin:/usr/bin:/bin")
