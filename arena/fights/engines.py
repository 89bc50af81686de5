"""Play the games of a pairing: the engines.

``calls`` asks the player for every move. ``table`` compiles the moves of two stateless players into
tables once and plays through these. It has two samplers, ``games`` and, for very many, ``counts``.
The first pairs it plays by calls too: if a player does not play as its table says, there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from operator import attrgetter
from typing import ClassVar, Protocol

from arena.clock import now, sleep
from arena.core import compiled
from arena.dataclass import dataclass
from arena.errors import (
    VoidGame,
    Withdrawn,
)
from arena.executors.base import SECONDS_A_TASK
from arena.fights.counts import Counts
from arena.fights.pair_counts import PairCounts
from arena.fights.pairing import Pairing, path_from
from arena.fights.patience import Patience
from arena.game import Game, Outcome, Position, Side
from arena.match import play_game
from arena.match.record import GameRecord, PlayedPair, restart_forfeit
from arena.player import PlayerInfo
from arena.player.prints import LocalPrintCapture, Prints
from arena.proof.tables import CompiledTree, Leaves
from arena.rng import GLOBAL_RANDOM, Stream, drawn_generators, shared_generators

#: The least number of chunks that a fight is cut into, so that all workers have something to do.
MIN_CHUNKS = 16

#: The most pairs of a chunk, which are kept at a time; how many it will be is for
#: :meth:`arena.fights.chunks.ChunkQueue.pace` to say.
MAX_CHUNK_PAIRS = 5000


#: The pairs that the compiled loop plays before it hands them on.
LOOPED_PAIRS = 50


#: How a pair became void at its first try: the error, and whether in its second game.
FirstTry = tuple[VoidGame, bool]


class Engine(Protocol):
    """Plays pairs of one pairing. The result of a pair depends on its number alone."""

    #: Its name for ``--engine``, and its sampler: ``games`` or ``counts``.
    name: ClassVar[str]
    sampler: ClassVar[str]

    @property
    def pairing(self) -> Pairing:
        """The pairing of its games."""

    @property
    def reason(self) -> str:
        """Why ``auto`` chose this engine although it tried another. It is empty if it did not."""

    @property
    def chunk_size(self) -> int:
        """Largest number of pairs to play at a time."""

    def play(self, start: int, stop: int) -> Counts:
        """Play the pairs ``start`` to ``stop`` - 1, counted from 1."""


#: Stands for the records of a pair that is void or was not played.
NO_RECORDS = (GameRecord((), Outcome.DRAW, None),) * 2


@dataclass(frozen=True)
class CallsEngine:
    """Asks the player for every move."""

    name: ClassVar[str] = "calls"
    sampler: ClassVar[str] = "games"
    largest_chunk: ClassVar[int] = MAX_CHUNK_PAIRS
    #: This many pairs take as long to play as one.
    at_once: ClassVar[int] = 1
    #: How long a chunk should take, in seconds.
    seconds_a_chunk: ClassVar[float] = SECONDS_A_TASK

    pairing: Pairing
    reason: str = ""

    @property
    def is_waiting(self) -> bool:
        """Whether arena mostly waits for a player, so that pairs are best played one by one."""
        players = self.pairing.players
        return any(getattr(player.remote, "is_waited_for", False) for player in players)

    @property
    def chunk_size(self) -> int:
        """Largest number of pairs to play at a time, small enough to keep all workers busy."""
        if self.is_waiting:
            return 1
        return min(-(-self.pairing.pairs // MIN_CHUNKS), self.largest_chunk)

    def without(self, out: Sequence[tuple[int, str]]) -> CallsEngine:
        """Return the engine where these players sit out, by their places and with the reason.

        A pair is not played without one of two.
        """
        return self

    def play(self, start: int, stop: int) -> Counts:
        """Play pairs move by move, and look moves up in certificates if there are any."""
        return self.counter(start)(self.pairs(start, stop))

    def counter(self, start: int) -> Callable[[Iterable[PlayedPair]], Counts]:
        """Return what counts pairs from ``start`` on, with moves that certificates lack."""
        if not any(self.pairing.certificates):
            return PairCounts.of_pairs
        return partial(self._looked_up, start)

    def _looked_up(self, start: int, pairs: Iterable[PlayedPair]) -> PairCounts:
        from arena.proof.lookup import CertifiedMoves
        from arena.proof.witness import Witness

        pairing = self.pairing
        certificates = pairing.certificates
        tables = [None if moves is None else CertifiedMoves(moves) for moves in certificates]
        witness = Witness(pairing.game, pairing.names, tables)
        counts = PairCounts.of_pairs(witness.watch(pairs, pairing.path))
        for player, deviation in zip(counts.players, witness.deviations, strict=True):
            player.deviate(None if deviation is None else (start, deviation))
        return counts

    def pairs(self, start: int, stop: int) -> Iterator[PlayedPair]:
        """Play pairs move by move, and have them all, up to one for which a player is withdrawn."""
        streams, prints = (Stream(), Stream()), Prints()
        pairing = self.pairing
        catching, path = LocalPrintCapture(prints), pairing.path
        # Only here: looking takes as long as several games, and who draws elsewhere does so soon.
        noticing = GeneratorCheck(pairing.game, (pairing.a, pairing.b)) if start == 1 else None
        loop = self._loop(path, streams, prints)
        while start < stop:
            with catching:  # not around the yield: the caller may never come back
                played: list[PlayedPair] = []
                void = None
                if loop is not None:
                    played, void = loop(range(start, min(stop, start + LOOPED_PAIRS)))
                if loop is None or void is not None:
                    pair = start + len(played)
                    played.append(self._pair(path, pair, streams, prints, void))
                start += len(played)
                if noticing is not None and start == stop:
                    played[-1] = played[-1]._replace(remembers=noticing.remembered())
            yield from played
            if played[-1].withdrawn is not None:
                return

    def _loop(
        self, path: str, streams: tuple[Stream, Stream], prints: Prints
    ) -> Callable[[range], tuple[list[PlayedPair], FirstTry | None]] | None:
        """Return the compiled loop, which plays pairs up to a void one, None where Python plays.

        It plays two functions of this process, from the start to the end by the rules.
        """
        loop, pairing = compiled("loop"), self.pairing
        if loop is None or pairing.openings is not None or pairing.adjudication:
            return None
        if pairing.corrector is not None or pairing.game.is_refereed or pairing.wait:
            return None
        players = pairing.a, pairing.b
        if not all(p.stateless and p.remote is None and p.fresh is None for p in players):
            return None
        functions, memory = (tuple(map(attrgetter(x), players)) for x in ("player", "remembers"))
        return partial(loop.play_pairs, pairing.game, functions, memory, path, streams, prints, now)

    def _pair(
        self,
        path: str,
        pair: int,
        streams: tuple[Stream, Stream],
        prints: Prints,
        first_try: FirstTry | None = None,
    ) -> PlayedPair:
        """Play the two games of a pair. It is void if the machine is too busy every time.

        Raises Unavailable if a player is unavailable every time. ``path`` is the pairing's, which
        takes a while to make. ``first_try`` is how the pair became void in the compiled loop.
        """
        pairing = self.pairing
        game, ends = pairing.game, pairing.adjudication
        a, b, opening = pairing.a, pairing.b, pairing.opening(pair)
        exchanged = streams[::-1]  # a player that keeps its generator keeps its own
        name = f"{path_from(path, opening)}/{pair}"
        patience = Patience()
        if first_try is not None:
            error, is_second = first_try
            if not patience.tries_again(error, pairing.names[:: -1 if is_second else 1]):
                return PlayedPair(pair, NO_RECORDS, (0.0, 0.0), str(error))
        while True:
            a_first = None
            rest(pairing)
            started_at = now()
            try:
                a_first = play_game(game, (a, b), f"{name}.1", streams, opening, ends, prints)
                first_seconds = now() - started_at
                rest(pairing)
                started_at = now()
                b_first = play_game(game, (b, a), f"{name}.2", exchanged, opening, ends, prints)
            except VoidGame as error:
                names = pairing.names if a_first is None else pairing.names[::-1]
                if patience.tries_again(error, names):
                    continue
                return PlayedPair(pair, NO_RECORDS, (0.0, 0.0), str(error))
            except Withdrawn as error:
                side = Side(error.player != a.name)
                if a_first is None or not _took_part(a_first, side, pairing.begin(pair)):
                    return PlayedPair(pair, NO_RECORDS, (0.0, 0.0), withdrawn=(side, error.problem))
                b_first = restart_forfeit(side.other, error.problem)
            seconds = (first_seconds, now() - started_at)
            if pairing.corrector is not None:
                a_first, b_first = (
                    record._replace(luck=pairing.corrector.luck(record, swapped))
                    for record, swapped in ((a_first, False), (b_first, True))
                )
            text = "" if opening is None else str(opening)
            memory = a.remembers, b.remembers
            return PlayedPair(pair, (a_first, b_first), seconds, opening=text, remembers=memory)


def rest(pairing: Pairing) -> None:
    """Wait before a game, if its pairing does."""
    if pairing.wait:
        sleep(pairing.wait)


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
class _TablePair:
    """The compiled tables of a pairing."""

    name: ClassVar[str] = "table"

    pairing: Pairing
    trees: tuple[CompiledTree, CompiledTree]
    #: Where the games of the first pairs ended, which were played by calls.
    called: Leaves
    reason: str = ""


@dataclass(frozen=True)
class TableEngine(_TablePair):
    """Plays pairs through compiled tables, all at once, but for the first, which were played."""

    sampler: ClassVar[str] = "games"
    chunk_size: ClassVar[int] = 1 << 17

    def play(self, start: int, stop: int) -> PairCounts:
        """Play pairs in lockstep."""
        from arena.proof.tables import play_pairs, sample_of

        first, second = (leaves[start - 1 : stop - 1] for leaves in self.called)
        counts = PairCounts.of_sample(sample_of(self.trees, (first, second)))
        start += len(first)
        name = f"{self.pairing.path}/table"
        counts.add(PairCounts.of_sample(play_pairs(self.trees, name, start, stop)))
        return counts


@dataclass(frozen=True)
class CountsEngine(_TablePair):
    """Draws how often each result occurs, at a cost that does not grow with the pairs."""

    sampler: ClassVar[str] = "counts"

    @property
    def chunk_size(self) -> int:
        """All pairs at once: the parts of a multinomial draw are not independent."""
        return self.pairing.pairs

    def play(self, start: int, stop: int) -> PairCounts:
        """Draw the counts of all pairs but the first."""
        from arena.proof.tables import count_pairs, sample_of

        counts = PairCounts.of_sample(sample_of(self.trees, self.called))
        pairs = stop - start - len(self.called[0])
        drawn = count_pairs(self.trees, f"{self.pairing.path}/table", pairs)
        counts.add(PairCounts.of_sample(drawn))
        return counts


#: Generators of players in this process, by their functions' or classes' identity; these are kept
#: so that nothing else gets it.
_drawings: dict[int, tuple[object, str]] = {}


class GeneratorCheck:
    """Looks at the generators that all code of a process shares, before games and after them.

    A look takes ten microseconds, and fifty more where NumPy is loaded.
    """

    def __init__(self, game: Game, players: Sequence[PlayerInfo]) -> None:
        self._game, self._players = game, players
        self._suspects = [p for p in players if p.remote is None and p.fresh is None]
        self._before = shared_generators() if self._suspects else {}

    def remembered(self) -> tuple[str, ...]:
        """Return for each player why something of it outlives a game, or an empty text."""
        has_changed = self._suspects and drawn_generators(self._before, shared_generators())
        return tuple(
            player.remembers or (self._drawing(player) if has_changed else "")
            for player in self._players
        )

    def _drawing(self, player: PlayerInfo) -> str:
        if all(player is not suspect for suspect in self._suspects):
            return ""
        function = player.player
        if id(function) not in _drawings:
            _drawings[id(function)] = (
                function,
                GLOBAL_RANDOM if draws_elsewhere(player, self._game) else "",
            )
        return _drawings[id(function)][1]


def draws_elsewhere(player: PlayerInfo, game: Game) -> bool:
    """Return whether a player draws from a shared generator in a game against itself.

    It plays the same game twice: one that seeds the generator itself leaves it in the same state.
    """
    states = []
    for _ in range(2):
        if game.seats > 2:
            from arena.match.table import play_table  # few games are for more

            play_table(game, [player] * game.seats, player.name, [Stream()] * game.seats)
        else:
            play_game(game, (player, player), player.name, (Stream(), Stream()))
        states.append(shared_generators())
    return bool(drawn_generators(*states))
