"""Define what tells a game in other words."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any


class Disguise(ABC):
    """Other words for a game, which say the same.

    Two situations have the same text exactly if they have the same observation, and two moves never
    have the same word: ``arena check game`` looks at that.
    """

    #: The rules in sentences.
    guide: str

    @abstractmethod
    def text(self, seen: Any) -> str:
        """Return what a seat knows: a position, or an observation of the game."""

    @abstractmethod
    def word(self, move: int) -> str:
        """Return the word of a move, which has no blanks."""

    @abstractmethod
    def move(self, word: str) -> int | None:
        """Return the move of a word, None for a word of no move."""
