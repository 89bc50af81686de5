"""Write and read the moves of crazyhouse as engines do that speak UCI.

OpenSpiel's notation has castling without squares, and a promotion to a queen without a letter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from arena.errors import MoveError, quoted
from arena.plugins.openspiel.position import START_TEXT, OpenSpielPosition

if TYPE_CHECKING:
    from arena.plugins.openspiel.game import OpenSpielGame

#: How far the king goes, by the text of castling.
_KINGS_WAYS = {"O-O": "e{0}g{0}", "O-O-O": "e{0}c{0}"}
_LAST_RANKS = "18"


def line_to(position: OpenSpielPosition) -> list[str]:
    """Return the moves from the start to a position."""
    game = cast("OpenSpielGame", position.game)
    words, before = [], game.start()
    for word in str(position).split():
        if word != START_TEXT:
            move = game.parse_move(word)
            words.append(written(before, move))
            before = before.play(move)
    return words


def written(position: OpenSpielPosition, move: int) -> str:
    """Return the text of a legal move."""
    text = position.game.format_move(move)
    if text in _KINGS_WAYS:
        return _KINGS_WAYS[text].format(_LAST_RANKS[position.to_move])
    start, end = text[:2], text[2:]
    promotes = end[1:] in _LAST_RANKS and _man_at(position, start) in ("P", "p")
    return text + "q" * promotes


def read(position: OpenSpielPosition, text: str) -> int:
    """Return the legal move of a text. Raises MoveError for another one."""
    for move in position.legal_moves():
        if written(position, move) == text:
            return move
    raise MoveError(f"{quoted(text)} is not a legal move here")


def _man_at(position: OpenSpielPosition, square: str) -> str:
    """Return the man on a square, empty for a drop or a free square."""
    if "@" in square:
        return ""
    ranks = str(position.state).partition(" ")[0].partition("[")[0].split("/")
    men = "".join(" " * int(man) if man.isdigit() else man for man in ranks[8 - int(square[1])])
    return men.replace("~", "")["abcdefgh".index(square[0])]
