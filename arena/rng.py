"""Randomness: a tree of named streams under one root seed.

A stream is named by its path, such as ``tictactoe/tictactoe3/monkey/7/12.1/first``: the first
player's stream in game 1 of pair 12 of that fight under seed 7. The name alone determines every
draw, so any game can be played again alone, by any worker, in any order.
"""

from __future__ import annotations

import random
import secrets
from hashlib import blake2b
from typing import Any

#: Bits that a stream holds ready before it becomes a Mersenne Twister.
READY_BITS = 512

#: Largest root seed, exclusive: what fits a signed 64-bit field of any store.
SEED_LIMIT = 2**63


def fresh_seed() -> int:
    """A root seed for somebody who gave none; short enough to be typed again."""
    return secrets.randbits(32)


class Stream(random.Random):
    """A ``random.Random`` that is nearly free to start anew.

    Seeding a Mersenne Twister costs more than all the moves of a small game. A stream therefore
    serves its first ``READY_BITS`` bits from one BLAKE2b digest of its name, and only a player
    that wants more makes it seed the twister (once, from a second digest) and go on with that.
    """

    def __init__(self, name: str = "") -> None:
        self.begin(name)

    def begin(self, name: str) -> None:
        """Become the stream of that name, at its start, whatever happened to this object before."""
        self.__dict__.clear()
        self._name = name.encode()
        self._bits = int.from_bytes(blake2b(self._name).digest(), "little")
        self._left = READY_BITS
        self.gauss_next = None

    def getrandbits(self, k: int, /) -> int:
        """An int of k random bits."""
        if 0 <= k <= self._left:
            self._left -= k
            bits = self._bits
            self._bits = bits >> k
            return bits & ((1 << k) - 1)
        self._become_twister()
        super().seed(int.from_bytes(blake2b(self._name, person=b"twister").digest(), "little"))
        return super().getrandbits(k)

    def random(self) -> float:
        """A float in [0, 1) with 53 random bits."""
        return self.getrandbits(53) * 2.0**-53

    def seed(self, *args: Any, **kwargs: Any) -> None:
        """Seed as ``random.Random`` does and be that generator from now on."""
        self._become_twister()
        super().seed(*args, **kwargs)

    def getstate(self) -> tuple[Any, ...]:
        """The state of the twister that this stream becomes by being asked."""
        if "random" not in self.__dict__:
            self._left = 0
            self.getrandbits(1)
        return super().getstate()

    def setstate(self, state: tuple[Any, ...]) -> None:
        """Be the twister of that state from now on."""
        self._become_twister()
        super().setstate(state)

    def _become_twister(self) -> None:
        # Attributes of the instance hide the methods of the class: from here on the draws run in C.
        self.__dict__["getrandbits"] = super().getrandbits
        self.__dict__["random"] = super().random
