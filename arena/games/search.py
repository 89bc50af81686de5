"""Alpha-beta search over the positions of any game, with transpositions and symmetry.

The side to move sees the value of a position: a win is worth the number of plies that are left when
it is reached, plus one. A draw is worth 0, and a loss the negative. So a quick win is worth more
than a slow one, and a slow loss more than a quick one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from arena.core import compiled
from arena.errors import ArenaError
from arena.game import Game, Position, Side

#: Games with at most this many plies and first moves are solved without a budget.
MAX_SOLVED = 16

#: Games without transpositions are solved up to this many plies: their lines are all different.
MAX_SOLVED_LINES = 8

#: A budget of a compiled search fits into a word.
MAX_COMPILED_BUDGET = 1 << 62

#: What a search says when it stops.
SPENT = "the search has spent its budget of positions"

#: Positions between two looks of a watch.
PAUSE_POSITIONS = 256

#: Bounds of the value of a position (up to symmetry) at a depth.
TranspositionTable = dict[tuple[Position, int], tuple[int, int]]


class BudgetSpent(ArenaError):
    """The search has spent its budget of positions."""


def is_small(game: Game) -> bool:
    """Return whether a search solves the game without a budget."""
    longest = MAX_SOLVED if game.transposes else MAX_SOLVED_LINES
    return game.max_plies <= longest and len(game.start().legal_moves()) <= MAX_SOLVED


def solve(position: Position, decay: bool = True) -> tuple[int, tuple[int, ...]]:
    """Return the value of a position of a small game, and all moves that have it, ascending.

    A later call for the same game reuses the results.
    """
    game = position.game
    solver = _SOLVERS.setdefault((game.name, game.version, decay), Search(decay=decay))
    return solver.best_moves(position, game.max_plies - position.ply)


class Search:
    """A search with its table of transpositions and its budget of positions.

    The table makes later searches faster and never changes an exact value. Under a budget it would
    change how far a search gets, so a budgeted search begins with an empty one. Without ``decay``
    every win is worth 1, soon or late. A search tries first the moves that were good before.
    ``watch`` is called now and then with the positions that are left.
    """

    #: The compiled twin that searches, once there is one.
    _compiled: Any = None

    def __init__(
        self,
        budget: int | None = None,
        decay: bool = True,
        watch: Callable[[int], object] | None = None,
    ) -> None:
        self.positions_left = -1 if budget is None else budget
        self._watch = watch
        self._decay = decay
        #: Its memory: whatever is in there at any time is true, for other searches too.
        self.table: TranspositionTable = {}
        #: By position, the best move when a search last looked at it.
        self._best: dict[Position, int] = {}
        #: How often, and how deep, a move was good enough: it may be so in other positions too.
        self._cutoffs: defaultdict[int, int] = defaultdict(int)

    def best_moves(self, position: Position, depth: int) -> tuple[int, tuple[int, ...]]:
        """Return the best value and all moves that have it, ascending, looking depth plies ahead.

        The value is exact if depth is the number of plies left. Otherwise a position at the horizon
        counts as a draw. Raises BudgetSpent when the budget of positions is used up.
        """
        if self._watch is None and not self.table:
            result = self._best_moves_compiled(position, depth)
            if result is not None:
                return result
        return self.best_moves_by_python(position, depth)

    def best_moves_by_python(self, position: Position, depth: int) -> tuple[int, tuple[int, ...]]:
        """Return the same, and search here whatever is compiled."""
        ceiling = position.game.max_plies + 2
        best, moves = -ceiling, []
        me = position.to_move
        for move in dict.fromkeys((*self._in_order(position), *position.legal_moves())):
            # The window begins one below the best so far, so that a move that equals the best shows
            # it.
            value = self._after(me, position.play(move), depth - 1, best - 1, ceiling)
            if value > best:
                best, moves = value, [move]
                self._best[position] = move
            elif value == best:
                moves.append(move)
        return best, tuple(sorted(moves))

    def _best_moves_compiled(
        self, position: Position, depth: int
    ) -> tuple[int, tuple[int, ...]] | None:
        """Return the same by the compiled twin, None where there is none for this game."""
        if self._compiled is None:
            module = compiled("search")
            if module is None:
                return None
            if self.positions_left >= MAX_COMPILED_BUDGET:
                return None
            kind = module.LineSearch if module.is_of_lines(position) else module.GeneralSearch
            self._compiled = kind(self.positions_left, self._decay)
        try:
            result: tuple[int, tuple[int, ...]] | None = self._compiled.best_moves(position, depth)
        except type(self._compiled).Spent:
            self.positions_left = 0
            raise BudgetSpent(SPENT) from None
        except Exception:  # a search in Python shows in its frames which position was to blame
            return None
        self.positions_left = self._compiled.left
        return result

    def _after(self, me: Side, after: Position, depth: int, alpha: int, beta: int) -> int:
        """Return the value of a position to the side that moved there, whichever moves next."""
        if after.to_move == me:
            return self._value(after, depth, alpha, beta)
        return -self._value(after, depth, -beta, -alpha)

    def _value(self, position: Position, depth: int, alpha: int, beta: int) -> int:
        """Negamax, fail-soft: the value if it is between alpha and beta, else a bound of it.

        ``alpha`` and ``beta`` are the window: what the two sides are sure of elsewhere, so values
        outside of it decide nothing. ``low`` and ``high`` bound the value itself, first by the
        rules, then by earlier looks. Bounds that meet, or that miss the window, are the answer.
        """
        remaining = position.game.max_plies - position.ply
        me = position.to_move
        outcome = position.outcome()
        if outcome is not None:
            winner = outcome.winner
            worth = self._worth(remaining)
            return 0 if winner is None else worth if winner == me else -worth
        if not depth:
            return 0
        if not self.positions_left:
            raise BudgetSpent(SPENT)
        self.positions_left -= 1
        if self._watch is not None and not self.positions_left % PAUSE_POSITIONS:
            self._watch(self.positions_left)
        # No side wins sooner than that, nor beyond the horizon.
        mine, theirs = position.plies_to_win(me), position.plies_to_win(me.other)
        high = self._worth(remaining - mine) if mine <= depth else 0
        low = -self._worth(remaining - theirs) if theirs <= depth else 0
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        key = (position.canonical() if depth > 2 else position, depth)
        low, high = self.table.get(key, (low, high))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        # Below all values. A move must beat the floor to count: the window opens there.
        best, floor = -remaining - 2, max(alpha, low)
        for move in self._in_order(position):
            value = self._after(me, position.play(move), depth - 1, max(floor, best), beta)
            if value > best:
                best = value
                self._best[position] = move
                if best >= min(beta, high):
                    self._cutoffs[move] += depth * depth
                    break
        # After a cut the best is a lower bound; with no move above the floor, an upper one.
        if best >= beta:
            low = max(low, best)
        elif best <= floor:
            high = min(high, best)
        else:
            low = high = best
        self.table[key] = (low, high)
        return best

    def _worth(self, remaining: int) -> int:
        """Return the worth of a win that is reached with ``remaining`` plies left."""
        return remaining + 1 if self._decay else 1

    def _in_order(self, position: Position) -> Iterable[int]:
        """Return the moves worth a look, those first that are likely to be best."""
        cutoffs = self._cutoffs
        moves = sorted(position.search_moves(), key=lambda move: -cutoffs[move])
        best = self._best.get(position)
        return moves if best is None else dict.fromkeys((best, *moves))


_SOLVERS: dict[tuple[str, int, bool], Search] = {}
