"""Stores of games whose results a test chooses."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import arena
from arena.player import PlayerInfo

#: A win of the side that begins, a draw and a loss, at tic-tac-toe.
_GAMES = ("1. 1 4 2. 2 5 3. 3 1-0", "1. 1 5 2. 9 3 3. 7 4 4. 6 8 5. 2 1/2-1/2",
          "1. 1 4 2. 2 5 3. 9 6 0-1")  # fmt: skip

#: Each beats the next one, and the last the first.
THREE = ("paper", "rock", "scissors")


def play(store: str, *names: str | PlayerInfo, seed: int = 1, n: int = 10, **options: Any) -> Any:
    return arena.tournament(names, n, seed=seed, store=store, executor="serial", **options)


def record(
    store: str, results: Mapping[tuple[str, str], tuple[int, int, int]], game: str = "tictactoe"
) -> None:
    """Import games with these results: wins, draws and losses of the first, which begins."""
    games = [
        f'[White "{a}"]\n[Black "{b}"]\n[Round "{number}"]\n[Variant "{game}"]\n\n{moves}\n'
        for (a, b), counts in results.items()
        for moves, count in zip(_GAMES, counts, strict=True)
        for number in range(count)
    ]
    Path("games.pgn").write_text("\n".join(games))
    report = arena.import_games("games.pgn", store)
    assert report.games == len(games), report


def circle(wins: int = 80, losses: int = 20) -> dict[tuple[str, str], tuple[int, int, int]]:
    """Return the results of three players of which each beats the next one."""
    steps = zip(THREE, THREE[1:] + THREE[:1], strict=True)
    return dict.fromkeys(steps, (wins, 0, losses))
