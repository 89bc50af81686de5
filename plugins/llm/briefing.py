"""Tell a model what it must know of a game, in the game's own words or in others."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from arena.disguises import Disguise
from arena.errors import MoveError, UsageError
from arena.game import Game, Observation, Position
from arena.games.disguise import new_words

#: The text of an observation: the seat, what it has seen, and its legal moves.
_SEEN = re.compile(r"\d+: ?(.*?) ?\|[^|]*", re.DOTALL)


class GameWording(NamedTuple):
    """The words for a game: its own, or those of a disguise."""

    game: Game
    name: str
    guide: str
    disguise: Disguise | None = None

    def text(self, seen: Position | Observation) -> str:
        """Return what a seat knows. Of an observation in words it is what the seat has seen."""
        text = str(seen) if self.disguise is None else self.disguise.text(seen)
        if isinstance(seen, Position):
            return text
        match = _SEEN.fullmatch(text)
        return text if match is None else match[1] or "nothing yet"

    def picture(self, seen: Position | Observation) -> str:
        """Draw what a seat knows. It is the text if nothing draws it."""
        drawn = str(seen) if self.disguise is not None else seen.picture()
        return self.text(seen) if drawn == str(seen) else drawn

    def word(self, move: int) -> str:
        """Return the word of a move."""
        return self.game.format_move(move) if self.disguise is None else self.disguise.word(move)

    def words(self, moves: Iterable[int]) -> list[str]:
        """Return the words of legal moves. The order of other words says nothing."""
        words = [*map(self.word, moves)]
        return words if self.disguise is None else sorted(words)

    def move(self, word: str) -> int | None:
        """Return the move of a word, None for a word of no move."""
        if self.disguise is not None:
            return self.disguise.move(word)
        try:
            return self.game.parse_move(word)
        except MoveError:
            return None


@lru_cache(maxsize=64)
def telling_of(game: Game, seed: int | None) -> GameWording:
    """Return the words for a game: its own, or others that the seed draws.

    Raises UsageError for a game without other words.
    """
    if seed is None:
        return GameWording(game, game.name, game.guide)
    disguise = game.disguise(seed)
    if disguise is None:
        raise UsageError(f"{game.name} cannot be told in other words (it has no disguise)")
    [name] = new_words(1, ~seed)
    return GameWording(game, name, disguise.guide, disguise)
