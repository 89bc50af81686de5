"""Hold the results of games for more than two: of one table, and of a tournament of tables.

The unit of every number is the block: the games of one deal, in which the players of a table take
turns at the seats. So a player's result in a block owes nothing to its seat or to luck.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from math import fsum
from typing import NamedTuple

from arena.dataclass import dataclass
from arena.model.seatings import games_a_block, seating
from arena.records.base import Record
from arena.records.entrants import PlayerResult
from arena.records.fought import Fought
from arena.records.intervals import ScoreInterval, anytime, fixed
from arena.records.left_out import LeftOut
from arena.records.paid import PayoffInterval
from arena.records.ranks import RankIntervals
from arena.records.times import TimesByPlayer, times_by_player
from arena.records.void import VoidPairs
from arena.schedules.tables import TablesState
from arena.stats.independence import Observations, SequentialTable


class BlockEnd(NamedTuple):
    """Blocks that paid the same: in each game the payoffs of the players, in their order."""

    payoffs: tuple[tuple[Fraction, ...], ...]
    blocks: int


@dataclass(frozen=True)
class TableRow(Record):
    """The result of one player in the blocks of a table."""

    KEYS = "player games payoff low high interval place places by_seat forfeits"

    player: str
    games: int
    #: Its mean payoff per game in the game's unit with its 95 % interval. None without games.
    payoff: float | None
    low: float | None
    high: float | None
    #: The kind of the interval.
    interval: str | None
    #: Its mean place, 1 for the best. Players with the same payoff share theirs.
    place: float | None
    #: In how many games it had each place, from the first. Of players that share places each has
    #: the best one.
    places: tuple[int, ...]
    #: Its mean payoff in each seat.
    by_seat: tuple[float | None, ...]
    #: How many games it forfeited.
    forfeits: int


@dataclass(frozen=True)
class TableResult(Fought):
    """The blocks of one table: players of a game for more than two."""

    KEYS = (
        "game game_version seed engine seats seatings players planned_blocks=planned blocks=pairs"
        " games unit least most total rows facts ends forfeited_blocks void void_blocks=void_pairs"
        " distinct_games repeats deals? *times unfinished"
    )

    game: str
    game_version: int
    seed: int
    #: The way games were played: by ``calls`` to the players.
    engine: str
    #: ``rotations`` or ``all``: the orders in which the players sit down in the games of a block.
    seatings: str
    #: What is known of every player besides its payoffs.
    facts: tuple[PlayerResult, ...]
    #: Blocks that were asked for.
    planned: int
    #: How the blocks ended that were played. All numbers follow from these.
    ends: tuple[BlockEnd, ...]
    #: The blocks of these with a forfeit.
    forfeited_blocks: int
    #: The unit of the payoffs, their range, and their sum in a game, None if it is not constant.
    unit: str
    least: Fraction
    most: Fraction
    total: Fraction | None
    #: Void games, by a fault of the arena or the machine; they are in no count of results.
    void: int
    #: The blocks of these games.
    void_pairs: tuple[VoidPairs, ...]
    #: Different games, told apart by who sat where and the moves.
    distinct_games: int
    #: The reason if fewer blocks were played than planned; None if all were.
    unfinished: str | None = None
    #: ``duplicate`` if all games of a block have the same luck, ``independent`` if each has luck of
    #: its own; empty for a game without luck.
    deals: str = ""
    #: The plugins in files without which its games cannot be played again: not in the JSON.
    plugins: tuple[str, ...] = ()
    #: The file that has the answers of its language models, empty without one: not in the JSON.
    answers: str = ""

    @property
    def entrants(self) -> tuple[PlayerResult, ...]:
        """The facts of every player."""
        return self.facts

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players."""
        return tuple(player.name for player in self.facts)

    @property
    def seats(self) -> int:
        """Number of seats."""
        return len(self.facts)

    @property
    def pairs(self) -> int:
        """Number of blocks that were played."""
        return sum(end.blocks for end in self.ends)

    @property
    def games_a_block(self) -> int:
        """Number of games of a block."""
        return games_a_block(self.seats, self.seatings)

    @property
    def games_a_pair(self) -> int:
        """Number of games of a block, under the name that fights of two have for it."""
        return self.games_a_block

    @property
    def games(self) -> int:
        """Number of games that were played."""
        return self.pairs * self.games_a_block

    @property
    def repeats(self) -> bool:
        """Whether all blocks were the same games, so that only one of them tells anything."""
        same = self.distinct_games <= self.games_a_block and not self.forfeited_blocks
        return self.pairs > 1 and same and not self.deals

    @cached_property
    def scores(self) -> tuple[dict[tuple[Fraction, ...], int], int]:
        """The mean payoffs of the players in a block, how often each occurred, and all blocks.

        Of blocks that repeat each other one counts.
        """
        blocks: Counter[tuple[Fraction, ...]] = Counter()
        for end in self.ends:
            times = Counter(end.payoffs)  # few games pay differently, and fractions take long
            means = tuple(
                sum((n * paid[place] for paid, n in times.items()), Fraction(0)) / len(end.payoffs)
                for place in range(self.seats)
            )
            blocks[means] += 1 if self.repeats else end.blocks
        return blocks, blocks.total()

    def observations(self, place: int) -> Observations:
        """Return the scores from 0 to 1 of a player in the blocks."""
        width = self.most - self.least
        counts: Counter[float] = Counter({0.0: 0, 1.0: 0})
        for means, blocks in self.scores[0].items():
            counts[float((means[place] - self.least) / width)] += blocks
        in_order = sorted(counts.items())
        return Observations(tuple(n for _, n in in_order), tuple(x for x, _ in in_order))

    def payoff(self, place: int, *, is_watched: bool = False) -> PayoffInterval | None:
        """Return the mean payoff per game of a player, with its interval. None without blocks.

        The interval may be watched unless all blocks were played that were asked for. One that
        ``is_watched`` may be in any case.
        """
        seen, is_whole = self.observations(place), self.unfinished is None and not is_watched
        interval = fixed(seen) if is_whole else anytime([SequentialTable(seen, 1.0)])
        return None if interval is None else self._in_unit(interval)

    def _in_unit(self, interval: ScoreInterval) -> PayoffInterval:
        least, width = float(self.least), float(self.most - self.least)
        ends = (interval.score, interval.low, interval.high)
        return PayoffInterval(interval.kind, *(least + end * width for end in ends))

    @cached_property
    def sittings(self) -> list[tuple[int, ...]]:
        """The players in the seats of each game of a block, by their places."""
        return [seating(self.seats, self.seatings, game) for game in range(self.games_a_block)]

    def played(self) -> Iterator[tuple[tuple[int, ...], tuple[Fraction, ...], int]]:
        """Yield who sat where in a game, what it paid to the players, and how many ended so."""
        for end in self.ends:
            for sitting, paid in zip(self.sittings, end.payoffs, strict=True):
                yield sitting, paid, end.blocks

    @cached_property
    def rows(self) -> tuple[TableRow, ...]:
        """The results of the players, in their order."""
        seats, games = self.seats, self.games
        places = [[0] * seats for _ in range(seats)]
        shared = [0] * seats
        paid_in: list[list[Counter[Fraction]]] = [[Counter() for _ in range(seats)] for _ in places]
        for sitting, paid, number in self.played():
            for seat, player in enumerate(sitting):
                better, alike = placing(paid)[player]
                places[player][better] += number
                shared[player] += number * (2 * better + alike + 1)
                paid_in[player][seat][paid[player]] += number
        rows = []
        for place, facts in enumerate(self.facts):
            paid_to = self.payoff(place)
            rows.append(
                TableRow(
                    player=facts.name,
                    games=games,
                    payoff=None if paid_to is None else paid_to.payoff,
                    low=None if paid_to is None else paid_to.low,
                    high=None if paid_to is None else paid_to.high,
                    interval=None if paid_to is None else paid_to.kind,
                    place=shared[place] / (2 * games) if games else None,
                    places=tuple(places[place]),
                    by_seat=tuple(map(_mean, paid_in[place])),
                    forfeits=sum(facts.forfeits.values()),
                )
            )
        return tuple(rows)

    def watched_row(self, player: str) -> TableRow:
        """Return the results of a player, with an interval that may be watched."""
        place = self.players.index(player)
        paid = self.payoff(place, is_watched=True)
        if paid is None:
            return self.rows[place]
        return replace(self.rows[place], low=paid.low, high=paid.high, interval=paid.kind)

    @property
    def headline(self) -> str:
        """The result in one line."""
        return _headline(self.game, self.unit, self.rows)


def _headline(game: str, unit: str, rows: Sequence[TableRow]) -> str:
    words = [f"{row.player} {'-' if row.payoff is None else f'{row.payoff:z.3f}'}" for row in rows]
    return f"{game}, {unit} per game: {', '.join(words)}"


@lru_cache(maxsize=1 << 12)  # few games pay differently, and fractions take long to compare
def placing(paid: tuple[Fraction, ...]) -> tuple[tuple[int, int], ...]:
    """Return of every player how many got more, and how many as much, itself among them.

    >>> placing((Fraction(1), Fraction(3), Fraction(1)))
    ((1, 2), (0, 1), (1, 2))
    """
    return tuple(
        (sum(each > mine for each in paid), sum(each == mine for each in paid)) for mine in paid
    )


def mean_over(parts: Iterable[tuple[float | None, int]]) -> float | None:
    """Return the mean of means, each with its number of games. Those that are None do not count.

    >>> mean_over([(1.0, 1), (None, 5), (2.0, 3)])
    1.75
    """
    means = [(mean, games) for mean, games in parts if mean is not None]
    games = sum(games for _, games in means)
    return fsum(mean * games for mean, games in means) / games if games else None


def _mean(payoffs: Counter[Fraction]) -> float | None:
    """Return the mean of payoffs, each with how often it occurred."""
    if not payoffs:
        return None
    total = sum((number * payoff for payoff, number in payoffs.items()), Fraction(0))
    return float(total / payoffs.total())


@dataclass(frozen=True)
class TableStanding(TableRow):
    """One player's row among those of all tables."""

    KEYS = f"rank {TableRow.KEYS} blocks rank_low rank_high marks?"

    #: None where nothing was played.
    rank: int | None
    #: How many blocks it played.
    blocks: int
    #: The ranks that the results leave to it; all intervals hold together at 95 %.
    rank_low: int | None = None
    rank_high: int | None = None
    #: The marks that decided its rank by the custom of the schedule, in order: points, buchholz.
    marks: Mapping[str, Fraction | str] = field(default_factory=dict)

    @property
    def shown_rank(self) -> int | None:
        """The rank in every format."""
        return self.rank


@dataclass(frozen=True)
class SeatRating(Record):
    """How much a seat is worth, on the scale of Elo with a 95 % interval."""

    KEYS = "elo elo_low=low elo_high=high"

    elo: float
    #: None if nothing bounds the end.
    low: float | None
    high: float | None


@dataclass(frozen=True)
class TableRating(Record):
    """The rating of one player, on the scale of Elo with a 95 % interval."""

    KEYS = "player elo elo_low=low elo_high=high"

    player: str
    #: None for a player that does not compare with the first group.
    elo: float | None
    #: None if nothing bounds the end.
    low: float | None
    high: float | None


@dataclass(frozen=True)
class TableRatings(Record):
    """Ratings from the places of players in games for more than two.

    The model is Davidson and Luce's: see :mod:`arena.stats.rankings`. The zero of the players is
    their mean, and that of the seats theirs.
    """

    #: The players, by name.
    players: tuple[TableRating, ...]
    #: The seats, from the first. Empty where results do not tell seats from strength.
    seats: tuple[SeatRating, ...]
    #: The players in groups that compare, if there are several.
    groups: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class TablesResult(Record):
    """The tables of a fight or a tournament, and the standings that they make."""

    SCHEMA = "arena.tables/1"
    KEYS = (
        "game game_version seed engine schedule seats seatings unit standings rank_intervals"
        " ratings tables left_out unscheduled state? fault? *times"
    )

    game: str
    game_version: int
    seed: int
    engine: str
    #: ``fight`` for one table, or the schedule of several.
    schedule: str
    #: Number of seats of a table, and the orders in which players sit down: ``rotations``, ``all``.
    seats: int
    seatings: str
    unit: str
    standings: tuple[TableStanding, ...]
    tables: tuple[TableResult, ...]
    #: The tests behind the lowest and highest ranks in the standings; None without them.
    rank_intervals: RankIntervals | None = None
    #: Ratings on one scale. None where they cannot be estimated.
    ratings: TableRatings | None = None
    #: Players whose games do not count any more, in the order in which they left.
    left_out: tuple[LeftOut, ...] = ()
    #: Number of games that do not count either: the schedule of the present players lacks their
    #: tables.
    unscheduled: int = 0
    #: The rounds that are over; None if all tables were played whatever the results.
    state: TablesState | None = None
    #: The reason if it stopped early by no fault of a player; empty if it did not.
    fault: str = ""

    @property
    def times(self) -> TimesByPlayer:
        """The clocks of the players, and the time that they took, if there are any."""
        return times_by_player(player for table in self.tables for player in table.entrants)

    @property
    def games(self) -> int:
        """Number of games that were played."""
        return sum(table.games for table in self.tables)

    @property
    def headline(self) -> str:
        """The players in one line, by rank, with their payoffs."""
        return _headline(self.game, self.unit, self.standings)


@dataclass(frozen=True)
class RatedAtTables(Record):
    """One player's row in a table of ratings from places."""

    KEYS = "player games blocks place elo elo_low=low elo_high=high group"

    player: str
    #: How many games it played, and in how many blocks.
    games: int
    blocks: int
    #: Its mean place, 1 for the best. Players that tie share theirs.
    place: float
    #: Its Elo about the mean of its group, with a 95 % interval. None if it cannot be estimated.
    elo: float | None
    #: None if nothing bounds the end.
    low: float | None
    high: float | None
    #: Players of the same group met, directly or through others: only their ratings compare.
    group: int = 1


@dataclass(frozen=True)
class TableRatingTable(Record):
    """The ratings of all players of some games for more than two, from their places.

    The model is that of :class:`TableRatings`.
    """

    SCHEMA = "arena.table-ratings/1"
    KEYS = "players seats games blocks statements"

    #: By group, the largest first, and within a group by rating, the strongest first.
    players: tuple[RatedAtTables, ...]
    #: The seats, from the first. Empty where results do not tell seats from strength.
    seats: tuple[SeatRating, ...]
    #: The number of games, and of the blocks that they form.
    games: int
    blocks: int
    #: Sentences that a reader of the table has to know.
    statements: tuple[str, ...]
