"""Counting games: what a fight, or any part of one, came to."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache

from arena.fights.pairing import Pairing
from arena.game import Outcome
from arena.match import PlayedPair
from arena.proof.tables import Sample
from arena.records.deviations import Deviation
from arena.records.fights import FightResult, ForfeitedGame, Joint, VoidPairs

#: A's points in a game, doubled, by whether A moved second and by outcome.
_POINTS = (
    {Outcome.FIRST_WINS: 2, Outcome.DRAW: 1, Outcome.SECOND_WINS: 0},
    {Outcome.FIRST_WINS: 0, Outcome.DRAW: 1, Outcome.SECOND_WINS: 2},
)


#: How many pairs there are by A's doubled points, moving first and second: a table row by row, of
#: the pairs as they were played, and then the table of the same pairs when who alone forfeited
#: has lost both games.
Pairs = tuple[int, ...]


@dataclass
class ByOpening:
    """Pairs by the opening that they began from; a sum does not depend on the order."""

    pairs: dict[str, Pairs] = field(default_factory=dict)
    #: How many openings have the same pairs; a test asks after every batch, so it is kept.
    alike: Counter[Pairs] = field(default_factory=Counter)

    def add(self, opening: str, more: Pairs) -> None:
        """Add pairs that began from this opening."""
        known = self.pairs.get(opening)
        if known is not None:
            self.alike[known] -= 1
            if not self.alike[known]:
                del self.alike[known]
            more = tuple(map(sum, zip(known, more, strict=True)))
        self.pairs[opening] = more
        self.alike[more] += 1

    def counted(self, as_played: bool) -> tuple[tuple[Joint, int], ...]:
        """Return the tables of the pairs of an opening, and how many openings have each."""
        tables: Counter[Joint] = Counter()
        for pairs, openings in self.alike.items():
            counted = pairs[:9] if as_played else pairs[9:]
            tables[_frozen([counted[:3], counted[3:6], counted[6:]])] += openings
        return tuple(sorted(tables.items()))


@dataclass
class Counts:
    """The counts so far; a sum of such counts does not depend on the order."""

    #: Pairs by A's doubled points when moving first (the row) and second (the column).
    joint: list[list[int]] = field(default_factory=lambda: _table())
    #: Those of them with a forfeit.
    forfeited_joint: list[list[int]] = field(default_factory=lambda: _table())
    #: Those that A alone forfeited, and B alone.
    forfeited_by: tuple[list[list[int]], list[list[int]]] = field(
        default_factory=lambda: (_table(), _table())
    )
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
    openings: ByOpening = field(default_factory=ByOpening)
    void_pairs: list[VoidPairs] = field(default_factory=list)
    #: Why A and B were withdrawn, if they were.
    withdrawn: list[str | None] = field(default_factory=lambda: [None, None])
    #: The first move of A and of B that is not in its certificate, and a number of pairs that
    #: tells which of several is the first.
    deviations: list[tuple[int, Deviation] | None] = field(default_factory=lambda: [None, None])
    #: Why something of A's and of B's outlives a game; empty if nothing is known to.
    remembers: list[str] = field(default_factory=lambda: ["", ""])

    @classmethod
    def of_sample(cls, sample: Sample) -> Counts:
        """Return the counts of pairs that were played through tables."""
        return cls(joint=[list(row) for row in sample.joint], leaves=list(sample.leaves))

    @classmethod
    def of_pairs(cls, pairs: Iterable[PlayedPair]) -> Counts:
        """Return the counts of pairs that were played move by move."""
        counts = cls()
        # One addition for all pairs that are alike: to add tables takes as long as to play a move.
        alike: Counter[tuple[str, Pairs]] = Counter()
        for played in pairs:
            if played.withdrawn is not None:
                player, problem = played.withdrawn
                counts.withdrawn[player] = problem
            elif played.void:
                counts.void_pairs.append(VoidPairs(played.pair, played.pair, played.void))
            else:
                alike[played.opening, counts._add_games(played)] += 1
                counts.note_memory(played.remembers)
        for (opening, one), times in alike.items():
            counts.openings.add(opening, tuple(times * n for n in one))
        return counts

    def _add_games(self, played: PlayedPair) -> Pairs:
        """Count the two games of a pair; return the tables of that pair."""
        pair, records, opening = played.pair, played.records, played.opening
        both = [0, 0]
        forfeiters: set[int] = set()
        start = f"{opening}\n".encode(errors="surrogatepass") if opening else b""
        for half, record in enumerate(records):
            points = both[half] = _POINTS[half][record.outcome]
            if points != 1 and self.lost[points >> 1] is None:
                self.lost[points >> 1] = (pair, half)
            self.games[half].add(start + array("H", record.moves).tobytes())
            if record.forfeit is not None:
                player = record.forfeit.side ^ half
                forfeiters.add(player)
                self.forfeits[player][record.forfeit.reason] += 1
                self._note(player, (pair, half, record.forfeit.reason, record.forfeit.message))
        self.joint[both[0]][both[1]] += 1
        self.forfeited_joint[both[0]][both[1]] += bool(forfeiters)
        if len(forfeiters) == 1:
            self.forfeited_by[min(forfeiters)][both[0]][both[1]] += 1
        return one_pair(both[0], both[1], frozenset(forfeiters))

    @property
    def pairs(self) -> int:
        """Number of played pairs."""
        return sum(map(sum, self.joint))

    @property
    def void(self) -> int:
        """Number of void games."""
        return 2 * sum(void.pairs for void in self.void_pairs)

    def add(self, other: Counts) -> None:
        """Add the counts of other pairs."""
        for mine, theirs in (
            (self.joint, other.joint),
            (self.forfeited_joint, other.forfeited_joint),
            *zip(self.forfeited_by, other.forfeited_by, strict=True),
        ):
            for row, more in zip(mine, theirs, strict=True):
                row[:] = map(sum, zip(row, more, strict=True))
        for half in (0, 1):
            self.forfeits[half].update(other.forfeits[half])
            self.games[half].update(other.games[half])
            self.leaves[half] |= other.leaves[half]
            self.lost[half] = min(
                (game for game in (self.lost[half], other.lost[half]) if game), default=None
            )
            self.deviate(half, other.deviations[half])
            forfeited = other.forfeited[half]
            if forfeited is not None:
                self._note(half, forfeited)
            self.withdraw(half, other.withdrawn[half])
        self.note_memory(other.remembers)
        self.void_pairs += other.void_pairs
        for opening, pairs in other.openings.pairs.items():
            self.openings.add(opening, pairs)

    def note_memory(self, reasons: Sequence[str]) -> None:
        """Note why something of A's and B's outlives a game; of several always the same reason."""
        for place, reason in enumerate(reasons):
            if reason and (not self.remembers[place] or reason < self.remembers[place]):
                self.remembers[place] = reason

    def withdraw(self, player: int, problem: str | None) -> None:
        """Note why A (0) or B (1) is withdrawn; of several reasons always the same one."""
        known = self.withdrawn[player]
        self.withdrawn[player] = min(filter(None, (known, problem)), default=None)

    def deviate(self, player: int, found: tuple[int, Deviation] | None) -> None:
        """Note a deviation of A (0) or B (1), if it is the first."""
        known = self.deviations[player]
        if found is not None and (known is None or found[0] < known[0]):
            self.deviations[player] = found

    def _note(self, player: int, game: tuple[int, int, str, str]) -> None:
        known = self.forfeited[player]
        if known is None or game < known:
            self.forfeited[player] = game

    def result(self, pairing: Pairing, engine: str, sampler: str, reason: str) -> FightResult:
        """Return the record of a fight with these counts, played by that engine."""
        names = pairing.names
        forfeited = [
            ForfeitedGame(pairing.game_id(game[0], bool(game[1])), name, game[2], game[3])
            for name, game in zip(names, self.forfeited, strict=True)
            if game is not None
        ]
        played = sum(map(len, self.games)) + sum(map(int.bit_count, self.leaves))
        is_complete = self.pairs == pairing.pairs
        withdrawn = [None, None] if is_complete else self.withdrawn
        void_pairs = tuple(sorted(self.void_pairs))
        return FightResult(
            game=pairing.game.name,
            game_version=pairing.game.version,
            seed=pairing.seed,
            engine=engine,
            sampler=sampler,
            engine_reason=reason,
            players=names,
            planned=pairing.pairs,
            joint=_frozen(self.joint),
            forfeits=(
                dict(sorted(self.forfeits[0].items())),
                dict(sorted(self.forfeits[1].items())),
            ),
            void=self.void,
            distinct_games=played,
            forfeited=tuple(forfeited),
            first_lost=(_game_id(pairing, self.lost[0]), _game_id(pairing, self.lost[1])),
            unfinished=None if is_complete else _reason(names, withdrawn, void_pairs),
            isolation=(pairing.a.isolation or "none", pairing.b.isolation or "none"),
            count_forfeits=pairing.count_forfeits,
            forfeited_joint=_frozen(self.forfeited_joint),
            forfeited_by=(_frozen(self.forfeited_by[0]), _frozen(self.forfeited_by[1])),
            void_pairs=void_pairs,
            withdrawn=(withdrawn[0], withdrawn[1]),
            certified=tuple(n for n, c in zip(names, pairing.certificates, strict=True) if c),
            deviations=tuple(found[1] for found in self.deviations if found),
            adjudicate=pairing.adjudicate,
            openings=pairing.openings.name if pairing.openings else "",
            by_opening=self.openings.counted(pairing.count_forfeits == "all"),
            remembers=(self.remembers[0], self.remembers[1]),
        )


def _reason(
    names: tuple[str, str], withdrawn: Sequence[str | None], void_pairs: Sequence[VoidPairs]
) -> str:
    """Return why a fight is not complete."""
    for name, problem in zip(names, withdrawn, strict=True):
        if problem is not None:
            return f"{name} is withdrawn, it cannot be started: {problem}"
    if void_pairs:
        return str(min(void_pairs, key=lambda pairs: (not pairs.killed, pairs)))
    return "interrupted"


def _table() -> list[list[int]]:
    return [[0] * 3, [0] * 3, [0] * 3]


@cache
def one_pair(first: int, second: int, forfeiters: frozenset[int] = frozenset()) -> Pairs:
    """Return the tables of one pair in which A had these doubled points.

    ``forfeiters`` has 0 if A forfeited a game of it, and 1 if B did.
    """
    cells = [0] * 18
    cells[3 * first + second] = 1
    counted = 8 * min(forfeiters) if len(forfeiters) == 1 else 3 * first + second
    cells[9 + counted] = 1
    return tuple(cells)


def _frozen(table: Sequence[Sequence[int]]) -> Joint:
    first, second, third = ((row[0], row[1], row[2]) for row in table)
    return first, second, third


def _game_id(pairing: Pairing, game: tuple[int, int] | None) -> str | None:
    return game and pairing.game_id(game[0], bool(game[1]))
