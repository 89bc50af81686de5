"""Play the first or the second games of many pairs in lockstep: one move in each at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, Self, cast

import numpy as np
from numpy.typing import NDArray

from arena.arrays import Bools, Ints
from arena.errors import IllegalMove, as_move, is_stop
from arena.fights.pairing import Pairing
from arena.game import WIN_FOR, Outcome, Position, Side
from arena.games.boards import Boards, has_boards
from arena.games.contract import accuse, breach, endless
from arena.match.record import Forfeit, GameRecord, PlayedPair
from arena.player import PlayerInfo
from arena.player.batches import FUNCTION_OF_BATCHES, BatchMoves, Draws, Failure, ask
from arena.player.faults import raised, returned
from arena.rng import Stream, begin

#: The outcomes by the first side's doubled points, and these by outcome.
OUTCOMES_BY_POINTS = (Outcome.SECOND_WINS, Outcome.DRAW, Outcome.FIRST_WINS)
_POINTS = {outcome: points for points, outcome in enumerate(OUTCOMES_BY_POINTS)}


class Positions(Protocol):
    """Some positions of one game. :class:`Boards` are such, and :class:`PositionList` for others.

    Every array has the shape (positions,).
    """

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> Position: ...

    @property
    def to_move(self) -> Ints:
        """The sides whose turn it is."""

    @property
    def is_over(self) -> Bools:
        """Which positions are the ends of games."""

    @property
    def points(self) -> NDArray[np.int8]:
        """The first side's doubled points where games have ended."""

    def is_legal(self, moves: Ints, /) -> Bools:
        """Return whether each move is legal."""

    def play(self, moves: Ints, /) -> Self:
        """Return the positions after a legal move in each."""

    def take(self, which: Ints, /) -> Self:
        """Return the positions of these numbers, in that order."""


class PositionList:
    """The positions of a game whose rules are not vectorised. Each is asked by itself."""

    def __init__(self, positions: Sequence[Position]) -> None:
        self._positions = positions
        ends = [position.outcome() for position in positions]
        self.to_move = np.array([int(position.to_move) for position in positions], np.int64)
        self.is_over = np.array([end is not None for end in ends], bool)
        points = [1 if end is None else _POINTS[end] for end in ends]
        self.points = np.array(points, np.int8)

    def __len__(self) -> int:
        return len(self._positions)

    def __getitem__(self, index: int) -> Position:
        return self._positions[index]

    def is_legal(self, moves: Ints) -> Bools:
        """Return whether each move is legal."""
        pairs = zip(self._positions, moves.tolist(), strict=True)
        return np.array([position.is_legal(move) for position, move in pairs], bool)

    def play(self, moves: Ints) -> PositionList:
        """Return the positions after a legal move in each."""
        played = zip(self._positions, moves.tolist(), strict=True)
        return PositionList([position.play(move) for position, move in played])

    def take(self, which: Ints) -> PositionList:
        """Return the positions of these numbers, in that order."""
        return PositionList([self._positions[index] for index in which.tolist()])


class Half(NamedTuple):
    """The games of one half of some pairs, each by its place."""

    #: The moves: shape (games, plies), and how many of them are the game's: shape (games,).
    moves: NDArray[np.uint16]
    plies: Ints
    #: The doubled points of the player that moved first: shape (games,).
    points: NDArray[np.int8]
    forfeits: dict[int, Forfeit]

    def record(self, game: int) -> GameRecord:
        """Return the record of one game."""
        moves = tuple(self.moves[game, : self.plies[game]].tolist())
        return GameRecord(moves, OUTCOMES_BY_POINTS[self.points[game]], self.forfeits.get(game))


class _LockstepPlayers(NamedTuple):
    """The players that are asked for the moves of games, and the names of the draws."""

    #: In the order in which they move.
    players: tuple[PlayerInfo, PlayerInfo]
    path: str
    #: 1 or 2, as ids have it, and the pairs from ``start`` to ``stop`` - 1.
    half: int
    start: int
    stop: int

    def moves(self, positions: Positions, games: Ints, step: int) -> BatchMoves:
        """Ask for the moves of that number, counted from 0, of these games."""
        to_move = positions.to_move
        moves, failures = np.zeros(len(games), np.int64), dict[int, Failure]()
        for side, player in zip(Side, self.players, strict=True):
            rows = np.flatnonzero(to_move == side)
            if not len(rows):
                continue
            part = positions if len(rows) == len(games) else positions.take(rows)
            if player.choose_batch is None:
                answers = self._one_by_one(player, part, games[rows], step)
            else:
                draws = Draws(f"{self.path}/{self.half}/{step}", self.start, self.stop)
                answers = ask(player.choose_batch, part, draws, games[rows])
            moves[rows] = answers.moves
            failures |= {int(rows[index]): failure for index, failure in answers.failures.items()}
        return BatchMoves(moves, failures)

    def _one_by_one(
        self, player: PlayerInfo, part: Positions, games: Ints, step: int
    ) -> BatchMoves:
        """Ask a player that does not offer batches. Each of its moves has a stream of its own."""
        streams, failures = (Stream(), Stream()), dict[int, Failure]()
        moves = np.zeros(len(games), np.int64)
        for index, game in enumerate(games.tolist()):
            begin(streams, f"{self.path}/{self.start + game}.{self.half}/{step}")
            position = part[index]
            try:
                move = player.player(position, streams[position.to_move])
            except BaseException as error:
                if is_stop(error):
                    raise
                accuse(error)
                failures[index] = Failure("exception", raised(error))
                continue
            try:
                moves[index] = as_move(move)
            except (IllegalMove, OverflowError):
                failures[index] = Failure("illegal", returned(move, position))
        return BatchMoves(moves, failures)


def play_half(pairing: Pairing, swapped: bool, start: int, stop: int) -> Half:
    """Play the first games of the pairs ``start`` to ``stop`` - 1, or the second if ``swapped``.

    Every move is checked. A player that fails at a position forfeits that game. The others go on.
    Raises GameFault if a plugin's game breaks its contract.
    """
    players = (pairing.b, pairing.a) if swapped else (pairing.a, pairing.b)
    questions = _LockstepPlayers(players, pairing.path, swapped + 1, start, stop)
    try:
        return _play(pairing, questions)
    except Exception as error:
        fault = breach(error)
        if fault is None:
            raise
        raise fault from error


def _play(pairing: Pairing, questions: _LockstepPlayers) -> Half:
    number = questions.stop - questions.start
    positions, games = _begin(pairing, questions), np.arange(number)
    history: list[tuple[Ints, Ints]] = []
    plies, points = np.zeros(number, np.int64), np.ones(number, np.int8)
    forfeits: dict[int, Forfeit] = {}
    for step in range(pairing.game.max_plies):
        moves, failures = questions.moves(positions, games, step)
        legal = positions.is_legal(moves)
        for index in np.flatnonzero(~legal).tolist():
            if index not in failures:
                player = questions.players[positions.to_move[index]]
                message = returned(int(moves[index]), positions[index], _function(player))
                failures[index] = Failure("illegal", message)
        if failures:
            for index, failure in failures.items():
                side = Side(int(positions.to_move[index]))
                forfeits[int(games[index])] = Forfeit(side, failure.reason, *failure.fault)
                points[games[index]] = _POINTS[WIN_FOR[side.other]]
            remaining = np.array([i for i in range(len(games)) if i not in failures], np.int64)
            positions, games, moves = positions.take(remaining), games[remaining], moves[remaining]
        positions = positions.play(moves)
        history.append((games, moves))
        plies[games] += 1
        over = positions.is_over
        if over.any():
            points[games[over]] = positions.points[over]
            remaining = np.flatnonzero(~over)
            positions, games = positions.take(remaining), games[remaining]
        if not len(games):
            break
    else:
        raise endless(pairing.game, positions[0])
    return Half(_table(history, number), plies, points, forfeits)


def _function(player: PlayerInfo) -> str:
    return "choose" if player.choose_batch is None else FUNCTION_OF_BATCHES


def _begin(pairing: Pairing, questions: _LockstepPlayers) -> Positions:
    """Return where the games begin."""
    game, number = pairing.game, questions.stop - questions.start
    if pairing.openings is None and has_boards(game):
        return Boards.start(cast("Any", game), number)
    begins = [pairing.begin(pair) for pair in range(questions.start, questions.stop)]
    return Boards.of(cast("Any", game), begins) if has_boards(game) else PositionList(begins)


def _table(history: Sequence[tuple[Ints, Ints]], number: int) -> NDArray[np.uint16]:
    table = np.zeros((number, len(history)), np.uint16)
    for step, (games, moves) in enumerate(history):
        table[games, step] = moves
    return table


def pairs_of(
    pairing: Pairing, halves: tuple[Half, Half], start: int, seconds: tuple[float, float]
) -> list[PlayedPair]:
    """Return the pairs of these games from ``start`` on. ``seconds`` are those of a game each."""
    first, second = halves
    pairs = []
    for index in range(len(first.plies)):
        opening = pairing.opening(start + index)
        text = "" if opening is None else str(opening)
        records = first.record(index), second.record(index)
        pairs.append(PlayedPair(start + index, records, seconds, opening=text))
    return pairs
