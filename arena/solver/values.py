"""Value positions of four in a row for people who wait: each within a limit of positions."""

from __future__ import annotations

from arena.errors import Undecided
from arena.game import Game, Position
from arena.proof import progress
from arena.proof.limit import Limit
from arena.solver.compiled import INSTALL_NUMBA, is_installed
from arena.solver.falling import FallingSearch, is_falling

#: Its tables have two to the power of this many entries: 128 MB for each side that is asked about.
TABLE = 24


class Solver:
    """The values of positions of a game, as far as the compiled search finds them.

    It finds none in a game that it does not suit, and none where numba is not installed.
    """

    def __init__(self, game: Game, positions: int) -> None:
        self._suits, self._positions = is_falling(game), positions
        self._search: FallingSearch | None = None
        self._values: dict[Position, int | None] = {}

    @property
    def account(self) -> str:
        """Its work in words, for readers of values that it did not find. It is empty if it does
        none.
        """
        if not self._suits:
            return ""
        if not is_installed():
            return f"the solver would find more: {INSTALL_NUMBA}"
        return f"the solver looked at {self._positions:,} positions for each move at most"

    def value(self, position: Position) -> int | None:
        """Return 1, 0 or -1 for a win, a draw or a loss of the side to move, or None if it is
        open.
        """
        if not self._suits or not is_installed() or position.outcome() is not None:
            return None
        if position not in self._values:
            self._values[position] = self._find(position)
        return self._values[position]

    def _find(self, position: Position) -> int | None:
        if self._search is None:
            progress.tell(0, None, "positions searched; numba compiles the search first")
            self._search = FallingSearch(position, table=TABLE)
        self._search.turn_to(position, Limit(self._search.nodes + self._positions))
        try:
            winner = self._search.winner()
        except Undecided:
            return None
        return 0 if winner is None else 1 if winner == position.to_move else -1
