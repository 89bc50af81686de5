"""Play blocks: the games of one deal in which the players of a table take turns at the seats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from arena.clock import now
from arena.dataclass import dataclass
from arena.errors import VoidGame
from arena.fights.block_counts import BlockCounts
from arena.fights.counts import Counts
from arena.fights.engines import CallsEngine, GeneratorCheck, rest
from arena.fights.patience import Patience
from arena.match.record import GameRecord, PlayedPair
from arena.match.table import play_table
from arena.player.prints import LocalPrintCapture, Prints
from arena.rng import Stream


@dataclass(frozen=True)
class BlocksEngine(CallsEngine):
    """Asks the players of a table for every move. A pair is here a block."""

    #: The players that sit out: their places, and why they forfeit.
    out: tuple[tuple[int, str], ...] = ()

    def without(self, out: Sequence[tuple[int, str]]) -> BlocksEngine:
        """Return the engine where these players sit out."""
        return replace(self, out=tuple(out))

    def counter(self, start: int) -> Callable[[Iterable[PlayedPair]], Counts]:
        """Return what counts blocks."""
        return partial(BlockCounts.of_blocks, self.pairing)

    def pairs(self, start: int, stop: int) -> Iterator[PlayedPair]:
        """Play blocks move by move, and have them all."""
        pairing, prints = self.pairing, Prints()
        streams = [Stream() for _ in pairing.players]
        noticing = GeneratorCheck(pairing.game, pairing.players) if start == 1 else None
        catching = LocalPrintCapture(prints)
        for block in range(start, stop):
            with catching:  # not around the yield: the caller may never come back
                played = self._block(block, streams, prints)
                if noticing is not None and block == stop - 1:
                    played = played._replace(remembers=noticing.remembered())
            yield played

    def game(self, block: int, number: int, prints: Prints) -> GameRecord:
        """Play one game of a block, which has this number from 0."""
        return self._game(block, number, [Stream() for _ in self.pairing.players], prints)

    def _game(
        self, block: int, number: int, streams: Sequence[Stream], prints: Prints
    ) -> GameRecord:
        pairing = self.pairing
        seating, out = pairing.seating(number), dict(self.out)
        return play_table(
            pairing.game,
            [pairing.players[place] for place in seating],
            pairing.game_id(block, number),
            [streams[place] for place in seating],  # who keeps its generator keeps its own
            prints,
            {seat: out[place] for seat, place in enumerate(seating) if place in out},
        )

    def _block(self, block: int, streams: Sequence[Stream], prints: Prints) -> PlayedPair:
        """Play the games of a block. It is void if the machine is too busy every time.

        Raises Unavailable if a player is unavailable every time.
        """
        pairing, patience = self.pairing, Patience()
        games = range(pairing.games_a_pair)
        memory = tuple(player.remembers for player in pairing.players)
        while True:
            records: list[GameRecord] = []
            seconds: list[float] = []
            try:
                for number in games:
                    rest(pairing)
                    started_at = now()
                    records.append(self._game(block, number, streams, prints))
                    seconds.append(now() - started_at)
            except VoidGame as error:
                sitting = pairing.seating(len(records))
                if patience.tries_again(error, [pairing.all_names[place] for place in sitting]):
                    continue
                return PlayedPair(block, (), (), str(error), remembers=memory)
            return PlayedPair(block, tuple(records), tuple(seconds), remembers=memory)
