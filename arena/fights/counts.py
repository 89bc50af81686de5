"""Count games: what all counts of a fight have, and the counts of one player.

:mod:`arena.fights.pair_counts` counts the pairs of two players, and
:mod:`arena.fights.block_counts` the blocks of more.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Self, TypeVar

from arena.fights.forfeits import forfeited_game
from arena.fights.pairing import Pairing
from arena.game import LUCK
from arena.match.record import GameRecord, PlayedPair
from arena.records.deviations import Deviation
from arena.records.entrants import FIRST_PAIRS, ForfeitedGame, PlayerResult
from arena.records.fought import Fought
from arena.records.joint import NOTHING, Joint
from arena.records.spending import NO_SPENDING, Spending
from arena.records.void import VoidPairs
from arena.sandbox.settings import Isolation
from arena.sandbox.words import WASM

T = TypeVar("T", str, "OneGame")


class OneGame(NamedTuple):
    """A game of a fight, with its record where that matters. The first is the least.

    The record of a game that a player forfeited ends with its forfeit.
    """

    pair: int
    #: Which game of the pair: 0, or 1 if B moved first; of more players up to their number.
    half: int
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
    #: What a language model was asked, and what that cost.
    spent: Spending = NO_SPENDING

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
        self.spent += other.spent

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
        """Return the record of the player at that place of the pairing, from 0 for A."""
        name, player = pairing.all_names[place], pairing.players[place]
        lost, forfeited = self.first_lost, None
        if self.first_forfeit is not None:
            forfeited = _forfeited(pairing, name, self.first_forfeit)
        return PlayerResult(
            name=name,
            isolation=player.isolation or "none",
            forfeits=dict(sorted(self.forfeits.items())),
            first_forfeit=forfeited,
            first_lost=lost and pairing.game_id(lost.pair, lost.half),
            forfeited_alone=self.forfeited_alone,
            withdrawn=withdrawn,
            certified=any(pairing.certificates) and pairing.certificates[place] is not None,
            deviation=self.deviation and self.deviation[1],
            remembers=self.remembers,
            spec=player.spec,
            limits=Isolation.unusual_of(dict(player.limits)),
            move_times=dict(sorted(self.move_times.items())),
            engine=player.version if player.isolation == WASM else "",
            printed=self.printed,
            spent=None if self.spent == NO_SPENDING else self.spent,
            first_printed=self.first_printed
            and pairing.game_id(self.first_printed.pair, self.first_printed.half),
        )


class PlayedBy(NamedTuple):
    """The engine that played a fight."""

    engine: str = "calls"
    sampler: str = "games"
    #: Why the engine is this one, although arena tried another.
    reason: str = ""


class FightEnd(NamedTuple):
    """How a fight ended, for its record."""

    planned: int
    players: tuple[PlayerResult, ...]
    void_pairs: tuple[VoidPairs, ...]
    #: Why it is not complete, None if it is.
    unfinished: str | None
    #: How luck is dealt, empty in a game without.
    deals: str


@dataclass
class Counts(ABC):
    """The counts of a fight so far. A sum of such counts does not depend on the order.

    :func:`arena.fights.counting.counts_of` makes those that a pairing needs.
    """

    #: The games played, each as a byte for who sits where, the opening, and 16-bit moves; of a
    #: refereed one also the seed and the scores.
    games: set[bytes] = field(default_factory=set, kw_only=True)
    void_pairs: list[VoidPairs] = field(default_factory=list, kw_only=True)
    #: How long the games took, one after the other; 0 for those through tables.
    seconds: float = field(default=0.0, compare=False, kw_only=True)

    @property
    @abstractmethod
    def players(self) -> Sequence[PlayerCounts]:
        """The counts of the players, in the order of the pairing."""

    @property
    @abstractmethod
    def pairs(self) -> int:
        """How many pairs were played."""

    @property
    @abstractmethod
    def games_a_pair(self) -> int:
        """How many games a pair has."""

    @property
    def void(self) -> int:
        """Number of void games."""
        return self.games_a_pair * sum(void.pairs for void in self.void_pairs)

    @property
    def done(self) -> int:
        """How many pairs were played or are void."""
        return self.pairs + sum(void.pairs for void in self.void_pairs)

    def add(self, other: Self) -> None:
        """Add the counts of other pairs."""
        for mine, theirs in zip(self.players, other.players, strict=True):
            mine.add(theirs)
        self.seconds += other.seconds
        self.games |= other.games
        self.void_pairs += other.void_pairs

    def note_players(self, played: PlayedPair) -> bool:
        """Count who was withdrawn, or that a pair is void. Return whether it has games."""
        if played.withdrawn is not None:
            player, problem = played.withdrawn
            self.players[player].withdraw(problem)
        elif played.void:
            self.void_pairs.append(VoidPairs(played.pair, played.pair, played.void))
        return played.withdrawn is None and not played.void

    @abstractmethod
    def result(self, pairing: Pairing, by: PlayedBy, decided: bool | None = None) -> Fought:
        """Return the record of a fight with these counts, played by that engine.

        ``decided`` is for a test that is over: whether it has decided. It asked for no more pairs
        than these, and pairs that are void leave a gap only if it has not.
        """

    def ended(self, pairing: Pairing, decided: bool | None) -> FightEnd:
        """Return how the fight ended, for :meth:`result`."""
        planned = pairing.pairs if decided is None else self.done
        is_complete = decided or self.pairs == planned
        is_over = is_complete or decided is not None
        players = tuple(
            counts.result(pairing, place, None if is_over else counts.withdrawn)
            for place, counts in enumerate(self.players)
        )
        void_pairs = tuple(sorted(self.void_pairs))
        why = why_unfinished(players, self.pairs, self.games_a_pair, void_pairs)
        deals = pairing.deals if LUCK in pairing.game.features else ""
        return FightEnd(planned, players, void_pairs, None if is_complete else why, deals)


def _forfeited(pairing: Pairing, name: str, game: OneGame) -> ForfeitedGame:
    pair, half, record = game
    assert record is not None
    *before, forfeit = record.forfeits
    earlier = [(each.ply, int(each.side)) for each in before if each.ply is not None]
    identity, begin = pairing.game_id(pair, half), pairing.begin(pair)
    return forfeited_game(identity, name, forfeit, begin, record.moves, earlier)


def _least(one: T | None, other: T | None) -> T | None:
    """Return the lesser of two things that may not be there."""
    if one is None or other is None:
        return other if one is None else one
    return min(one, other)


def why_unfinished(
    players: Sequence[PlayerResult], pairs: int, games_a_pair: int, void_pairs: Sequence[VoidPairs]
) -> str:
    """Say why a fight is not complete."""
    for player in players:
        if player.withdrawn is not None:
            return f"{player.name} is withdrawn, it cannot be started: {player.withdrawn}"
    forfeited = [sum(player.forfeits.values()) for player in players]
    first = games_a_pair * FIRST_PAIRS
    if pairs == FIRST_PAIRS and sum(forfeited) >= first:
        remedy = "fix this first (--keep-going plays on)"
        for player, games in zip(players, forfeited, strict=True):
            if games == first and len(player.forfeits) == 1:
                return (
                    f"{player.name} forfeited its first {games} games for the same reason; {remedy}"
                )
        if any(
            len(p.forfeits) == 1 and n >= pairs for p, n in zip(players, forfeited, strict=True)
        ):
            names = " and ".join(player.name for player in players)
            return f"{names} forfeited all of their first {first} games; {remedy}"
    if void_pairs:
        return str(min(void_pairs, key=lambda pairs: (not pairs.killed, pairs)))
    return "interrupted"
