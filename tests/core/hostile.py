"""Call everything that a compiled module has with arguments that nobody should pass."""

from __future__ import annotations

import gc
import random
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout, suppress
from io import StringIO
from itertools import product
from typing import Any

import arena
from arena.core import compiled
from arena.games.chess.moves import Men
from arena.games.chess.rules import CHESS, ChessPosition
from arena.games.connect4 import ConnectPosition
from arena.games.mnk import MnkGame, MnkPosition
from arena.rng import Stream


class Strange:
    """Raises, or answers nonsense, whatever it is asked."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Strange()

    def __call__(self, *args: Any) -> Any:
        gc.collect()
        return self

    def __eq__(self, other: object) -> Any:
        return self

    def __bool__(self) -> bool:
        raise RuntimeError

    def __len__(self) -> int:
        return 2**40

    def __getitem__(self, place: Any) -> Any:
        raise KeyError

    def __index__(self) -> int:
        return -(2**70)

    __hash__ = None  # type: ignore[assignment]


class Int(int):
    """A number whose comparisons lie."""

    def __lt__(self, other: object) -> bool:
        return True

    def __ge__(self, other: object) -> bool:
        return True


def _streams() -> Iterator[Stream]:
    """Yield streams in strange states."""
    yield Stream()
    for name, value in (("_bits", None), ("_first_bits", 3), ("draws", None), ("draws", ())):
        stream = Stream()
        setattr(stream, name, value)
        yield stream
    for name in ("_bits", "draws"):
        stream = Stream()
        delattr(stream, name)
        yield stream
    yield Stream.__new__(Stream)


def things() -> list[Any]:
    """Return what is passed: right ones, wrong ones and made up ones."""
    tictactoe, connect4 = arena.get_game("tictactoe"), arena.get_game("connect4")
    men = CHESS.start().men
    game = MnkGame("made", 3, 3, [[0, 1, 2], [3, 4, 5]])  # one that may be destroyed
    made: list[Any] = [
        tuple.__new__(kind, fields)
        for kind in (MnkPosition, ConnectPosition)
        for fields in ((), (tictactoe,), (connect4, 2**63, 2**63), (tictactoe, Int(3), None))
    ]
    made += [
        tuple.__new__(ChessPosition, fields)
        for fields in ((), (men,), (None, 0, 0, ()), (men, None, 0, None), (men, 0, None, (men,)))
    ]
    made += [
        tuple.__new__(Men, fields)
        for fields in ((), (2**64 - 1,) * 11, (0,) * 11, (2**64 - 1,) * 8 + (2**64 - 1, 63, 1))
    ]
    made += [
        Men._make([2**64 - 1] * 7 + [1 << king, 0, to, 0]) for king in (0, 63) for to in (0, 3)
    ]
    return [
        *made, *_streams(), tictactoe.start(), connect4.start(), CHESS.start(), CHESS.start().men,
        game, None, 0, -1, 7, 2**31, 2**63, 2**70, -(2**70), Int(5), True, 1.5, float("nan"),
        "", "x" * 300, "\ud800", b"", (), [], (1, 2, 3), [1], {}, {1}, random.Random(1), Strange(),
        Strange, len, lambda *args: None,
    ]  # fmt: skip


def attack(name: str, seed: int = 1) -> None:
    """Call all functions, classes and methods of a compiled module, and print how often."""
    module = compiled(name)
    if module is None:
        raise SystemExit("not compiled")
    rng, number = random.Random(seed), 0
    for target in _targets(module):
        for arity in range(5):
            pool = things()
            some = (rng.choices(pool, k=arity) for _ in range(250))
            for arguments in product(pool, repeat=arity) if arity < 2 else some:
                number += 1
                with suppress(BaseException), redirect_stdout(StringIO()):
                    target(*arguments)
    gc.collect()
    print(number)


def _targets(module: Any) -> Iterator[Callable[..., Any]]:
    twins = getattr(module, "PURE", {})
    for name, value in vars(module).items():
        if getattr(value, "__module__", "").startswith("arena.core") or name in twins:
            if not callable(value) or name in ("add_kind", "end_copy"):
                continue
            yield value
            if isinstance(value, type):
                yield from _methods(value)


def _methods(kind: type) -> Iterator[Callable[..., Any]]:
    """Yield the methods of a class, and those of objects that were made without arguments."""
    for name in vars(kind):
        if name.startswith("__") and name not in ("__init__", "__bool__"):
            continue
        yield getattr(kind, name)
        with suppress(Exception):
            new: Any = kind.__new__
            made = new(kind)
            yield getattr(made, name)
        with suppress(Exception):
            made = kind(100, True)
            yield getattr(made, name)
