"""``arena import``, and ``arena export`` in the formats of single games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.golden import Wording

if TYPE_CHECKING:
    from tests.conftest import Run


def test_import_and_export_games(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_STORE", raising=False)
    game = '[White "Anna"]\n[Black "Bert"]\n1. e4 {hm} 1-0\n'
    Path("games.pgn").write_text(game + '[White "Anna"]\n1. e5 *\n')
    ran = run("import", "games.pgn")
    assert (ran.code, ran.out) == (2, "")
    wording(ran.err, "--store STORE", "ARENA_STORE")
    ran = run("import", "games.pgn", "--store", "S")
    assert (ran.code, ran.err) == (1, "")
    wording(ran.out, "line 4")
    ran = run("import", "games.pgn", "--store", "S")
    assert (ran.code, ran.out) == (2, "")
    assert run("export", "S", "--format", "pgn").out.endswith("\n\n1. e4 {hm} 1-0\n\n")
    assert run("export", "S", "--output", "out.pgn").code == 0
    assert Path("out.pgn").read_text() == run("export", "S", "--format", "pgn").out
    assert "Anna,Bert,first,Anna,,,,1,e2e4" in run("export", "S", "--format", "csv").out
    assert "Anna against Bert  e2e4" in run("export", "S", "--format", "table").out
    assert "games.pgn" in run("runs", "S").out
    (record,) = json.loads(run("runs", "S", "--format", "json").out)["imports"]
    assert record["games"] == 1
    ran = run("fight", "monkey", "monkey", "-n", "1", "--format", "pgn")
    assert (ran.code, ran.out) == (2, "")
    wording(ran.err)
