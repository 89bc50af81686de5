"""The twins of positions on which a line decides."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any

import pytest

import arena
from arena.core import compiled
from arena.game import Position, Side
from arena.games.connect4 import ConnectGame, ConnectPosition
from arena.games.mnk import MnkGame, MnkPosition
from tests.core.twins import OF_LINES, needs_compiled, positions, python_of

pytestmark = needs_compiled

#: What a position is asked, with the arguments.
ASKED: tuple[tuple[str, tuple[Any, ...]], ...] = (
    ("legal_moves", ()),
    ("outcome", ()),
    ("search_moves", ()),
    ("canonical", ()),
    ("estimate", ()),
    ("winning_moves", (Side.FIRST,)),
    ("winning_moves", (Side.SECOND,)),
    ("winning_moves", (1,)),
    ("plies_to_win", (Side.FIRST,)),
    ("plies_to_win", (Side.SECOND,)),
    ("forking_moves", (Side.FIRST,)),
    ("forking_moves", (Side.SECOND,)),
    ("free", ((),)),
    ("free", ((0, 1, 1),)),
)


def twin_of(position: Position, name: str) -> Any:
    """Return the compiled function of m,n,k or of falling discs, None if there is none."""
    kind = ConnectPosition if isinstance(position, ConnectPosition) else MnkPosition
    function = getattr(kind, name, None)
    return function if "__wrapped__" in getattr(function, "__dict__", {}) else None


def ended(function: Any, *arguments: Any) -> tuple[object, ...]:
    """Return the answer of a function, or its complaint."""
    try:
        answer = function(*arguments)
    except Exception as error:
        return type(error), str(error)
    return answer, type(answer), hash(answer)


@pytest.mark.slow
@pytest.mark.parametrize("game", OF_LINES)
def test_a_position_answers_as_in_python(game: str) -> None:
    count = 0
    for position in positions(game, 25):
        for name, arguments in ASKED:
            twin = twin_of(position, name)
            if twin is not None:
                answer = python_of(twin)(position, *arguments)
                assert twin(position, *arguments) == answer, (str(position), name)
                assert type(twin(position, *arguments)) is type(answer)
                count += 1
        kind = type(position)
        for name in ("to_move", "ply"):
            getter = getattr(kind, name).fget
            assert getter(position) is python_of(getter)(position)
    assert count


@pytest.mark.parametrize("game", OF_LINES)
def test_a_move_leads_where_it_does_in_python(game: str) -> None:
    for position in positions(game, 10, seed=1):
        twin = twin_of(position, "play")
        for move in (*range(-1, position.game.max_plies + 2), 2**70, True):
            assert ended(twin, position, move) == ended(python_of(twin), position, move)


@pytest.mark.parametrize("game", ["tictactoe", "connect4-misere", "mnk-15-15-5"])
def test_a_position_is_what_it_was_before_compiling(game: str) -> None:
    start = arena.get_game(game).start()
    after = start.play(start.legal_moves()[0])
    assert pickle.loads(pickle.dumps(after)) == after
    assert isinstance(after, tuple)
    assert not hasattr(after, "__dict__")
    with pytest.raises(AttributeError):
        after.first = 1  # type: ignore[attr-defined]
    assert type(after).play.__doc__
    assert type(after).play.__name__ == "play"


def test_a_board_of_more_than_a_word_is_left_to_python() -> None:
    position = arena.get_game("mnk-9-9-5").start()
    for move in range(8):
        position = position.play(9 * move)
    assert len(position.legal_moves()) == 73
    assert position.outcome() is None


def test_positions_that_nobody_reaches_are_left_to_python() -> None:
    game = arena.get_game("tictactoe")
    strange = [(game, 2**70, 0), (game, -1, 0), (game, 1 << 9, 0), (game, 1.0, 0), (None, 0, 0)]
    for fields in strange:
        odd: Any = tuple.__new__(MnkPosition, fields)
        for name in ("legal_moves", "outcome", "canonical"):
            twin = getattr(MnkPosition, name)
            assert ended(twin, odd) == ended(python_of(twin), odd), (fields, name)


def test_a_game_that_was_changed_is_left_to_python() -> None:
    module = compiled("lines")
    assert module is not None
    assert module.words_of(MnkGame("made", 4, 4, [[0, 1, 2]])) is not None
    many = {"moves": 200_000, "by_lines": [7] * 200_000}
    for changes in (many, {"lines": (1 << 70,)}, {"full": 7}, {"by_lines": None}):
        game = MnkGame("made", 4, 4, [[0, 1, 2]])
        vars(game).update(changes)
        assert module.words_of(game) is None
    falls = {"column": [1 << 70] * 7}, {"_shifts": [[64]] * 4}, {"bottom": -1}
    for change in falls:
        disc = ConnectGame(7, 6, 4, misere=False)
        vars(disc).update(change)
        assert module.words_of(disc) is None


@pytest.mark.slow
@pytest.mark.parametrize("module", ["lines", "stream", "loop", "search", "tree", "chess"])
def test_nothing_that_one_calls_so_crashes(module: str) -> None:
    """A crash would end this process, so another one tries."""
    code = f"import tests.core.hostile as h; h.attack({module!r})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100)
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout) > 100
