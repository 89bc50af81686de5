"""Hold the results of fights: counts, and the values derived from them.

Counts are player A's view, the first of a fight's two players.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from arena.dataclass import dataclass
from arena.model.seatings import ROTATIONS
from arena.records.adjudication import NO_ADJUDICATION, Adjudication
from arena.records.base import Record, Tally
from arena.records.deviations import Deviation
from arena.records.entrants import ForfeitedGame, PlayerResult
from arena.records.fought import Fought
from arena.records.intervals import INTERVAL_KEYS, ScoreInterval, anytime, fixed
from arena.records.joint import NOTHING, Joint
from arena.records.luck import Corrected
from arena.records.paid import Paid, PayoffInterval
from arena.records.spending import Spending
from arena.records.void import VoidPairs
from arena.stats import grid, independence
from arena.stats.independence import Observations, PairShares, SequentialTable

#: Pairs of a fight through tables that are played by calls first, to see whether the players play
#: as their tables say.
CALLED_PAIRS = 200


@dataclass(frozen=True)
class PrintedLines(Record):
    """The number of lines that a player printed in a fight."""

    #: All lines that it printed in the games.
    lines: int
    #: The first game in which it did.
    game_id: str | None


@dataclass(frozen=True)
class FactsByPlayer(Record):
    """The facts about the players of a fight, by their names."""

    KEYS = (
        "isolation forfeits withdrawn first_lost remembers? pairs_forfeited certified deviations"
        " forfeited specs? printed? spent?"
    )

    #: The tier of each player; ``none`` if it plays in a worker.
    isolation: Mapping[str, str]
    #: Games that each player forfeited, by reason.
    forfeits: Mapping[str, Mapping[str, int]]
    #: The reason if a player plays no more; None if it plays.
    withdrawn: Mapping[str, str | None]
    #: The id of the first game that each player lost.
    first_lost: Mapping[str, str | None]
    #: The reason if something of a player outlives a game.
    remembers: Mapping[str, str]
    #: In how many pairs each player forfeited a game.
    pairs_forfeited: Mapping[str, int]
    #: Players whose moves were looked up in a certificate.
    certified: tuple[str, ...]
    #: Their first moves that are not in it.
    deviations: tuple[Deviation, ...]
    #: The first game that each player forfeited.
    forfeited: tuple[ForfeitedGame, ...]
    #: Where the players come from whose names do not say it.
    specs: Mapping[str, str]
    #: The lines that players printed.
    printed: Mapping[str, PrintedLines]
    #: The requests of language models, and what they cost.
    spent: Mapping[str, Spending]


@dataclass(frozen=True)
class FightResult(Fought):
    """n pairs of one pairing: 2n games."""

    SCHEMA = "arena.fight/1"
    KEYS = (
        "game game_version seed engine sampler engine_reason called_pairs players"
        " planned_pairs=planned pairs games=total.games total first second pentanomial joint a b"
        " count_forfeits counted_pairs forfeited_pairs"
        " forfeited_joint void void_pairs not_played *by_player *times openings! different_openings"
        f" observations=independent {INTERVAL_KEYS} *adjudication distinct_games by_opening"
        " first_met listed is_shuffled is_sequential deals? paid? corrected? payoff? unfinished"
    )

    LISTED = (
        "a adjudication b by_player distinct_games engine first game game_version headline interval"
        " not_played openings paid pairs payoff planned players reversed score second seed total"
        " unfinished void"
    )

    game: str
    game_version: int
    seed: int
    #: The way games were played: by ``calls`` to the players, or by a ``table`` of their moves.
    engine: str
    a: PlayerResult
    b: PlayerResult
    #: Pairs that were asked for.
    planned: int
    #: The pairs that were played. All other counts of results follow from these.
    joint: Joint
    #: Void games, by a fault of the arena or the machine; they are in no count of results.
    void: int
    #: Different games, told apart by the first mover and the moves.
    distinct_games: int
    #: The reason if fewer pairs were played than planned; None if all were.
    unfinished: str | None = None
    #: ``games`` if each game was played, ``counts`` if only the numbers of results were drawn.
    sampler: str = "games"
    #: The reason if the engine is not the one that was tried first; empty if it is.
    engine_reason: str = ""
    #: The part of a pair with a forfeit that statistics count: ``all`` that was played, or
    #: ``none``: a player that alone forfeited has then lost both games.
    count_forfeits: str = "all"
    #: The pairs with a forfeit among those in ``joint``.
    forfeited_joint: Joint = NOTHING
    #: The pairs of the void games.
    void_pairs: tuple[VoidPairs, ...] = ()
    #: The adjudication that ended games before their rules did.
    adjudication: Adjudication = NO_ADJUDICATION
    #: The name of the openings that games began from; empty for the start.
    openings: str = ""
    #: The counted pairs of an opening, as in ``joint``, and how many openings have just these.
    by_opening: tuple[tuple[Joint, int], ...] = ()
    #: The first pairs of all openings, counted as in ``by_opening``.
    first_met: Joint = NOTHING
    #: Number of openings after which their list repeats; 0 if it does not within the planned pairs.
    listed: int = 0
    #: Whether the list comes by chance, so that a part of it tells something of the whole.
    is_shuffled: bool = True
    #: Whether its results decided when it ended.
    is_sequential: bool = False
    #: ``duplicate`` if both games of a pair have the same luck, ``independent`` if each has luck of
    #: its own; empty for a game without luck.
    deals: str = ""
    #: What the pairs that count paid, in a game with payoffs of its own.
    paid: Paid | None = None
    #: What luck was taken out of that; None if none was.
    corrected: Corrected | None = None
    #: The plugins in files without which its games cannot be played again, as ``-p`` names them
    #: where the record was made: it is not in the JSON.
    plugins: tuple[str, ...] = ()
    #: The file that has the answers of its language models, empty without one: not in the JSON.
    answers: str = ""
    #: The orders in which the players sit down: both. It is not in the JSON.
    seatings: str = ROTATIONS

    @property
    def adjudicate(self) -> str:
        """``draws`` if games were ended when they could only end as a draw, else ``none``."""
        return self.adjudication.adjudicate

    @property
    def both(self) -> tuple[PlayerResult, PlayerResult]:
        """A and B."""
        return self.a, self.b

    @property
    def entrants(self) -> tuple[PlayerResult, PlayerResult]:
        """A and B."""
        return self.both

    @property
    def players(self) -> tuple[str, str]:
        """The names of A and B."""
        return self.a.name, self.b.name

    @property
    def called_pairs(self) -> int:
        """Number of the pairs that were played by calls."""
        return min(self.pairs, CALLED_PAIRS) if self.engine == "table" else self.pairs

    @property
    def not_played(self) -> int:
        """Number of planned games that are neither played nor void."""
        return 2 * (self.planned - self.pairs) - self.void

    @property
    def counted(self) -> Joint:
        """The pairs as statistics count them.

        To leave a pair out because of a forfeit would be a gift to a player that forfeits when it
        has lost. So where what was played does not count, the pair is lost by the player that alone
        forfeited: that is never more than it had, and one table serves both players.
        """
        if self.count_forfeits == "all":
            return self.joint
        by_a, by_b = self.a.forfeited_alone, self.b.forfeited_alone
        return self.joint - by_a - by_b + Joint(ll=by_a.pairs, ww=by_b.pairs)

    @property
    def counted_pairs(self) -> int:
        """Pairs that statistics count."""
        return self.counted.pairs

    @property
    def forfeited_pairs(self) -> int:
        """Pairs with a forfeit."""
        return self.forfeited_joint.pairs

    @property
    def pairs_forfeited(self) -> tuple[int, int]:
        """Numbers of pairs in which A forfeited a game, and B."""
        every = self.forfeited_pairs
        return every - self.b.forfeited_alone.pairs, every - self.a.forfeited_alone.pairs

    @property
    def games_a_pair(self) -> int:
        """Two: both players move first once."""
        return 2

    @property
    def pairs(self) -> int:
        """Pairs of which both games were played."""
        return self.joint.pairs

    @property
    def first(self) -> Tally:
        """A's results in the games in which A moved first."""
        return self.joint.first

    @property
    def second(self) -> Tally:
        """A's results in the games in which A moved second."""
        return self.joint.second

    @property
    def total(self) -> Tally:
        """A's results in all games."""
        return self.joint.total

    @property
    def score(self) -> float | None:
        """A's points per game, from 0 to 1, or None without games.

        Where games pay it is A's payoff on that scale: see :mod:`arena.records.paid`.
        """
        if self.paid is None:
            return self.total.score
        return grid.moments(*self.paid.observations)[1] if self.paid.pairs else None

    @property
    def counted_total(self) -> Tally:
        """A's results in the games that statistics count."""
        return self.counted.total

    @property
    def pentanomial(self) -> tuple[int, int, int, int, int]:
        """Pairs by A's points in them: LL, LD, DD or WL, WD, WW."""
        return self.joint.pentanomial

    @property
    def different_openings(self) -> int:
        """Number of openings that the counted pairs began from. The start counts as one."""
        return independence.openings_of(self.by_opening)

    @property
    def repeats(self) -> bool:
        """Whether all pairs from the same opening were the same two games."""
        forfeits = self.forfeited_joint != NOTHING
        openings, games = self.different_openings, self.distinct_games
        if self.deals:
            return False
        return independence.repeats(self.joint, openings, games, forfeits)

    @property
    def independent_joint(self) -> PairShares:
        """The pairs that statistics may take as independent: three rows of three, as shares."""
        return independence.independent_joint(self.counted, self.by_opening, self.repeats)

    @property
    def observations(self) -> Observations:
        """The scores of the pairs, or mean scores of the openings, that are independent."""
        if self.paid is not None:
            return self._once(self.paid.observations)
        return independence.observations(self.counted, self.by_opening, self.repeats)

    @property
    def compared(self) -> Observations:
        """The same as far as A did better than B: above 1/2 in the pairs in which it did.

        It is another table only where the sum of the payoffs is not constant.
        """
        return self.observations if self.paid is None else self._once(self.paid.compared)

    def _once(self, table: Observations) -> Observations:
        """Return one observation of a fight that repeats its games."""
        if not self.repeats or self.openings:
            return table
        return table._replace(counts=tuple(min(pairs, 1) for pairs in table.counts))

    @property
    def watched(self) -> tuple[SequentialTable, ...]:
        """The tables whose anytime-valid intervals hold together, at all looks."""
        if self.paid is not None or not self.openings or self.listed == 1:
            return (SequentialTable(self.observations, 1.0),)
        first = independence.by_points(self.first_met)
        return independence.sequential_tables(first, self.by_opening, self.listed, self.is_shuffled)

    @property
    def interval(self) -> ScoreInterval | None:
        """A's score with its 95 % interval, which may be watched unless all was fixed beforehand.

        None if nothing was observed.
        """
        if self.unfinished is None and not self.is_sequential:
            return fixed(self.observations)
        return anytime(self.watched)

    @property
    def payoff(self) -> PayoffInterval | None:
        """A's payoff per game with its interval, None if games pay nothing but win, draw, loss."""
        return None if self.paid is None else self.paid.in_unit(self.interval)

    def reversed(self) -> FightResult:
        """Return the view of B, as if it were A."""
        return replace(
            self,
            a=self.b.reversed(),
            b=self.a.reversed(),
            joint=self.joint.reversed(),
            forfeited_joint=self.forfeited_joint.reversed(),
            by_opening=tuple((joint.reversed(), number) for joint, number in self.by_opening),
            first_met=self.first_met.reversed(),
            paid=self.paid and self.paid.reversed(),
            corrected=self.corrected and self.corrected.reversed(),
        )

    @property
    def headline(self) -> str:
        """The result in one line."""
        a, b = self.players
        if self.paid is not None and self.paid.mean is not None:
            payoffs = zip((a, b), (self.paid.mean, self.paid.opponents_mean), strict=True)
            words = [f"{name}: {float(payoff or 0):+z.3f}" for name, payoff in payoffs]
            corrected = ", luck corrected" * (self.corrected is not None)
            return f"{', '.join(words)} {self.paid.unit} per game{corrected}"
        total = self.total
        return f"Draw: {total.draws}, {a} wins: {total.wins}, {b} wins: {total.losses}"

    @property
    def by_player(self) -> FactsByPlayer:
        """The facts about A and B, by name."""
        both = self.both
        has_memory = any(player.remembers for player in both)
        return FactsByPlayer(
            isolation={player.name: player.isolation for player in both},
            forfeits={player.name: player.forfeits for player in both},
            withdrawn={player.name: player.withdrawn for player in both},
            first_lost={player.name: player.first_lost for player in both},
            remembers={player.name: player.remembers for player in both if has_memory},
            pairs_forfeited=dict(zip(self.players, self.pairs_forfeited, strict=True)),
            certified=tuple(player.name for player in both if player.certified),
            deviations=tuple(player.deviation for player in both if player.deviation),
            forfeited=tuple(player.first_forfeit for player in both if player.first_forfeit),
            specs=self.specs,
            printed={
                player.name: PrintedLines(player.printed, player.first_printed)
                for player in both
                if player.printed
            },
            spent={player.name: player.spent for player in both if player.spent is not None},
        )

    @property
    def total_forfeit(self) -> str:
        """Which player forfeited every game, and why, or empty if none did."""
        for player in self.both:
            if player.forfeits and sum(player.forfeits.values()) == self.total.games:
                reasons = ", ".join(player.forfeits)
                return f"{player.name} forfeited every game ({reasons}), so this compares nothing"
        return ""

    @property
    def independent(self) -> float:
        """Independent observations in the pairs that count."""
        return sum(self.observations.counts)


@dataclass(frozen=True)
class WrappedFight(Record):
    """A fight with an answer about it."""

    fight: FightResult

    @property
    def headline(self) -> str:
        """The result in one line."""
        return self.fight.headline

    @property
    def score(self) -> float | None:
        """A's points per game, from 0 to 1, or None without games."""
        return self.fight.score
