"""UCT: a tree search that values positions by random games, for any game.

A simulation goes down the tree, adds one position, plays it to the end at random and counts the
result at every position on the way. On the way down it takes the move of the highest upper bound,
UCB1 (Auer, Cesa-Bianchi and Fischer, "Finite-time analysis of the multiarmed bandit problem",
2002): ``mean + exploration * sqrt(log(N) / n)``, where ``mean`` is the move's mean result (win 1,
draw 1/2, loss 0), n the simulations of the move and N those of the position. UCB1 in a tree is UCT
(Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", 2006).

Where the tree reaches the end of the game, the result is certain. So it is for a position with a
move that certainly wins, and for one whose moves are all certain (Winands, Björnsson and Saito,
"Monte-Carlo tree search solver", 2008). The player takes a certain win, else the move with the most
simulations among those that do not certainly lose.
"""

from __future__ import annotations

import random
from math import log, sqrt

from arena.core import twin
from arena.game import Outcome, Position

#: Default number of simulations for a move.
DEFAULT_SIMULATIONS = 500

#: Default factor of the width of the bounds, in results.
DEFAULT_EXPLORATION = 1.0

#: Results of the first and of the second side.
SidePoints = tuple[float, float]

RESULT_POINTS: dict[Outcome, SidePoints] = {
    Outcome.FIRST_WINS: (1.0, 0.0),
    Outcome.SECOND_WINS: (0.0, 1.0),
    Outcome.DRAW: (0.5, 0.5),
}


class UctNode:
    """A position in the tree, and what the simulations through it found."""

    __slots__ = ("certain", "children", "move", "mover", "position", "total", "untried", "visits")

    def __init__(self, position: Position, move: int, mover: int) -> None:
        outcome = position.outcome()
        self.position = position
        #: The move that led here, and the side that made it.
        self.move, self.mover = move, mover
        #: The results if they are certain.
        self.certain = None if outcome is None else RESULT_POINTS[outcome]
        #: Moves without a child, in random order; None before the first look.
        self.untried: list[int] | None = None
        self.children: list[UctNode] = []
        self.visits = 0
        #: Sum of the mover's results.
        self.total = 0.0

    def next(self, exploration: float, rng: random.Random) -> UctNode:
        """Return the child to simulate: a new one as long as a move is left."""
        if self.untried is None:
            self.untried = list(self.position.search_moves())
            rng.shuffle(self.untried)
        if self.untried:
            move = self.untried.pop()
            child = UctNode(self.position.play(move), move, self.position.to_move)
            self.children.append(child)
            return child
        width = exploration * sqrt(log(self.visits))
        best, highest = self, -1.0
        for child in self.children:
            if child.certain is None:
                bound = child.total / child.visits + width / sqrt(child.visits)
            else:
                bound = child.certain[child.mover]
            if bound > highest:
                best, highest = child, bound
        return best

    def take_best(self) -> None:
        """Take the results of the best child if that is certainly the best."""
        side = self.children[0].mover
        certain = [child.certain for child in self.children if child.certain is not None]
        best = max(certain, key=lambda results: results[side], default=None)
        is_complete = not self.untried and len(certain) == len(self.children)
        if best is not None and (is_complete or best[side] == 1):
            self.certain = best


@twin("tree.choose")
def choose(
    position: Position,
    rng: random.Random,
    simulations: int = DEFAULT_SIMULATIONS,
    exploration: float = DEFAULT_EXPLORATION,
) -> int:
    """Value positions by random games: UCT."""
    fast_rng = random.Random(rng.getrandbits(64))  # quicker than a stream, for many draws
    root = UctNode(position, -1, position.to_move)
    for _ in range(simulations):
        if root.certain is not None:
            break
        simulate(root, exploration, fast_rng)
    return max(root.children, key=_rank).move


def simulate(root: UctNode, exploration: float, rng: random.Random) -> None:
    """Go down the tree, add a position, play it to the end, and count the result on the way."""
    node, path = root, [root]
    while node.certain is None and (node.visits or node is root):
        node = node.next(exploration, rng)
        path.append(node)
    results = node.certain or RESULT_POINTS[node.position.play_out(rng)]
    for on_path in path:
        on_path.visits += 1
        on_path.total += results[on_path.mover]
    if node.certain is not None:
        for parent in reversed(path[:-1]):
            parent.take_best()
            if parent.certain is None:
                break


def _rank(child: UctNode) -> tuple[float, int, float]:
    sure = 0.5 if child.certain is None else child.certain[child.mover]
    return sure, child.visits, child.total
