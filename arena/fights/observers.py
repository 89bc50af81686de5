"""Finished games and fights, told to observers in the order of the schedule.

Workers finish games in any order. What is finished early waits, so that observers hear of games by
fight, pair number and half for any number of workers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from arena.fights.counts import Counts
from arena.fights.engines import Engine
from arena.fights.forfeits import forfeited_game
from arena.fights.journal import Journal, PairJournal
from arena.fights.pairing import Pairing, Setting, game_id
from arena.fights.play import OnProgress, results_of
from arena.match import GameRecord, PlayedPair
from arena.plugin.observers import Audience
from arena.records.base import Tally
from arena.records.fights import FightResult
from arena.records.observers import GameResult, PlannedFight, Progress, Run

#: The sequential test looks at nothing that is not complete; other fights have no such limit.
_NO_LIMIT = 1 << 63


def run_of(setting: Setting, engines: Sequence[Engine]) -> Run:
    """Return the record of a run that begins."""
    return Run(
        setting.schedule,
        engines[0].pairing.seed,
        tuple(
            PlannedFight(e.pairing.game.name, e.pairing.names, e.pairing.pairs, e.name)
            for e in engines
        ),
        setting.sprt,
    )


class Watch:
    """Follow a run and tell its observers; a journal that may pass games on to a real one.

    Only if an observer wants games does it ask workers for them, by standing in as a journal.
    """

    def __init__(
        self,
        setting: Setting,
        engines: Sequence[Engine],
        audience: Audience,
        journal: Journal | None = None,
        on_progress: OnProgress | None = None,
    ) -> None:
        self._on_progress = on_progress
        self._engines, self._audience, self._journal = engines, audience, journal
        self._is_sequential = setting.sprt is not None
        self._counts: dict[int, Counts] = {}
        self._score = _Score(2 * sum(engine.pairing.pairs for engine in engines))
        #: Of every fight the pairs that observers have not heard of; None for one that is void.
        self._waiting: list[dict[int, PlayedPair | None]] = [{} for _ in engines]
        #: The first fight that observers have not heard the end of, its next pair, and how many of
        #: its pairs they have heard of.
        self._fight, self._next, self._told = 0, 1, 0
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

    def pairs(self, fight: int) -> Sequence[PlayedPair]:
        """See Journal."""
        if self._journal is None:
            return []
        found = self._journal.pairs(fight)
        self._take(fight, found)
        counts = Counts.of_pairs(found)
        if not self._is_sequential:
            self._counts[fight] = counts
        self._score.changed[fight] = counts
        self._audience.show(self._score.progress)
        return found

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
        self._score.changed[fight] = counts
        self._audience.show(self._score.progress)
        if self._on_progress is not None:
            self._on_progress(fight, counts, games)

    def _tell_complete(self) -> None:
        while self._fight < len(self._engines):
            counts, engine = self._counts.get(self._fight), self._engines[self._fight]
            complete = 0 if counts is None else counts.pairs + counts.void // 2
            self._tell_games(complete if self._is_sequential else _NO_LIMIT)
            if self._is_sequential or counts is None or not counts.pairs:
                return  # without a game it may be that a player is withdrawn from other fights
            if complete < engine.pairing.pairs:
                return
            [result] = results_of([counts], [engine])
            self._end(result)

    def _tell_games(self, last: int) -> None:
        """Tell the next pairs of the fight, up to the first that is missing or that number."""
        waiting = self._waiting[self._fight]
        while self._next <= last and self._next in waiting:
            self._tell_pair(waiting.pop(self._next))
            self._next += 1

    def _tell_pair(self, played: PlayedPair | None) -> None:
        if played is not None:
            self._told += 1
            tell_pair(self._audience, self._fight, self._engines[self._fight].pairing, played)

    def _end(self, result: FightResult) -> None:
        self._audience.tell("arena_fight_end", result=result)
        self._fight, self._next, self._told = self._fight + 1, 1, 0

    def finish(self, results: Sequence[FightResult]) -> None:
        """Tell the rest of a run that has ended, with the gaps that it has.

        A sequential test counts only the pairs up to its decision, and these are told.
        """
        for result in results[self._fight :]:
            for _, played in sorted(self._waiting[self._fight].items()):
                if self._told < result.pairs:
                    self._tell_pair(played)
            self._end(result)


class _Score:
    """The sum of all fights, calculated when a display asks for it."""

    def __init__(self, total: int) -> None:
        self.total = total
        #: The fights that have changed since.
        self.changed: dict[int, Counts] = {}
        self._scores: dict[int, tuple[int, Tally]] = {}

    def progress(self) -> Progress:
        """Return the state of the run."""
        for fight, counts in self.changed.items():
            self._scores[fight] = 2 * counts.pairs + counts.void, counts.joint.total
        self.changed.clear()
        done = sum(done for done, _ in self._scores.values())
        return Progress(done, self.total, sum((t for _, t in self._scores.values()), Tally()))


def tell_pair(audience: Audience, fight: int, pairing: Pairing, played: PlayedPair) -> None:
    """Tell observers of both games of a pair."""
    if audience.wants("arena_game_end"):
        for half, record in enumerate(played.records):
            place = _Place(fight, played.pair, bool(half), played.opening)
            audience.tell("arena_game_end", game=_game_result(pairing, place, record))


class _Place(NamedTuple):
    """Which game of a run it is."""

    fight: int
    pair: int
    swapped: bool
    opening: str


def _game_result(pairing: Pairing, place: _Place, record: GameRecord) -> GameResult:
    a, b = pairing.names
    names = (b, a) if place.swapped else (a, b)
    identity = game_id(pairing.path, pairing.opening(place.pair), place.pair, place.swapped)
    forfeit, begin = record.forfeit, pairing.begin(place.pair)
    return GameResult(
        game_id=identity,
        game=pairing.game.name,
        game_version=pairing.game.version,
        seed=pairing.seed,
        players=names,
        moves=tuple(map(pairing.game.format_move, record.moves)),
        outcome=record.outcome.value,
        forfeit=forfeit
        and forfeited_game(identity, names[forfeit.side], forfeit, begin, record.moves),
        opening=place.opening,
        fight=place.fight,
        pair=place.pair,
        printed=record.printed,
    )
