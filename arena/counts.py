"""Counting games: what a fight, or any part of one, came to."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from arena.game import Outcome
from arena.match import GameRecord, PlayedPair
from arena.pairing import Pairing
from arena.proof.tables import Sample
from arena.results import FightResult, ForfeitedGame

#: A's points in a game, doubled, by whether A moved second and by outcome.
_POINTS = (
    {Outcome.FIRST_WINS: 2, Outcome.DRAW: 1, Outcome.SECOND_WINS: 0},
    {Outcome.FIRST_WINS: 0, Outcome.DRAW: 1, Outcome.SECOND_WINS: 2},
)


@dataclass
class Counts:
    """What was counted so far; a sum of such counts does not depend on the order."""

    #: Pairs by A's doubled points when moving first (the row) and second (the column).
    joint: list[list[int]] = field(default_factory=lambda: [[0] * 3, [0] * 3, [0] * 3])
    forfeits: tuple[Counter[str], Counter[str]] = field(
        default_factory=lambda: (Counter(), Counter())
    )
    #: The games played, as 16-bit moves, when A moved first and when second.
    games: tuple[set[bytes], set[bytes]] = field(default_factory=lambda: (set(), set()))
    #: The same of games played through tables: ints in which bit i stands for leaf i of a tree.
    leaves: list[int] = field(default_factory=lambda: [0, 0])
    #: Of A and of B: the first game forfeited, as (pair, half, reason, message).
    forfeited: list[tuple[int, int, str, str] | None] = field(default_factory=lambda: [None, None])
    #: Of A and of B: the first game lost, as (pair, half); unknown for games through tables.
    lost: list[tuple[int, int] | None] = field(default_factory=lambda: [None, None])
    void: int = 0
    failure: str | None = None

    @classmethod
    def of_sample(cls, sample: Sample) -> Counts:
        """The counts of pairs that were played through tables."""
        return cls(joint=[list(row) for row in sample.joint], leaves=list(sample.leaves))

    @classmethod
    def of_pairs(cls, pairs: Iterable[PlayedPair]) -> Counts:
        """The counts of pairs that were played move by move."""
        counts = cls()
        for played in pairs:
            if played.void:
                counts.void += 2
                counts.failure = counts.failure or f"pair {played.pair}: {played.void}"
            else:
                counts.add_pair(played.pair, played.records)
        return counts

    def add_pair(self, pair: int, records: tuple[GameRecord, GameRecord]) -> None:
        """Count the two games of a pair: A moved first in the first of them."""
        both = [0, 0]
        for half, record in enumerate(records):
            points = both[half] = _POINTS[half][record.outcome]
            if points != 1 and self.lost[points >> 1] is None:
                self.lost[points >> 1] = (pair, half)
            self.games[half].add(array("H", record.moves).tobytes())
            if record.forfeit is not None:
                player = record.forfeit.side ^ half
                self.forfeits[player][record.forfeit.reason] += 1
                self._note(player, (pair, half, record.forfeit.reason, record.forfeit.message))
        self.joint[both[0]][both[1]] += 1

    @property
    def pairs(self) -> int:
        """How many pairs were played."""
        return sum(map(sum, self.joint))

    def add(self, other: Counts) -> None:
        """Add the counts of other pairs."""
        for row, more in zip(self.joint, other.joint, strict=True):
            row[:] = map(sum, zip(row, more, strict=True))
        for half in (0, 1):
            self.forfeits[half].update(other.forfeits[half])
            self.games[half].update(other.games[half])
            self.leaves[half] |= other.leaves[half]
            self.lost[half] = min(
                (game for game in (self.lost[half], other.lost[half]) if game), default=None
            )
            forfeited = other.forfeited[half]
            if forfeited is not None:
                self._note(half, forfeited)
        self.void += other.void
        self.failure = min(filter(None, (self.failure, other.failure)), default=None)

    def _note(self, player: int, game: tuple[int, int, str, str]) -> None:
        known = self.forfeited[player]
        if known is None or game < known:
            self.forfeited[player] = game

    def result(self, pairing: Pairing, engine: str, sampler: str, reason: str) -> FightResult:
        """The record of a fight with these counts, played by that engine."""
        names = pairing.names
        forfeited = [
            ForfeitedGame(f"{pairing.path}/{game[0]}.{game[1] + 1}", name, game[2], game[3])
            for name, game in zip(names, self.forfeited, strict=True)
            if game is not None
        ]
        lost, drawn, won = ((row[0], row[1], row[2]) for row in self.joint)
        missing = "interrupted" if self.pairs < pairing.pairs else None
        return FightResult(
            game=pairing.game.name,
            game_version=pairing.game.version,
            seed=pairing.seed,
            engine=engine,
            sampler=sampler,
            engine_reason=reason,
            players=names,
            planned=pairing.pairs,
            joint=(lost, drawn, won),
            forfeits=(
                dict(sorted(self.forfeits[0].items())),
                dict(sorted(self.forfeits[1].items())),
            ),
            void=self.void,
            distinct_games=sum(map(len, self.games)) + sum(map(int.bit_count, self.leaves)),
            forfeited=tuple(forfeited),
            first_lost=(_game_id(pairing, self.lost[0]), _game_id(pairing, self.lost[1])),
            unfinished=self.failure or missing,
            isolation=(pairing.a.isolation or "none", pairing.b.isolation or "none"),
        )


def _game_id(pairing: Pairing, game: tuple[int, int] | None) -> str | None:
    return game and f"{pairing.path}/{game[0]}.{game[1] + 1}"
