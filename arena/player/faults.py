"""Explain to the author of a player what it did wrong: what, where, and what to do about it.

A player breaks its contract in one of two ways: it raises, or it returns something that is not a
legal move. The explanation is the same whether arena or an isolated process makes it. Foreign
values and exceptions may do anything when they are touched. Nothing here raises for that.
"""

from __future__ import annotations

import errno
import os
import reprlib
import traceback
from collections.abc import Callable, Iterator, Sequence
from types import CoroutineType, GeneratorType, MethodType
from typing import Any, NamedTuple

from arena import escape
from arena.errors import (
    MAX_QUOTED,
    MAX_REPEATED_MESSAGE,
    IllegalMove,
    NoMove,
    as_move,
    class_name,
    describe,
    is_stop,
    numeral,
    one_line,
)
from arena.game import Game, Observation, Position
from arena.player.mistakes import library_paths, remedy
from arena.player.silent_mistakes import misread_board

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

#: Shows little of what is large, which would take long to show.
_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = MAX_QUOTED


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


def returned(
    answer: Any,
    position: Position | Observation,
    function: str = FUNCTION,
    player: object = None,
) -> Fault:
    """Explain an answer that is not a legal move at the position.

    ``player`` is the function or class whose code may show why.
    """
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
    misread = _safe_text(misread_board, player)
    return Fault(message, remedy=misread or _numbering(position.game))


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
    if kind.__name__ == "ndarray":
        return "return one move: int(moves[0])"
    return next((text for kinds, text in _CONVERSIONS if issubclass(kind, kinds)), "")


def _is_taken(move: int, position: Position | Observation) -> bool:
    squares, text = getattr(position.game, "squares", None), str(position)
    is_square = type(squares) is int and 0 <= move < squares
    return is_square and (len(text) != squares or text[move] != "_")


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
    return one_line(_safe_text(remedy, error))


def barred(error: BaseException) -> str:
    """Return what an exception says that the machine does not let a player do. The result is empty
    if nothing.

    ``file`` is to open one, ``write`` to change one, ``network`` to reach another machine, ``call``
    another system call.
    """
    return _safe_text(_barred_action, error)


#: The errors of the system where there is no network.
_NO_NETWORK = {errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ECONNREFUSED, errno.ENETDOWN}

#: How many causes of an exception are looked at.
MAX_CAUSES = 10


def _barred_action(error: BaseException) -> str:
    if any(map(_needs_network, _causes(error))):
        return "network"
    if isinstance(error, OSError) and error.errno == errno.EROFS:
        return "write"
    if not isinstance(error, (FileNotFoundError, PermissionError)):
        return ""
    return "call" if error.errno == errno.EPERM else "file"


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an exception and what caused it: libraries wrap the errors of connections."""
    link: Any = error
    for _ in range(MAX_CAUSES):
        if not isinstance(link, BaseException):
            return
        yield link
        link = link.__cause__ or link.__context__ or getattr(link, "reason", None)


def _needs_network(error: BaseException) -> bool:
    """Return whether an exception comes from a connection that the machine does not allow."""
    if not isinstance(error, OSError):
        return False
    if type(error).__name__ == "gaierror" or error.errno in _NO_NETWORK:
        return True
    frames = traceback.walk_tb(error.__traceback__)
    files = {os.path.basename(frame.f_code.co_filename) for frame, _ in frames}
    return error.errno == errno.EPERM and "socket.py" in files


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
    player_frames = [frame for frame in frames if not frame.filename.startswith(library_paths())]
    return traceback.StackSummary.from_list(player_frames)
