"""Write positions and moves for people as boards do. Records keep the game's notation too."""

from __future__ import annotations

from collections.abc import Iterable

from arena.game import Position
from arena.games.board import has_rulers

#: The moves that led to a position.
Line = tuple[int, ...]


def written_line(position: Position, moves: Iterable[int]) -> tuple[str, ...]:
    """Return the moves of a line from a position as people write them.

    >>> from arena.games.mnk import mnk_game
    >>> written_line(mnk_game(4, 3, 3).start(), [1, 4])
    ('b3', 'a2')
    """
    written = []
    for move in moves:
        written.append(position.write_move(move))
        position = position.play(move)
    return tuple(written)


def written_otherwise(position: Position, moves: Iterable[int]) -> dict[str, str]:
    """Return by their notation the moves in a position that people write in another way.

    >>> from arena.games.mnk import mnk_game
    >>> written_otherwise(mnk_game(4, 3, 3).start(), [1])
    {'2': 'b3'}
    """
    both = {position.game.format_move(move): position.write_move(move) for move in moves}
    return {notation: written for notation, written in both.items() if written != notation}


def picture_after(position: Position, last: int) -> str:
    """Draw the board after a move, which a board with rulers marks, as a line that decided.

    >>> from arena.games.mnk import mnk_game
    >>> print(picture_after(mnk_game(4, 1, 3).start().play(1), 1))
    1  .(x). .
       a b c d
    """
    if has_rulers(position.game.columns, position.game.rows):
        return position.marked_picture(last)
    return position.picture()
