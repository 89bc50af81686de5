"""The tables of docs: what works at which kind of game, every cell of them."""

from __future__ import annotations

import re
import shlex
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run

SEED = ("--seed", "1")
PAGES = [Path(__file__).parents[2] / "docs" / f"{name}.md" for name in ("games", "tables")]


#: Games whose cells are tried in the slow tests alone.
SLOW = ("phantom-mnk-2-2-2", "rock-paper-scissors-3", "prisoners-dilemma-5")


def cells(page: Path) -> list[Any]:
    """Return the command of each row, the game of each column, and what the cell says."""
    lines = page.read_text(encoding="utf-8").splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("| with `--game`"))
    games = re.findall("`([^`]+)`", lines[start])[1:]
    results: list[Any] = []
    for line in lines[start + 2 :]:
        if not line.startswith("| `arena "):
            return results
        command, *words = [cell.strip() for cell in line.strip("|").split("|")]
        assert len(words) == len(games)
        for game, word in zip(games, words, strict=True):
            # What plays takes a while: some kinds of games do for the quick suite.
            marks = [pytest.mark.slow] if word == "yes" and game in SLOW else []
            results.append(pytest.param(command.strip("`"), game, word, marks=marks))
    raise AssertionError("the table does not end")


@pytest.mark.slow
@pytest.mark.parametrize(("command", "game", "word"), [*chain.from_iterable(map(cells, PAGES))])
def test_a_cell_says_what_the_command_does(
    command: str, game: str, word: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text("def choose(view, rng):\n    return view.legal_moves()[0]\n")
    words = shlex.split(command)[1:]
    ran = run(*words, "--game", game, *([] if words[0] in ("exact", "certify") else SEED))
    if word == "no":
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1), ran.err
    elif word == "too large":
        assert (ran.code, ran.out, ran.err.count("\n")) == (3, "", 1), ran.err
    else:
        assert word == "yes"
        assert ran.code in (0, 1, 3), ran.err
        assert ran.out
