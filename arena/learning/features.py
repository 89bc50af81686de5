"""Turn a board into a few numbers that the learner sees.

A name in the singular is a yes or no (1 or 0), one in the plural is a count. Most features come in
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

#: Values of a board's features; the first is always 1 and belongs to the weight w0.
Vector = tuple[int, ...]

#: A feature: its value on a board with these marks of mine and of theirs.
Feature = Callable[[MnkGame, int, int], int]


def line(game: MnkGame, mine: int, _theirs: int) -> int:
    """Return whether the side has k in a row."""
    return int(game.has_line(mine))


def fork(game: MnkGame, mine: int, theirs: int) -> int:
    """Return whether the side has two winning squares or more."""
    return int(wins(game, mine, theirs) > 1)


def centre(game: MnkGame, mine: int, _theirs: int) -> int:
    """Return whether the side holds the centre."""
    return 0 if game.centre is None else mine >> game.centre & 1


def corner(game: MnkGame, mine: int, theirs: int) -> int:
    """Return whether the side holds a corner."""
    return int(corners(game, mine, theirs) > 0)


def opposite_corner(game: MnkGame, mine: int, theirs: int) -> int:
    """Return whether the side holds a corner opposite one of the other side's."""
    last = game.squares - 1
    return int(any(mine >> s & 1 and theirs >> last - s & 1 for s in game.corners))


def side(game: MnkGame, mine: int, theirs: int) -> int:
    """Return whether the side holds a square of the border that is not a corner."""
    return int(sides(game, mine, theirs) > 0)


def marks(_game: MnkGame, mine: int, _theirs: int) -> int:
    """Count the squares of the side."""
    return mine.bit_count()


def wins(game: MnkGame, mine: int, theirs: int) -> int:
    """Count the squares that would complete k in a row."""
    winning: int = game.race(mine, theirs)[1]
    return winning.bit_count()


def forks(game: MnkGame, mine: int, theirs: int) -> int:
    """Count the squares that would make two winning squares or more."""
    return len(game.forks(mine, theirs))


def corners(game: MnkGame, mine: int, _theirs: int) -> int:
    """Count the corners of the side."""
    return (mine & bits_of(game.corners)).bit_count()


def sides(game: MnkGame, mine: int, _theirs: int) -> int:
    """Count the side's squares on the border that are not corners."""
    return (mine & bits_of(game.sides)).bit_count()


def square(number: int, _game: MnkGame, mine: int, theirs: int) -> int:
    """Return 1 if I hold the square of that number (from 0), -1 if they do, 0 if it is free."""
    return (mine >> number & 1) - (theirs >> number & 1)


#: Features that come in two, by name.
PAIRED: dict[str, Feature] = {
    function.__name__.replace("_", "-"): function
    for function in (
        *(line, fork, centre, corner, opposite_corner, side),
        *(marks, wins, forks, corners, sides),
    )
}

#: Sets of paired features, by name.
SETS: dict[str, tuple[str, ...]] = {
    "counts": ("marks", "wins"),
    "list": ("line", "fork", "centre", "opposite-corner", "corner", "side"),
    "rules": ("line", "wins", "forks", "centre", "corners", "sides"),
}

#: Name of the set with one feature per square.
SQUARES = "squares"


def _opponent_value(feature: Feature, game: MnkGame, mine: int, theirs: int) -> int:
    return feature(game, theirs, mine)


@cache
def known_features(game: MnkGame) -> dict[str, Feature]:
    """Return every feature of a game's boards by name."""
    features: dict[str, Feature] = {}
    for name, feature in PAIRED.items():
        features[f"{name}-mine"] = feature
        features[f"{name}-theirs"] = partial(_opponent_value, feature)
    for number in range(game.squares):
        features[f"square-{game.format_move(number)}"] = partial(square, number)
    return features


def named_features(game: MnkGame, words: Iterable[str]) -> tuple[str, ...]:
    """Return the features that the words name, each once and in the order of the words.

    A word is a set (``rules``), a feature of both sides (``fork``) or a single one (``fork-mine``).

    >>> from arena.games.mnk import mnk_game
    >>> named_features(mnk_game(3, 3, 3), ["fork", "fork-mine", "square-5"])
    ('fork-mine', 'fork-theirs', 'square-5')
    """
    features = known_features(game)
    names: dict[str, None] = {}
    for word in words:
        if word in features:
            names[word] = None
        elif word == SQUARES:
            names |= dict.fromkeys(name for name in features if name.startswith("square-"))
        elif word in SETS or word in PAIRED:
            for paired in SETS.get(word, (word,)):
                names |= {f"{paired}-mine": None, f"{paired}-theirs": None}
        else:
            raise UnknownName("feature", word, [SQUARES, *SETS, *PAIRED, *features])
    return tuple(names)


class Features:
    """Some features of a game's boards. :func:`features_of` makes each choice only once."""

    def __init__(self, game: MnkGame, names: tuple[str, ...]) -> None:
        self.game, self.names = game, names
        self._features = [known_features(game)[name] for name in names]
        self._vector = lru_cache(CACHED_POSITIONS)(self._compute)

    def vector(self, board: MnkPosition, me: Side) -> Vector:
        """Return the constant 1 and the values of the features as one side sees them."""
        _, first, second = board
        return self._vector(second, first) if me else self._vector(first, second)

    def _compute(self, mine: int, theirs: int) -> Vector:
        return (1, *(feature(self.game, mine, theirs) for feature in self._features))

    def __reduce__(self) -> tuple[Any, ...]:
        return features_of, (self.game, self.names)


@cache
def features_of(game: MnkGame, names: tuple[str, ...]) -> Features:
    """Return the features of these names."""
    return Features(game, names)
