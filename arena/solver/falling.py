"""Solve four in a row with discs that fall, by yes-or-no questions to :mod:`arena.solver.four`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.arrays import Keys, KeyStrategy
from arena.game import Game, Position, Side
from arena.games.connect4 import ConnectGame, ConnectPosition
from arena.games.line_game import has_line_rules
from arena.proof import progress
from arena.proof.limit import Limit
from arena.solver import four
from arena.solver.arrays import DiscArrays
from arena.solver.checkpoint import SearchCheckpoint
from arena.solver.compiled import compiled, is_installed

#: Bits of a board that leave room for a bound in an entry of the table.
MAX_BOARD_BITS = 51

#: Boards of more squares are worth the seconds that the compiler takes.
MAX_PLAIN_SQUARES = 20

#: The table has two to the power of this many entries of 8 bytes, or fewer.
MAX_TABLE = 25

#: Nodes that are searched before Python has its turn: for signals, progress and checkpoints.
MAX_NODES_A_TURN = 2_000_000

#: The same bound where numba does not compile the search.
MAX_PLAIN_NODES = 20_000


def is_falling(game: Game) -> bool:
    """Return whether discs fall for four in a row, on a board of few enough bits."""
    return (
        isinstance(game, ConnectGame)
        and has_line_rules(game)
        and game.k == 4
        and not game.misere
        and game.columns * (game.rows + 1) <= MAX_BOARD_BITS
    )


class FallingSearch:
    """Questions about one position: whether a side forces a win from it by a ply.

    ``compiles`` says whether numba compiles the search. By default it does where it is installed
    and the board is large. A checkpoint keeps the search, if there is one. Answers raise Undecided
    beyond the limit, which is looked at every MAX_NODES_A_TURN positions. A ``table`` has two to
    the power of this many entries at most.
    """

    def __init__(
        self,
        position: Position,
        checkpoint: SearchCheckpoint | None = None,
        compiles: bool | None = None,
        limit: Limit | None = None,
        table: int = MAX_TABLE,
    ) -> None:
        assert isinstance(position, ConnectPosition)
        self._game = game = position.game
        self._size = four.frame_size(game.columns)
        self._checkpoint, self._most = checkpoint, table
        self._budget = (
            MAX_NODES_A_TURN if limit is None else min(MAX_NODES_A_TURN, limit.positions + 1)
        )
        if compiles is None:
            compiles = game.max_plies > MAX_PLAIN_SQUARES and is_installed()
        self.is_compiled = compiles
        if not compiles:
            self._budget = min(self._budget, MAX_PLAIN_NODES)
        self._do: Any = compiled() if compiles else four
        self._last = game.max_plies
        self.turn_to(position, limit)
        #: The tables by attacker; each is made when it is needed.
        self._tables: dict[int, Any] = {}
        self._state = self._numbers(four.STATE_SIZE)
        self._frames = self._numbers(self._size * (game.max_plies + 3))
        #: The nodes of earlier questions.
        self._nodes = 0

    @property
    def nodes(self) -> int:
        """Positions that the search has looked at, some of them often."""
        return self._nodes + int(self._state[four.NODES])

    @property
    def account(self) -> tuple[str, ...]:
        """The tables that the search remembers positions in, a line each."""
        return tuple(
            f"a table of {len(table):,} entries for whether the {Side(attacker).name.lower()}"
            " side wins"
            for attacker, table in sorted(self._tables.items())
        )

    def turn_to(self, position: Position, limit: Limit | None) -> None:
        """Let the next questions be about this position of the game. The tables remain."""
        assert isinstance(position, ConnectPosition)
        discs = (position.first, position.second)
        self._ply, self._start = position.ply, (discs[position.ply & 1], sum(discs))
        self._limit = limit

    def winner(self) -> Side | None:
        """Return the side that forces a win, or None if neither does."""
        me = Side(self._ply & 1)
        return next((side for side in (me, me.other) if self.wins(side)), None)

    def wins(self, attacker: Side, horizon: int | None = None) -> bool:
        """Return whether a side forces a win by the ply, by default at all."""
        question = self._question(attacker, self._last if horizon is None else horizon)
        self._begin(self._ply)
        _write(self._frames, self._size, *self._start)
        self._resume(question)
        table = self._table(attacker)
        while True:
            answer = self._do.search(
                self._frames, table, self._state, self._ply, question, self._budget
            )
            if answer != four.UNFINISHED:
                return bool(answer == four.YES)
            self._pause(question)

    def plies_to_win(self, attacker: Side) -> int:
        """Return after how many plies a side wins that forces a win, if the other one resists."""
        # The attacker's last disc falls at every other ply.
        last = range(self._ply + 1 + (self._ply & 1 != attacker), self._last + 1, 2)
        while len(last) > 1:
            half = len(last) // 2
            last = last[:half] if self.wins(attacker, last[half - 1]) else last[half:]
        return last[0] - self._ply

    def strategy(self, attacker: Side) -> KeyStrategy:
        """Return a function of a ply and keys that returns moves which keep the answer.

        At positions of the attacker, which it wins, they win. At positions of its opponent, which
        the attacker does not win, they do not lose. The keys are those of
        :class:`arena.solver.arrays.DiscArrays`.
        """
        rules = DiscArrays(self._game)

        def moves(ply: int, keys: Keys) -> NDArray[np.uint64]:
            boards = rules.bitboards(keys)
            mine = boards[ply & 1]
            squares = self._choose(ply, mine, boards[0] | boards[1], attacker)
            columns = np.array(self._game.column, np.uint64)
            first = np.argmax(squares[:, None] & columns != 0, axis=1)
            keeping: NDArray[np.uint64] = first.astype(np.uint64)
            return keeping

        return moves if self._checkpoint is None else self._checkpoint.keeping(moves, attacker.name)

    def _choose(self, ply: int, mine: Keys, occupied: Keys, attacker: Side) -> NDArray[np.uint64]:
        """Return the square of a move that keeps the answer at each position of a ply."""
        question, table = self._question(attacker, self._last), self._table(attacker)
        self._begin(ply)
        positions: Any = np.stack([mine, occupied], axis=1).astype(np.int64).reshape(-1)
        positions = positions if self.is_compiled else positions.tolist()
        squares = self._numbers(len(mine))
        rest = (self._frames, table, self._state, question, self._budget)
        while (done := self._do.choose_all(positions, squares, *rest)) < len(squares):
            progress.tell(done, len(squares), f"positions of ply {ply} answered")
            self._require()
        return np.array(squares).astype(np.uint64)

    def _question(self, attacker: Side, horizon: int) -> four.SearchBoard:
        game = self._game
        odd = sum(game.bottom << row for row in range(0, game.rows, 2))
        return (game.columns, game.rows, game.bottom, game.full, odd, int(attacker), horizon)

    def _begin(self, ply: int) -> None:
        """Forget the search before, but for the tables."""
        self._nodes = self.nodes
        self._state[:] = self._numbers(four.STATE_SIZE)
        self._state[four.PLY] = ply

    def _table(self, attacker: int) -> Any:
        if attacker not in self._tables:
            entries = 1 << min(self._most, max(12, self._game.max_plies - 6))
            self._tables[attacker] = self._numbers(entries, four.EMPTY)
        return self._tables[attacker]

    def _numbers(self, size: int, value: int = 0) -> Any:
        """Return numbers of a kind that the search is quick with."""
        return np.full(size, value, np.int64) if self.is_compiled else [value] * size

    def _pause(self, question: four.SearchBoard) -> None:
        """Tell how far the search is, and keep it."""
        progress.tell(self.nodes, None, "positions searched")
        self._require()
        if self._checkpoint is not None and self._checkpoint.is_due():
            state = {
                "question": np.array(question),
                "table": np.array(self._tables[question[5]]),
                "frames": np.array(self._frames),
                "state": np.array(self._state),
            }
            self._checkpoint.save("search", state)

    def _require(self) -> None:
        """Raise Undecided beyond the limit."""
        if self._limit is not None:
            self._limit.require(self.nodes, f"the search of {self._game.name}")

    def _resume(self, question: four.SearchBoard) -> None:
        """Go on where an earlier process was, if it had come to this question."""
        if self._checkpoint is None:
            return
        with self._checkpoint.reading("search") as state:
            if state is None or state["question"][5] != question[5]:
                return
            self._table(question[5])[:] = state["table"]
            if state["question"].tolist() == list(question):
                self._frames[:], self._state[:] = state["frames"], state["state"]


def _write(frames: Any, index: int, mine: int, occupied: int) -> None:
    """Write a position that was not looked at into a frame."""
    frames[index + four.MINE], frames[index + four.OCCUPIED] = mine, occupied
    frames[index + four.REMAINING] = four.NEW
