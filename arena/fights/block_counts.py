"""Count blocks: the games of players at a table of more than two."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Self

from arena.fights.counts import Counts, OneGame, PlayedBy, PlayerCounts
from arena.fights.pairing import Pairing
from arena.match.record import UNMEASURED, GameRecord, PlayedPair
from arena.model.seatings import games_a_block
from arena.player.recording import answers_of
from arena.records.spending import Spending
from arena.records.tables import BlockEnd, TableResult
from arena.records.times import rounded


@dataclass
class BlockCounts(Counts):
    """The counts of blocks. A sum of such counts does not depend on the order."""

    each: list[PlayerCounts]
    games_a_block: int
    #: What blocks paid, in each game by the places of the players, and how many paid so; and of
    #: those with a forfeit.
    ends: Counter[tuple[tuple[Fraction, ...], ...]] = field(default_factory=Counter)
    forfeited: int = 0
    #: The sum of the payoffs of every player in all games.
    paid: list[Fraction] = field(default_factory=list)

    @classmethod
    def of_none(cls, players: int, seatings: str) -> BlockCounts:
        """Return the counts of no blocks of that many players."""
        each, paid = [PlayerCounts() for _ in range(players)], [Fraction(0)] * players
        return cls(each, games_a_block(players, seatings), paid=paid)

    @classmethod
    def of_blocks(cls, pairing: Pairing, blocks: Iterable[PlayedPair] = ()) -> BlockCounts:
        """Return the counts of these blocks."""
        counts = cls.of_none(len(pairing.players), pairing.seatings)
        seatings = [pairing.seating(game) for game in range(pairing.games_a_pair)]
        for block in blocks:
            counts.seconds += sum(block.seconds)
            if counts.note_players(block):
                counts._add_block(block, seatings)
        return counts

    def _add_block(self, block: PlayedPair, seatings: Sequence[Sequence[int]]) -> None:
        paid = []
        for game, (record, seating) in enumerate(zip(block.records, seatings, strict=True)):
            assert record.payoffs is not None
            by_player = [Fraction(0)] * len(seating)
            for place, payoff in zip(seating, record.payoffs, strict=True):
                if payoff:  # fractions take long to add, and most players get nothing
                    by_player[place] = payoff
                    self.paid[place] += payoff
            paid.append(tuple(by_player))
            self._add_game(record, OneGame(block.pair, game), seating)
        self.ends[tuple(paid)] += 1
        self.forfeited += any(record.forfeit is not None for record in block.records)
        for player, reason in zip(self.each, block.remembers, strict=True):
            player.remember(reason)

    def _add_game(self, record: GameRecord, game: OneGame, seating: Sequence[int]) -> None:
        """Count what a game tells of the players who sat in its seats."""
        referee = str(record.notes.referee or "").encode()
        seating_bytes, moves = game.half.to_bytes(2, "big"), array("H", record.moves).tobytes()
        self.games.add(seating_bytes + moves + referee)
        if any(player.first_lost is None for player in self.each):
            self._note_lost(record, game, seating)
        if record.move_times is not UNMEASURED:
            for place, times in zip(seating, record.move_times, strict=False):
                self.each[place].move_times.update(rounded(times))
        for number, forfeit in enumerate(record.forfeits):
            so_far = game._replace(record=record._replace(later=record.later[:number]))
            self.each[seating[forfeit.side]].forfeit(so_far, forfeit.reason)
        for printed in record.notes.printed:
            player = self.each[seating[printed.side]]
            player.printed += printed.lines
            player.first_printed = player.first_printed or game

        for seat, _, completion in record.notes.completions:
            self.each[seating[seat]].spent += Spending.of(completion)

    def _note_lost(self, record: GameRecord, game: OneGame, seating: Sequence[int]) -> None:
        """Note the game for the players that were paid least, if they have not lost before."""
        assert record.payoffs is not None
        least = min(record.payoffs)
        if least == max(record.payoffs):
            return
        for place, payoff in zip(seating, record.payoffs, strict=True):
            player = self.each[place]
            if payoff == least and player.first_lost is None:
                player.first_lost = game

    @property
    def players(self) -> list[PlayerCounts]:
        """The players of the table."""
        return self.each

    @property
    def pairs(self) -> int:
        """How many blocks were played."""
        return self.ends.total()

    @property
    def games_a_pair(self) -> int:
        """How many games a block has."""
        return self.games_a_block

    def add(self, other: Self) -> None:
        """Add the counts of other blocks."""
        super().add(other)
        self.ends.update(other.ends)
        self.forfeited += other.forfeited
        self.paid = [sum(sums, Fraction(0)) for sums in zip(self.paid, other.paid, strict=True)]

    def result(self, pairing: Pairing, by: PlayedBy, decided: bool | None = None) -> TableResult:
        """See :meth:`Counts.result`."""
        ended = self.ended(pairing, decided)
        least, most, unit, total = pairing.game.payoffs
        return TableResult(
            game=pairing.game.name,
            game_version=pairing.game.version,
            seed=pairing.seed,
            engine=by.engine,
            seatings=pairing.seatings,
            facts=ended.players,
            planned=ended.planned,
            ends=tuple(BlockEnd(paid, blocks) for paid, blocks in sorted(self.ends.items())),
            forfeited_blocks=self.forfeited,
            unit=unit,
            least=Fraction(least),
            most=Fraction(most),
            total=None if total is None else Fraction(total),
            void=self.void,
            void_pairs=ended.void_pairs,
            distinct_games=len(self.games),
            unfinished=ended.unfinished,
            deals=ended.deals,
            plugins=pairing.plugins,
            answers=answers_of(pairing.players),
        )
