"""Find the value of positions under perfect play: the winner, and the plies to the win."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from arena.errors import CannotEnumerate
from arena.game import Position
from arena.games.board import squares_of
from arena.games.line_game import has_line_rules
from arena.games.mnk import MnkGame
from arena.games.search import BudgetSpent, Search, is_small, solve
from arena.games.worth import difference, sign, value_of_move
from arena.proof import progress

#: Positions to search for the value of one position of a larger game.
MAX_VALUE_POSITIONS = 200_000


def value(position: Position, budget: int = MAX_VALUE_POSITIONS) -> int:
    """Return the value for the side to move: 0 for a draw, else the plies to its win. It is
    negative for a loss.

    Small games (see :func:`arena.games.search.is_small`) are solved without a budget, and empty
    boards with a pairing strategy are draws. In others the search deepens ply by ply until it sees
    the end or a forced win. Raises CannotEnumerate if that takes more positions than the budget.
    """
    game = position.game
    remaining = game.max_plies - position.ply
    if position.outcome() is not None:
        raise ValueError(f"the game is over in {str(position)!r}")
    if is_small(game):
        return _in_plies(solve(position)[0], remaining)
    if (
        isinstance(game, MnkGame)
        and has_line_rules(game)
        and not position.ply
        and has_pairing_strategy(game)
    ):
        return 0
    search = Search(budget)
    try:
        for depth in range(1, remaining + 1):
            worth, _ = search.best_moves(position, depth)
            if worth or depth == remaining:
                return _in_plies(worth, remaining)
    except BudgetSpent:
        pass
    raise CannotEnumerate(f"{game.name} at {position} is not solved after {budget} positions")


def has_pairing_strategy(game: MnkGame) -> bool:
    """Return whether each line can have two squares of its own, and lines win.

    Then neither side can force a win: a side that answers every mark on one of a line's two squares
    with the other lets the opponent complete no line (Hales and Jewett, Regularity and positional
    games, 1963). Augmenting paths in the graph of lines and squares find the squares.
    """
    owners: dict[int, int] = {}

    def give(claim: int, tried: set[int]) -> bool:
        for square in squares_of(game.lines[claim // 2]):
            if square not in tried:
                tried.add(square)
                if square not in owners or give(owners[square], tried):
                    owners[square] = claim
                    return True
        return False

    return (
        not game.misere
        and 2 * len(game.lines) <= game.squares
        and all(give(claim, set()) for claim in range(2 * len(game.lines)))
    )


def move_values(position: Position) -> dict[int, int]:
    """Return the value of every legal move for the side that makes it, as in :func:`value`.

    The result is {} for games that are not small.
    """
    if not is_small(position.game):
        return {}
    moves = position.legal_moves()
    values: dict[int, int] = {}
    for move in moves:
        progress.tell(len(values), len(moves), "moves valued")
        worth = value_of_move(position, move, value)
        assert worth is not None
        values[move] = worth
    return values


def known_values(position: Position, budget: int) -> dict[int, int | None]:
    """Return the values of moves in any game, None for a move whose value remains unknown.

    In games that are not small, all moves share a budget of ``budget`` positions.
    """
    moves = position.legal_moves()
    values: dict[int, int | None] = dict.fromkeys(moves)
    value_of = partial(value, budget=budget // max(1, len(moves)))
    for move in moves:
        with suppress(CannotEnumerate):
            values[move] = value_of_move(position, move, value_of)
    return values


def given_away(position: Position, move: int) -> str | None:
    """Return the value lost by a move under perfect play: ``a win``, ``a draw`` or nothing.

    The result is empty for nothing, and None for games that are not small.
    """
    values = move_values(position)
    if not values:
        return None
    return difference(max(values.values(), key=sign), values[move])


def _in_plies(worth: int, remaining: int) -> int:
    # A search's value of a win is the number of plies left after it, plus one.
    return 0 if not worth else (remaining + 1 - abs(worth)) * (1 if worth > 0 else -1)
