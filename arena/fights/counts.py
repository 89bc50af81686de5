"""Count games: the results of a fight, or of any part of one."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from arena.core import compiled
from arena.fights.by_opening import ByOpening
from arena.fights.forfeits import forfeited_game
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
from arena.game import LUCK, POINTS
from arena.match.record import UNMEASURED, GameRecord, PlayedPair
from arena.proof.tables import Sample
from arena.records.deviations import Deviation
from arena.records.fights import (
    FIRST_PAIRS,
    FightResult,
    ForfeitedGame,
    PlayerResult,
)
from arena.records.joint import NOTHING, Joint
from arena.records.times import rounded
from arena.records.void import VoidPairs
from arena.sandbox.settings import Isolation

T = TypeVar("T", str, "OneGame")

#: How a pair ended, as a PairEnd has it.
EndKey = tuple[int, int, bool, bool]

#: How many pairs from an opening ended so, and the number and the end of its first pair.
Alike = dict[tuple[str, EndKey], int]
First = dict[str, tuple[int, EndKey]]


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


class OneGame(NamedTuple):
    """A game of a fight, with its record where that matters. The first is the least."""

    pair: int
    #: Whether B moved first.
    swapped: bool
    record: GameRecord | None = None


@dataclass
class PlayerCounts:
    """The counts of one player. Their sum does not depend on the order."""

    #: The games that it forfeited, by reason.
    forfeits: Counter[str] = field(default_factory=Counter)
    #: The pairs in which it forfeited a game and its opponent did not.
    forfeited_alone: Joint = NOTHING
    first_forfeit: OneGame | None = None
    #: Unknown for games through tables.
    first_lost: OneGame | None = None
    #: Why it was withdrawn, if it was.
    withdrawn: str | None = None
    #: Its first move that is not in its certificate, after the number of a pair that tells which
    #: of several is the first.
    deviation: tuple[int, Deviation] | None = None
    #: Why something of it outlives a game; empty if nothing is known to.
    remembers: str = ""
    #: How many lines it printed, and the first game in which it did.
    printed: int = 0
    first_printed: OneGame | None = None
    #: How many of its moves took this many seconds; empty where they were not measured.
    move_times: Counter[float] = field(default_factory=Counter)

    def add(self, other: PlayerCounts) -> None:
        """Add the counts of the same player in other pairs."""
        self.forfeits.update(other.forfeits)
        self.forfeited_alone += other.forfeited_alone
        self.first_forfeit = _least(self.first_forfeit, other.first_forfeit)
        self.first_lost = _least(self.first_lost, other.first_lost)
        self.withdraw(other.withdrawn)
        self.deviate(other.deviation)
        self.remember(other.remembers)
        self.printed += other.printed
        self.first_printed = _least(self.first_printed, other.first_printed)
        self.move_times.update(other.move_times)

    def forfeit(self, game: OneGame, reason: str) -> None:
        """Count a game that it forfeited for that reason."""
        self.forfeits[reason] += 1
        self.first_forfeit = _least(self.first_forfeit, game)

    def withdraw(self, problem: str | None) -> None:
        """Note why it is withdrawn, if there is a reason. Of several it is always the same one."""
        self.withdrawn = _least(self.withdrawn, problem)

    def deviate(self, deviation: tuple[int, Deviation] | None) -> None:
        """Note a deviation, if it is the first."""
        if deviation is not None and (self.deviation is None or deviation[0] < self.deviation[0]):
            self.deviation = deviation

    def remember(self, reason: str) -> None:
        """Note why something of it outlives a game. Of several reasons it is always the same
        one.
        """
        if reason and (not self.remembers or reason < self.remembers):
            self.remembers = reason

    def result(self, pairing: Pairing, place: int, withdrawn: str | None) -> PlayerResult:
        """Return the record of the player at that place of the pairing, 0 for A and 1 for B."""
        name, player = pairing.names[place], (pairing.a, pairing.b)[place]
        lost, forfeited = self.first_lost, None
        if self.first_forfeit is not None:
            forfeited = _forfeited(pairing, name, self.first_forfeit)
        return PlayerResult(
            name=name,
            isolation=player.isolation or "none",
            forfeits=dict(sorted(self.forfeits.items())),
            first_forfeit=forfeited,
            first_lost=lost and pairing.game_id(lost.pair, lost.swapped),
            forfeited_alone=self.forfeited_alone,
            withdrawn=withdrawn,
            certified=pairing.certificates[place] is not None,
            deviation=self.deviation and self.deviation[1],
            remembers=self.remembers,
            spec=player.spec,
            limits=Isolation.unusual_of(dict(player.limits)),
            move_times=dict(self.move_times),
            printed=self.printed,
            first_printed=self.first_printed
            and pairing.game_id(self.first_printed.pair, self.first_printed.swapped),
        )


@dataclass
class Counts:
    """The counts so far. A sum of such counts does not depend on the order."""

    a: PlayerCounts = field(default_factory=PlayerCounts)
    b: PlayerCounts = field(default_factory=PlayerCounts)
    #: The pairs that were played.
    joint: Joint = NOTHING
    #: The pairs of them with a forfeit.
    forfeited_joint: Joint = NOTHING
    openings: ByOpening = field(default_factory=ByOpening)
    #: The games played, each as a byte for the player that moved first, the opening, and 16-bit
    #: moves; of a refereed one also the seed and the scores.
    games: set[bytes] = field(default_factory=set)
    #: The counts of games played through tables, as in :class:`arena.proof.tables.Sample`.
    leaves: tuple[int, int] = (0, 0)
    #: How the pairs of a game that pays ended, and how many pairs did so.
    paid: Counter[PairEnds] = field(default_factory=Counter)
    #: The same with what luck brought, where that is corrected.
    lucky: Counter[LuckyEnds] = field(default_factory=Counter)
    void_pairs: list[VoidPairs] = field(default_factory=list)
    #: How long the games took, one after the other; 0 for those through tables.
    seconds: float = field(default=0.0, compare=False)

    @classmethod
    def of_sample(cls, sample: Sample) -> Counts:
        """Return the counts of pairs that were played through tables."""
        return cls(joint=sample.joint, leaves=sample.leaves)

    @classmethod
    def of_pairs(cls, pairs: Iterable[PlayedPair]) -> Counts:
        """Return the counts of pairs that were played move by move."""
        counts = cls()
        # One addition for all pairs that are alike: to add tables takes as long as to play a move.
        alike: Alike = {}
        first: First = {}
        if (loop := compiled("loop")) is not None:
            loop.add_all(counts, pairs, alike, first)
            pairs = ()
        for played in pairs:
            counts.seconds += played.seconds[0] + played.seconds[1]
            if played.withdrawn is not None:
                player, problem = played.withdrawn
                counts.both[player].withdraw(problem)
            elif played.void:
                counts.void_pairs.append(VoidPairs(played.pair, played.pair, played.void))
            else:
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
        referee = b"" if record.referee is None else str(record.referee).encode()
        self.games.add(start + array("H", record.moves).tobytes() + referee)
        if record.forfeit is not None:
            player = players[record.forfeit.side]
            player.forfeit(OneGame(pair, swapped, record), record.forfeit.reason)
        for printed in record.printed:
            player = players[printed.side]
            player.printed += printed.lines
            player.first_printed = player.first_printed or OneGame(pair, swapped)
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
    def both(self) -> tuple[PlayerCounts, PlayerCounts]:
        """A and B."""
        return self.a, self.b

    @property
    def pairs(self) -> int:
        """How many pairs were played."""
        return self.joint.pairs

    @property
    def void(self) -> int:
        """Number of void games."""
        return 2 * sum(void.pairs for void in self.void_pairs)

    def add(self, other: Counts) -> None:
        """Add the counts of other pairs."""
        self.a.add(other.a)
        self.b.add(other.b)
        self.seconds += other.seconds
        self.joint += other.joint
        self.forfeited_joint += other.forfeited_joint
        self.openings.update(other.openings)
        self.games |= other.games
        self.leaves = self.leaves[0] | other.leaves[0], self.leaves[1] | other.leaves[1]
        self.void_pairs += other.void_pairs
        self.paid.update(other.paid)
        self.lucky.update(other.lucky)

    def result(
        self,
        pairing: Pairing,
        engine: str,
        sampler: str,
        reason: str,
        decided: bool | None = None,
    ) -> FightResult:
        """Return the record of a fight with these counts, played by that engine.

        ``decided`` is for a test that is over: whether it has decided. It asked for no more pairs
        than these, and pairs that are void leave a gap only if it has not.
        """
        planned = pairing.pairs if decided is None else self.pairs + self.void // 2
        is_complete = decided or self.pairs == planned
        is_over = is_complete or decided is not None
        a, b = (
            counts.result(pairing, place, None if is_over else counts.withdrawn)
            for place, counts in enumerate(self.both)
        )
        void_pairs = tuple(sorted(self.void_pairs))
        return FightResult(
            game=pairing.game.name,
            game_version=pairing.game.version,
            seed=pairing.seed,
            engine=engine,
            sampler=sampler,
            engine_reason=reason,
            a=a,
            b=b,
            planned=planned,
            joint=self.joint,
            void=self.void,
            distinct_games=len(self.games) + sum(map(int.bit_count, self.leaves)),
            unfinished=None if is_complete else _reason((a, b), self.pairs, void_pairs),
            count_forfeits=pairing.count_forfeits,
            forfeited_joint=self.forfeited_joint,
            void_pairs=void_pairs,
            adjudication=pairing.adjudication,
            openings=pairing.openings.name if pairing.openings else "",
            by_opening=self.openings.counted(pairing.count_forfeits == "all"),
            first_met=self.openings.first_pairs(pairing.count_forfeits == "all"),
            listed=pairing.openings.repeats_after(pairing.pairs) if pairing.openings else 0,
            is_shuffled=pairing.openings is None or pairing.openings.is_by_chance,
            is_sequential=decided is not None,
            plugins=pairing.plugins,
            deals=pairing.deals if LUCK in pairing.game.features else "",
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


def _forfeited(pairing: Pairing, name: str, game: OneGame) -> ForfeitedGame:
    pair, swapped, record = game
    assert record is not None
    assert record.forfeit is not None
    identity, begin = pairing.game_id(pair, swapped), pairing.begin(pair)
    return forfeited_game(identity, name, record.forfeit, begin, record.moves)


def _least(one: T | None, other: T | None) -> T | None:
    """Return the lesser of two things that may not be there."""
    if one is None or other is None:
        return other if one is None else one
    return min(one, other)


def _reason(
    players: tuple[PlayerResult, PlayerResult], pairs: int, void_pairs: Sequence[VoidPairs]
) -> str:
    """Say why a fight is not complete."""
    for player in players:
        if player.withdrawn is not None:
            return f"{player.name} is withdrawn, it cannot be started: {player.withdrawn}"
    forfeited = [sum(player.forfeits.values()) for player in players]
    if pairs == FIRST_PAIRS and sum(forfeited) == 2 * pairs:
        remedy = "fix this first (--keep-going plays on)"
        for player, games in zip(players, forfeited, strict=True):
            if games == 2 * pairs and len(player.forfeits) == 1:
                return (
                    f"{player.name} forfeited its first {games} games for the same reason; {remedy}"
                )
        if any(
            len(p.forfeits) == 1 and n >= pairs for p, n in zip(players, forfeited, strict=True)
        ):
            a, b = (player.name for player in players)
            return f"{a} and {b} forfeited all of their first {2 * pairs} games; {remedy}"
    if void_pairs:
        return str(min(void_pairs, key=lambda pairs: (not pairs.killed, pairs)))
    return "interrupted"
