"""Write the games of a store as SGF (FF[4], Hollosi): games with stones on a board."""

from __future__ import annotations

import re

from arena.errors import UsageError
from arena.game import Game, Outcome, Position
from arena.records.base import Record
from arena.reports.single_games import SingleGame, single_games

#: The number of the family of m,n,k games, five in a row and Renju.
_GOMOKU = 4
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#: The letter of a win by the reason of a forfeit. For others it is F, a forfeit.
_WON_BY = {"timeout": "T", "resigned": "R"}


def sgf(record: Record) -> str:
    """Return a tree of moves a game. Raises UsageError for a record without games on boards."""
    return "\n".join(map(_tree, single_games(record, "sgf")))


def _tree(played: SingleGame) -> str:
    game, (first, second) = played.game, played.players
    is_small = 0 < game.columns <= len(_LETTERS) and 0 < game.rows <= len(_LETTERS)
    if not is_small or not {*_board(game.start())} <= {*"xo_"}:
        raise UsageError(f"format sgf is for games with stones on a board, not for {game.name}")
    size = f"{game.columns}:{game.rows}" if game.columns != game.rows else f"{game.rows}"
    properties = {
        "FF": "4",
        "GM": str(_GOMOKU),
        "CA": "UTF-8",
        "AP": "arena",
        "SZ": size,
        "RU": game.name,
        "EV": played.event,
        "DT": played.date,
        "RO": played.round,
        "PB": first,
        "PW": second,
        "RE": _result(played),
        "GN": played.game_id,
    }
    root = "".join(f"{name}[{_escaped(text)}]" for name, text in properties.items() if text)
    moves = [f";{'BW'[p.to_move]}[{_point(game, p, after)}]" for p, _, after in played.steps()]
    return f"(;{root}{_stones(played)}\n{_wrapped(moves)})"


def _result(played: SingleGame) -> str:
    if played.outcome is None:
        return "?"
    if played.outcome is Outcome.DRAW:
        return "0"
    winner = "B" if played.outcome is Outcome.FIRST_WINS else "W"
    how = "" if played.forfeit is None else _WON_BY.get(played.forfeit[1], "F")
    return f"{winner}+{how}"


def _stones(played: SingleGame) -> str:
    """Return the stones of an opening, and whose turn it is."""
    if not played.is_opening:
        return ""
    stones, text = "", _board(played.begin)
    for name, letter in (("AB", "x"), ("AW", "o")):
        squares = [_name(played.game, square) for square, mark in enumerate(text) if mark == letter]
        stones += name * bool(squares) + "".join(f"[{square}]" for square in squares)
    return f"{stones}PL[{'BW'[played.begin.to_move]}]"


def _point(game: Game, before: Position, after: Position) -> str:
    """Return the square of the new stone, or an empty text for a pass."""
    for square, (was, now) in enumerate(zip(_board(before), _board(after), strict=True)):
        if was == "_" != now:
            return _name(game, square)
    return ""


def _board(position: Position) -> str:
    """Return the letters of the squares in reading order, or a ``?`` if the text lacks some."""
    squares = position.game.columns * position.game.rows
    text = str(position)[:squares]
    return text if len(text) == squares else "?"


def _name(game: Game, square: int) -> str:
    row, column = divmod(square, game.columns)
    return _LETTERS[column] + _LETTERS[row]


def _wrapped(moves: list[str]) -> str:
    return "\n".join("".join(moves[begin : begin + 10]) for begin in range(0, len(moves), 10))


def _escaped(text: str) -> str:
    printable = "".join(c if c.isprintable() else "?" for c in text)
    return re.sub(r"([\]\\])", r"\\\1", printable)
