"""A function for another board, made a player by one line above it.

Play it with

    arena fight ./adapted.py monkey

``docs/boards.md`` has adapters for other boards.
"""

from arena import adapt


@adapt.rows
def choose(board, player):
    """Take a square in a row without the opponent, else the first free square."""
    size = range(len(board))
    mine = [i for i in size if set(board[i]) <= {None, player}]
    free = [(i, j) for i in [*mine, *size] for j in size if board[i][j] is None]
    return free[0]
