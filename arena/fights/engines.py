"""Play the games of a pairing: the engines.

``calls`` asks the player for every move. ``table`` compiles the moves of two stateless players into
tables once and plays through these; it has two samplers, ``games`` and, for very many, ``counts``.
The first pairs it plays by calls too: if a player does not play as its table says, there is none.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol

from arena.clock import now
from arena.errors import (
    CannotEnumerate,
    PlayerFault,
    Spoilt,
    UnknownName,
    UsageError,
    Withdrawn,
    describe,
)
from arena.executors.base import ATTEMPTS, Executor, TaskFailed, TaskList
from arena.fights.counts import Counts
from arena.fights.generators import Noticing
from arena.fights.pairing import Pairing, path_from
from arena.game import Game, Outcome, Position, Side
from arena.match import GameRecord, PlayedPair, not_there, play_game
from arena.player import PlayerInfo
from arena.player.prints import Catching, Prints
from arena.proof.policy import Policy
from arena.records.fights import CALLED_PAIRS
from arena.rng import Stream

if TYPE_CHECKING:
    from arena.proof.tables import Leaves, Tree

#: What ``--engine`` may ask for.
ENGINES = ("auto", "calls", "table")

#: From so many pairs on ``auto`` tries tables; for fewer, compiling them takes longer than playing.
TABLE_PAIRS = 5_000

#: ``auto`` gives tables up that would have more nodes than this for each pair.
NODES_A_PAIR = 1

#: For more pairs than this the ``table`` engine counts games instead of playing them.
MAX_PLAYED_PAIRS = 10_000_000

#: The least number of chunks that a fight is cut into, so that all workers have something to do.
CHUNKS = 16


class Engine(Protocol):
    """Plays pairs of one pairing; what a pair comes to depends on its number alone."""

    #: What ``--engine`` calls it, and its sampler: ``games`` or ``counts``.
    name: ClassVar[str]
    sampler: ClassVar[str]

    @property
    def pairing(self) -> Pairing:
        """The pairing of its games."""

    @property
    def reason(self) -> str:
        """Why ``auto`` chose this engine although it tried another; empty if it did not."""

    @property
    def chunk_size(self) -> int:
        """Largest number of pairs to play at a time."""

    def play(self, start: int, stop: int) -> Counts:
        """Play the pairs ``start`` to ``stop`` - 1, counted from 1."""


#: Stands for the records of a pair that is void or was not played.
_NOTHING = (GameRecord((), Outcome.DRAW, None),) * 2


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
        """Largest number of pairs to play at a time, small enough to keep all workers busy."""
        return min(-(-self.pairing.pairs // CHUNKS), self.largest_chunk)

    def play(self, start: int, stop: int) -> Counts:
        """Play pairs move by move, and look moves up in certificates if there are any."""
        return self.counter(start)(self.pairs(start, stop))

    def counter(self, start: int) -> Callable[[Iterable[PlayedPair]], Counts]:
        """Return what counts pairs from ``start`` on, with moves that certificates lack."""
        if not any(self.pairing.certificates):
            return Counts.of_pairs
        return partial(self._looked_up, start)

    def _looked_up(self, start: int, pairs: Iterable[PlayedPair]) -> Counts:
        from arena.proof.lookup import CertifiedMoves
        from arena.proof.witness import Witness

        pairing = self.pairing
        certificates = pairing.certificates
        tables = [None if found is None else CertifiedMoves(found) for found in certificates]
        witness = Witness(pairing.game, pairing.names, tables)
        counts = Counts.of_pairs(witness.watch(pairs, pairing.path))
        for player, deviation in zip(counts.both, witness.deviations, strict=True):
            player.deviate(None if deviation is None else (start, deviation))
        return counts

    def pairs(self, start: int, stop: int) -> Iterator[PlayedPair]:
        """Play pairs move by move, and have them all, up to one for which a player is withdrawn."""
        streams, prints = (Stream(), Stream()), Prints()
        pairing = self.pairing
        catching, path = Catching(prints), pairing.path
        # Only here: looking takes as long as several games, and who draws elsewhere does so soon.
        noticing = Noticing(pairing.game, (pairing.a, pairing.b)) if start == 1 else None
        for pair in range(start, stop):
            with catching:  # not around the yield: whoever has the pair may never come back
                played = self._pair(path, pair, streams, prints)
                if noticing is not None and pair == stop - 1:
                    played = played._replace(remembers=noticing.remembered())
            yield played
            if played.withdrawn is not None:
                return

    def _pair(
        self, path: str, pair: int, streams: tuple[Stream, Stream], prints: Prints
    ) -> PlayedPair:
        """Play the two games of a pair; void if the machine is too busy every time.

        ``path`` is the pairing's, which takes a while to make.
        """
        pairing = self.pairing
        game, ends = pairing.game, pairing.adjudication
        a, b, opening = pairing.a, pairing.b, pairing.opening(pair)
        exchanged = streams[::-1]  # a player that keeps its generator keeps its own
        name = f"{path_from(path, opening)}/{pair}"
        problem = ""
        for _ in range(ATTEMPTS):
            begun, a_first = now(), None
            try:
                a_first = play_game(game, (a, b), f"{name}.1", streams, opening, ends, prints)
                between = now()
                b_first = play_game(game, (b, a), f"{name}.2", exchanged, opening, ends, prints)
            except Spoilt as error:
                problem = str(error)
                continue
            except Withdrawn as error:
                who = Side(error.player != a.name)
                if a_first is None or not _took_part(a_first, who, pairing.begin(pair)):
                    return PlayedPair(pair, _NOTHING, (0.0, 0.0), withdrawn=(who, error.problem))
                b_first = not_there(who.other, error.problem)
            seconds = (between - begun, now() - between)
            text = "" if opening is None else str(opening)
            memory = a.remembers, b.remembers
            return PlayedPair(pair, (a_first, b_first), seconds, opening=text, remembers=memory)
        return PlayedPair(pair, _NOTHING, (0.0, 0.0), problem)


def _took_part(record: GameRecord, side: Side, position: Position) -> bool:
    """Return whether a side moved in a game from the position, or lost it by forfeit."""
    if record.forfeit is not None and record.forfeit.side == side:
        return True
    for move in record.moves:
        if position.to_move == side:
            return True
        position = position.play(move)
    return False


@dataclass(frozen=True)
class TableEngine:
    """Plays pairs through compiled tables, all at once, but for the first, which were played."""

    name: ClassVar[str] = "table"
    sampler: ClassVar[str] = "games"
    chunk_size: ClassVar[int] = 1 << 17

    pairing: Pairing
    trees: tuple[Tree, Tree]
    #: Where the games of the first pairs ended, which were played by calls.
    called: Leaves
    reason: str = ""

    def play(self, start: int, stop: int) -> Counts:
        """Play pairs in lockstep."""
        from arena.proof.tables import play_pairs, sample_of

        first, second = (leaves[start - 1 : stop - 1] for leaves in self.called)
        counts = Counts.of_sample(sample_of(self.trees, (first, second)))
        start += len(first)
        name = f"{self.pairing.path}/table"
        counts.add(Counts.of_sample(play_pairs(self.trees, name, start, stop)))
        return counts


@dataclass(frozen=True)
class CountsEngine:
    """Draws how often each result occurs, at a cost that does not grow with the pairs."""

    name: ClassVar[str] = "table"
    sampler: ClassVar[str] = "counts"

    pairing: Pairing
    trees: tuple[Tree, Tree]
    #: Where the games of the first pairs ended, which were played by calls.
    called: Leaves
    reason: str = ""

    @property
    def chunk_size(self) -> int:
        """All pairs at once: the parts of a multinomial draw are not independent."""
        return self.pairing.pairs

    def play(self, start: int, stop: int) -> Counts:
        """Draw the counts of all pairs but the first."""
        from arena.proof.tables import count_pairs, sample_of

        counts = Counts.of_sample(sample_of(self.trees, self.called))
        pairs = stop - start - len(self.called[0])
        drawn = count_pairs(self.trees, f"{self.pairing.path}/table", pairs)
        counts.add(Counts.of_sample(drawn))
        return counts


#: Plays all pairs of a pairing in a way of its own; None if it has none for that one.
Elsewhere = Callable[[Pairing], Iterable[PlayedPair] | None]


def _nowhere(_: Pairing) -> None:
    """Leave the pairs to be played here."""


def choose_engines(
    pairings: Sequence[Pairing], name: str, executor: Executor, elsewhere: Elsewhere = _nowhere
) -> list[Engine]:
    """Return the engine for each pairing. Raises CannotEnumerate for impossible tables.

    Tables are compiled by the executor, because it is players that are run for them. The first
    pairs, whose moves are looked up in a table, may be played ``elsewhere``.
    """
    require_engine(name)
    for pairing in pairings:
        if why_not := _why_not_by_table(pairing):
            if name == "table":
                raise UsageError(f"{why_not}, not by 'table'")
            return [CallsEngine(pairing) for pairing in pairings]
    engines: list[Engine] = [CallsEngine(pairing) for pairing in pairings]
    tasks = [
        index
        for index, pairing in enumerate(pairings)
        if name == "table" or (name == "auto" and pairing.pairs >= TABLE_PAIRS)
    ]
    if not tasks:
        return engines
    missing = _why_no_tables()
    if missing:
        if name == "table":
            raise CannotEnumerate(missing)
        reasons = [missing if index in tasks else "" for index in range(len(pairings))]
        return list(map(CallsEngine, pairings, reasons))
    compiler = _Compiler(tuple(pairings), name, elsewhere)
    with closing(executor.run(compiler, TaskList(tasks))) as answers:
        for index, found in answers:
            pairing = pairings[index]
            if isinstance(found, TaskFailed):
                ended = f"a player ended the process that it was run in: {found.reason}"
                found = _Refused(PlayerFault(ended))
            if isinstance(found, _Compiled):
                counted = pairing.pairs > MAX_PLAYED_PAIRS
                engines[index] = (CountsEngine if counted else TableEngine)(pairing, *found)
            elif name == "table":
                raise found.error
            else:
                engines[index] = CallsEngine(pairing, reason=str(found.error))
    return engines


def _why_not_by_table(pairing: Pairing) -> str:
    """Return how a pairing is played, if no table can play it; empty if one may."""
    if pairing.game.is_refereed:
        return "a referee plays its games itself"
    if pairing.openings is not None:
        return "games from openings are played move by move"
    if any(pairing.certificates):
        return "moves are looked up as they are made by calls"
    has_clock = any(dict(player.limits).get("clock") for player in (pairing.a, pairing.b))
    return "a clock runs while a player is called" if has_clock else ""


def _why_no_tables() -> str:
    """Import NumPy, once here instead of in every worker that is forked; return why that fails."""
    try:
        importlib.import_module("numpy")
    except (ImportError, MemoryError, OSError) as error:
        return f"NumPy cannot be loaded: {describe(error.__cause__ or error)}"
    return ""


def require_engine(name: str) -> None:
    """Raise UnknownName unless ``--engine`` knows the name."""
    if name not in ENGINES:
        raise UnknownName("engine", name, ENGINES)


class _Compiled(NamedTuple):
    """The trees of a pairing, and where the games of its first pairs ended."""

    trees: tuple[Tree, Tree]
    called: Leaves


class _Refused(NamedTuple):
    """The reason why a pairing does not have trees."""

    error: CannotEnumerate


class _Compiler:
    """The work of an executor: compiles the tables of a pairing, by its index.

    What is found out about a player is used for all pairings that the same worker compiles.
    """

    def __init__(self, pairings: tuple[Pairing, ...], name: str, elsewhere: Elsewhere) -> None:
        self.pairings, self.name, self.elsewhere = pairings, name, elsewhere
        self._policies: dict[int, Policy] = {}

    def __call__(self, index: int) -> _Compiled | _Refused:
        from arena.proof import called, tables

        pairing = self.pairings[index]
        limit = tables.MAX_NODES
        if self.name == "auto":
            limit = min(limit, NODES_A_PAIR * pairing.pairs)
        try:
            a, b = self._policy(pairing.a, pairing.game), self._policy(pairing.b, pairing.game)
            one = tables.compile_tree(a, b, limit)
            other = one if a is b else tables.compile_tree(b, a, limit)
            a.confirm()
            b.confirm()
            leaves = called.called_leaves(
                (one, other), (a, b), pairing.path, self._first_pairs(pairing)
            )
        except CannotEnumerate as error:
            return _Refused(error)
        return _Compiled((one, other), leaves)

    def _first_pairs(self, pairing: Pairing) -> Iterable[PlayedPair]:
        pairs = min(pairing.pairs, CALLED_PAIRS)
        played = self.elsewhere(replace(pairing, pairs=pairs))
        return CallsEngine(pairing).pairs(1, pairs + 1) if played is None else played

    def _policy(self, player: PlayerInfo, game: Game) -> Policy:
        # By identity: players of one name may differ, and not all can be hashed.
        return self._policies.setdefault(id(player), Policy(player, game))
