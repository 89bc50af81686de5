"""Randomness: a tree of named streams under one root seed.

A game is named by its path, such as ``tictactoe/tictactoe3/monkey/7/12.1``: game 1 of pair 12 of
that fight under seed 7. Each of its two players has a stream of its own, and the game's name alone
determines every draw, so any game can be played again alone, by any worker, in any order.
"""

from __future__ import annotations

import random
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from _typeshed import SupportsLenAndGetItem

T = TypeVar("T")

#: Bits that a stream holds ready before it becomes a Mersenne Twister.
READY_BITS = 256

#: Largest root seed, exclusive: what fits a signed 64-bit field of any store.
SEED_LIMIT = 2**63

_SENTINEL = 1 << READY_BITS
_READY = _SENTINEL - 1


def fresh_seed() -> int:
    """A root seed for somebody who gave none; short enough to be typed again."""
    return random.SystemRandom().getrandbits(32)


class Stream(random.Random):
    """A ``random.Random`` that is nearly free to start anew.

    Seeding a Mersenne Twister costs as much as half the moves of a small game. A stream therefore
    serves its first ``READY_BITS`` bits from a BLAKE2b digest of the game's name, and only a player
    that wants more makes it seed the twister (from a second digest) and go on with that.
    """

    def __init__(self) -> None:
        begin((self, Stream.__new__(Stream)), "")

    def _begin(self, name: bytes, ready: int) -> None:
        # Whatever a player did to this object is forgotten.
        state = self.__dict__
        state.clear()
        state["gauss_next"] = None
        self._name = name
        self._bits = ready | _SENTINEL

    def secret(self) -> tuple[int, int]:
        """What determines all its draws, if nothing was drawn yet; for :meth:`restore`."""
        return self._bits & _READY, self._twister()

    @property
    def was_drawn_from(self) -> bool:
        """Whether it is no longer what its name makes of it."""
        return not self._bits >= _SENTINEL

    def restore(self, ready: int, twister: int) -> None:
        """Begin as the stream that had this secret, in another process."""
        self._begin(b"", ready)
        self.__dict__["_twister"] = lambda: twister

    def _twister(self) -> int:
        return int.from_bytes(blake2b(self._name, person=b"twister").digest(), "little")

    def getrandbits(self, k: int, /) -> int:
        """An int of k random bits."""
        bits = self._bits
        rest = bits >> k
        if rest:  # the sentinel is still there
            self._bits = rest
            return bits & (1 << k) - 1
        if "getrandbits" not in self.__dict__:  # a caller may still hold this very method
            seed = self._twister()
            self._become_twister()
            super().seed(seed)
        return super().getrandbits(k)

    def choice(self, seq: SupportsLenAndGetItem[T]) -> T:
        """The draw that ``random.Random`` makes, in one call instead of three."""
        n = len(seq)
        k, bits = n.bit_length(), self._bits
        while n:
            rest = bits >> k
            if not rest:
                break
            drawn = bits & (1 << k) - 1
            bits = rest
            if drawn < n:
                self._bits = bits
                return seq[drawn]
        self._bits = bits
        return super().choice(seq)

    def random(self) -> float:
        """A float in [0, 1) with 53 random bits."""
        return self.getrandbits(53) * 2.0**-53

    def seed(self, *args: Any, **kwargs: Any) -> None:
        """Seed as ``random.Random`` does and be that generator from now on."""
        super().seed(*args, **kwargs)  # first: when it refuses, nothing has changed
        self._become_twister()

    def getstate(self) -> tuple[Any, ...]:
        """The state of the twister that this stream becomes by being asked."""
        if "random" not in self.__dict__:
            self.getrandbits(READY_BITS + 1)
        return super().getstate()

    def setstate(self, state: tuple[Any, ...]) -> None:
        """Be the twister of that state from now on."""
        super().setstate(state)  # first: when it refuses, nothing has changed
        self._become_twister()

    def _become_twister(self) -> None:
        # Attributes of the instance hide the methods of the class: from here on the draws run in C.
        self.__dict__["getrandbits"] = super().getrandbits
        self.__dict__["random"] = super().random
        self._bits = 0


def begin(streams: tuple[Stream, Stream], name: str) -> None:
    """Make these the streams of the first and the second side in the game of that name."""
    path = name.encode()
    ready = int.from_bytes(blake2b(path).digest(), "little")
    streams[0]._begin(path + b"/first", ready & _READY)
    streams[1]._begin(path + b"/second", ready >> READY_BITS)
