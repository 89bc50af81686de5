"""The JSON lines of games without a language model: there are none."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import arena

if TYPE_CHECKING:
    from tests.conftest import Run


def test_where_no_model_was_asked_nothing_is_written(run: Run, tmp_path: Path) -> None:
    store, file = str(tmp_path / "s.db"), tmp_path / "x.jsonl"
    arena.fight("monkey", "triples", 2, seed=1, store=store)
    ran = run("export", store, "--format", "jsonl")
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert run("export", store, "--output", str(file)).code == 0
    assert file.read_bytes() == b""
