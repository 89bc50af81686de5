"""Train the network by games against itself, and evaluate its checkpoints as they come."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from net import HIDDEN, SQUARES, Net, draw

import arena

GAME, GAMES, ROUNDS, EVERY, RATE = arena.plugin.mnk_game(3, 3, 3), 256, 400, 100, 0.5


def callback(step: int, net: Net, folder: Path) -> None:
    """Keep a checkpoint, and play against two players of arena."""
    np.savez(folder / f"step-{step}.npz", **net.weights)
    result = arena.evaluate(
        *(net, ["monkey", "tictactoe1"], 200),
        name=f"step-{step}",
        store=folder / "runs.db",
        engine="calls",
        seed=1,
    )
    for fight in result.fights:
        low, high = fight.interval.low, fight.interval.high
        print(f"{step:4} {fight.b.name:10} {fight.score:6.1%}, {low:.1%} to {high:.1%}")


def train_round(net: Net, rng: Any) -> None:
    """Play many games at once, and make the moves of the winners more likely."""
    boards, games, points = arena.plugin.Boards.start(GAME, GAMES), np.arange(GAMES), np.ones(GAMES)
    steps = []
    while len(boards):
        seen, hidden, chances = net.chances(boards.mine, boards.theirs, boards.legal)
        moves = draw(chances, rng.random(len(boards)))
        steps.append((games, boards.to_move, seen, hidden, np.eye(SQUARES)[moves] - chances))
        boards = boards.play(moves)
        points[games] = boards.points
        boards, games = boards.take(np.flatnonzero(~boards.is_over)), games[~boards.is_over]
    for games, side, seen, hidden, slope in steps:
        slope = slope * ((points[games] - 1) * (1 - 2 * side))[:, None] * RATE / GAMES
        into = seen.T @ ((slope @ net.weights["out"].T) * (hidden > 0))
        net.weights["out"] += hidden.T @ slope
        net.weights["into"] += into


def main() -> None:
    """Train, with checkpoints in the folder that the command names."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "runs")
    folder.mkdir(exist_ok=True)
    rng = np.random.default_rng(1)
    shapes = {"into": (2 * SQUARES, HIDDEN), "out": (HIDDEN, SQUARES)}
    net = Net({name: rng.standard_normal(shape) / 4 for name, shape in shapes.items()})
    for step in range(ROUNDS + 1):
        if step % EVERY == 0:
            callback(step, net, folder)
        train_round(net, rng)


if __name__ == "__main__":
    main()
