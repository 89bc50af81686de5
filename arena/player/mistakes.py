"""Know the remedies of usual mistakes, by the exception of a player's code.

A table has the mistakes that touch arena's objects in a usual wrong way. The exceptions are
foreign, so their attributes may do anything: the caller guards against that.
"""

from __future__ import annotations

import linecache
import os
import random
import re
import sys
import traceback
from collections.abc import Mapping
from functools import cache
from types import FrameType
from typing import NamedTuple

from arena import rng
from arena.core import COMPILED
from arena.errors import IllegalMove, did_you_mean
from arena.game import Game, Position
from arena.player.silent_mistakes import misread_board_of

#: The end of the remedy for a module that is missing.
NOT_BESIDE = "nor a module next to the file that it may read"

_ARGUMENTS = "arena calls choose(position, rng), in this order"
_BOARD = "str(position) has a letter a square; arena.adapt.as_rows(position) has rows"
_CALL = "legal_moves and outcome are methods: call position.legal_moves()"
_IMMUTABLE = "a position does not change: position.play(move) returns the next one"
_MOVES = "position.legal_moves() has the moves"
_OVER = "position.outcome() is None while the game goes on, then an arena.Outcome"
_PLAY = "position.play takes a legal move, an int of position.legal_moves()"
_RNG = "rng is a random.Random: rng.choice(position.legal_moves())"
_SIDE = "position.to_move is the side to move, arena.Side.FIRST or arena.Side.SECOND"

#: Names that people try on a position, by what has it.
_TRIED = {
    _BOARD: "board cells grid rows squares state field matrix",
    _MOVES: "moves get_moves available_moves possible_moves valid_moves actions legal_actions"
    " empty free empty_squares generate_legal_moves get_legal_moves",
    _SIDE: "turn player current_player side side_to_move whose_turn",
    _OVER: "winner is_over game_over is_game_over is_terminal terminal done result over is_finished"
    " get_winner is_won won",
    _IMMUTABLE: "copy clone undo pop unmake push move make_move apply apply_move do step set place"
    " append insert remove",
}

#: What to write in place of a name that people try on a position.
_INSTEAD: Mapping[str, str] = {
    name: remedy for remedy, names in _TRIED.items() for name in names.split()
}

#: How Python complains that a thing is not a container, with the name of its class.
_NOT_A_BOARD = (
    r"'\w*(?:Position|Game)' object (?:is not (?:subscriptable|iterable)|"
    r"does(?:n't| not) support item)"
)

#: How Python complains that something is a method.
_METHOD = (
    r"'(?:builtin_function_or_)?method' object is not (?:subscriptable|iterable)|"
    r"type '(?:builtin_function_or_)?method' (?:has no len|is not iterable)|"
    r"'(?:function|method|_cython_\S+)' object has no attribute"
)

_ABBREVIATIONS = {"np": "numpy", "pd": "pandas", "plt": "matplotlib.pyplot"}

#: Names of arena that players use.
_CONTRACT = ("Game", "Outcome", "Position", "Side")

#: The attributes that players mostly ask of positions and games.
_USUAL = (
    "format_move", "game", "legal_moves", "name", "outcome", "parse", "parse_move", "play", "ply",
    "start", "to_move",
)  # fmt: skip


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
    _Mistake(TypeError, _NOT_A_BOARD, _BOARD),
    _Mistake(KeyError, _NOT_A_BOARD, _BOARD),
    # Some positions are tuples, whose own complaints do not say what is wrong.
    _Mistake(IndexError, "tuple index out of range", _BOARD, r"(\w+)\["),
    _Mistake(TypeError, "tuple indices must be integers", _BOARD, r"(\w+)\["),
    _Mistake(TypeError, "does not support item assignment", _BOARD, r"(\w+)\["),
    _Mistake(
        IndexError,
        "tuple index out of range",
        "legal_moves() has the moves of this position alone: fewer than squares",
        r"legal_moves\(\)\[",
    ),
    _Mistake(
        AttributeError,
        "can't set attribute|cannot assign to field|no setter|is read-only",
        _IMMUTABLE,
        r"(\w+)\.\w+\s*[-+*/|&^]*=(?!=)",
    ),
    _Mistake(
        AttributeError,
        "'tuple' object has no attribute",
        "legal_moves() returns a tuple: list(position.legal_moves()) can be changed",
        r"legal_moves\(\)\.",
    ),
    _Mistake(TypeError, _METHOD, _CALL, r"(\w+)\.(?:legal_moves|outcome)\b(?!\()"),
    _Mistake(AttributeError, _METHOD, _CALL, r"(\w+)\.(?:legal_moves|outcome)\b(?!\()"),
    _Mistake(
        TypeError,
        "'Side' object is not callable",
        "to_move is not a method: write position.to_move",
    ),
    _Mistake(
        IndexError,
        "Cannot choose from an empty sequence",
        "the list is empty at this position: choose from position.legal_moves() then",
    ),
    _Mistake(TypeError, "'(?:Stream|Random)' object is not", _RNG),
    _Mistake(IllegalMove, "", _PLAY, r"(\w+)\.play\("),
    _Mistake(TypeError, "not supported between instances of", _PLAY, r"(\w+)\.play\("),
    _Mistake(
        EOFError,
        "EOF when reading a line",
        "choose reads no input: arena play is for a human",
    ),
)


def remedy(error: BaseException) -> str:
    """Say what to do about an exception of a player's code. The text is empty if none is known."""
    if isinstance(error, ModuleNotFoundError) and error.name:
        installed = f"{error.name} is not installed in this Python"
        return f"{installed}, {NOT_BESIDE}"
    if isinstance(error, AttributeError) and (instead := _attribute_remedy(error)):
        return instead
    if isinstance(error, NameError) and error.name:
        return _name_remedy(error.name)
    matching = (m for m in _MISTAKES if isinstance(error, m.kind) and m.is_made(error))
    remedy = next((mistake.remedy for mistake in matching), "")
    return remedy or _misread(error)


def _misread(error: BaseException) -> str:
    """Say that the code which raised takes a position for a board, if it does."""
    frame, _ = _innermost(error)
    if frame.f_code.co_filename.startswith(library_paths()):
        return ""
    return misread_board_of(frame.f_code)


def _name_remedy(name: str) -> str:
    """Say what to import for a name that is not defined."""
    if name in _CONTRACT:
        return f"write from arena import {name} at the top of the file"
    module = _ABBREVIATIONS.get(name, name)
    if module == name and name != "arena" and name not in sys.stdlib_module_names:
        return ""
    alias = f" as {name}" if module != name else ""
    return f"write import {module}{alias} at the top of the file"


def _attribute_remedy(error: AttributeError) -> str:
    """Say what to ask instead of a thing that does not have the attribute."""
    target, name = error.obj, error.name or ""
    if isinstance(target, random.Random):
        return _ARGUMENTS if hasattr(Position, name) else _RNG
    if not isinstance(target, (Position, Game)):
        return ""
    if hasattr(random.Random, name):
        return _ARGUMENTS
    if isinstance(target, Position) and (instead := _INSTEAD.get(name.lower())):
        return instead
    names = [attribute for attribute in dir(target) if not attribute.startswith("_")]
    if near := did_you_mean(name, names):
        return near.removeprefix(", ")
    noun = "position" if isinstance(target, Position) else "game"
    return f"a {noun} has {', '.join(attribute for attribute in names if attribute in _USUAL)}"


def _innermost(error: BaseException) -> tuple[FrameType, int]:
    """Return the innermost frame of the player's own code, and the line that it was at."""
    frames = [*traceback.walk_tb(error.__traceback__)]
    for frame, line in reversed(frames):
        if not frame.f_code.co_filename.startswith(library_paths()):
            return frame, line
    return frames[-1]


@cache
def library_paths() -> tuple[str, ...]:
    """Return the starts of the names of files that are not a player's."""
    installed = [p for p in sys.path if os.path.basename(p) in ("site-packages", "dist-packages")]
    arena, python = (os.path.dirname(os.path.abspath(file)) for file in (rng.__file__, os.__file__))
    folders = (os.path.join(path, "") for path in (*installed, arena, python))
    return ("<frozen ", COMPILED, *folders)
