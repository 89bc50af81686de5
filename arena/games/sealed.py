"""Games that cannot be changed once they are made, as players get them."""

from __future__ import annotations

from arena.game import Game


class SealedGame(Game):
    """A game whose last act of ``__init__`` is ``self._sealed = True``."""

    _sealed = False

    # Each is one object, also after pickling, and searches hash millions.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __setattr__(self, name: str, value: object) -> None:
        if self._sealed:
            raise AttributeError(f"{name} of {self!r} cannot be changed")
        super().__setattr__(name, value)
