"""Count pairs of games of two players: the results of a fight, or of any part of one."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from arena.core import compiled
from arena.fights.counts import Counts, OneGame, PlayedBy, PlayerCounts
from arena.fights.pairing import Pairing
from arena.fights.payoffs import (
    LuckyEnds,
    PairEnds,
    corrected_in,
    correction_of,
    end_of,
    lucky_end_of,
    paid_in,
)
from arena.game import POINTS
from arena.match.record import UNMEASURED, GameRecord, PlayedPair
from arena.player.recording import answers_of
from arena.proof.tables import Sample
from arena.records.fights import FightResult
from arena.records.joint import NOTHING, Joint
from arena.records.spending import Spending
from arena.records.times import rounded

#: The same pairs twice: as they were played, and with both games lost by a player that alone
#: forfeited.
JointPair = tuple[Joint, Joint]


#: How a pair ended, as a PairEnd has it.
EndKey = tuple[int, int, bool, bool]

#: How many pairs from an opening ended so, and the number and the end of its first pair.
Alike = dict[tuple[str, EndKey], int]


class PairEnd(NamedTuple):
    """How a pair ended: thousands of pairs end in few ways, and are counted by these."""

    #: A's doubled points moving first and second.
    first: int
    second: int
    #: Whether A forfeited a game of it, and B.
    by_a: bool = False
    by_b: bool = False

    def tables(self, pairs: int = 1) -> tuple[Joint, Joint]:
        """Return pairs that ended so as they were played, and as lost by who alone forfeited."""
        return _tables(self, pairs)


@lru_cache(maxsize=1024)
def _tables(end: PairEnd, pairs: int) -> tuple[Joint, Joint]:
    played = Joint.of(end.first, end.second, pairs)
    if end.by_a == end.by_b:
        return played, played
    return played, Joint(ll=pairs) if end.by_a else Joint(ww=pairs)


class FirstPair(NamedTuple):
    """The first pair from an opening."""

    pair: int
    tables: JointPair


@dataclass
class ByOpening:
    """Pairs by the opening that they began from. A sum does not depend on the order."""

    pairs: dict[str, JointPair] = field(default_factory=dict)
    #: How many openings have the same tables; a test asks after every batch, so it is kept.
    alike: Counter[JointPair] = field(default_factory=Counter)
    #: The first pair of each opening, and the sum of them all.
    first: dict[str, FirstPair] = field(default_factory=dict)
    sum_of_first: JointPair = NOTHING, NOTHING

    def add(self, opening: str, played: Joint, counted: Joint) -> None:
        """Add pairs that began from this opening."""
        before = self.pairs.get(opening)
        if before is not None:
            self.alike[before] -= 1
            if not self.alike[before]:
                del self.alike[before]
            played, counted = before[0] + played, before[1] + counted
        self.pairs[opening] = played, counted
        self.alike[played, counted] += 1

    def meet(self, opening: str, pair: int, tables: JointPair) -> None:
        """Note a pair, which :meth:`add` adds, as the first of its opening if it is."""
        first = self.first.get(opening)
        if first is not None and first.pair <= pair:
            return
        self.first[opening] = FirstPair(pair, tables)
        before = (NOTHING, NOTHING) if first is None else first.tables
        played, counted = self.sum_of_first
        self.sum_of_first = played + tables[0] - before[0], counted + tables[1] - before[1]

    def update(self, other: ByOpening) -> None:
        """Add the pairs of another part of the fight."""
        for opening, (played, counted) in other.pairs.items():
            self.add(opening, played, counted)
        for opening, first in other.first.items():
            self.meet(opening, *first)

    def counted(self, as_played: bool) -> tuple[tuple[Joint, int], ...]:
        """Return the tables of the pairs of an opening, and how many openings have each."""
        tables: Counter[Joint] = Counter()
        for (played, counted), openings in self.alike.items():
            tables[played if as_played else counted] += openings
        return tuple(sorted(tables.items()))

    def first_pairs(self, as_played: bool) -> Joint:
        """Return the sum of the first pairs of all openings."""
        return self.sum_of_first[not as_played]


@dataclass
class PairCounts(Counts):
    """The counts of pairs of games. A sum of such counts does not depend on the order."""

    a: PlayerCounts = field(default_factory=PlayerCounts)
    b: PlayerCounts = field(default_factory=PlayerCounts)
    #: The pairs that were played.
    joint: Joint = NOTHING
    #: The pairs of them with a forfeit.
    forfeited_joint: Joint = NOTHING
    openings: ByOpening = field(default_factory=ByOpening)
    #: The counts of games played through tables, as in :class:`arena.proof.tables.Sample`.
    leaves: tuple[int, int] = (0, 0)
    #: How the pairs of a game that pays ended, and how many pairs did so.
    paid: Counter[PairEnds] = field(default_factory=Counter)
    #: The same with what luck brought, where that is corrected.
    lucky: Counter[LuckyEnds] = field(default_factory=Counter)

    @classmethod
    def of_sample(cls, sample: Sample) -> PairCounts:
        """Return the counts of pairs that were played through tables."""
        return cls(joint=sample.joint, leaves=sample.leaves)

    @classmethod
    def of_pairs(cls, pairs: Iterable[PlayedPair]) -> PairCounts:
        """Return the counts of pairs that were played move by move."""
        counts = cls()
        # One addition for all pairs that are alike: to add tables takes as long as to play a move.
        alike: Alike = {}
        first: dict[str, tuple[int, EndKey]] = {}
        if (loop := compiled("loop")) is not None:
            loop.add_all(counts, pairs, alike, first)
            pairs = ()
        for played in pairs:
            counts.seconds += played.seconds[0] + played.seconds[1]
            if counts.note_players(played):
                opening, end_key = key = played.opening, counts._add_games(played)
                alike[key] = alike.get(key, 0) + 1
                if opening and (opening not in first or played.pair < first[opening][0]):
                    first[opening] = played.pair, end_key
        ends: Counter[PairEnd] = Counter()
        for (opening, end_key), times in alike.items():
            end = PairEnd(*end_key)
            counts.openings.add(opening, *end.tables(times))
            ends[end] += times
        for opening, (pair, end_key) in first.items():
            counts.openings.meet(opening, pair, PairEnd(*end_key).tables())
        for end, times in ends.items():
            counts._add_pairs(end, times)
        return counts

    def _add_games(self, played: PlayedPair) -> EndKey:
        """Count the two games of a pair. Return how the pair ended, as a PairEnd has it."""
        (one, other), pair, opening = played.records, played.pair, played.opening
        a, b = self.a, self.b
        start = f"{opening}\n".encode(errors="surrogatepass") if opening else b""
        first = self._add_game(one, pair, False, b"\0" + start, (a, b))
        second = self._add_game(other, pair, True, b"\1" + start, (b, a))
        if any(played.remembers):
            a.remember(played.remembers[0])
            b.remember(played.remembers[1])
        if one.payoffs is not None or other.payoffs is not None or (one.forfeit and other.forfeit):
            self.paid[end_of(one), end_of(other)] += 1
        if one.luck is not None and other.luck is not None:
            self.lucky[lucky_end_of(one), lucky_end_of(other)] += 1
        if one.forfeit is None and other.forfeit is None:
            return first, 2 - second, False, False
        forfeiters = {
            record.forfeit.side ^ half
            for half, record in enumerate(played.records)
            if record.forfeit is not None
        }
        return first, 2 - second, 0 in forfeiters, 1 in forfeiters

    def _add_game(
        self,
        record: GameRecord,
        pair: int,
        swapped: bool,
        start: bytes,
        players: tuple[PlayerCounts, PlayerCounts],
    ) -> int:
        """Count a game of these players, in the order of moving. Return the first one's points."""
        points = POINTS[record.outcome]
        if points != 1:
            loser = players[points >> 1]
            if loser.first_lost is None:
                loser.first_lost = OneGame(pair, swapped)
        referee = str(record.notes.referee or "").encode()
        self.games.add(start + array("H", record.moves).tobytes() + referee)
        if record.forfeit is not None:
            player = players[record.forfeit.side]
            player.forfeit(OneGame(pair, swapped, record), record.forfeit.reason)
        for printed in record.notes.printed:
            player = players[printed.side]
            player.printed += printed.lines
            player.first_printed = player.first_printed or OneGame(pair, swapped)
        for seat, _, completion in record.notes.completions:
            players[seat].spent += Spending.of(completion)
        if record.move_times != UNMEASURED:
            for player, times in zip(players, record.move_times, strict=True):
                player.move_times.update(rounded(times))
        return points

    def _add_pairs(self, end: PairEnd, pairs: int) -> None:
        """Count pairs that ended alike."""
        played, _ = end.tables(pairs)
        self.joint += played
        if end.by_a or end.by_b:
            self.forfeited_joint += played
        if end.by_a != end.by_b:
            alone = self.a if end.by_a else self.b
            alone.forfeited_alone += played

    @property
    def players(self) -> tuple[PlayerCounts, PlayerCounts]:
        """A and B."""
        return self.a, self.b

    @property
    def pairs(self) -> int:
        """How many pairs were played."""
        return self.joint.pairs

    @property
    def games_a_pair(self) -> int:
        """Two: both players move first once."""
        return 2

    def add(self, other: PairCounts) -> None:
        """Add the counts of other pairs."""
        super().add(other)
        self.joint += other.joint
        self.forfeited_joint += other.forfeited_joint
        self.openings.update(other.openings)
        self.leaves = self.leaves[0] | other.leaves[0], self.leaves[1] | other.leaves[1]
        self.paid.update(other.paid)
        self.lucky.update(other.lucky)

    def result(self, pairing: Pairing, by: PlayedBy, decided: bool | None = None) -> FightResult:
        """See :meth:`Counts.result`."""
        ended = self.ended(pairing, decided)
        a, b = ended.players
        return FightResult(
            game=pairing.game.name,
            game_version=pairing.game.version,
            seed=pairing.seed,
            engine=by.engine,
            sampler=by.sampler,
            engine_reason=by.reason,
            a=a,
            b=b,
            planned=ended.planned,
            joint=self.joint,
            void=self.void,
            distinct_games=len(self.games) + sum(map(int.bit_count, self.leaves)),
            unfinished=ended.unfinished,
            count_forfeits=pairing.count_forfeits,
            forfeited_joint=self.forfeited_joint,
            void_pairs=ended.void_pairs,
            adjudication=pairing.adjudication,
            openings=pairing.openings.name if pairing.openings else "",
            by_opening=self.openings.counted(pairing.count_forfeits == "all"),
            first_met=self.openings.first_pairs(pairing.count_forfeits == "all"),
            listed=pairing.openings.repeats_after(pairing.pairs) if pairing.openings else 0,
            is_shuffled=pairing.openings is None or pairing.openings.is_by_chance,
            is_sequential=decided is not None,
            plugins=pairing.plugins,
            answers=answers_of(pairing.players),
            deals=ended.deals,
            **self._payoffs(pairing),
        )

    def _payoffs(self, pairing: Pairing) -> dict[str, Any]:
        """Return the fields of the result that say what the pairs paid."""
        game, names = pairing.game, pairing.names
        if not game.is_paid:
            return {}
        raw = paid_in(game, self.paid, pairing.count_forfeits)
        if pairing.luck is None:
            return {"paid": raw}
        paid = corrected_in(game, self.lucky, pairing.count_forfeits, pairing.luck, names)
        return {"paid": paid, "corrected": correction_of(pairing.luck, names, raw, paid)}
