"""Sample games of two stateless players through NumPy tables: the engine ``table``.

The tree of the games that two players can play is compiled once. Its nodes are the points at which
a player's move is left to chance. Moves without a choice are made on the way from node to node.
Every node has slots of equal probability, each of which leads to another node or to a leaf, a
finished game. So a game is a sequence of drawn slots, and its leaf identifies the distinct game.

Two samplers use the tree. :func:`play_pairs` plays game by game, in lockstep. :func:`count_pairs`
splits the number of games at each node among its slots (a multinomial draw), so that its cost does
not grow with the number of games. Its results have the same distribution.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from hashlib import blake2b
from itertools import pairwise
from math import lcm
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from arena.errors import CannotEnumerate
from arena.game import POINTS, Outcome, Position
from arena.player import MoveChances, PlayerInfo
from arena.proof.policy import Policy
from arena.records.joint import Joint

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Largest number of nodes and leaves of a tree.
MAX_TREE_NODES = 500_000

#: Games that draw from one generator side by side; a power of two that fits the cache.
GAMES_AT_ONCE = 1 << 15

#: Largest number of slots of a node: the least common denominator of its probabilities.
MAX_SLOTS = 5040

#: Lines of a tree that are looked at before it is built.
PROBED_LINES = 16

#: Largest number of slots of all nodes of a tree together.
MAX_TREE_SLOTS = 4_000_000


class CompiledTree(NamedTuple):
    """The compiled games of a first and a second player. Nodes and leaves share one numbering.

    A leaf has one slot that leads to itself, so that a finished game stays where it is.
    """

    #: First slot of each node, and its number of slots: arrays of shape (nodes,).
    base: NDArray[np.int32]
    width: NDArray[np.uint32]
    #: The node that each slot leads to.
    slots: NDArray[np.int32]
    #: The first player's doubled points at leaves; -1 at the other nodes.
    points: NDArray[np.int8]
    #: Largest number of slots that a game draws.
    depth: int
    #: First node of every depth, and the number of nodes: nodes are in breadth-first order.
    levels: list[int]


def compile_tree(first: Policy, second: Policy, max_nodes: int = MAX_TREE_NODES) -> CompiledTree:
    """Compile the tree of all games of two players.

    Raises CannotEnumerate if a player's moves cannot be enumerated, or if there are more than
    ``max_nodes`` nodes.
    """
    import numpy as np

    _require_few_nodes(first, second, max_nodes)
    level = [_descend(first, second, first.game.start())]
    pending = len(level[0][1])
    base: list[int] = []
    width: list[int] = []
    slots: list[int] = []
    points: list[int] = []
    levels: list[int] = []
    nodes = 1
    while level:
        levels.append(len(base))
        deeper = []
        for position, moves in level:
            base.append(len(slots))
            outcome = position.outcome()
            if outcome is not None:
                width.append(1)
                slots.append(len(base) - 1)
                points.append(POINTS[outcome])
                continue
            mover = (second if position.to_move else first).player
            move_slots = _slots(mover, position, moves)
            pending -= len(moves)
            if nodes + len(moves) > max_nodes:
                raise _too_many(first, second, f"branch at more than {max_nodes} points")
            width.append(len(move_slots))
            points.append(-1)
            children: dict[int, int] = {}
            for move in move_slots:
                if move not in children:
                    children[move] = nodes
                    nodes += 1
                    deeper.append(_descend(first, second, position.play(move)))
                    pending += len(deeper[-1][1])
                slots.append(children[move])
                if len(slots) + pending > MAX_TREE_SLOTS:
                    raise _too_many(first, second, f"need more than {MAX_TREE_SLOTS} slots")
        level = deeper
    levels.append(len(base))
    return CompiledTree(
        base=np.array(base, np.int32),
        width=np.array(width, np.uint32),
        slots=np.array(slots, np.int32),
        points=np.array(points, np.int8),
        depth=len(levels) - 2,
        levels=levels,
    )


def _require_few_nodes(first: Policy, second: Policy, max_nodes: int) -> None:
    """Raise CannotEnumerate if a few lines of the tree already have too many nodes.

    The tree is built level by level, which may take minutes and gigabytes before a level is too
    large. All nodes off a line belong to the tree. So their number, over a few lines, is a bound
    that refuses no tree which could be compiled. It is the same for every run.
    """
    rng, seen, nodes = random.Random(1), set[tuple[int, ...]](), 1
    for _ in range(PROBED_LINES):
        line: tuple[int, ...] = ()
        position, moves = _descend(first, second, first.game.start())
        while moves:
            if line not in seen:
                seen.add(line)
                nodes += len(moves)
            if nodes > max_nodes:
                raise _too_many(first, second, f"branch at more than {max_nodes} points")
            move = rng.choice([*moves])
            line = (*line, move)
            position, moves = _descend(first, second, position.play(move))


def _too_many(first: Policy, second: Policy, problem: str) -> CannotEnumerate:
    """Return why the games of two players have no tree."""
    players = f"{first.player.name} against {second.player.name}"
    return CannotEnumerate(f"the games of {players} at {first.game.name} {problem}")


def _descend(first: Policy, second: Policy, position: Position) -> tuple[Position, MoveChances]:
    """Follow moves without a choice to the next position with one, or to the end of the game."""
    while position.outcome() is None:
        moves = (second if position.to_move else first)(position)
        if len(moves) > 1:
            return position, moves
        position = position.play(*moves)
    return position, {}


def _slots(player: PlayerInfo, position: Position, moves: MoveChances) -> list[int]:
    """Return the moves, ascending, repeated so that all entries are equally probable."""
    denominator = lcm(*(chance.denominator for chance in moves.values()))
    if denominator > MAX_SLOTS:
        raise CannotEnumerate(
            f"the moves of {player.name} at {position} have probabilities with the common"
            f" denominator {denominator} (at most {MAX_SLOTS})"
        )
    return [move for move, chance in moves.items() for _ in range(int(chance * denominator))]


#: The leaves at which the games of each half of some pairs ended: two arrays of shape (pairs,).
Leaves: TypeAlias = "tuple[NDArray[np.int32], NDArray[np.int32]]"


def leaf_of(tree: CompiledTree, first: Policy, second: Policy, moves: Sequence[int]) -> int:
    """Return the leaf of a game of two players whose moves are all in their tables."""
    position, node = first.game.start(), 0
    for move in moves:
        chances = (second if position.to_move else first)(position)
        if len(chances) > 1:  # a node's children have consecutive numbers, ascending by move
            node = int(tree.slots[tree.base[node]]) + list(chances).index(move)
        position = position.play(move)
    return node


class Sample(NamedTuple):
    """Results of some pairs of games. A moves first in the tree of half 0, B in that of half 1."""

    #: Pairs by A's results in the first and in the second game.
    joint: Joint
    #: The leaves that occurred in each half, as ints in which bit i stands for leaf i.
    leaves: tuple[int, int]


def play_pairs(
    trees: tuple[CompiledTree, CompiledTree], name: str, start: int, stop: int
) -> Sample:
    """Play the pairs ``start`` to ``stop`` - 1, counted from 1, of the fight of that name.

    The draws of a pair depend on the name and its number alone.
    """
    import numpy as np

    joint = np.zeros(9, np.int64)
    seen = [np.zeros(len(tree.base), bool) for tree in trees]
    done = start - 1
    while done < stop - 1:
        batch, begin = divmod(done, GAMES_AT_ONCE)
        end = min(GAMES_AT_ONCE, begin + stop - 1 - done)
        first, second = (
            _lockstep(tree, f"{name}/{batch}.{half}", begin, end)
            for half, tree in enumerate(trees, start=1)
        )
        joint += _note(trees, (first, second), seen)
        done += end - begin
    return Sample(Joint(*joint.tolist()), (_bits(seen[0]), _bits(seen[1])))


def sample_of(trees: tuple[CompiledTree, CompiledTree], leaves: Leaves) -> Sample:
    """Return the results of pairs whose games ended at these leaves."""
    import numpy as np

    seen = [np.zeros(len(tree.base), bool) for tree in trees]
    joint = _note(trees, leaves, seen)
    return Sample(Joint(*joint.tolist()), (_bits(seen[0]), _bits(seen[1])))


def _note(
    trees: tuple[CompiledTree, CompiledTree], leaves: Leaves, seen: Sequence[NDArray[np.bool_]]
) -> NDArray[np.int64]:
    """Note the leaves as seen. Return how many pairs have each joint result, of shape (9,)."""
    import numpy as np

    for side_seen, ended in zip(seen, leaves, strict=True):
        side_seen[ended] = True
    first, second = (tree.points[ended] for tree, ended in zip(trees, leaves, strict=True))
    return np.bincount(first * 3 + (2 - second), minlength=9)


def _lockstep(tree: CompiledTree, name: str, begin: int, end: int) -> NDArray[np.int32]:
    """Return the leaves of the games ``begin`` to ``end`` - 1 of a batch."""
    import numpy as np

    nodes = np.zeros(end - begin, np.int32)
    generator = _generator(name)
    for _ in range(tree.depth):
        # The high half of draw x slots: a slot of nearly 2**32 / slots equally likely draws.
        drawn = _draws(generator)[begin:end] * tree.width[nodes]
        nodes = tree.slots[tree.base[nodes] + (drawn >> np.uint64(32)).astype(np.int32)]
    return nodes


def play_one(
    first: Policy, second: Policy, name: str, pair: int, swapped: bool
) -> tuple[tuple[int, ...], Outcome]:
    """Return the moves and the outcome of one game that :func:`play_pairs` plays.

    ``first`` and ``second`` are the players of that game, in the order in which they move.
    """
    batch, number = divmod(pair - 1, GAMES_AT_ONCE)
    generator = _generator(f"{name}/{batch}.{swapped + 1}")
    position, played = first.game.start(), []
    while (outcome := position.outcome()) is None:
        policy = second if position.to_move else first
        moves = policy(position)
        move = next(iter(moves))
        if len(moves) > 1:
            slots = _slots(policy.player, position, moves)
            move = slots[int(_draws(generator)[number]) * len(slots) >> 32]
        position = position.play(move)
        played.append(move)
    return tuple(played), outcome


def count_pairs(trees: tuple[CompiledTree, CompiledTree], name: str, pairs: int) -> Sample:
    """Draw how often each result of a number of pairs occurs, without playing them one by one.

    The two games of a pair are independent. The leaves of the first tree share the pairs. Then the
    leaves of the second tree share those with a win, a draw and a loss each.
    """
    import numpy as np

    generator = np.random.Generator(_generator(f"{name}/counts"))
    first, second = trees
    leaves = _split(first, pairs, generator)
    joint: list[int] = []
    seen = np.zeros(len(second.base), bool)
    for points in (0, 1, 2):
        games = int(leaves[first.points == points].sum())
        opposite = _split(second, games, generator)
        joint += [int(opposite[second.points == 2 - p].sum()) for p in (0, 1, 2)]
        seen |= opposite > 0
    return Sample(Joint(*joint), (_bits(leaves > 0), _bits(seen)))


def _split(tree: CompiledTree, games: int, generator: np.random.Generator) -> NDArray[np.int64]:
    """Return how many of the games end at each leaf. Other nodes have 0."""
    import numpy as np

    counts = np.zeros(len(tree.base), np.int64)
    counts[0] = games
    for begin, end in pairwise(tree.levels):
        widths = np.where(counts[begin:end] > 0, tree.width[begin:end], 1)
        for width in np.unique(widths[widths > 1]):
            nodes = begin + np.flatnonzero(widths == width)
            drawn = generator.multinomial(counts[nodes], np.full(width, 1 / width))
            counts[nodes] = 0
            np.add.at(counts, tree.slots[tree.base[nodes][:, None] + np.arange(width)], drawn)
    return counts


def _generator(name: str) -> np.random.SFC64:
    import numpy as np

    return np.random.SFC64(
        int.from_bytes(blake2b(name.encode(), digest_size=32).digest(), "little")
    )


def _draws(generator: np.random.SFC64) -> NDArray[np.uint64]:
    """Return the next draw of every game of a batch: BATCH numbers below 2**32."""
    import numpy as np

    return generator.random_raw(GAMES_AT_ONCE // 2).view(np.uint32).astype(np.uint64)


def _bits(seen: NDArray[np.bool_]) -> int:
    import numpy as np

    return int.from_bytes(np.packbits(seen, bitorder="little").tobytes(), "little")
