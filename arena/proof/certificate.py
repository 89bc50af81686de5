"""Whether a player ever loses: every line that can occur against any opponent, walked.

At the player's turns every move that it makes with positive probability is followed, at the
opponent's turns every legal move. What is found is a theorem about the player, and the moves it
made on the way are its certificate: :mod:`arena.proof.checker` verifies it by the rules alone.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from typing import NamedTuple

from arena.errors import CannotEnumerate, PlayerFault, describe, is_stop
from arena.game import WIN_FOR, Game, Position, Side
from arena.player import PlayerInfo
from arena.proof.distribution import NoRandom, check_legal
from arena.proof.outcome import MAX_POSITIONS
from arena.proof.policy import Policy
from arena.proof.values import given_away
from arena.proved import Certificate, LineStep, SideCertificate

#: The moves made so far.
Line = tuple[int, ...]

#: The probability of each of the player's moves after a line to a position.
Moves = Callable[[Position, Line], Mapping[int, Fraction]]


def certify(player: PlayerInfo, game: Game, max_positions: int = MAX_POSITIONS) -> Certificate:
    """Walk all lines of a player as the first and as the second side.

    A stateless player is certified by its moves in each position. A stateful player can be too if
    it draws nothing: by its moves after each line. CannotEnumerate if the player's moves cannot be
    enumerated or more than ``max_positions`` positions (lines, for a stateful player) occur.
    """
    player.require(game)
    if player.stateless:
        policy = Policy(player, game)
        walks = [
            _Walk(game, side, lambda position, _: policy(position), False, max_positions)
            for side in Side
        ]
    else:
        walks = [
            _Walk(game, side, _moves_by_line(player, game, side), True, max_positions)
            for side in Side
        ]
    return Certificate(
        game=game.name,
        game_version=game.version,
        player=player.name,
        keyed_by="position" if player.stateless else "line",
        first=walks[0].certificate(),
        second=walks[1].certificate(),
    )


class _Node(NamedTuple):
    """A position as it was first reached: by the least of the shortest lines."""

    position: Position
    #: The key of the node before, None at the start, and the move that led here from it.
    before: Hashable
    move: int


class _Walk:
    """All nodes that can occur with the player on one side, in breadth-first order.

    A node is keyed by its position, or by its line if the player remembers the line.
    """

    def __init__(
        self, game: Game, side: Side, moves: Moves, by_line: bool, max_positions: int
    ) -> None:
        self.game, self.side, self.by_line = game, side, by_line
        self.nodes: dict[Hashable, _Node] = {}
        self.moves: dict[Hashable, Mapping[int, Fraction]] = {}
        start = game.start()
        self.nodes[() if by_line else start] = _Node(start, None, -1)
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
                        self.nodes[child] = _Node(after, key, move)
                        deeper.append(child)
                if len(self.nodes) > max_positions:
                    raise CannotEnumerate(
                        f"more than {max_positions} positions of {game.name} can occur"
                    )
            level = deeper

    def certificate(self) -> SideCertificate:
        """What the walk found."""
        lost = WIN_FOR[self.side.other]
        losing = next(
            (key for key, node in self.nodes.items() if node.position.outcome() == lost), None
        )
        return SideCertificate(
            never_loses=losing is None,
            positions=len({node.position for node in self.nodes.values()}),
            losing_line=None if losing is None else self._steps(self._line_to(losing)),
            best_reply=self._best_reply(),
            moves={
                self._name(key): {self.game.format_move(m): p for m, p in moves.items()}
                for key, moves in self.moves.items()
            },
        )

    def _best_reply(self) -> Fraction:
        """The score that the best opponent can expect, from 0 to 1."""
        scores: dict[Hashable, Fraction] = {}
        for key in reversed(self.nodes):  # successors come later in breadth-first order
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
        return scores[next(iter(self.nodes))]

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

    def _steps(self, line: Line) -> tuple[LineStep, ...]:
        steps = []
        position = self.game.start()
        for move in line:
            after = position.play(move)
            steps.append(
                LineStep(
                    move=self.game.format_move(move),
                    by_player=position.to_move == self.side,
                    picture=after.picture(),
                    gave_away=given_away(position, move),
                )
            )
            position = after
        return tuple(steps)

    def _name(self, key: Hashable) -> str:
        if self.by_line:
            assert isinstance(key, tuple)
            return " ".join(map(self.game.format_move, key))
        return str(self.nodes[key].position)


def _moves_by_line(player: PlayerInfo, game: Game, side: Side) -> Moves:
    """The moves of a stateful player, which plays every line from its start."""

    def moves(position: Position, line: Line) -> Mapping[int, Fraction]:
        rng = NoRandom()
        try:
            move = _follow(player, game, side, line, rng)
        except PlayerFault:
            raise
        except CannotEnumerate as error:
            raise CannotEnumerate(
                f"{player.name} keeps state and {error}, so it cannot be certified"
            ) from error
        except BaseException as error:
            if is_stop(error):
                raise
            raise PlayerFault(f"{player.name} at {position}: {describe(error)}") from error
        return {move: Fraction(1)}

    return moves


def _follow(player: PlayerInfo, game: Game, side: Side, line: Line, rng: NoRandom) -> int:
    """The move of a new instance that is led along the line."""
    instance = player.player()
    instance.start(game, side, rng)
    position = game.start()
    for move in line:
        if position.to_move != side:
            instance.observe(move)
        elif check_legal(position, instance.choose(position)) != move:
            raise CannotEnumerate("plays differently when it is run again on the same line")
        position = position.play(move)
    answer = check_legal(position, instance.choose(position))
    if rng.refusal is not None:
        raise rng.refusal  # the player caught it, but what it did then is not what it does
    return answer
