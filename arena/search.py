"""Alpha-beta search over any game's positions, with transpositions and symmetry.

The value of a position is from the view of the side to move: a win is worth the number of plies
that are left when it is reached, plus one; a draw 0; a loss the negative. So a quick win is worth
more than a slow one, and a slow loss more than a quick one.
"""

from __future__ import annotations

from collections import defaultdict

from arena.errors import ArenaError
from arena.game import Game, Position

#: Games with no more plies and first moves than this are solved, whatever it takes.
SMALL = 16

#: Bounds of the value of a position (up to symmetry) at a depth.
Table = dict[tuple[Position, int], tuple[int, int]]


class BudgetSpent(ArenaError):
    """The search has looked at as many positions as it may."""


def is_small(game: Game) -> bool:
    """Whether the game is one that a search solves without a budget."""
    return game.max_plies <= SMALL and len(game.start().legal_moves()) <= SMALL


def solve(position: Position) -> tuple[int, tuple[int, ...]]:
    """The value of a position of a small game and all moves that have it, ascending.

    What was found for one position of a game is used for all later ones.
    """
    game = position.game
    solver = _SOLVERS[game.name, game.version]
    return solver.best_moves(position, game.max_plies - position.ply)


class Search:
    """A search with its table of transpositions and its budget of positions.

    The table makes later searches faster and never changes an exact value. Under a budget it would
    change how far a search gets, so a budgeted search begins with an empty one.
    """

    def __init__(self, budget: int | None = None) -> None:
        self._positions_left = -1 if budget is None else budget
        self._table: Table = {}

    def best_moves(self, position: Position, depth: int) -> tuple[int, tuple[int, ...]]:
        """The best value and all moves that have it, ascending, looking depth plies ahead.

        Exact when depth is the number of plies left; else a position at the horizon counts as a
        draw. BudgetSpent when the search may look at no more positions.
        """
        ceiling = position.game.max_plies + 2
        best, moves = -ceiling, []
        for move in dict.fromkeys((*position.search_moves(), *position.legal_moves())):
            # From one below the best so far: then a move that equals the best is seen to do so.
            value = -self._value(position.play(move), depth - 1, -ceiling, 1 - best)
            if value > best:
                best, moves = value, [move]
            elif value == best:
                moves.append(move)
        return best, tuple(sorted(moves))

    def _value(self, position: Position, depth: int, alpha: int, beta: int) -> int:
        """Negamax, fail-soft: the value if it is between alpha and beta, else a bound of it."""
        left = position.game.max_plies - position.ply
        me = position.to_move
        outcome = position.outcome()
        if outcome is not None:
            winner = outcome.winner
            return 0 if winner is None else left + 1 if winner == me else -left - 1
        if not depth:
            return 0
        # At best a side wins with its next move, and nothing is worse than losing to the one after.
        high = left if position.can_win(me) else 0
        low = 1 - left if position.can_win(me.other) else 0
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        key = (position.canonical(), depth)
        low, high = self._table.get(key, (low, high))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        if not self._positions_left:
            raise BudgetSpent("the search has looked at all the positions it may")
        self._positions_left -= 1
        best, floor = -left - 2, max(alpha, low)
        for move in position.search_moves():
            value = -self._value(position.play(move), depth - 1, -beta, -max(floor, best))
            if value > best:
                best = value
                if best >= min(beta, high):
                    break
        if best >= beta:
            low = max(low, best)
        elif best <= floor:
            high = min(high, best)
        else:
            low = high = best
        self._table[key] = (low, high)
        return best


_SOLVERS: defaultdict[tuple[str, int], Search] = defaultdict(Search)
