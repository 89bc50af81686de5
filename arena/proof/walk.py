"""Walk all positions, or lines, that can occur with a player on one side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from typing import NamedTuple

from arena.game import WIN_FOR, Game, Position, Side
from arena.games.display import Line, written_line
from arena.proof import progress
from arena.proof.limit import Limit
from arena.proof.lines import line_steps
from arena.proof.values import given_away
from arena.records.proofs import LineStep, SideCertificate

#: The probability of each of the player's moves after a line to a position.
ChancesAfter = Callable[[Position, Line], Mapping[int, Fraction]]


class _WalkNode(NamedTuple):
    """A position, reached by the least of the shortest lines."""

    position: Position
    #: The key of the node before, None at the start, and the move that led here.
    before: Hashable
    move: int


class ProofWalk:
    """All nodes that can occur with the player on one side, in breadth-first order.

    The key of a node is its position, or its line if the player remembers the line.
    """

    def __init__(
        self, game: Game, side: Side, moves: ChancesAfter, by_line: bool, limit: Limit
    ) -> None:
        self.game, self.side, self.by_line = game, side, by_line
        self.nodes: dict[Hashable, _WalkNode] = {}
        self.moves: dict[Hashable, Mapping[int, Fraction]] = {}
        self._scores: dict[Hashable, Fraction] = {}
        start = game.start()
        self.nodes[() if by_line else start] = _WalkNode(start, None, -1)
        level = list(self.nodes)
        while level:
            deeper: list[Hashable] = []
            for key in level:
                position = self.nodes[key].position
                if position.outcome() is not None:
                    continue
                line = key if by_line else ()
                assert isinstance(line, tuple)
                if position.to_move == side:
                    self.moves[key] = moves(position, line)
                for move in self.moves.get(key, position.legal_moves()):
                    after = position.play(move)
                    child: Hashable = (*line, move) if by_line else after
                    if child not in self.nodes:
                        self.nodes[child] = _WalkNode(after, key, move)
                        deeper.append(child)
                progress.tell(len(self.nodes), limit.positions, "positions", "at most")
                limit.require(len(self.nodes), f"the walk at {game.name}", self._progress)
            level = deeper

    def certificate(self) -> SideCertificate:
        """Return the certificate of this side."""
        losing = self._losing()
        by_ply = Counter(position.ply for position in {n.position for n in self.nodes.values()})
        return SideCertificate(
            never_loses=losing is None,
            positions=by_ply.total(),
            losing_line=None if losing is None else self._steps(losing),
            best_reply=self._best_reply(),
            moves={
                self._name(key): {self.game.format_move(m): p for m, p in moves.items()}
                for key, moves in self.moves.items()
            },
            by_ply=tuple(by_ply[ply] for ply in sorted(by_ply)),
        )

    def moves_at(self, position: Position, line: Line) -> Mapping[int, Fraction] | None:
        """Return the player's moves after a line to a position, or None if it does not get
        there.
        """
        return self.moves.get(line if self.by_line else position)

    def best_responses(self, position: Position, line: Line) -> list[int]:
        """Return the opponent's moves with the best expected score, or none outside the walk."""
        key: Hashable = line if self.by_line else position
        if key not in self.nodes:
            return []
        scores = self._expected()
        values = {move: scores[self._child(key, move)] for move in position.legal_moves()}
        return [move for move, score in values.items() if score == max(values.values())]

    def _losing(self) -> Hashable | None:
        """Return the first node at which the player has lost, if there is one."""
        lost = WIN_FOR[self.side.other]
        return next(
            (key for key, node in self.nodes.items() if node.position.outcome() == lost), None
        )

    def _progress(self) -> str:
        """Say what the nodes show so far."""
        losing = self._losing()
        if losing is None:
            return "the player has not lost at any of them"
        line = " ".join(written_line(self.game.start(), self._line_to(losing)))
        return f"the player can lose: {line}"

    def _best_reply(self) -> Fraction:
        """Return the score that the best opponent can expect, from 0 to 1."""
        return self._expected()[next(iter(self.nodes))]

    def _expected(self) -> Mapping[Hashable, Fraction]:
        """Return the score that the best opponent can expect from each node on."""
        scores = self._scores
        for key in () if scores else reversed(self.nodes):  # successors come later
            position = self.nodes[key].position
            outcome = position.outcome()
            if outcome is not None:
                winner = outcome.winner
                scores[key] = (
                    Fraction(1, 2) if winner is None else Fraction(int(winner != self.side))
                )
                continue
            moves = self.moves.get(key)
            if moves is None:
                scores[key] = max(scores[self._child(key, move)] for move in position.legal_moves())
            else:
                scores[key] = sum(
                    (chance * scores[self._child(key, move)] for move, chance in moves.items()),
                    Fraction(0),
                )
        return scores

    def _child(self, key: Hashable, move: int) -> Hashable:
        return (
            (*key, move)
            if isinstance(key, tuple) and self.by_line
            else (self.nodes[key].position.play(move))
        )

    def _line_to(self, key: Hashable) -> Line:
        line: list[int] = []
        while (node := self.nodes[key]).before is not None:
            line.append(node.move)
            key = node.before
        return tuple(reversed(line))

    def _steps(self, losing: Hashable) -> tuple[LineStep, ...]:
        return line_steps(self.game.start(), self._line_to(losing), self.side, given_away)

    def _name(self, key: Hashable) -> str:
        if self.by_line:
            assert isinstance(key, tuple)
            return " ".join(map(self.game.format_move, key))
        return str(self.nodes[key].position)
