"""Walk through the positions of a game for its check, each with the moves to it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from arena.dataclass import dataclass
from arena.errors import describe
from arena.game import MAX_MOVE, Game, Position
from arena.games.display import Line
from arena.proof import progress

#: A game of at most this many positions, finished ones among them, is walked wholly.
MAX_WALKED_POSITIONS = 10_000

#: Random games for the positions of a larger game: the fewest, and the most; they are enough with
#: this many legal moves.
MIN_GAMES, MAX_GAMES, MIN_MOVES = 2, 50, 20_000

#: Enough legal moves where a check tries every image or every wrong move.
THINNED = 2_000


class ContractBreach(Exception):
    """A breach of the contract of games, and the line to its position."""

    def __init__(self, message: str, line: Line = ()) -> None:
        super().__init__(message)
        self.message, self.line = message, line


class WalkPosition(NamedTuple):
    """A position, and the first line to it."""

    position: Position
    line: Line


@dataclass(frozen=True)
class PositionWalk:
    """Positions by ply, from the start on, each followed by the next of its line."""

    game: Game
    nodes: tuple[WalkPosition, ...]
    #: Whether these are all positions of the game.
    is_complete: bool
    seed: int

    @property
    def sample(self) -> tuple[WalkPosition, ...]:
        """All positions of a small game, or a sample over all plies of a larger one."""
        if self.is_complete:
            return self.nodes
        moves = sum(len(node.position.legal_moves()) for node in self.nodes)
        return self.nodes[:: -(-moves // THINNED)]

    @property
    def unfinished(self) -> Iterator[WalkPosition]:
        """The positions with a move."""
        return (node for node in self.nodes if node.position.legal_moves())

    @property
    def extent(self) -> str:
        """The walked positions, in words."""
        number = len(self.nodes)
        return f"all {number} positions" if self.is_complete else f"{number} positions of games"


def require(holds: bool, problem: str, node: WalkPosition | None = None) -> None:
    """Raise ContractBreach at a node unless a promise holds."""
    if not holds:
        line: Line = () if node is None else node.line
        raise ContractBreach(problem, line)


def walk(game: Game, seed: int) -> PositionWalk:
    """Walk every position of a small game, and the positions of random games of a larger one.

    Raises ContractBreach at once if the first position has moves beyond the largest one.
    """
    largest = max(_moves(game.start(), ()), default=0)
    require(largest <= MAX_MOVE, f"legal_moves() has {largest}: a move is at most {MAX_MOVE}")
    every = _every(game)
    nodes = _sample(game, seed) if every is None else every
    return PositionWalk(game, tuple(nodes), every is not None, seed)


def _every(game: Game) -> list[WalkPosition] | None:
    level = [WalkPosition(game.start(), ())]
    nodes = {level[0].position: level[0]}
    while level:
        deeper = []
        for position, line in level:
            progress.tell(len(nodes), MAX_WALKED_POSITIONS, "positions", "at most")
            for move in _moves(position, line):
                after = WalkPosition(_play(position, move, line), (*line, move))
                if _note(nodes, after):
                    deeper.append(after)
                    if len(nodes) > MAX_WALKED_POSITIONS:
                        return None
        level = deeper
        _require_end(game, level)
    return list(nodes.values())


def _sample(game: Game, seed: int) -> list[WalkPosition]:
    rng = random.Random(f"{seed}/{game.name}/walk")
    nodes: dict[Position, WalkPosition] = {}
    seen = 0
    for number in range(MAX_GAMES):
        if number >= MIN_GAMES and seen > MIN_MOVES:
            break
        node = WalkPosition(game.start(), ())
        nodes.setdefault(node.position, node)
        while moves := _moves(node.position, node.line):
            seen += len(moves)
            move = rng.choice(moves)
            node = WalkPosition(_play(node.position, move, node.line), (*node.line, move))
            _require_end(game, [node])
            _note(nodes, node)
    return sorted(nodes.values(), key=lambda node: len(node.line))


def _note(nodes: dict[Position, WalkPosition], node: WalkPosition) -> bool:
    """Note a node, and return whether its position is new.

    Raises ContractBreach if a line of another length leads to the position: what walks on could
    walk in a circle for ever.
    """
    first = nodes.setdefault(node.position, node)
    plies, others = len(node.line), len(first.line)
    circle = f"equal positions stand after {others} and after {plies} moves"
    require(plies == others, f"{circle}: count the moves in ply, and compare it in ==", node)
    return first is node


def _moves(position: Position, line: Line) -> tuple[int, ...]:
    """Return the legal moves. Raises ContractBreach if they are no tuple."""
    moves: object = position.legal_moves()
    if not isinstance(moves, tuple | list):
        raise ContractBreach(f"legal_moves() returns {moves!r}: return a tuple of ints", line)
    return tuple(moves)


def no_end(moves: tuple[int, ...], outcome: object, is_chance: bool = False) -> str:
    """Say that the moves and the outcome of a position do not agree."""
    if outcome is not None:
        return f"outcome() is {outcome}, but legal_moves() is {moves}: return () after the end"
    remedy = "end the game, let the side pass by a move, or let the other side move (to_move)"
    if is_chance:
        remedy = "where chance moves, return the moves of chance_moves()"
    return f"legal_moves() is (), but outcome() is None: {remedy}"


def _play(position: Position, move: int, line: Line) -> Position:
    try:
        after = position.play(move)
    except Exception as error:
        message = f"play({move}) raises {describe(error)}, but legal_moves() has {move}"
        raise ContractBreach(message, line) from error
    if after is position:
        message = f"play({move}) returns the position itself: return another one, after the move"
        raise ContractBreach(message, line)
    return after


def _require_end(game: Game, nodes: list[WalkPosition]) -> None:
    for _, line in nodes:
        if len(line) > game.max_plies:
            _require_none_after_the_end(game, line)
            problem = f"the game goes on after max_plies, {game.max_plies} moves: set max_plies to"
            raise ContractBreach(f"{problem} the longest game, passes too", line)


def _require_none_after_the_end(game: Game, line: Line) -> None:
    """Raise ContractBreach if the game was over before the last move of a line."""
    position = game.start()
    for number, move in enumerate(line):
        if (outcome := position.outcome()) is not None:
            raise ContractBreach(no_end(tuple(position.legal_moves()), outcome), line[:number])
        position = position.play(move)
