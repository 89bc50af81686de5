"""Play series: pairs of one player against each of its opponents, always in the same order.

The opponents take turns, so that a series that stops early has about as many pairs of each. A
series looks at the results in the order of the pairs, however they arrive, so that the number of
workers does not decide where it stops.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from arena.features.regress.baseline import PairPoints
from arena.features.regress.record import LostLine
from arena.fights.batches import FightBatches
from arena.fights.choosing import engine_of
from arena.fights.chunks import ChunkQueue, ChunkResult, missing_of
from arena.fights.counting import counts_of
from arena.fights.counts import Counts
from arena.fights.observers import tell_pair
from arena.fights.pair_counts import PairCounts
from arena.fights.pairing import Pairing
from arena.fights.payoffs import payoffs_in
from arena.fights.play import Rule, play_one, result_of
from arena.fights.replays import PlayedGame, report_of
from arena.game import Outcome
from arena.match.record import GameRecord, PlayedPair
from arena.plugin.observers import Audience
from arena.proof.lines import line_steps
from arena.records.base import Tally
from arena.records.commands import command_line
from arena.records.observers import Progress
from arena.records.paid import scale_of_game
from arena.records.void import VoidPairs
from arena.seats import seat_word

if TYPE_CHECKING:
    from arena.records.fights import FightResult

#: Pairs that a worker plays at a time.
PAIRS_AT_ONCE = 5


#: The reasons of forfeits that are a fault of the player's code, whatever the score is.
FAULTS = frozenset({"crash", "exception", "illegal", "import-error", "off-turn", "protocol"})


class OwnFault(NamedTuple):
    """A game that the player forfeited by a fault of its code."""

    #: The number of the pairing, that of the pair, and which game of it, from 0.
    pairing: int
    pair: int
    half: int


@dataclass
class SeriesPairs:
    """The pairs of a series so far, without gaps."""

    pairings: tuple[Pairing, ...]
    #: For each pairing, the player's points in pairs 1, 2, ...
    points: list[list[PairPoints]] = field(default_factory=list)
    #: The games that the player forfeited by a fault of its code.
    faults: list[OwnFault] = field(default_factory=list)
    #: Why the series ended early, empty if it did not.
    failure: str = ""
    #: The seconds of its games, on the workers together; some may have been played in vain.
    seconds: float = 0.0

    def __post_init__(self) -> None:
        self.points = [[] for _ in self.pairings]

    @property
    def games(self) -> int:
        """Number of games that were played."""
        return sum(len(games) for pairs in self.points for games in pairs)

    def opponent(self, index: int) -> str:
        """Return the name of one of the opponents."""
        return self.pairings[index].b.name

    def first_lost(self) -> tuple[int, int, int] | None:
        """Return the first lost game of the player: pairing, pair, and which game of the pair."""
        for index, points in enumerate(self.points):
            for pair, halves in enumerate(points, start=1):
                if 0 in halves:
                    return index, pair, halves.index(0)
        return None

    def line(self, index: int, pair: int, half: int) -> LostLine:
        """Replay one of the games, move by move, in a worker."""
        from arena.executors.isolated_process import run_isolated

        pairing = self.pairings[index]
        record = run_isolated(partial(play_one, pairing, "calls", pair, half))
        game_id, sitting = pairing.game_id(pair, half), pairing.seating(half)
        seat = sitting.index(0)
        aliased = dict.fromkeys(player.as_named for player in pairing.players if player.spec)
        specs = [word for named in aliased for word in ("--player", named)]
        played = PlayedGame.of(record)
        game = report_of(
            pairing.game,
            [pairing.all_names[place] for place in sitting],
            played,
            game_id=game_id,
            seed=pairing.seed,
        )
        forfeit = next((each for each in record.forfeits if each.side == seat), None)
        return LostLine(
            ("first", "second")[seat] if len(sitting) == 2 else seat_word(seat, len(sitting)),
            line_steps(
                pairing.game.start(),
                record.moves,
                seat,
                lambda _, __: None,
                departures=played.departures,
            ),
            command_line("replay", game_id, *specs),
            "" if forfeit is None else f"{forfeit.reason}: {forfeit.message}",
            game,
        )


class Series(Protocol):
    """The pairs to play in each pairing, until a decision."""

    @property
    def pairings(self) -> tuple[Pairing, ...]:
        """Return the pairings of one player, which is A, each with its largest number of pairs."""

    def is_decided(self, played: SeriesPairs) -> bool:
        """Return whether that is enough, asked whenever each opponent has played a span more."""


class Panel(Rule[list[SeriesPairs]]):
    """Plays every series until it is decided or over, and tells the audience of its games.

    A series also ends at the first pair that cannot be played, which ends no other.
    """

    batch = PAIRS_AT_ONCE

    def __init__(self, all_series: Sequence[Series], audience: Audience | None = None) -> None:
        engines = [engine_of(pairing) for series in all_series for pairing in series.pairings]
        missing = [missing_of(engine.pairing.pairs, []) for engine in engines]
        places = range(len(engines))
        queue = ChunkQueue(missing, [PAIRS_AT_ONCE] * len(engines), rounds=places)
        totals = [counts_of(engine.pairing) for engine in engines]
        super().__init__(engines, queue, totals)
        fights = iter(places)
        self._states = [_SeriesState(series, fights) for series in all_series]
        self._by_fight = [state for state in self._states for _ in state.fights]
        self._watch = SeriesObserver(self.pairings, totals, audience)

    def note(self, part: ChunkResult) -> None:
        """Take some pairs, and look at all that have no gap before them."""
        _void_absent(part, self.pairings[part.chunk.pairing])
        state = self._by_fight[part.chunk.pairing]
        for batch in state.ready(part):
            self.totals[batch.chunk.pairing].add(batch.counts)
            self._watch.note(batch.chunk.pairing, sorted(batch.pairs or []))
        if state.is_over:
            for fight in state.fights:
                self.queue.give_up(fight)
        self._watch.show()

    def forfeits(self) -> list[ChunkResult]:
        """Return nothing: a series in which a player drops out is over."""
        return []

    def answer(self) -> list[SeriesPairs]:
        """Return the pairs of every series, once the audience knows them."""
        for state in self._states:
            state.end()
        self._watch.finish([state.played.failure for state in self._by_fight])
        return [state.played for state in self._states]


class _SeriesState:
    """A series in play, with the next of all fights."""

    def __init__(self, series: Series, fights: Iterator[int]) -> None:
        self._series, self.played, self.is_over = series, SeriesPairs(series.pairings), False
        self.fights = list(islice(fights, len(series.pairings)))
        pairings = dict(zip(self.fights, series.pairings, strict=True))
        self._batches = FightBatches(pairings, PAIRS_AT_ONCE)

    def ready(self, part: ChunkResult) -> Iterator[ChunkResult]:
        """Add some pairs. Yield the batches that count now, until the series is over."""
        self.played.seconds += part.counts.seconds
        self._batches.add(part)
        while not self.is_over and (batch := next(self._batches.ready(), None)) is not None:
            if batch.counts.void_pairs:
                self._fail(batch)
                return
            yield batch
            index = batch.chunk.pairing - self.fights[0]
            pairs = sorted(batch.pairs or [])
            pairing = self._series.pairings[index]
            self.played.points[index] += [_points_of(pairing, pair) for pair in pairs]
            self.played.faults += [
                OwnFault(index, pair.pair, half)
                for pair in pairs
                for half in _faults_of(pairing, pair)
            ]
            if index == len(self.fights) - 1:
                self.is_over = self._series.is_decided(self.played)

    def end(self) -> None:
        """End the series if pairs are missing because too many killed their workers."""
        for batch in self._batches.rest():
            if batch.counts.void_pairs and not self.is_over:
                self._fail(batch)

    def _fail(self, batch: ChunkResult) -> None:
        pairing = self._series.pairings[batch.chunk.pairing - self.fights[0]]
        a, b = pairing.a.name, pairing.b.name
        reason = min(batch.counts.void_pairs).reason
        self.played.failure = f"{a} could not play {b}: {reason}"
        self.is_over = True


def _void_absent(part: ChunkResult, pairing: Pairing) -> None:
    """Make void the pairs that were left out because a player cannot be started."""
    for player, counts in zip(pairing.all_names, part.counts.players, strict=True):
        if counts.withdrawn is not None:
            void = part.counts.void // pairing.games_a_pair
            first = part.chunk.start + part.counts.pairs + void
            last = max(first, part.chunk.stop - 1)
            reason = f"{player} cannot be started: {counts.withdrawn}"
            part.counts.void_pairs.append(VoidPairs(first, last, reason))


def _faults_of(pairing: Pairing, pair: PlayedPair) -> Iterator[int]:
    """Yield which games of a pair A forfeited by a fault of its code."""
    for half, record in enumerate(pair.records):
        seat = pairing.seating(half).index(0)
        if any(each.side == seat and each.reason in FAULTS for each in record.forfeits):
            yield half


def _points_of(pairing: Pairing, pair: PlayedPair) -> PairPoints:
    """Return A's points in the games of a pair."""
    game = pairing.game
    if game.is_paid:
        score = scale_of_game(game).score
        paid = (
            payoffs_in(game, record)[pairing.seating(half).index(0)]
            for half, record in enumerate(pair.records)
        )
        return tuple(2 * score(each) for each in paid)
    first, second = pair.records
    return _points(first, Outcome.FIRST_WINS), _points(second, Outcome.SECOND_WINS)


def _points(record: GameRecord, win: Outcome) -> int:
    """Return the player's doubled points."""
    return 1 if record.outcome == Outcome.DRAW else 2 * (record.outcome == win)


class SeriesObserver:
    """Show the pairs that count so far, and tell their games when all are played.

    ``totals`` are the counts of every fight, which grow.
    """

    def __init__(
        self, pairings: Sequence[Pairing], totals: Sequence[Counts], audience: Audience | None
    ) -> None:
        self._pairings, self._totals, self._audience = pairings, totals, audience
        self._pairs: list[list[PlayedPair]] = [[] for _ in pairings]
        self.show()

    def note(self, fight: int, pairs: Sequence[PlayedPair]) -> None:
        """Keep pairs that count, if an observer wants games."""
        if self._audience is not None and self._audience.wants("arena_game_end"):
            self._pairs[fight] += pairs

    def show(self) -> None:
        """Tell displays of the points so far. They may be all: a series can be decided early."""
        if self._audience is not None:
            self._audience.show(self._progress)

    def _progress(self) -> Progress:
        of_two = [counts for counts in self._totals if isinstance(counts, PairCounts)]
        total = sum((counts.joint.total for counts in of_two), Tally())
        games = zip(self._pairings, self._totals, strict=True)
        done = sum(pairing.games_a_pair * counts.pairs for pairing, counts in games)
        most = sum(pairing.games_a_pair * pairing.pairs for pairing in self._pairings)
        return Progress(done, most, total)

    def finish(self, failures: Sequence[str]) -> None:
        """Tell of every fight in their order, with the pairs that count."""
        for fight, pairing in enumerate(self._pairings):
            if self._audience is None:
                return
            for played in self._pairs[fight]:
                tell_pair(self._audience, fight, pairing, played)
            result = cast("FightResult", result_of(self._totals[fight], engine_of(pairing)))
            result = replace(result, planned=result.pairs, unfinished=failures[fight] or None)
            self._audience.tell("arena_fight_end", result=result)
