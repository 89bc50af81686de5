"""Games that cannot be changed once they are made, as players get them."""

from __future__ import annotations

from arena.game import Game


class SealedGame(Game):
    """A game whose last act of ``__init__`` is ``self._sealed = True``."""

    _sealed = False

    # Each is one object, also after pickling, and searches hash millions.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __init_subclass__(cls) -> None:
        """Compare games by their names if their class is not arena's, and may make several."""
        super().__init_subclass__()
        if not cls.__module__.startswith("arena.") and "__eq__" not in vars(cls):
            cls.__eq__ = Game.__eq__  # type: ignore[assignment, method-assign]
            cls.__hash__ = Game.__hash__  # type: ignore[assignment, method-assign]

    def __setattr__(self, name: str, value: object) -> None:
        if self._sealed:
            raise AttributeError(f"{name} of {self!r} cannot be changed")
        super().__setattr__(name, value)
