"""Walk every line that can occur against any opponent, to prove that a player never loses.

The walk follows every move of positive probability at the player's turns, and every legal move at
the opponent's. The result is a theorem about the player, and its moves on the way are the
certificate: :mod:`arena.proof.checker` verifies it by the rules alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from arena.errors import CannotEnumerate, PlayerFault
from arena.game import WIN_FOR, Game, Position, Side
from arena.games.shown import written_line
from arena.match import Seat, sit
from arena.player import PlayerInfo
from arena.proof import progress
from arena.proof.branches import stream_number
from arena.proof.distribution import ask_seat, fault_of
from arena.proof.limit import MAX_POSITIONS, Limit
from arena.proof.lines import line_steps
from arena.proof.policy import Policy
from arena.proof.responses import RANDOM, best_response
from arena.proof.values import given_away
from arena.proof.witness import Elsewhere, Line, watch_games
from arena.records.proofs import Agreement, Certificate, LineStep, SideCertificate
from arena.rng import Stream

#: Default number of real games that a player must play as its table says. If it left the table in
#: more than a share 3 / DEFAULT_GAMES of its games, 95 of 100 trials would show that.
DEFAULT_GAMES = 400

#: The probability of each of the player's moves after a line to a position.
Moves = Callable[[Position, Line], Mapping[int, Fraction]]


class Trial(NamedTuple):
    """Real games that a certified player must play as its table says."""

    #: Seed of the games, and their number; a fourth of it is pairs against each opponent.
    seed: int
    games: int = DEFAULT_GAMES
    #: The player of the games, if not the certified one: the table may be kept elsewhere.
    player: PlayerInfo | None = None
    #: Plays the games against an opponent where the player cannot see their purpose.
    elsewhere: Elsewhere | None = None


def certify(
    player: PlayerInfo,
    game: Game,
    limit: Limit | None = None,
    trial: Trial | None = None,
) -> Certificate:
    """Walk all lines of a player as the first and as the second side.

    A stateless player is certified by its moves in each position. A stateful player that draws
    nothing is certified by its moves after each line. With a trial the player then plays real
    games, against a random opponent and the best one. Raises CannotEnumerate if the player's moves
    cannot be enumerated, and Undecided if more positions (lines, for a stateful player) occur than
    the limit allows, by default MAX_POSITIONS.
    """
    player.require(game)
    walks, policy = _walks(player, game, limit or Limit(MAX_POSITIONS))
    agreement = None if trial is None or not trial.games else _tried(player, game, walks, trial)
    if policy is not None and (agreement is None or agreement.holds):
        policy.confirm()
    return Certificate(
        game=game.name,
        game_version=game.version,
        player=player.name,
        keyed_by="position" if player.stateless else "line",
        first=walks[0].certificate(),
        second=walks[1].certificate(),
        is_declared=player.distribution is not None,
        agreement=agreement,
    )


def _walks(player: PlayerInfo, game: Game, limit: Limit) -> tuple[list[Walk], Policy | None]:
    """Return the walks by the player's side, and the policy of a player without state."""
    if player.stateless:
        policy = Policy(player, game)
        return [Walk(game, side, lambda p, _: policy(p), False, limit) for side in Side], policy
    return [
        Walk(game, side, _moves_by_line(player, game, side), True, limit) for side in Side
    ], None


def _tried(player: PlayerInfo, game: Game, walks: Sequence[Walk], trial: Trial) -> Agreement:
    """Play the games of a trial; their ids name the opponent."""
    first, second = walks

    def table(position: Position, line: Line) -> Mapping[int, Fraction] | None:
        return (second if position.to_move else first).moves_at(position, line)

    return watch_games(
        trial.player or player,
        game,
        table,
        (RANDOM, best_response(walks)),
        max(1, trial.games // 4),
        trial.seed,
        trial.elsewhere,
    )


class _Node(NamedTuple):
    """A position, reached by the least of the shortest lines."""

    position: Position
    #: The key of the node before, None at the start, and the move that led here.
    before: Hashable
    move: int


class Walk:
    """All nodes that can occur with the player on one side, in breadth-first order.

    The key of a node is its position, or its line if the player remembers the line.
    """

    def __init__(self, game: Game, side: Side, moves: Moves, by_line: bool, limit: Limit) -> None:
        self.game, self.side, self.by_line = game, side, by_line
        self.nodes: dict[Hashable, _Node] = {}
        self.moves: dict[Hashable, Mapping[int, Fraction]] = {}
        self._scores: dict[Hashable, Fraction] = {}
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
                progress.tell(len(self.nodes), limit.positions, "positions", "at most")
                limit.require(len(self.nodes), f"the walk at {game.name}", self._known)
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
        """Return the player's moves after a line to a position; None if it does not get there."""
        return self.moves.get(line if self.by_line else position)

    def best_responses(self, position: Position, line: Line) -> list[int]:
        """Return the opponent's moves with the best expected score; none outside the walk."""
        key: Hashable = line if self.by_line else position
        if key not in self.nodes:
            return []
        scores = self._expected()
        found = {move: scores[self._child(key, move)] for move in position.legal_moves()}
        return [move for move, score in found.items() if score == max(found.values())]

    def _losing(self) -> Hashable | None:
        """Return the first node at which the player has lost, if there is one."""
        lost = WIN_FOR[self.side.other]
        return next(
            (key for key, node in self.nodes.items() if node.position.outcome() == lost), None
        )

    def _known(self) -> str:
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


def _moves_by_line(player: PlayerInfo, game: Game, side: Side) -> Moves:
    """Return the moves of a stateful player, which plays every line from its start."""

    def moves(position: Position, line: Line) -> Mapping[int, Fraction]:
        try:
            return {_follow(player, game, side, line): Fraction(1)}
        except PlayerFault as error:
            raise PlayerFault(f"{player.name} at {position}: {error}") from error
        except CannotEnumerate as error:
            raise CannotEnumerate(
                f"{player.name} keeps state and {error}, so it cannot be certified"
            ) from error

    return moves


def _follow(player: PlayerInfo, game: Game, side: Side, line: Line) -> int:
    """Return the move of a player after the line, in a game of its own."""
    stream = Stream()
    stream.begin(stream_number(()))
    position = game.start()
    try:
        seat = sit(player, game, side, stream)
        for move in line:
            if position.to_move == side:
                if _drawn_without_chance(seat, position) != move:
                    raise CannotEnumerate("plays differently when arena repeats the same line")
            elif seat.observe is not None:
                seat.observe(move)
            position = position.play(move)
    except BaseException as error:
        raise fault_of(error) from error
    return _drawn_without_chance(seat, position)


def _drawn_without_chance(seat: Seat, position: Position) -> int:
    move, draws = ask_seat(seat, position)
    if draws:
        raise CannotEnumerate("draws at random")
    return move
