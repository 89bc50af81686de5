"""Explain to the author of a player what it did wrong: what, where, and what to do about it.

A player breaks its contract in one of two ways: it raises, or it returns something that is not a
legal move. The explanation is the same whether arena or an isolated process makes it. Foreign
values and exceptions may do anything when they are touched. Nothing here raises for that.
"""

from __future__ import annotations

import errno
import linecache
import os
import random
import re
import reprlib
import sys
import traceback
from collections.abc import Callable, Sequence
from functools import cache
from types import CoroutineType, FrameType, GeneratorType, MethodType
from typing import Any, NamedTuple

from arena import escape, rng
from arena.errors import (
    MAX_QUOTED,
    MAX_REPEATED_MESSAGE,
    IllegalMove,
    NoMove,
    as_move,
    class_name,
    describe,
    did_you_mean,
    is_stop,
    numeral,
    one_line,
)
from arena.game import Game, Observation, Position

#: The name of a player's function in messages that does not have one.
FUNCTION = "choose"

#: Most moves that a message lists one by one.
MAX_LISTED = 10

#: Longest line of code in a message: with its file, function and indent it fits 80 columns.
MAX_CODE = 50

#: Most lines of a player's own frames in the log.
MAX_FRAMES = 40

#: Most characters of these lines.
MAX_LOGGED_TEXT = 20_000

#: Names that people try for the board of a position.
_BOARDS = frozenset({"board", "cells", "grid", "rows", "squares", "state", "field", "matrix"})

_BOARD = "str(position) has a letter a square; arena.adapt.as_rows(position) has rows"

#: Shows little of what is large, which would take long to show.
_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = MAX_QUOTED

_ARGUMENTS = "arena calls choose(position, rng), in this order"

#: How Python complains that a thing is not a container, with the name of its class.
_NOT_A_BOARD = (
    r"'\w*(?:Position|Game)' object (?:is not (?:subscriptable|iterable)|does not support item)"
)


class Fault(NamedTuple):
    """A player's breach of contract, in words for its author."""

    #: The exception, or the value that was returned.
    message: str
    #: The innermost frame of the player's own: ``bot.py:3 in choose: return TABLE[key]``.
    where: str = ""
    #: The remedy, where one is known.
    remedy: str = ""

    @property
    def placed(self) -> str:
        """The message and where, on one line."""
        return f"{self.message} ({self.where})" if self.where else self.message


def raised(error: BaseException) -> Fault:
    """Explain an exception of a player's code."""
    return Fault(describe(error), _safe_text(where, error), remedy_of(error))


def returned(answer: Any, position: Position | Observation, function: str = FUNCTION) -> Fault:
    """Explain an answer that is not a legal move at the position."""
    if type(answer) is NoMove:
        return Fault(_reason(answer))
    try:
        move = as_move(answer)
    except IllegalMove:
        return _no_number(answer, position, function)
    legal = listed(position.legal_moves())
    note = ", a taken square" if _is_taken(move, position) else ""
    rest = f"the legal moves are {legal}" if legal else "the game is over"
    message = f"{function} returned {numeral(move)}{note}; {rest}"
    return Fault(message, remedy=_numbering(position.game))


def answered(text: str, position: Position) -> str:
    """Explain an illegal move that a program answered, in the notation of the game."""
    legal = listed(position.legal_moves(), position.game.format_move)
    return f"answered {text}; the legal moves are {legal}"


def name_of(function: object) -> str:
    """Return what messages call a player's function."""
    try:
        name = getattr(function, "__name__", "")
    except BaseException as error:
        if is_stop(error):
            raise
        name = ""
    is_plain = type(name) is str and name.isidentifier() and name.isascii()
    return name if is_plain and not issubclass(type(function), type) else FUNCTION


def listed(moves: Sequence[int], text: Callable[[int], str] = str) -> str:
    """Return moves as a list that is not too long.

    >>> listed(range(9)), listed([1, 3, 4]), listed([0, *range(2, 25)])
    ('0, 1, ..., 8', '1, 3, 4', '0, 2, 3, ..., 24 (24 moves)')
    """
    words = [text(move) for move in moves]
    if len(moves) > 4 and list(moves) == list(range(moves[0], moves[0] + len(moves))):
        return f"{words[0]}, {words[1]}, ..., {words[-1]}"
    if len(moves) <= MAX_LISTED:
        return ", ".join(words)
    return f"{', '.join(words[:3])}, ..., {words[-1]} ({len(words)} moves)"


def _reason(answer: NoMove) -> str:
    try:
        as_move(answer)
    except IllegalMove as error:
        return str(error)
    return f"answered {_value(answer)}, which is not a move"


def _no_number(answer: Any, position: Position | Observation, function: str) -> Fault:
    """Explain an answer that is not an integer."""
    if answer is None:
        return Fault(f"{function} returned None: a branch without return?")
    if type(answer) is CoroutineType:
        _safe_text(_close, answer)  # else Python warns that it was not awaited
        return Fault(f"{function} returned a coroutine: write def, not async def")
    if type(answer) is GeneratorType:
        return Fault(f"{function} returned a generator: write return, not yield")
    message = f"{function} returned {_value(answer)}, which is not an int"
    remedy = _safe_text(lambda value: _conversion(value, position.game), answer)
    return Fault(message, remedy=remedy)


def _value(value: object) -> str:
    """Return the representation of a foreign value on one line, not too long."""
    try:
        text = str.__str__(_SHORT.repr(value))
    except BaseException as error:
        if is_stop(error):
            raise
        return f"a {class_name(value)}"
    return escape.line(text[: MAX_QUOTED - 3] + "..." if len(text) > MAX_QUOTED else text)


def _conversion(answer: Any, game: Game) -> str:
    """Say how to make a move of an answer of another type. The result is empty if nothing is
    known.
    """
    kind = type(answer)
    if (kind is tuple or kind is list) and len(answer) == 2 and hasattr(game, "square_at"):
        return "position.game.square_at(row, column) is the move; arena.adapt.rows does it too"
    return next((text for kinds, text in _CONVERSIONS if issubclass(kind, kinds)), "")


def _is_taken(move: int, position: Position | Observation) -> bool:
    squares = getattr(position.game, "squares", None)
    return type(squares) is int and 0 <= move < squares


def _numbering(game: Game) -> str:
    """Say how Python's numbers and the board's differ. The result is empty if the board's are other
    words.
    """
    moves = game.start().legal_moves()
    texts = [game.format_move(move) for move in moves]
    if [*moves] != [*range(len(moves))] or texts != [str(move + 1) for move in moves]:
        return ""
    noun = "squares" if hasattr(game, "squares") else "moves"
    return f"In Python {noun} count from 0 (the board shows 1 to {len(moves)})"


def remedy_of(error: BaseException) -> str:
    """Say what to do about an exception of a player's code. The result is empty if nothing is
    known.
    """
    return one_line(_safe_text(_remedy, error))


def barred(error: BaseException) -> str:
    """Return what an exception says that the machine does not let a player do. The result is empty
    if nothing.

    ``file`` is to open one, ``call`` another system call.
    """
    return _safe_text(_barred_action, error)


def _barred_action(error: BaseException) -> str:
    if not isinstance(error, (FileNotFoundError, PermissionError)):
        return ""
    return "call" if error.errno == errno.EPERM else "file"


def _safe_text(read: Callable[[Any], str], value: object) -> str:
    """Return the text of a foreign thing. The result is empty if it raises when it is touched."""
    try:
        return read(value)
    except BaseException as error:
        if is_stop(error):
            raise
        return ""


def _close(coroutine: Any) -> str:
    coroutine.close()
    return ""


def _remedy(error: BaseException) -> str:
    if isinstance(error, ModuleNotFoundError) and error.name:
        installed = f"{error.name} is not installed in this Python"
        return f"{installed}, nor a module beside the file that it may read"
    if isinstance(error, AttributeError) and (remedy := _attribute_remedy(error)):
        return remedy
    if isinstance(error, (TypeError, KeyError)) and re.search(_NOT_A_BOARD, str(error)):
        return _BOARD
    if isinstance(error, NameError) and error.name:
        return _name_remedy(error.name)
    matching = (m for m in _MISTAKES if isinstance(error, m.kind) and m.is_made(error))
    return next((mistake.remedy for mistake in matching), "")


def _name_remedy(name: str) -> str:
    """Say what to import for a name that is not defined."""
    module = _ABBREVIATIONS.get(name, name)
    if module == name and name not in sys.stdlib_module_names:
        return ""
    alias = f" as {name}" if module != name else ""
    return f"write import {module}{alias} at the top of the file"


_ABBREVIATIONS = {"np": "numpy", "pd": "pandas", "plt": "matplotlib.pyplot"}


class _Mistake(NamedTuple):
    """A usual mistake, by the exception that it raises and the line of code that raises it."""

    kind: type[BaseException]
    #: A pattern of the exception's message.
    message: str
    #: What to do about it.
    remedy: str
    #: A pattern of the line. Its first group, if it has one, must be the name of a position.
    line: str = ""

    def is_made(self, error: BaseException) -> bool:
        """Return whether the exception comes from this mistake."""
        if not re.search(self.message, str(error)):
            return False
        frame, number = _innermost(error)
        matches = re.finditer(self.line, linecache.getline(frame.f_code.co_filename, number))
        return any(
            not match.groups() or isinstance(frame.f_locals.get(match[1]), Position)
            for match in matches
        )


_MISTAKES = (
    # Some positions are tuples, whose own complaints do not say what is wrong.
    _Mistake(IndexError, "tuple index out of range", _BOARD, r"(\w+)\["),
    _Mistake(TypeError, "does not support item assignment", _BOARD, r"(\w+)\["),
    _Mistake(
        AttributeError,
        "can't set attribute|cannot assign to field|no setter|is read-only",
        "a position does not change: position.play(move) returns the next one",
        r"(\w+)\.\w+\s*[-+*/|&^]*=(?!=)",
    ),
    _Mistake(
        AttributeError,
        "'tuple' object has no attribute",
        "legal_moves() returns a tuple: list(position.legal_moves()) can be changed",
        r"legal_moves\(\)\.",
    ),
    _Mistake(
        IndexError,
        "Cannot choose from an empty sequence",
        "the list is empty at this position: choose from position.legal_moves() then",
    ),
    _Mistake(
        IllegalMove,
        "",
        "position.play takes a legal move, an int of position.legal_moves()",
        r"(\w+)\.play\(",
    ),
)


def _innermost(error: BaseException) -> tuple[FrameType, int]:
    """Return the innermost frame of the player's own code, and the line that it was at."""
    frames = [*traceback.walk_tb(error.__traceback__)]
    for frame, line in reversed(frames):
        if not frame.f_code.co_filename.startswith(_libraries()):
            return frame, line
    return frames[-1]


def _attribute_remedy(error: AttributeError) -> str:
    """Say what to ask instead of a thing that does not have the attribute."""
    target, name = error.obj, error.name or ""
    if isinstance(target, random.Random) and hasattr(Position, name):
        return _ARGUMENTS
    if not isinstance(target, (Position, Game)):
        return ""
    if hasattr(random.Random, name):
        return _ARGUMENTS
    if name.lower() in _BOARDS and isinstance(target, Position):
        return _BOARD
    names = [attribute for attribute in dir(target) if not attribute.startswith("_")]
    if near := did_you_mean(name, names):
        return near.removeprefix(", ")
    noun = "position" if isinstance(target, Position) else "game"
    return f"a {noun} has {', '.join(attribute for attribute in names if attribute in _USUAL)}"


#: What to write instead of an answer of these types.
_CONVERSIONS: Sequence[tuple[type | tuple[type, ...], str]] = (
    (float, "int(...) or // makes an int"),
    (str, "position.game.parse_move(text) is the move"),
    (bool, "return the move itself, not whether there is one"),
    (Position, "return the move, not the position after it"),
    ((tuple, list, set, frozenset, dict), "return one move, such as moves[0]"),
    (MethodType, "call it: position.legal_moves()"),
    (Game, "rng.choice(position.legal_moves()) is a random move"),
)

#: The attributes that players mostly ask of positions and games.
_USUAL = ("game", "legal_moves", "outcome", "play", "ply", "to_move", "parse", "start")


def player_frames(error: BaseException) -> str:
    """Return the traceback of an exception, with the frames of the player's own code only."""
    frames = _safe_text(_frames, error)[:MAX_LOGGED_TEXT]
    return escape.block(f"Traceback (most recent call last):\n{frames}{describe(error)}")


def _frames(error: BaseException) -> str:
    return "".join(traceback.format_list(_code_frames(error))[: MAX_FRAMES - 1])


def where(error: BaseException) -> str:
    """Return the innermost frame of the player's own code, on one line."""
    frames = _code_frames(error)
    if not frames:
        return ""
    last = frames[-1]
    name = "" if last.name == "<module>" else f" in {last.name}"
    code = (last.line or "").strip()
    cut = code if len(code) <= MAX_CODE else code[: MAX_CODE - 3] + "..."
    place = f"{os.path.basename(last.filename)}:{last.lineno}{name}"
    return escape.line((f"{place}: {cut}" if cut else place)[:MAX_REPEATED_MESSAGE])


def _code_frames(error: BaseException) -> traceback.StackSummary:
    """Return the frames outside of arena and of libraries, or the last of all if there are none."""
    frames = traceback.StackSummary.extract(
        traceback.walk_tb(error.__traceback__), lookup_lines=False
    )
    player_frames = [frame for frame in frames if not frame.filename.startswith(_libraries())]
    return traceback.StackSummary.from_list(player_frames)


@cache
def _libraries() -> tuple[str, ...]:
    """Return the starts of the names of files that are not a player's."""
    installed = [p for p in sys.path if os.path.basename(p) in ("site-packages", "dist-packages")]
    arena, python = (os.path.dirname(os.path.abspath(file)) for file in (rng.__file__, os.__file__))
    return ("<frozen ", *(os.path.join(path, "") for path in (*installed, arena, python)))
