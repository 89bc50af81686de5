"""What the learner sees of a board: a few numbers.

A name in the singular says yes or no (1 or 0), one in the plural counts. Most features come in
two, for the learner's own side and for the opponent's: ``fork-mine`` and ``fork-theirs``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache, partial
from typing import Any

from arena.errors import UnknownName
from arena.game import Side
from arena.games.board import bits_of
from arena.games.mnk import CACHED_POSITIONS, MnkGame, MnkPosition

#: The values of a board's features; the first is always 1 and belongs to the weight w0.
Vector = tuple[int, ...]

#: A feature: its value on a board with these marks of mine and of theirs.
Feature = Callable[[MnkGame, int, int], int]


def line(game: MnkGame, mine: int, _theirs: int) -> int:
    """Has k in a row."""
    return int(game.has_line(mine))


def fork(game: MnkGame, mine: int, theirs: int) -> int:
    """Has two winning squares or more."""
    return int(wins(game, mine, theirs) > 1)


def centre(game: MnkGame, mine: int, _theirs: int) -> int:
    """Holds the centre."""
    return 0 if game.centre is None else mine >> game.centre & 1


def corner(game: MnkGame, mine: int, theirs: int) -> int:
    """Holds a corner."""
    return int(corners(game, mine, theirs) > 0)


def opposite_corner(game: MnkGame, mine: int, theirs: int) -> int:
    """Holds a corner opposite one that the other side holds."""
    last = game.squares - 1
    return int(any(mine >> s & 1 and theirs >> last - s & 1 for s in game.corners))


def side(game: MnkGame, mine: int, theirs: int) -> int:
    """Holds a square of the border that is no corner."""
    return int(sides(game, mine, theirs) > 0)


def marks(_game: MnkGame, mine: int, _theirs: int) -> int:
    """Squares held."""
    return mine.bit_count()


def wins(game: MnkGame, mine: int, theirs: int) -> int:
    """Squares that would complete k in a row."""
    winning: int = game.race(mine, theirs)[1]
    return winning.bit_count()


def forks(game: MnkGame, mine: int, theirs: int) -> int:
    """Squares after which there would be two winning squares or more."""
    return len(game.forks(mine, theirs))


def corners(game: MnkGame, mine: int, _theirs: int) -> int:
    """Corners held."""
    return (mine & bits_of(game.corners)).bit_count()


def sides(game: MnkGame, mine: int, _theirs: int) -> int:
    """Squares of the border held that are no corners."""
    return (mine & bits_of(game.sides)).bit_count()


def square(number: int, _game: MnkGame, mine: int, theirs: int) -> int:
    """1 if I hold the square of that number (from 0), -1 if they do, 0 if it is free."""
    return (mine >> number & 1) - (theirs >> number & 1)


#: Features that come in two, by name.
PAIRED: dict[str, Feature] = {
    function.__name__.replace("_", "-"): function
    for function in (
        *(line, fork, centre, corner, opposite_corner, side),
        *(marks, wins, forks, corners, sides),
    )
}

#: Paired features that are asked for together.
SETS: dict[str, tuple[str, ...]] = {
    "counts": ("marks", "wins"),
    "list": ("line", "fork", "centre", "opposite-corner", "corner", "side"),
    "rules": ("line", "wins", "forks", "centre", "corners", "sides"),
}

#: The set of one feature a square.
SQUARES = "squares"


def _of_theirs(feature: Feature, game: MnkGame, mine: int, theirs: int) -> int:
    return feature(game, theirs, mine)


@cache
def known_features(game: MnkGame) -> dict[str, Feature]:
    """Every feature of a game's boards by name."""
    known: dict[str, Feature] = {}
    for name, feature in PAIRED.items():
        known[f"{name}-mine"] = feature
        known[f"{name}-theirs"] = partial(_of_theirs, feature)
    for number in range(game.squares):
        known[f"square-{game.format_move(number)}"] = partial(square, number)
    return known


def named_features(game: MnkGame, words: Iterable[str]) -> tuple[str, ...]:
    """The names of the features that the words ask for, each once and in the order asked for.

    A word is a set (``rules``), a feature of both sides (``fork``) or a single one (``fork-mine``).
    UnknownName for any other word.

    >>> from arena.games.mnk import mnk_game
    >>> named_features(mnk_game(3, 3, 3), ["fork", "fork-mine", "square-5"])
    ('fork-mine', 'fork-theirs', 'square-5')
    """
    known = known_features(game)
    names: dict[str, None] = {}
    for word in words:
        if word in known:
            names[word] = None
        elif word == SQUARES:
            names |= dict.fromkeys(name for name in known if name.startswith("square-"))
        elif word in SETS or word in PAIRED:
            for paired in SETS.get(word, (word,)):
                names |= {f"{paired}-mine": None, f"{paired}-theirs": None}
        else:
            raise UnknownName("feature", word, [SQUARES, *SETS, *PAIRED, *known])
    return tuple(names)


class Features:
    """Some features of a game's boards; :func:`features_of` makes them, each only once."""

    def __init__(self, game: MnkGame, names: tuple[str, ...]) -> None:
        self.game, self.names = game, names
        self._features = [known_features(game)[name] for name in names]
        self._vector = lru_cache(CACHED_POSITIONS)(self._compute)

    def vector(self, board: MnkPosition, me: Side) -> Vector:
        """The values of the features in the view of a side, after the constant 1."""
        _, first, second = board
        return self._vector(second, first) if me else self._vector(first, second)

    def _compute(self, mine: int, theirs: int) -> Vector:
        return (1, *(feature(self.game, mine, theirs) for feature in self._features))

    def __reduce__(self) -> tuple[Any, ...]:
        return features_of, (self.game, self.names)


@cache
def features_of(game: MnkGame, names: tuple[str, ...]) -> Features:
    """The features of these names."""
    return Features(game, names)
