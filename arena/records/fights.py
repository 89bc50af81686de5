"""Hold the results of fights: counts, and the values derived from them.

Counts are player A's view, the first of a fight's two players.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from arena.records.base import Json, Record, Tally, to_json
from arena.records.deviations import Deviation

#: How often each combination of two results occurred, each of them lost, drawn or won.
Joint = tuple[tuple[int, int, int], tuple[int, int, int], tuple[int, int, int]]

#: The same with shares of pairs.
Weights = tuple[tuple[float, ...], ...]

#: No combination at all.
NOTHING: Joint = ((0, 0, 0), (0, 0, 0), (0, 0, 0))

#: What ``--count-forfeits`` may say.
COUNT_FORFEITS = ("all", "none")

#: What ``--adjudicate`` may say.
ADJUDICATE = ("none", "draws")


#: Pairs of a fight through tables that are played by calls first, to see whether the players play
#: as their tables say.
CALLED_PAIRS = 200

#: The scores of pairs: LL, LD, DD or WL, WD, WW.
PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)


class Observations(NamedTuple):
    """A table of independent observations: ``counts[i]`` of them have the score ``scores[i]``."""

    counts: tuple[int, ...]
    scores: tuple[float, ...]


@dataclass(frozen=True)
class ForfeitedGame(Record):
    """One game that a player forfeited."""

    #: None for a game that has none, such as a person's.
    game_id: str | None
    player: str
    reason: str
    message: str


class VoidPairs(NamedTuple):
    """Consecutive pairs that are void: the arena or the machine failed in every replay."""

    first: int
    last: int
    reason: str
    #: Whether their games ended the processes that played them: then it may be a player's doing.
    killed: bool = False

    @property
    def pairs(self) -> int:
        """Number of pairs."""
        return self.last - self.first + 1

    def __str__(self) -> str:
        pairs = f"pair {self.first}" if self.pairs == 1 else f"pairs {self.first} to {self.last}"
        if self.killed:
            return f"workers died again and again while they played {pairs}: {self.reason}"
        return f"{pairs}: {self.reason}"

    def as_json(self) -> Json:
        """Return the fields under their names."""
        return self._asdict()


@dataclass(frozen=True)
class FightResult(Record):
    """n pairs of one pairing: 2n games."""

    game: str
    game_version: int
    seed: int
    #: How games were played: by ``calls`` to the players, or through a ``table`` of their moves.
    engine: str
    players: tuple[str, str]
    #: Pairs that were asked for.
    planned: int
    #: The pairs that were played, by A's result when moving first (the row) and when moving second
    #: (the column): lost, drawn, won. All other counts of results follow from these.
    joint: Joint
    #: Forfeited games by reason, for A and for B.
    forfeits: tuple[Mapping[str, int], Mapping[str, int]]
    #: Games that the arena or the machine spoilt; they are in no count of results.
    void: int
    #: Different games, told apart by who moved first and the moves.
    distinct_games: int
    #: The first game that each player forfeited, if any.
    forfeited: tuple[ForfeitedGame, ...] = ()
    #: The id of the first game that A lost, and that B lost; None without, or through tables.
    first_lost: tuple[str | None, str | None] = (None, None)
    #: Why fewer pairs were played than planned; None if all were.
    unfinished: str | None = None
    #: ``games`` if each game was played, ``counts`` if only the numbers of results were drawn.
    sampler: str = "games"
    #: Why the engine is not the one that was tried first; empty if it is.
    engine_reason: str = ""
    #: The tiers that keep A's and B's processes apart; ``none`` for who plays within a worker.
    isolation: tuple[str, str] = ("none", "none")
    #: What statistics count of pairs with a forfeit: ``all`` that was played, or ``none`` of it but
    #: that who alone forfeited has lost both games.
    count_forfeits: str = "all"
    #: The pairs with a forfeit among those in ``joint``.
    forfeited_joint: Joint = NOTHING
    #: Those of them that A alone forfeited, and B alone.
    forfeited_by: tuple[Joint, Joint] = (NOTHING, NOTHING)
    #: The pairs of the void games.
    void_pairs: tuple[VoidPairs, ...] = ()
    #: Why A and B play no more, if they cannot be started.
    withdrawn: tuple[str | None, str | None] = (None, None)
    #: The players whose moves were looked up in a certificate.
    certified: tuple[str, ...] = ()
    #: The first move of each player that is not in its certificate.
    deviations: tuple[Deviation, ...] = ()
    #: ``draws`` if games were ended when they could only end as a draw.
    adjudicate: str = "none"
    #: What the openings are called that games began from; empty for the start.
    openings: str = ""
    #: The counted pairs of an opening, as in ``joint``, and how many openings have just these.
    by_opening: tuple[tuple[Joint, int], ...] = ()
    #: Why something of A's and of B's outlives a game; empty if nothing is known to.
    remembers: tuple[str, str] = ("", "")

    @property
    def called_pairs(self) -> int:
        """Number of the pairs that were played by calls."""
        return min(self.pairs, CALLED_PAIRS) if self.engine == "table" else self.pairs

    @property
    def not_played(self) -> int:
        """Number of planned games that are neither played nor void."""
        return 2 * (self.planned - self.pairs) - self.void

    @property
    def killed_workers(self) -> bool:
        """Whether some pairs ended the processes that played them. Then nobody is rated by the
        others: a player could end its process when it is about to lose.
        """
        return any(pairs.killed for pairs in self.void_pairs)

    @property
    def counted(self) -> Joint:
        """The pairs as statistics count them, a table as in ``joint``.

        To leave a pair out because of a forfeit would be a gift to who forfeits when it has lost.
        So where what was played does not count, the pair is lost by who alone forfeited: that is
        never more than it had, and one table serves both players.
        """
        if self.count_forfeits == "all":
            return self.joint
        (ll, ld, lw), drawn, (wl, wd, ww) = _less(self.joint, self.forfeited_by)
        by_a, by_b = (sum(map(sum, pairs)) for pairs in self.forfeited_by)
        return (ll + by_a, ld, lw), drawn, (wl, wd, ww + by_b)

    @property
    def forfeited_pairs(self) -> tuple[int, int]:
        """Number of pairs in which A forfeited a game, and B."""
        tables = (self.forfeited_joint, *self.forfeited_by)
        every, by_a, by_b = (sum(map(sum, pairs)) for pairs in tables)
        return every - by_b, every - by_a

    @property
    def pairs(self) -> int:
        """Number of pairs whose games were both played."""
        return sum(map(sum, self.joint))

    @property
    def first(self) -> Tally:
        """A's results in the games in which A moved first."""
        return _first(self.joint)

    @property
    def second(self) -> Tally:
        """A's results in the games in which A moved second."""
        return _second(self.joint)

    @property
    def total(self) -> Tally:
        """A's results in all games."""
        return self.first + self.second

    @property
    def counted_total(self) -> Tally:
        """A's results in the games that statistics count."""
        return _first(self.counted) + _second(self.counted)

    @property
    def pentanomial(self) -> tuple[int, int, int, int, int]:
        """Pairs by A's points in them: LL, LD, DD or WL, WD, WW."""
        return _pentanomial(self.joint)

    @property
    def repeats(self) -> bool:
        """Whether all pairs from the same opening were the same two games, as between players that
        leave nothing to chance: then all pairs together say no more than one from each opening.
        """
        played = [pairs for row in self.joint for pairs in row if pairs]
        openings = self.different_openings
        alike = len(played) == 1 if openings == 1 else self.forfeited_joint == NOTHING
        return alike and self.pairs > openings and self.distinct_games <= 2 * openings

    @property
    def different_openings(self) -> int:
        """Number of openings of the counted pairs; the start counts as one."""
        return max(1, sum(openings for _, openings in self.by_opening))

    @property
    def independent_joint(self) -> Weights:
        """The pairs that statistics may take as independent, as in ``joint``.

        Pairs from the same opening are not independent, if the question is who is stronger over all
        openings: what the opening gives away it gives away every time. So each opening counts as
        one pair, shared out among the results of its pairs. Pairs that all began from one position
        are independent, unless both players always play the same two games: those are one pair.
        """
        if self.different_openings > 1:
            return _mean_joint(self.by_opening)
        if not self.repeats:
            return self.counted
        return tuple(tuple(min(pairs, 1) for pairs in row) for row in self.counted)

    @property
    def observations(self) -> Observations:
        """The scores of the pairs, or mean scores of the openings, that are independent."""
        if self.different_openings == 1:
            (ll, ld, lw), (dl, dd, dw), (wl, wd, ww) = self.independent_joint
            pairs = (ll, ld + dl, lw + dd + wl, dw + wd, ww)
            return Observations(tuple(map(int, pairs)), PAIR_SCORES)
        table = dict.fromkeys(PAIR_SCORES, 0)
        for joint, openings in self.by_opening:
            points = sum(i * pairs for i, pairs in enumerate(_pentanomial(joint)))
            mean = points / (4 * sum(map(sum, joint)))
            table[mean] = table.get(mean, 0) + openings
        scores, counts = zip(*sorted(table.items()), strict=True)
        return Observations(counts, scores)

    def __str__(self) -> str:
        a, b = self.players
        total = self.total
        return f"Draw: {total.draws}, {a} wins: {total.wins}, {b} wins: {total.losses}"

    def as_json(self) -> Json:
        """Return schema ``arena.fight/1``."""
        a, b = self.players
        memory = any(self.remembers)
        return {
            "schema": "arena.fight/1",
            "game": self.game,
            "game_version": self.game_version,
            "seed": self.seed,
            "engine": self.engine,
            "sampler": self.sampler,
            "engine_reason": self.engine_reason,
            "called_pairs": self.called_pairs,
            "players": [a, b],
            "planned_pairs": self.planned,
            "pairs": self.pairs,
            "games": self.total.games,
            "total": self.total.as_json(),
            "first": self.first.as_json(),
            "second": self.second.as_json(),
            "pentanomial": list(self.pentanomial),
            "joint": to_json(self.joint),
            "isolation": {a: self.isolation[0], b: self.isolation[1]},
            "forfeits": {a: dict(self.forfeits[0]), b: dict(self.forfeits[1])},
            "count_forfeits": self.count_forfeits,
            "counted_pairs": sum(map(sum, self.counted)),
            "forfeited_pairs": sum(map(sum, self.forfeited_joint)),
            "pairs_forfeited": dict(zip(self.players, self.forfeited_pairs, strict=True)),
            "void": self.void,
            "void_pairs": to_json(self.void_pairs),
            "not_played": self.not_played,
            "withdrawn": {a: self.withdrawn[0], b: self.withdrawn[1]},
            "certified": list(self.certified),
            "deviations": to_json(self.deviations),
            "openings": self.openings or None,
            "different_openings": self.different_openings,
            "observations": sum(self.observations.counts),
            "adjudicate": self.adjudicate,
            "distinct_games": self.distinct_games,
            "forfeited": to_json(self.forfeited),
            "first_lost": {a: self.first_lost[0], b: self.first_lost[1]},
            "unfinished": self.unfinished,
            **({"remembers": {a: self.remembers[0], b: self.remembers[1]}} if memory else {}),
        }


def _less(joint: Joint, parts: tuple[Joint, Joint]) -> Joint:
    """Return a table without two parts of it."""
    first, second, third = (
        (a - x - u, b - y - v, c - z - w)
        for (a, b, c), (x, y, z), (u, v, w) in zip(joint, *parts, strict=True)
    )
    return first, second, third


def _first(joint: Joint) -> Tally:
    losses, draws, wins = map(sum, joint)
    return Tally(wins, draws, losses)


def _second(joint: Joint) -> Tally:
    losses, draws, wins = map(sum, zip(*joint, strict=True))
    return Tally(wins, draws, losses)


def _mean_joint(by_opening: tuple[tuple[Joint, int], ...]) -> Weights:
    """Return the sum over all openings of the shares of their pairs."""
    total = [[0.0] * 3 for _ in range(3)]
    for joint, openings in by_opening:
        pairs = sum(map(sum, joint))
        for row, counts in zip(total, joint, strict=True):
            row[:] = (weight + openings * n / pairs for weight, n in zip(row, counts, strict=True))
    return tuple(map(tuple, total))


def _pentanomial(joint: Joint) -> tuple[int, int, int, int, int]:
    (ll, ld, lw), (dl, dd, dw), (wl, wd, ww) = joint
    return ll, ld + dl, lw + dd + wl, dw + wd, ww
