"""Find openings: positions that games begin from, in place of the start.

Both games of a pair begin from the same opening with the sides swapped, and pair n of every pairing
of a run from the same one, so that no player has the easier games.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TypeVar

from arena.dataclass import dataclass
from arena.errors import CannotEnumerate, UsageError, quoted
from arena.game import CHANCE, Game, Position
from arena.rng import Stream, begin, named_stream

#: More positions than ``all:PLIES`` may be, which are all in memory.
MAX_OPENINGS = 100_000

#: Games that are drawn for one random opening, until one is not over when it is reached.
MAX_OPENING_ATTEMPTS = 10_000

Chance = TypeVar("Chance", int, Fraction)


@dataclass(frozen=True)
class Openings:
    """The openings of ``--openings``: a list that repeats, or random ones."""

    #: ``random:PLIES``, ``all:PLIES``, ``starts``, the name of a file, or ``FILE:NUMBER``.
    name: str
    #: The list; empty if every pair has an opening drawn for it.
    positions: Sequence[Position] = ()
    #: This many random moves are made.
    plies: int = 0
    #: Whether the seed shuffles the list.
    shuffled: bool = False
    #: This many of the list are played; 0 for all.
    limit: int = 0

    @property
    def listed(self) -> int:
        """The number of openings after which the list repeats, 0 for random ones."""
        return self.limit or len(self.positions)

    @property
    def is_by_chance(self) -> bool:
        """Whether the first of them are a random sample of them all. ``all:PLIES`` are sorted."""
        return not self.name.startswith(_ALL)

    def repeats_after(self, pairs: int) -> int:
        """Return after how many openings this many pairs begin the list again.

        0 if they never do, and a part of the list is a random sample of it.
        """
        return 0 if self.is_by_chance and self.listed >= pairs else self.listed

    def of_pair(self, game: Game, seed: int, pair: int) -> Position:
        """Return the opening of a pair, counted from 1. Raises UsageError if there is none."""
        if self.listed:
            number = (pair - 1) % self.listed
            order = _order(game.name, seed, len(self.positions)) if self.shuffled else None
            return self.positions[number if order is None else order[number]]
        streams = (Stream(), Stream())
        begin(streams, f"{game.name}/openings/{seed}/{self.name}/{pair}")
        for _ in range(MAX_OPENING_ATTEMPTS):
            position = game.start()
            for _ in range(self.plies):
                moves = position.legal_moves()
                if not moves:
                    break
                position = position.play(_drawn(position, moves, streams[0]))
            if position.outcome() is None:
                return position
        raise UsageError(f"openings {self.name}: {_all_over(game, self.plies)}")

    def chances(self, game: Game, most: int) -> dict[Position, Fraction]:
        """Return the probability of each opening. Those of a list are equally probable.

        Raises CannotEnumerate if more than ``most`` positions are reached.
        """
        if self.positions:
            return self._shares(most)
        level = {game.start(): Fraction(1)}
        for _ in range(self.plies):
            level = _deeper(level, most)
            if len(level) > most:
                raise CannotEnumerate(f"openings {self.name} are more than {most} positions")
        total = sum(level.values(), Fraction(0))
        return {position: chance / total for position, chance in level.items()}

    def _shares(self, most: int) -> dict[Position, Fraction]:
        """Return the share of each position in the list. A long book may repeat one."""
        part = Fraction(1, len(self.positions))
        shares: dict[Position, Fraction] = {}
        for position in self.positions:
            shares[position] = shares.get(position, Fraction(0)) + part
            if len(shares) > most:
                raise CannotEnumerate(f"openings {self.name} are more than {most} positions")
        return shares

    def check(self, game: Game, seed: int, pairs: int) -> None:
        """Raise UsageError if an opening that this many pairs need is wrong."""
        if not self.shuffled:
            return
        from arena.fights.books import MAX_CHECKED

        if len(self.positions) > MAX_CHECKED:
            for pair in range(1, min(pairs, self.listed) + 1):
                self.of_pair(game, seed, pair)

    def for_pairs(self, game: Game, seed: int, pairs: int) -> OpeningsOfPairs:
        """Return the openings that this many pairs need, as a store keeps them."""
        needed = 0 if self.name.startswith(_KINDS) else min(pairs, self.listed)
        positions = (str(self.of_pair(game, seed, pair + 1)) for pair in range(needed))
        return OpeningsOfPairs(self.name, tuple(positions))


@dataclass(frozen=True)
class OpeningsOfPairs:
    """The openings of a fight, as a store keeps them."""

    name: str
    #: The positions of a file, in the order in which they are played; empty for other openings.
    positions: tuple[str, ...]

    def openings(self, game: Game) -> Openings:
        """Return the openings. Raises UsageError if the game does not have them."""
        if self.positions:
            return Openings(self.name, tuple(map(game.parse, self.positions)))
        return openings_of(self.name, game)


def openings_of(name: str | os.PathLike[str], game: Game) -> Openings:
    """Return the openings of this name at a game. Raises UsageError with the reason.

    ``random:PLIES`` draws other legal moves for every pair, and another game if one is over by
    then; what chance does counts as a move. ``all:PLIES`` are the different positions after this
    many moves in which the game goes on.
    ``starts`` are the starts of a game that has more than one, such as chess960.
    Anything else is a file: PGN, or an opening a line, a position or the moves that lead there with
    blanks between them. Lines that are empty or begin with ``#`` are left out. The seed shuffles
    the openings of a file. ``FILE:NUMBER`` takes this many of them.

    >>> from arena.games.mnk import mnk_game
    >>> len(openings_of("all:2", mnk_game(3, 3, 3)).positions)
    72
    """
    name = os.fspath(name)
    if game.is_refereed:
        raise UsageError(f"the referee of {game.name} begins the games itself: leave openings out")
    if name == _STARTS:
        starts = game.starts()
        if len(starts) < 2:
            raise UsageError(f"openings {name!r}: {game.name} has one start")
        return Openings(name, starts, shuffled=True)
    if not name.startswith(_KINDS):
        return _file_openings(name, game)
    kind, _, number = name.partition(":")
    if not (number.isascii() and number.isdigit() and 1 <= int(number[:9]) < game.max_plies):
        raise UsageError(
            f"openings {quoted(name)}: the plies of {kind} are a whole number from 1 to"
            f" {game.max_plies - 1} at {game.name}"
        )
    plies = int(number)
    if kind == "random":
        openings = Openings(name, plies=plies)
        openings.of_pair(game, 0, 1)
        return openings
    level = {game.start(): 1}
    for _ in range(plies):
        level = _deeper(level, MAX_OPENINGS)
        if len(level) > MAX_OPENINGS:
            raise UsageError(f"openings {quoted(name)} are more than {MAX_OPENINGS} positions")
    if not level:
        raise UsageError(f"openings {quoted(name)}: {_all_over(game, plies)}")
    return Openings(name, tuple(sorted(level, key=str)))


_ALL = "all:"
_KINDS = ("random:", _ALL)
#: Openings that are all starts of a game.
_STARTS = "starts"


def _file_openings(name: str, game: Game) -> Openings:
    """Return the openings of ``FILE`` or ``FILE:NUMBER``. A file of the whole name comes first."""
    from arena.fights.books import Book  # few fights have a file

    file, _, number = name.rpartition(":")
    if not (file and number.isascii() and number.isdigit()) or os.path.exists(name):
        return Openings(name, Book(name, game), shuffled=True)
    book, count = Book(file, game), int(number[:18])
    if not 1 <= count <= len(book):
        raise UsageError(f"openings {quoted(name)}: the file has {len(book)} openings")
    return Openings(name, book, shuffled=True, limit=count)


@lru_cache(maxsize=4)
def _order(game: str, seed: int, size: int) -> array[int]:
    """Return the numbers of the openings of a list in the order in which a seed plays them."""
    order = array("Q", range(size))
    named_stream(f"{game}/openings/{seed}/order/{size}").shuffle(order)
    return order


def _all_over(game: Game, plies: int) -> str:
    return f"no game of {game.name} goes on after {plies} plies, as far as was tried"


def _drawn(position: Position, moves: Sequence[int], stream: Stream) -> int:
    """Draw a move: one of chance by its probability, one of a player as likely as any other."""
    if position.to_move != CHANCE:
        return stream.choice(moves)
    shares = [share for _, share in position.chance_moves()]
    return stream.choices(moves, list(map(float, shares)))[0]


def _shares(position: Position) -> Sequence[tuple[int, Fraction]]:
    """Return the probability of each move of a random opening."""
    if position.to_move == CHANCE:
        return position.chance_moves()
    moves = position.legal_moves()
    return [(move, Fraction(1, len(moves))) for move in moves]


def _deeper(level: dict[Position, Chance], most: int) -> dict[Position, Chance]:
    """Return the positions after one more move in which the game goes on, each with its share.

    A position divides its fraction equally among the moves of a player, and by their probabilities
    among those of chance. Numbers stay as they are. With more than ``most`` positions it stops,
    and some are missing.
    """
    deeper: dict[Position, Chance] = {}
    for position, chance in level.items():
        if len(deeper) > most:
            break
        for move, share in _shares(position):
            after = position.play(move)
            if after.outcome() is None:
                part = chance * share if isinstance(chance, Fraction) else chance
                deeper[after] = deeper.get(after, 0) + part
    return deeper
