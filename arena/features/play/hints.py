"""Say what the moves of a position are worth: exactly where that is known, else by a search."""

from __future__ import annotations

from collections.abc import Mapping

from arena.dataclass import dataclass
from arena.game import Position
from arena.games.effort import scaled_budget
from arena.games.worth import describe
from arena.players.minimax import SearchResult, look
from arena.proof import values

#: Positions to search for values in a game that is not small: a second or two.
MAX_HINT_POSITIONS = 30_000


@dataclass(frozen=True)
class Hint:
    """The known values of the moves of a position."""

    #: The value of every legal move as in :func:`arena.proof.values.known_values`, the best first.
    values: Mapping[int, int | None]
    #: The move of ``minimax``; None if the values decide.
    advice: SearchResult | None = None

    def words(self, move: int) -> str:
        """Return the worth of a move: ``win in 3``, ``not known``."""
        value = self.values[move]
        return "not known" if value is None else describe(value)

    def certainty(self) -> str:
        """Say how sure the advice is, or an empty text if the values decide."""
        if self.advice is None:
            return ""
        if self.advice.value:
            return f"it sees a forced {'win' if self.advice.value > 0 else 'loss'}"
        plies = self.advice.plies
        return f"within {plies} pl{'y' if plies == 1 else 'ies'} neither side wins by force"


def hint_at(position: Position) -> Hint:
    """Return what is known of the moves of a position at which the game goes on."""
    worths = values.known_values(position, scaled_budget(MAX_HINT_POSITIONS, position.game))
    ordered = {move: worths[move] for move in sorted(worths, key=lambda move: _rank(worths[move]))}
    best = next(iter(ordered.values()))
    if None not in worths.values() or (best is not None and best > 0):
        return Hint(ordered)
    return Hint(ordered, look(position))


def _rank(value: int | None) -> tuple[int, int]:
    """Sort quick wins first, then slow ones, draws, unknown values, slow losses, quick ones."""
    if value is None:
        return 2, 0
    return (0, value) if value > 0 else (3, value) if value < 0 else (1, 0)
