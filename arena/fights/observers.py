"""Finished games and fights, told to observers in the order of the rounds.

Workers finish games in any order. Games that end early wait, so that observers hear of games by
pair number, fight and half for any number of workers, and then of the ends of fights. The fights of
a round come in the order in which they are played.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from arena.fights.counting import counts_of
from arena.fights.counts import Counts, PlayedBy
from arena.fights.forfeits import forfeited_games
from arena.fights.pair_counts import PairCounts
from arena.fights.pairing import Pairing, RunSetting, game_id
from arena.fights.payoffs import payoffs_in
from arena.fights.plain import order_of
from arena.fights.play import OnProgress, results_of
from arena.fights.schedule import turns
from arena.model.defaults import DEFAULT_ALPHA
from arena.records.base import Tally
from arena.records.fights import FightResult
from arena.records.fought import Fought
from arena.records.intervals import anytime
from arena.records.notes import by_name
from arena.records.observers import GameResult, PlannedFight, Progress, Run
from arena.seats import chance_places

if TYPE_CHECKING:
    from arena.fights.engines import Engine
    from arena.fights.journal import Journal, PairJournal
    from arena.match.record import GameRecord, PlayedPair
    from arena.plugin.observers import Audience
    from arena.records.intervals import ScoreInterval
    from arena.records.sequential import Hypotheses, SprtLook

#: The sequential test looks at nothing that is not complete; other fights have no such limit.
_NO_LIMIT = 1 << 63


def run_of(setting: RunSetting, engines: Sequence[Engine], by_rounds: bool = False) -> Run:
    """Return the record of a run that begins. Fights ``by_rounds`` are not known yet."""
    planned = tuple(
        PlannedFight(e.pairing.game.name, e.pairing.all_names, e.pairing.pairs, e.name)
        for e in engines
    )
    seed = engines[0].pairing.seed
    until = "" if setting.until is None else str(setting.until)
    return Run(setting.schedule, seed, () if by_rounds else planned, setting.sprt, until)


class RunObserver:
    """Follow a run and tell its observers. It is a journal that may pass games on to a real one.

    Only if an observer wants games does it ask workers for them, by standing in as a journal.
    ``most_pairs`` are those of a tournament that goes by rounds, of which it hears one by one.
    """

    def __init__(
        self,
        setting: RunSetting,
        engines: Sequence[Engine],
        audience: Audience,
        journal: Journal | None = None,
        on_progress: OnProgress | None = None,
        most_pairs: int | None = None,
    ) -> None:
        self._on_progress = on_progress
        self._engines, self._audience, self._journal = engines, audience, journal
        self._by_rounds = most_pairs is not None
        self._is_sequential = setting.aim is not None and not self._by_rounds
        self._counts: dict[int, Counts] = {}
        alpha = DEFAULT_ALPHA if setting.until is None else setting.until.alpha
        pairings = [engine.pairing for engine in engines]
        self._score: _Score | RunningPayoffs
        if pairings[0].others:
            self._score = RunningPayoffs(pairings, most_pairs)
        else:
            self._score = _Score(pairings, alpha, most_pairs, setting.sprt)
        #: The pairs of every fight that observers have not heard of; None for one that is void.
        self._waiting: list[dict[int, PlayedPair | None]] = [{} for _ in engines]
        order = order_of(engines) or [0]
        self._places = {fight: place for place, fight in enumerate(order)}
        pairs = [engine.pairing.pairs for engine in engines]
        self._turns: Iterator[tuple[int, int]] = (
            iter(()) if self._by_rounds else turns(pairs, order)
        )
        #: The pair and the fight that observers hear of next; None after the last.
        self._turn = next(self._turns, None)
        #: The last pair of every fight that had its turn; all of one without single games.
        self._turned = [
            0 if fight in self._places else engine.pairing.pairs
            for fight, engine in enumerate(engines)
        ]
        #: The first fight that observers have not heard the end of, and how many pairs of each they
        #: have heard of.
        self._fight, self._reported = 0, [0] * len(engines)
        self._note_tables()
        audience.show(self._score.progress)

    def _note_tables(self) -> None:
        """Tell once that a table plays no single games, if an observer waits for such."""
        played = [e.pairing.names for e in self._engines if e.name == "table"]
        if played and self._audience.wants("arena_game_end"):
            (a, b), others = played[0], len(played) - 1
            more = f" and {others} more fight{'s' * (others > 1)}" * bool(others)
            self._audience.note(
                "arena_game_end",
                f"a table plays {a} against {b}{more}, so arena_game_end hears of none of its games"
                " (the engine 'calls' plays them one by one)",
            )

    @property
    def journal(self) -> PairJournal | None:
        """The journal that the run writes to."""
        wants = self._audience.wants
        resumes = self._journal is not None
        if wants("arena_game_end") or (
            resumes and (wants("arena_fight_end") or wants("arena_progress"))
        ):
            return self
        return self._journal

    def begin_round(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Take note of a round's pairs, each with its fight, which come after all others."""
        self._turns = chain(self._turns, pairs)
        if self._turn is None:
            self._turn = next(self._turns, None)

    def void_counts(self, fight: int) -> Counts:
        """See Journal."""
        if self._journal is None:
            return counts_of(self._engines[fight].pairing)
        return self._journal.void_counts(fight)

    def pairs(self, fight: int) -> Sequence[PlayedPair]:
        """See Journal."""
        if self._journal is None:
            return []
        pairs = self._journal.pairs(fight)
        self._take(fight, pairs)
        counts = counts_of(self._engines[fight].pairing, pairs)
        if not self._is_sequential:
            self._counts[fight] = counts
        self._score.note(fight, counts)
        self._audience.show(self._score.progress)
        return pairs

    def write(self, fight: int, pairs: Sequence[PlayedPair]) -> None:
        """See Journal."""
        if self._journal is not None:
            self._journal.write(fight, pairs)
        self._take(fight, pairs)

    def miss(self, fight: int, counts: Counts) -> None:
        """See Journal."""
        if self._journal is not None:
            self._journal.miss(fight, counts)
        for void in counts.void_pairs:
            self._waiting[fight].update(dict.fromkeys(range(void.first, void.last + 1)))

    def _take(self, fight: int, pairs: Sequence[PlayedPair]) -> None:
        if self._audience.wants("arena_game_end"):
            self._waiting[fight] |= {
                pair.pair: None if pair.void else pair for pair in pairs if pair.withdrawn is None
            }

    def on_progress(self, fight: int, counts: Counts, games: int) -> None:
        """Take note of a fight's counts, and tell what is complete up to here."""
        self._counts[fight] = counts
        self._tell_complete()
        self._score.note(fight, counts)
        self._audience.show(self._score.progress)
        if self._on_progress is not None:
            self._on_progress(fight, counts, games)

    def _tell_complete(self) -> None:
        """Tell the next pairs in turn, up to the first that is missing, and the ends of fights.

        A sequential test tells no pair beyond those that it has looked at.
        """
        counts = self._counts.get(0)
        looked = 0 if counts is None else counts.done
        last = looked if self._is_sequential else _NO_LIMIT
        while self._turn is not None:
            pair, fight = self._turn
            if pair > last or pair not in self._waiting[fight]:
                break
            self._tell_pair(fight, self._waiting[fight].pop(pair))
            self._turned[fight] = pair
            self._turn = next(self._turns, None)
            self._end_complete()
        self._end_complete()

    def _end_complete(self) -> None:
        while self._fight < len(self._engines) and self._is_complete(self._fight):
            if self._audience.wants("arena_fight_end"):
                counts, engine = self._counts[self._fight], self._engines[self._fight]
                (result,) = results_of([counts], [engine])
                self._audience.tell("arena_fight_end", result=result)
            self._fight += 1

    def _is_complete(self, fight: int) -> bool:
        """Return whether a fight has ended, and observers have heard of all its games."""
        counts, pairs = self._counts.get(fight), self._engines[fight].pairing.pairs
        if self._is_sequential or self._by_rounds or counts is None or not counts.pairs:
            return False  # without a game it may be that a player is withdrawn from other fights
        is_told = self._turned[fight] >= pairs or not self._audience.wants("arena_game_end")
        return is_told and counts.done >= pairs

    def _tell_pair(self, fight: int, played: PlayedPair | None) -> None:
        if played is not None:
            self._reported[fight] += 1
            tell_pair(self._audience, fight, self._engines[fight].pairing, played)

    def finish(self, results: Mapping[int, Fought]) -> None:
        """Tell the rest of a run that has ended, with the gaps that it has.

        ``results`` are those of the fights that have begun, by their places. A sequential test
        counts only the pairs up to its decision, and observers hear of these.
        """
        self._tell_complete()
        waiting = sorted(
            (pair, place, fight)
            for fight, place in self._places.items()
            for pair in self._waiting[fight]
        )
        for pair, _, fight in waiting:
            if fight in results and self._reported[fight] < results[fight].pairs:
                self._tell_pair(fight, self._waiting[fight].pop(pair))
        for fight, result in results.items():
            if fight >= self._fight:
                self._audience.tell("arena_fight_end", result=result)


class _Score:
    """The sum of all fights, calculated when a display asks for it."""

    def __init__(
        self,
        pairings: Sequence[Pairing],
        alpha: float = DEFAULT_ALPHA,
        most_pairs: int | None = None,
        sprt: Hypotheses | None = None,
    ) -> None:
        self._pairings, self._alpha, self._sprt = pairings, alpha, sprt
        self._players = [pairing.names for pairing in pairings]
        if most_pairs is None:
            most_pairs = sum(pairing.pairs for pairing in pairings)
        self._total = 2 * most_pairs
        #: The fights that have changed since, the last one last.
        self._changed: dict[int, Counts] = {}
        self._scores: dict[int, tuple[int, Tally]] = {}
        self._playing: tuple[str, str] | None = None
        #: The interval of a single fight.
        self._interval: ScoreInterval | None = None
        self._look: SprtLook | None = None
        #: The fights of a tournament whose games pay, as far as they are played.
        self._paid: dict[int, FightResult] = {}

    def note(self, fight: int, counts: Counts) -> None:
        """Note the counts of a fight, which the score reads when it is asked for."""
        self._changed[fight] = counts
        self._playing = self._players[fight]

    def progress(self) -> Progress:
        """Return the state of the run."""
        for fight, counts in self._changed.items():
            assert isinstance(counts, PairCounts)
            self._scores[fight] = 2 * counts.pairs + counts.void, counts.joint.total
            if len(self._pairings) > 1 and self._pairings[fight].game.is_paid:
                self._paid[fight] = counts.result(self._pairings[fight], PlayedBy())
            if len(self._pairings) == 1:
                so_far = counts.result(self._pairings[0], PlayedBy())
                self._interval = anytime(so_far.watched, self._alpha)
                if self._sprt is not None:
                    from arena.fights.stopping import look_at  # most runs test nothing

                    self._look = look_at(so_far, self._sprt)
        self._changed.clear()
        done = sum(done for done, _ in self._scores.values())
        total = sum((tally for _, tally in self._scores.values()), Tally())
        payoffs = self._payoffs()
        leader, tally = self._leader(total, payoffs)
        state = leader, tally, self._playing, self._interval, self._look
        several = self._scores.items() if len(self._players) > 1 and not self._paid else ()
        scores = tuple((*self._players[fight], tally) for fight, (_, tally) in several)
        return Progress(done, max(done, self._total), total, *state, scores, payoffs)

    def _payoffs(self) -> tuple[tuple[str, float], ...]:
        """Return the mean payoffs in a tournament whose games pay, the best first."""
        if not self._paid:
            return ()
        from arena.fights.standings import payoffs_of  # here, for NumPy takes long to import

        means = payoffs_of([*self._paid.values()])
        best_first = sorted(means.items(), key=lambda item: (-item[1], item[0]))
        return tuple((name, float(mean)) for name, mean in best_first)

    def _leader(self, total: Tally, payoffs: Sequence[tuple[str, float]]) -> tuple[str, Tally]:
        """Return player A of a single fight, or who is best, and its results."""
        if not total.games:
            return "", Tally()
        if len(self._players) == 1:
            return self._players[0][0], total
        tallies: dict[str, Tally] = {}
        for fight, (_, tally) in self._scores.items():
            for name, results in zip(self._players[fight], (tally, tally.reversed()), strict=True):
                tallies[name] = tallies.get(name, Tally()) + results
        if payoffs:
            return payoffs[0][0], tallies[payoffs[0][0]]
        name = max(tallies, key=lambda name: tallies[name].score or -1.0)
        return name, tallies[name]


class RunningPayoffs:
    """The mean payoffs of all players, calculated when a display asks for them."""

    def __init__(self, pairings: Sequence[Pairing], most_blocks: int | None = None) -> None:
        self._pairings = pairings
        blocks = sum(pairing.pairs for pairing in pairings) if most_blocks is None else most_blocks
        self._total = pairings[0].games_a_pair * blocks
        #: The tables that have changed since, and of all others the games that are done and played,
        #: and the sums of the payoffs.
        self._changed: dict[int, Counts] = {}
        self._totals: dict[int, tuple[int, int, list[Fraction]]] = {}

    def note(self, fight: int, counts: Counts) -> None:
        """Note the counts of a table, which :meth:`progress` reads."""
        self._changed[fight] = counts

    def progress(self) -> Progress:
        """Return the state of the run."""
        from arena.fights.block_counts import BlockCounts

        for fight, counts in self._changed.items():
            assert isinstance(counts, BlockCounts)
            done, played = (counts.games_a_block * n for n in (counts.done, counts.pairs))
            self._totals[fight] = done, played, counts.paid
        self._changed.clear()
        sums: dict[str, tuple[Fraction, int]] = {}
        for fight, (_, played, payoffs) in self._totals.items():
            for name, paid in zip(self._pairings[fight].all_names, payoffs, strict=True):
                total, before = sums.get(name, (Fraction(0), 0))
                sums[name] = total + paid, before + played
        done = sum(done for done, _, _ in self._totals.values())
        means = [(name, float(total / games)) for name, (total, games) in sums.items() if games]
        best = tuple(sorted(means, key=lambda mean: (-mean[1], mean[0])))
        return Progress(done, max(done, self._total), Tally(), payoffs=best)


def tell_pair(audience: Audience, fight: int, pairing: Pairing, played: PlayedPair) -> None:
    """Tell observers of the games of a pair."""
    if audience.wants("arena_game_end"):
        for half, record in enumerate(played.records):
            place = _GamePlace(fight, played.pair, half, played.opening, played.seconds[half])
            audience.tell("arena_game_end", game=_game_result(pairing, place, record))


class _GamePlace(NamedTuple):
    """Which game of a run it is."""

    fight: int
    pair: int
    half: int
    opening: str
    seconds: float


def _game_result(pairing: Pairing, place: _GamePlace, record: GameRecord) -> GameResult:
    names = tuple(pairing.all_names[sitting] for sitting in pairing.seating(place.half))
    identity = game_id(pairing.path, pairing.opening(place.pair), place.pair, place.half)
    begin = pairing.begin(place.pair)
    forfeits = forfeited_games(identity, names, record.forfeits, record.moves, begin)
    return GameResult(
        game_id=identity,
        game=pairing.game.name,
        game_version=pairing.game.version,
        seed=pairing.seed,
        players=names,
        moves=tuple(map(pairing.game.format_move, record.moves)),
        outcome=record.outcome.value,
        forfeit=forfeits[0] if forfeits else None,
        forfeits=forfeits if pairing.others else (),
        opening=place.opening,
        fight=place.fight,
        pair=place.pair,
        payoffs=_payoffs(pairing, record),
        **by_name(record.notes),
        chance=chance_places(begin, record.moves, record.departures),
        seconds=place.seconds,
        move_seconds=record.move_times,
        ended=record.ended,
    )


def _payoffs(pairing: Pairing, record: GameRecord) -> tuple[Fraction, ...] | None:
    """Return what a game paid to the seats, None if it pays nothing of its own."""
    if pairing.others:
        return record.payoffs
    return payoffs_in(pairing.game, record) if pairing.game.is_paid else None
