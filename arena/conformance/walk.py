"""The positions of a game that its check looks at, each with the moves that lead to it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from arena.game import Game, Position

#: Games of no more positions than this are walked through, finished games among them.
EVERY = 10_000

#: Random games that stand for the positions of a larger game: at least, and at most; they are
#: enough when they have so many legal moves.
FEWEST, MOST, MOVES = 2, 50, 20_000

#: Where every image or every wrong move is tried, so many legal moves of them are enough.
THINNED = 2_000

Line = tuple[int, ...]


class Problem(Exception):
    """Something that the contract of games does not allow, and the line to where it is."""

    def __init__(self, message: str, line: Line = ()) -> None:
        super().__init__(message)
        self.message, self.line = message, line


class Node(NamedTuple):
    """A position, and the first line to it that was found."""

    position: Position
    line: Line


@dataclass(frozen=True)
class Walk:
    """Positions by ply, from the start on; after each but the last of a line the next one."""

    game: Game
    nodes: tuple[Node, ...]
    #: Whether these are all positions of the game.
    is_complete: bool

    @property
    def some(self) -> tuple[Node, ...]:
        """All positions of a small game; of a larger one enough, and evenly from all plies."""
        if self.is_complete:
            return self.nodes
        moves = sum(len(node.position.legal_moves()) for node in self.nodes)
        return self.nodes[:: -(-moves // THINNED)]

    @property
    def unfinished(self) -> Iterator[Node]:
        """The positions at which there is a move."""
        return (node for node in self.nodes if node.position.legal_moves())

    @property
    def extent(self) -> str:
        """What is looked at, in words."""
        number = len(self.nodes)
        return f"all {number} positions" if self.is_complete else f"{number} positions of games"


def walk(game: Game, seed: int) -> Walk:
    """Every position of a small game, the positions of random games of a larger one."""
    every = _every(game)
    nodes = _sample(game, seed) if every is None else every
    return Walk(game, tuple(nodes), every is not None)


def _every(game: Game) -> list[Node] | None:
    level = [Node(game.start(), ())]
    found = {level[0].position: level[0]}
    while level:
        deeper = []
        for position, line in level:
            for move in position.legal_moves():
                after = Node(_play(position, move, line), (*line, move))
                if after.position not in found:
                    found[after.position] = after
                    deeper.append(after)
                    if len(found) > EVERY:
                        return None
        level = deeper
        _require_end(game, level)
    return list(found.values())


def _sample(game: Game, seed: int) -> list[Node]:
    rng = random.Random(f"{seed}/{game.name}/walk")
    found: dict[Position, Node] = {}
    seen = 0
    for number in range(MOST):
        if number >= FEWEST and seen > MOVES:
            break
        node = Node(game.start(), ())
        found.setdefault(node.position, node)
        while moves := node.position.legal_moves():
            seen += len(moves)
            move = rng.choice(moves)
            node = Node(_play(node.position, move, node.line), (*node.line, move))
            _require_end(game, [node])
            found.setdefault(node.position, node)
    return sorted(found.values(), key=lambda node: len(node.line))


def _play(position: Position, move: int, line: Line) -> Position:
    try:
        return position.play(move)
    except Exception as error:
        message = f"play({move}), which is legal, raises {type(error).__name__}: {error}"
        raise Problem(message, line) from error


def _require_end(game: Game, nodes: list[Node]) -> None:
    for _, line in nodes:
        if len(line) > game.max_plies:
            raise Problem(f"the game goes on after max_plies, {game.max_plies} moves", line)
