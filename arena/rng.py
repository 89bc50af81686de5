"""Make randomness: a tree of named streams under one root seed.

The name of a game is its path, such as ``tictactoe/tictactoe3/monkey/7/12.1``: game 1 of pair 12 of
that fight under seed 7. Each of its two players has a stream of its own, and the game's name alone
determines every draw. So any worker can replay any game alone, in any order.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeAlias, TypeVar
from urllib.parse import quote

from arena.core import register_class, twin

if TYPE_CHECKING:
    from fractions import Fraction

    from _typeshed import SupportsLenAndGetItem

T = TypeVar("T")

#: The end of the name of a player's second self, in a fight against itself; ids leave it out.
SECOND_SELF = "#2"

#: The same for up to eight selves at a table.
_SELVES = tuple(f"#{number}" for number in range(2, 9))

#: Version of the streams: it changes when the same seed gives other games.
STREAMS = 2

#: Bits that a stream holds ready before it becomes a Mersenne Twister.
READY_BITS = 256

#: Largest root seed, exclusive: a signed 64-bit field holds it.
SEED_LIMIT = 2**63

#: Fresh seeds lie between these: every JSON reader keeps 53 bits, and 2**32 seeds are too many to
#: try by chance.
MIN_FRESH_SEED = 2**32
FRESH_SEED_LIMIT = 2**53

#: A larger population is sampled as ``random.Random`` does, which draws a repeated value again.
MAX_POOL = 4096

_SENTINEL = 1 << READY_BITS
_READY = _SENTINEL - 1


class SeenPart(NamedTuple):
    """A draw of which a player has seen only that its value lies in a range.

    The values are from ``low`` to ``high`` - 1, as :mod:`arena.tracing` notes them.
    """

    #: The draw: n for one of n values, -k for k bits.
    draw: int
    low: int
    high: int


#: One entry of :attr:`Stream.draws`.
Draw: TypeAlias = "int | SeenPart | tuple[Fraction, ...] | str"

FLOAT = "it draws a float"
EXHAUSTED = f"it draws more than {READY_BITS} bits for one move"
SEEDED = "it seeds the generator it is given"
STATE_READ = "it reads the state of the generator it is given"
GLOBAL_RANDOM = "it draws from the global generator, not from its own"
NEGATIVE = "it draws with a negative weight"
STATE_SET = "it sets the state of the generator it is given"

#: Where a seed leaves NumPy's Mersenne Twister: its own seed, and that of ``numpy.random.seed``.
_SEEDED = (623, 624)


def fresh_seed() -> int:
    """Return a root seed that is impossible to guess, from the system's own generator."""
    return random.SystemRandom().randrange(MIN_FRESH_SEED, FRESH_SEED_LIMIT)


def shared_generators() -> dict[str, tuple[object, ...]]:
    """Return the states of the generators that all code of a process shares, by their names.

    They are Python's, and NumPy's once it is there. A look takes some ten microseconds.
    """
    states: dict[str, tuple[object, ...]] = {"the global random": global_state()}
    numpy = sys.modules.get("numpy.random")
    if numpy is not None:
        with suppress(Exception):  # a player may have put anything there
            state = numpy.get_state(legacy=False)["state"].values()
            states["numpy.random"] = tuple(
                bytes(value) if hasattr(value, "tobytes") else value for value in state
            )
    return states


@twin("stream.global_state")
def global_state() -> tuple[object, ...]:
    """Return the state of Python's global generator. It is for comparison alone."""
    return random.getstate()


def drawn_generators(
    before: Mapping[str, tuple[object, ...]], now: Mapping[str, tuple[object, ...]]
) -> list[str]:
    """Return the names of the shared generators that drew, or were seeded, between two looks.

    NumPy makes its generator when it is asked for. A new one is not drawn from yet if it is where a
    seed leaves it.

    >>> drawn_generators({}, {"numpy.random": (b"numpy's", 623)})
    []
    >>> drawn_generators({}, {"numpy.random": (b"numpy's", 1)})
    ['numpy.random']
    """
    return [
        name
        for name, state in now.items()
        if (state[-1] not in _SEEDED if name not in before else state != before[name])
    ]


@register_class("stream")
class Stream(random.Random):
    """A ``random.Random`` that restarts nearly for free, and notes its draws.

    Seeding a Mersenne Twister costs as much as half the moves of a small game. A stream therefore
    serves its first ``READY_BITS`` bits from a digest of the game's name and the side. Only a
    player that wants more makes it seed the twister (from a digest of that digest) and go on with
    it. It notes the draws in every game: a player cannot tell a game from an enumeration of its
    moves by its generator.
    """

    #: Draws since the stream began, until it becomes a twister: n for one of n values, -k for k
    #: bits, the weights for ``choices``, and a sentence for a draw that no enumeration can follow.
    #: Those of a traced stream are noted by :func:`arena.tracing.noted`.
    draws: list[Draw]

    #: Whether the numbers that it draws note what is done with them; see :mod:`arena.tracing`.
    is_traced: ClassVar[bool] = False

    __slots__ = ("_bits", "_first_bits", "draws")

    def __init__(self) -> None:
        self.begin(0)

    @twin("stream.begin_one")
    def begin(self, first_bits: int) -> None:
        """Restart as the stream of this number of ``READY_BITS`` bits, which are its first.

        The stream forgets all that a player did to the object.
        """
        state = self.__dict__
        state.clear()
        state["gauss_next"] = None
        self.draws = []
        self._first_bits = first_bits
        self._bits = first_bits | _SENTINEL

    @property
    @twin("stream.first_bits")
    def first_bits(self) -> int | None:
        """The number given to :meth:`begin`, or None after a draw."""
        return self._first_bits if self._bits >= _SENTINEL else None

    @twin("stream.getrandbits")
    def getrandbits(self, k: int, /) -> int:
        """Return an int of k random bits."""
        bits = self._bits
        rest = bits >> k
        if rest:  # the sentinel is still there
            self._bits = rest
            self.draws.append(-k)
            return bits & (1 << k) - 1
        self._outgrow()
        return super().getrandbits(k)

    @twin("stream.choice")
    def choice(self, seq: SupportsLenAndGetItem[T]) -> T:
        """Draw as ``random.Random`` does, in one call instead of three."""
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
                self.draws.append(n)
                return seq[drawn]
        self._bits = bits
        return super().choice(seq)

    @twin("stream.randbelow")
    def _randbelow(self, n: int) -> int:
        # The private method of CPython through which shuffle, sample, randrange and randint draw; a
        # test pins that for every version.
        k, bits = n.bit_length(), self._bits
        while n:
            rest = bits >> k
            if not rest:
                break
            drawn = bits & (1 << k) - 1
            bits = rest
            if drawn < n:
                self._bits = bits
                self.draws.append(n)
                return drawn
        self._bits = bits
        return int(super()._randbelow(n))  # type: ignore[misc]

    def random(self) -> float:
        """Return a float in [0, 1) with 53 random bits."""
        drawn = self.getrandbits(53) * 2.0**-53
        if self.draws and self.draws[-1] == -53:
            self.draws[-1] = FLOAT
        return drawn

    def choices(
        self,
        population: SupportsLenAndGetItem[T],
        weights: Iterable[Any] | None = None,
        *,
        cum_weights: Iterable[Any] | None = None,
        k: int = 1,
    ) -> list[T]:
        """Draw as ``random.Random`` does, and note the weights instead of the floats."""
        weights = None if weights is None else list(weights)
        ends = None if cum_weights is None else list(cum_weights)
        before = len(self.draws)
        drawn = super().choices(population, weights, cum_weights=ends, k=k)
        if FLOAT in self.draws[before:]:
            from fractions import Fraction

            shares = weights or [b - a for a, b in pairwise([0, *(ends or ())])]
            weighted = tuple(map(Fraction, shares or [1] * len(population)))
            noted = NEGATIVE if min(weighted) < 0 else weighted
            self.draws[before:] = [noted if x == FLOAT else x for x in self.draws[before:]]
        return drawn

    def sample(
        self, population: Sequence[T], k: int, *, counts: Iterable[int] | None = None
    ) -> list[T]:
        """Draw as ``random.Random`` does from few, without drawing anything twice from more."""
        if counts is not None or not 0 <= k <= len(population) <= MAX_POOL or not self._bits:
            return super().sample(population, k, counts=counts)
        pool, sampled = list(population), []
        for last in range(len(pool) - 1, len(pool) - 1 - k, -1):
            drawn = self._randbelow(last + 1)
            sampled.append(pool[drawn])
            pool[drawn] = pool[last]
        return sampled

    def seed(self, *args: Any, **kwargs: Any) -> None:
        """Seed as ``random.Random`` does and be that generator from now on."""
        super().seed(*args, **kwargs)  # first: after a refusal, nothing has changed
        self._become_twister(SEEDED)

    def getstate(self) -> tuple[Any, ...]:
        """Become a twister, and return its state."""
        self.draws.append(STATE_READ)
        if self._bits:
            self._outgrow()
        return super().getstate()

    def setstate(self, state: tuple[Any, ...]) -> None:
        """Become the twister of that state."""
        super().setstate(state)  # first: after a refusal, nothing has changed
        self._become_twister(STATE_SET)

    def _outgrow(self) -> None:
        if self._bits:  # a caller may still hold an earlier method
            seed = self._first_bits.to_bytes(READY_BITS // 8, "little")
            super().seed(int.from_bytes(blake2b(seed, person=b"twister").digest(), "little"))
            self._become_twister(EXHAUSTED)

    def _become_twister(self, why: str) -> None:
        # Attributes of the instance hide the methods of the class: from here on the draws run in C.
        self.draws.append(why)
        state = self.__dict__
        state["getrandbits"] = super().getrandbits
        state["random"] = super().random
        for name in ("_randbelow", "choice", "choices", "sample"):
            state[name] = getattr(super(), name)
        self._bits = 0


def without_self(name: str) -> str:
    """Return the name of a player without the number of its self.

    >>> without_self("monkey#3"), without_self("monkey")
    ('monkey', 'monkey')
    """
    return name[:-2] if name.endswith(_SELVES) else name


def path_of(game: str, *players: str, seed: int) -> str:
    """Return the start of the names of all games between players of these names.

    >>> path_of("tictactoe", "./bot.py", "monkey", seed=7)
    'tictactoe/.%2Fbot.py/monkey/7'
    """
    names = (quote(name, safe="", errors="surrogateescape") for name in (game, *players))
    return "/".join([*names, str(seed)])


def named_stream(name: str) -> Stream:
    """Return the stream of the first side in the game of that name."""
    streams = Stream(), Stream()
    begin(streams, name)
    return streams[0]


def begin_all(streams: Sequence[Stream], name: str) -> None:
    """Restart these as the streams of the seats in the game of that name.

    The first two are those of a game for two. Each two more have a digest of their own.
    """
    for seat in range(0, len(streams), 2):
        first, second = (*streams[seat : seat + 2], Stream())[:2]
        begin((first, second), f"{name}/{seat}" if seat else name)


@twin("stream.drawn_below")
def drawn_below(name: str, n: int) -> int:
    """Return the first number below n that the stream of this name draws, which has no side."""
    stream = Stream()
    digest = blake2b(name.encode(), digest_size=READY_BITS // 8).digest()
    stream.begin(int.from_bytes(digest, "little"))
    return stream.randrange(n)


@twin("stream.begin")
def begin(streams: tuple[Stream, Stream], name: str) -> None:
    """Restart these as the streams of the first and the second side in the game of that name.

    Each side has half of the name's digest. Neither half reveals the other half, or the name,
    unless one can try all seeds.
    """
    halves = int.from_bytes(blake2b(name.encode()).digest(), "little")
    streams[0].begin(halves & _READY)
    streams[1].begin(halves >> READY_BITS)
