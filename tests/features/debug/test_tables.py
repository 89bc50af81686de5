"""``arena debug`` of a player at a table, in any of its seats."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Run

BOT = "def choose(position, rng):\n    raise ValueError('no idea')\n"


@pytest.mark.parametrize("seat", range(3))
def test_the_player_is_watched_wherever_it_sits(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seat: int
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text(BOT)
    monkeypatch.setattr("sys.stdin", io.StringIO("p ('ply', position.ply)\nq\n"))
    names = ["monkey", "monkey2"]
    names.insert(seat, ".%2Fbot.py")
    game = f"mnk-3-3-3-x3/{'/'.join(names)}/1/1.1"
    ran = run("debug", "./bot.py", game, "--player", "monkey2=monkey")
    assert ran.code == 0
    assert "ValueError: no idea" in ran.err
    assert f"('ply', {seat})" in ran.out


def test_the_game_is_written_in_any_format(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text("def choose(position, rng):\n    return position.legal_moves()[0]\n")
    for style, start in {"pgn": "[Event", "sgf": "(;", "svg": "<svg"}.items():
        monkeypatch.setattr("sys.stdin", io.StringIO(""))
        ran = run("debug", "./bot.py", "tictactoe/.%2Fbot.py/monkey/1/1.1", "--format", style)
        assert ran.code == 0
        assert ran.out.startswith(start)
