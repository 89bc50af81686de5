"""Engines: how the games of a pairing are played.

``calls`` asks the player for every move. ``table`` compiles the moves of two stateless players into
tables once and plays through these; it has two samplers, ``games`` and, for very many, ``counts``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol

from arena.counts import Counts
from arena.errors import CannotEnumerate, UnknownName
from arena.match import play_game
from arena.pairing import Pairing
from arena.player import PlayerInfo
from arena.proof.policy import Policy
from arena.rng import Stream

if TYPE_CHECKING:
    from arena.proof.tables import Tree

#: What ``--engine`` may ask for.
ENGINES = ("auto", "calls", "table")

#: From so many pairs on ``auto`` tries tables; for fewer, compiling them takes longer than playing.
TABLE_PAIRS = 5_000

#: ``auto`` gives tables up that would have more nodes than this for each pair.
NODES_A_PAIR = 1

#: For more pairs than this the ``table`` engine counts games instead of playing them.
MOST_PLAYED_PAIRS = 10_000_000

#: Chunks that a fight is cut into, as long as none is larger than its engine allows.
CHUNKS = 64


class Engine(Protocol):
    """Plays pairs of one pairing; what a pair comes to depends on its number alone."""

    #: What ``--engine`` calls it, and its sampler: ``games`` or ``counts``.
    name: ClassVar[str]
    sampler: ClassVar[str]

    @property
    def pairing(self) -> Pairing:
        """Whose games it plays."""
        raise NotImplementedError

    @property
    def reason(self) -> str:
        """Why ``auto`` chose this engine although it tried another; empty if it did not."""
        raise NotImplementedError

    @property
    def chunk_size(self) -> int:
        """How many pairs to play at a time."""
        raise NotImplementedError

    def play(self, start: int, stop: int) -> Counts:
        """Play the pairs ``start`` to ``stop`` - 1, counted from 1."""
        raise NotImplementedError


@dataclass(frozen=True)
class CallsEngine:
    """Asks the player for every move."""

    name: ClassVar[str] = "calls"
    sampler: ClassVar[str] = "games"
    largest_chunk: ClassVar[int] = 500

    pairing: Pairing
    reason: str = ""

    @property
    def chunk_size(self) -> int:
        """Few enough pairs for all workers to have something to do."""
        return min(-(-self.pairing.pairs // CHUNKS), self.largest_chunk)

    def play(self, start: int, stop: int) -> Counts:
        """Play pairs move by move."""
        pairing = self.pairing
        counts, path, game = Counts(), pairing.path, pairing.game
        players, swapped = (pairing.a, pairing.b), (pairing.b, pairing.a)
        streams = (Stream(), Stream())
        exchanged = streams[::-1]  # a player that keeps its generator keeps its own
        for pair in range(start, stop):
            a_first = play_game(game, players, f"{path}/{pair}.1", streams)
            b_first = play_game(game, swapped, f"{path}/{pair}.2", exchanged)
            counts.add_pair(pair, (a_first, b_first))
        return counts


@dataclass(frozen=True)
class TableEngine:
    """Plays pairs through compiled tables, all at once."""

    name: ClassVar[str] = "table"
    sampler: ClassVar[str] = "games"
    chunk_size: ClassVar[int] = 1 << 17

    pairing: Pairing
    trees: tuple[Tree, Tree]
    reason: str = ""

    def play(self, start: int, stop: int) -> Counts:
        """Play pairs in lockstep."""
        from arena.proof.tables import play_pairs

        return Counts.of_sample(play_pairs(self.trees, f"{self.pairing.path}/table", start, stop))


@dataclass(frozen=True)
class CountsEngine:
    """Draws how often each result occurs, at a cost that does not grow with the pairs."""

    name: ClassVar[str] = "table"
    sampler: ClassVar[str] = "counts"

    pairing: Pairing
    trees: tuple[Tree, Tree]
    reason: str = ""

    @property
    def chunk_size(self) -> int:
        """All pairs at once: the parts of a multinomial draw are not independent."""
        return self.pairing.pairs

    def play(self, start: int, stop: int) -> Counts:
        """Draw the counts of all pairs."""
        from arena.proof.tables import count_pairs

        return Counts.of_sample(count_pairs(self.trees, f"{self.pairing.path}/table", stop - start))


class EngineChoice:
    """Chooses an engine for each of several pairings, whose players' tables they share."""

    def __init__(self, name: str = "auto") -> None:
        if name not in ENGINES:
            raise UnknownName("engine", name, ENGINES)
        self.name = name
        self._policies: dict[PlayerInfo, Policy] = {}

    def __call__(self, pairing: Pairing) -> Engine:
        """The engine for a pairing; CannotEnumerate if tables are asked for and cannot be had."""
        if self.name == "calls" or (self.name == "auto" and pairing.pairs < TABLE_PAIRS):
            return CallsEngine(pairing)
        try:
            trees = self._trees(pairing)
        except CannotEnumerate as error:
            if self.name == "table":
                raise
            return CallsEngine(pairing, reason=str(error))
        if pairing.pairs > MOST_PLAYED_PAIRS:
            return CountsEngine(pairing, trees)
        return TableEngine(pairing, trees)

    def _trees(self, pairing: Pairing) -> tuple[Tree, Tree]:
        from arena.proof.tables import MAX_NODES, compile_tree

        limit = MAX_NODES
        if self.name == "auto":
            limit = min(limit, NODES_A_PAIR * pairing.pairs)
        a, b = (
            self._policies.setdefault(player, Policy(player, pairing.game))
            for player in (pairing.a, pairing.b)
        )
        one = compile_tree(a, b, limit)
        return one, one if a is b else compile_tree(b, a, limit)
