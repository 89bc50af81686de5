"""Hold several fights, and the standings that they make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction

from arena.dataclass import dataclass
from arena.records.answers import Answered
from arena.records.base import Record, Tally
from arena.records.cycles import Cycles
from arena.records.fights import FightResult
from arena.records.left_out import LeftOut
from arena.records.ranks import RankIntervals
from arena.records.ratings import RatingTable
from arena.records.times import TimesByPlayer, times_by_player
from arena.schedules import TournamentState


@dataclass(frozen=True)
class Standing(Record):
    """One player's row in a tournament."""

    KEYS = (
        "rank=shown_rank player games=tally.games *tally score payoff? forfeits"
        " missing_pairs=missing rank_low rank_high marks=shown_marks?"
    )

    #: The place among the results so far; in JSON only that of a player that lacks no pairs, or
    #: that the schedule ranks by marks. None for the challenger of a gauntlet, which met all
    #: others, as these met it alone; and for all where nothing was played.
    rank: int | None
    player: str
    tally: Tally
    forfeits: int
    #: Number of pairs that it lacks compared with complete players; then it ranks below them.
    missing: int = 0
    #: The marks that decided its rank by the custom of the schedule, in order: points, buchholz …
    marks: Mapping[str, str | Fraction] = field(default_factory=dict)
    #: The ranks that the results leave to it; all intervals hold together at 95 %. None without a
    #: rank, and where the players did not meet the same opponents.
    rank_low: int | None = None
    rank_high: int | None = None
    #: Its payoff per game, in a game with payoffs of its own; then it decides the rank.
    payoff: Fraction | None = None

    @property
    def score(self) -> float | None:
        """Its points per game, from 0 to 1, by wins, draws and losses. None without games."""
        return self.tally.score

    @property
    def shown_marks(self) -> dict[str, float | str]:
        """The marks as JSON has them: numbers and words."""
        marks = self.marks.items()
        return {name: mark if isinstance(mark, str) else float(mark) for name, mark in marks}

    @property
    def shown_rank(self) -> int | None:
        """The rank in every format. None also for a player that lacks pairs.

        A schedule with marks has made up for the missing pairs: its rank counts.
        """
        return None if self.missing and not self.marks else self.rank


@dataclass(frozen=True)
class RoundPairing(Record):
    """A pairing of a round that is over."""

    players: tuple[str, str]
    pairs: int
    #: The points of both players.
    points: tuple[float, float]


@dataclass(frozen=True)
class Rounds(Record):
    """The rounds that are over, as users read them."""

    #: The pairings of each round, if a schedule chose them.
    rounds: tuple[tuple[RoundPairing, ...], ...]
    #: The players without an opponent, by round.
    byes: tuple[tuple[str, ...], ...]
    #: Number of rounds after which a player was withdrawn.
    left_after: Mapping[str, int]


@dataclass(frozen=True)
class TournamentResult(Record):
    """Several fights and the standings that they make."""

    SCHEMA = "arena.tournament/1"
    KEYS = (
        "game game_version seed engine schedule count_forfeits withdrawn left_out standings"
        " rank_intervals cycles ratings fights until? *rounds? state? fault? *times"
    )

    game: str
    game_version: int
    seed: int
    engine: str
    schedule: str
    standings: tuple[Standing, ...]
    fights: tuple[FightResult, ...]
    #: Ratings on one scale, with the facts that the scores alone do not show.
    ratings: RatingTable
    #: Players whose games do not count any more, in the order in which they left.
    left_out: tuple[LeftOut, ...] = ()
    #: The rounds that are over; None if all pairings were played whatever the results.
    state: TournamentState | None = None
    #: The reason if it stopped early by no fault of a player; empty if it did not.
    fault: str = ""
    #: The answer to the question that ended it, with ``--until``; None without one.
    until: Answered | None = None
    #: The tests behind the lowest and highest ranks in the standings; None without them.
    rank_intervals: RankIntervals | None = None
    #: Players that beat each other in a circle; None if no three players met each other.
    cycles: Cycles | None = None

    @property
    def headline(self) -> str:
        """The players in one line, by rank, with their scores."""
        if self.unit:
            payoffs = [(row.player, row.payoff) for row in self.standings]
            words = [f"{name} {'-' if p is None else f'{float(p):+.4g}'}" for name, p in payoffs]
            return f"{self.game}, {self.unit} per game: {', '.join(words)}"
        scores = [
            (name, "-" if s is None else f"{100 * s:.2f} %") for name, s in self.scores.items()
        ]
        return f"{self.game}: {', '.join(f'{name} {score}' for name, score in scores)}"

    @property
    def unit(self) -> str:
        """The unit of the payoffs, empty for a game without payoffs of its own."""
        paid = self.fights[0].paid
        return "" if paid is None else paid.unit

    @property
    def scores(self) -> dict[str, float | None]:
        """The points per game of each player, from 0 to 1, by rank. None without games."""
        return {standing.player: standing.tally.score for standing in self.standings}

    @property
    def challenger(self) -> str | None:
        """The player that all others met, if it is a gauntlet."""
        return self.fights[0].players[0] if self.schedule == "gauntlet" else None

    @property
    def unfinished(self) -> list[FightResult]:
        """The fights that were cut short."""
        return [fight for fight in self.fights if fight.unfinished]

    @property
    def withdrawn(self) -> dict[str, str]:
        """The withdrawn players, and why."""
        problems = {
            player.name: player.withdrawn
            for fight in self.fights
            for player in fight.both
            if player.withdrawn is not None
        }
        return dict(sorted(problems.items()))

    @property
    def rounds(self) -> Rounds | None:
        """The rounds that are over, as users read them, or None without rounds."""
        return None if self.state is None else _rounds(self.state)

    @property
    def times(self) -> TimesByPlayer:
        """The clocks of the players, and the time that they took, if there are any."""
        return times_by_player(player for fight in self.fights for player in fight.both)

    @property
    def count_forfeits(self) -> str:
        """The part of a pair with a forfeit that statistics count, the same for every fight."""
        return self.fights[0].count_forfeits


def _rounds(state: TournamentState) -> Rounds:
    """Return the rounds that are over, their byes, and the rounds before each withdrawal."""
    return Rounds(
        tuple(
            tuple(
                RoundPairing(result.both, result.pairs, (float(a), float(b)))
                for result in each.pairings
                for a, b in (result.points,)
            )
            for each in state.rounds
        ),
        tuple(each.byes for each in state.rounds),
        dict(sorted(state.withdrawn.items())),
    )
