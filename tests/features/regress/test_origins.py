"""The code of a player is found in whatever way the player came in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import arena
from arena.features.regress.origins import origin_of
from arena.features.regress.record import Origin
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue

ROOT = Path(__file__).parents[3]


def test_an_installed_player_is_in_the_file_of_its_function(catalogue: Catalogue) -> None:
    player = catalogue.player("triples")
    file = ROOT / "players" / "triples.py"
    lines = file.read_text().splitlines()
    origin = origin_of(player)
    assert Path(origin.file).resolve() == file
    assert lines[origin.line - 1].startswith("def choose(")
    assert origin.version == player.version != ""
    lines_of = origin_of(catalogue.player("minimax:depth=3"))
    assert Path(lines_of.file).name == "minimax.py"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "line"), [("./bot.py", 4), ("./bot.py:choose", 4), ("./bot.py:other", 8)]
)
@pytest.mark.parametrize("isolation", ["none", "process"])
def test_a_player_in_a_file_is_at_its_function(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, line: int, isolation: str
) -> None:
    monkeypatch.chdir(tmp_path)
    body = "(position, rng):\n    return 0\n\n\n"
    (tmp_path / "bot.py").write_text(f"import os\n\n\ndef choose{body}def other{body}")
    player = arena.get_player(name, isolation=isolation)
    assert origin_of(player) == Origin("", str(tmp_path / "bot.py"), line)


class Remote:
    """A factory of proxies that makes none."""

    remembers, shares_core = "", False

    def __call__(self, *how: bool, **named: bool) -> Any:
        raise NotImplementedError

    def close(self) -> None:
        pass


@pytest.mark.parametrize(
    ("code", "file", "line"),
    [(("/a/data.txt", "/a/bot.py", "/a/b.py"), "/a/bot.py", 1), (("/a/data.txt",), "", 0)],
)
def test_a_program_in_python_is_at_the_first_line_of_its_file(
    code: tuple[str, ...], file: str, line: int
) -> None:
    player = PlayerInfo("p", len, version="3", remote=Remote(), code=code)
    assert origin_of(player) == Origin("3", file, line)


def test_code_that_is_nowhere_has_no_place() -> None:
    assert origin_of(PlayerInfo("len", len)) == Origin("", "", 0)
    assert origin_of(PlayerInfo("gone", len, file="/nowhere/bot.py:choose")).line == 1
