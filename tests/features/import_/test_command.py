"""``arena import``, and ``arena export`` in the formats of single games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Run


def test_import_and_export_games(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_STORE", raising=False)
    game = '[White "Anna"]\n[Black "Bert"]\n1. e4 {hm} 1-0\n'
    Path("games.pgn").write_text(game + '[White "Anna"]\n1. e5 *\n')
    assert run("import", "games.pgn") == (
        2,
        "",
        "arena: no store is named: use --store STORE, or set ARENA_STORE\n",
    )
    ran = run("import", "games.pgn", "--store", "S")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.splitlines() == [
        "took 1 game of 2 players",
        "1 game left out",
        "line 4: its tags White and Black do not name its players",
    ]
    ran = run("import", "games.pgn", "--store", "S")
    assert (ran.code, ran.out) == (2, "")
    assert run("export", "S", "--format", "pgn").out.endswith("\n\n1. e4 {hm} 1-0\n\n")
    assert run("export", "S", "--output", "out.pgn").code == 0
    assert Path("out.pgn").read_text() == run("export", "S", "--format", "pgn").out
    assert "Anna,Bert,first,Anna,,,,1,e2e4" in run("export", "S", "--format", "csv").out
    assert "Anna against Bert  e2e4" in run("export", "S", "--format", "table").out
    assert "games.pgn" in run("runs", "S").out
    (found,) = json.loads(run("runs", "S", "--format", "json").out)["imports"]
    assert found["games"] == 1
    ran = run("fight", "monkey", "monkey", "-n", "1", "--format", "pgn")
    assert (ran.code, ran.out) == (2, "")
    assert "format pgn is for single games" in ran.err
