"""Tell a game in other words: the same tree of moves, under names that nobody has read before.

Who plays a known game well may know it by heart. Told in other words it must be understood. So the
difference between the two shows how much of the strength is recall.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from typing import Any

from arena.disguises import Disguise
from arena.game import Game, Observation, Position

#: A guide that lists more groups would be too long to read.
MAX_GROUPS = 200

#: The letters of the words, and how often there are two. Few words of a language are so long.
_CONSONANTS, _VOWELS, _SYLLABLES = "bdfgklmnrstv", "aeiou", 3


def new_words(number: int, seed: int) -> list[str]:
    """Return this many different words that mean nothing, as the seed draws them.

    >>> new_words(3, 1)
    ['fudido', 'notoga', 'namosa']
    """
    rng, words = random.Random(seed), dict[str, None]()
    while len(words) < number:
        letters = (rng.choice(_CONSONANTS) + rng.choice(_VOWELS) for _ in range(_SYLLABLES))
        words["".join(letters)] = None
    return list(words)


class WordDisguise(Disguise):
    """A disguise by which some words of all texts have other names, one for each."""

    def __init__(self, game: Game, names: Sequence[str], telling: Sequence[str], seed: int) -> None:
        """Rename the moves of these ``names`` by number, and ``telling`` words of the rules.

        A plural stays one.
        """
        words = new_words(len(names) + len(telling), seed)
        self._moves = words[: len(names)]
        self._new = dict(zip((*names, *telling), words, strict=True))
        longest_first = sorted(self._new, key=len, reverse=True)
        self._old = re.compile(rf"\b({'|'.join(map(re.escape, longest_first))})(s?)\b")
        self.guide = self._renamed(game.guide)

    def _renamed(self, text: str) -> str:
        return self._old.sub(lambda match: f"{self._new[match[1]]}{match[2]}", text)

    def text(self, seen: Any) -> str:
        """Return the text of an observation, with the new words."""
        return self._renamed(str(seen))

    def word(self, move: int) -> str:
        """Return the new word of a move."""
        return self._moves[move]

    def move(self, word: str) -> int | None:
        """Return the move of a new word."""
        return self._moves.index(word) if word in self._moves else None


class Groups(Disguise):
    """A game of lines on a board, told without one: things to take, and groups to complete."""

    def __init__(
        self, squares: int, lines: Sequence[Sequence[int]], *, misere: bool, seed: int
    ) -> None:
        first, second, *self._things = new_words(squares + 2, seed)
        self._players = first, second
        self._squares = {word: square for square, word in enumerate(self._things)}
        order = random.Random(seed).sample(range(squares), squares)
        place = {square: number for number, square in enumerate(order)}
        groups = [sorted(line, key=place.__getitem__) for line in lines]
        groups.sort(key=lambda group: [place[square] for square in group])
        self._order = order
        named = "; ".join(" ".join(self._things[square] for square in group) for group in groups)
        all_things = " ".join(self._things[square] for square in order)
        self.guide = (
            f"There are these things: {all_things}. Two players, {first} and {second}, take turns,"
            f" and {first} begins. In its turn a player takes one thing that nobody has. A player"
            f" that has all things of one group {'loses' if misere else 'wins'}. The groups are:"
            f" {named}. If all things are taken and nobody has a group, it is a draw. A move is the"
            " name of a thing."
        )

    def text(self, seen: Any) -> str:
        """Say who has what."""
        both = zip(self._players, (seen.first, seen.second), strict=True)
        has = {
            player: [self._things[each] for each in self._order if mask >> each & 1]
            for player, mask in both
        }
        words = (f"{player} has: {' '.join(each) or 'nothing'}" for player, each in has.items())
        return ". ".join(words)

    def word(self, move: int) -> str:
        """Return the name of the thing that a move takes."""
        return self._things[move]

    def move(self, word: str) -> int | None:
        """Return the move that takes the thing of that name."""
        return self._squares.get(word)


def problem_of(
    disguise: Disguise, seen: Mapping[str, Position | Observation], moves: Sequence[int]
) -> str:
    """Return why a disguise of these observations, by their texts, and moves is not one to one.

    It is empty if it is.
    """
    words = {disguise.word(move): move for move in moves}
    if len(words) < len(moves):
        return "two moves have the same word"
    for word, move in words.items():
        if disguise.move(word) != move:
            return f"the word {word!r} of move {move} is read as {disguise.move(word)}"
    by_text: dict[str, str] = {}
    for text, each in seen.items():
        disguised = disguise.text(each)
        if by_text.setdefault(disguised, text) != text:
            return f"{by_text[disguised]!r} and {text!r} are told in the same words: {disguised!r}"
    return ""
