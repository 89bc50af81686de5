"""Play series: pairs of one player against each of its opponents, always in the same order.

The opponents take turns, so that a series that stops early has about as many pairs of each. The
results of the pairs are looked at in their order, however they arrive, so that where a series stops
does not depend on the number of workers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple, Protocol

from arena.clock import now
from arena.errors import Withdrawn
from arena.executors.base import Executor, TaskFailed, TaskList
from arena.features.regress.baseline import PairPoints
from arena.features.regress.observers import Watch
from arena.features.regress.record import LostLine
from arena.fights.pairing import Pairing
from arena.fights.play import play_one
from arena.fights.replays import report_of
from arena.game import Outcome, Side
from arena.match.record import GameRecord, PlayedPair
from arena.plugin.observers import Audience
from arena.proof.lines import line_steps
from arena.records.commands import command_line
from arena.sandbox.cores import shared_with

#: Pairs that a worker plays at a time.
PAIRS_AT_ONCE = 5


@dataclass
class Played:
    """The pairs of a series so far, without gaps."""

    pairings: tuple[Pairing, ...]
    #: For each pairing, the player's points in pairs 1, 2, ...
    points: list[list[PairPoints]] = field(default_factory=list)
    #: Why the series was broken off, empty if it was not.
    failure: str = ""
    #: The seconds of its games, on the workers together; some may have been played in vain.
    seconds: float = 0.0

    def __post_init__(self) -> None:
        self.points = [[] for _ in self.pairings]

    def opponent(self, index: int) -> str:
        """Return the name of one of the opponents."""
        return self.pairings[index].b.name

    def first_lost(self) -> tuple[int, int, bool] | None:
        """Return the first lost game of the player: pairing, pair, and whether it moved second."""
        for index, points in enumerate(self.points):
            for pair, halves in enumerate(points, start=1):
                if 0 in halves:
                    return index, pair, halves[0] != 0
        return None

    def line(self, index: int, pair: int, swapped: bool) -> LostLine:
        """Replay one of the games, move by move, in a worker."""
        from arena.executors.apart import run_apart

        pairing = self.pairings[index]
        record = run_apart(partial(play_one, pairing, "calls", pair, swapped))
        game_id = pairing.game_id(pair, swapped)
        first, second = pairing.names[::-1] if swapped else pairing.names
        forfeit = record.forfeit
        aliased = [player.as_named for player in (pairing.a, pairing.b) if player.spec]
        specs = [word for named in aliased for word in ("--player", named)]
        game = report_of(
            pairing.game,
            (first, second),
            record[:3],
            game_id=game_id,
            seed=pairing.seed,
            printed=record.printed,
        )
        own = forfeit is not None and forfeit.side == int(swapped)
        return LostLine(
            "second" if swapped else "first",
            line_steps(pairing.game.start(), record.moves, Side(swapped), lambda _, __: None),
            command_line("replay", game_id, *specs),
            f"{forfeit.reason}: {forfeit.message}" if forfeit and own else "",
            game,
        )


class Series(Protocol):
    """The pairs to play in each pairing, until a decision."""

    @property
    def pairings(self) -> tuple[Pairing, ...]:
        """Return the pairings of one player, which is A, each with its largest number of pairs."""

    def is_decided(self, played: Played) -> bool:
        """Return whether that is enough; asked whenever each opponent has played a span more."""


class _Span(NamedTuple):
    """Pairs ``start`` to ``stop`` - 1 of one pairing of one series."""

    series: int
    number: int
    pairing: int
    start: int
    stop: int


class _Answer(NamedTuple):
    """The pairs of a span, as games only if they are wanted, and the seconds that they took."""

    pairs: list[PlayedPair | PairPoints]
    seconds: float


def play_all(
    all_series: Sequence[Series], executor: Executor, audience: Audience | None = None
) -> list[Played]:
    """Play every series until it is decided or over, and tell the audience of its games."""
    if not all_series:
        return []
    state = [_State(index, series) for index, series in enumerate(all_series)]
    pairings = tuple(series.pairings for series in all_series)
    watch = Watch(pairings, audience)
    points = [one.played.points for one in state]
    watch.show(points)
    work = partial(_play, pairings, watch.wants_games)
    with closing(executor.run(work, TaskList(_interleaved(state)))) as answers:
        for span, answer in answers:
            if isinstance(answer, TaskFailed):
                state[span.series].add(span, answer)
            else:
                watch.keep(span.series, span.pairing, answer.pairs)
                state[span.series].played.seconds += answer.seconds
                state[span.series].add(span, [_points_of(pair) for pair in answer.pairs])
            watch.show(points)
    watch.finish(points, [one.played.failure for one in state])
    return [one.played for one in state]


def _interleaved(state: Sequence[_State]) -> Iterator[_Span]:
    """Yield a span of each undecided series in turn, until all are decided."""
    going = list(state)
    while going:
        for one in list(going):
            span = next(one.spans, None)
            if span is None or one.over:
                going.remove(one)
            else:
                yield span


class _State:
    """A series in play."""

    def __init__(self, index: int, series: Series) -> None:
        self.series, self.played, self.over = series, Played(series.pairings), False
        self.spans = _spans(index, series.pairings)
        #: Spans that have come before those before them have.
        self._early: dict[int, tuple[_Span, list[PairPoints] | TaskFailed]] = {}
        self._next = 0

    def add(self, span: _Span, answer: list[PairPoints] | TaskFailed) -> None:
        """Take the results of a span, and look at all that have no gap before them."""
        self._early[span.number] = span, answer
        while not self.over and self._next in self._early:
            span, answer = self._early.pop(self._next)
            self._next += 1
            if isinstance(answer, TaskFailed):
                a, b = self.series.pairings[span.pairing].names
                self.played.failure = f"{a} could not play {b}: {answer.reason}"
                self.over = True
                return
            self.played.points[span.pairing].extend(answer)
            if self._next % len(self.series.pairings) == 0:
                self.over = self.series.is_decided(self.played)


def _spans(series: int, pairings: Sequence[Pairing]) -> Iterator[_Span]:
    number = 0
    for start in range(1, max((p.pairs for p in pairings), default=0) + 1, PAIRS_AT_ONCE):
        for index, pairing in enumerate(pairings):
            stop = max(start, min(start + PAIRS_AT_ONCE, pairing.pairs + 1))
            yield _Span(series, number, index, start, stop)
            number += 1


def _play(
    pairings: Sequence[tuple[Pairing, ...]], wants_games: bool, span: _Span
) -> _Answer | TaskFailed:
    """Play a span in a worker."""
    begun = now()
    pairing = pairings[span.series][span.pairing]
    memory = pairing.a.remembers, pairing.b.remembers
    found: list[PlayedPair | PairPoints] = []
    try:
        with shared_with(pairing.a, pairing.b):
            for pair in range(span.start, span.stop):
                a_first = play_one(pairing, "calls", pair, False)
                records = a_first, play_one(pairing, "calls", pair, True)
                played = PlayedPair(pair, records, (0.0, 0.0), remembers=memory)
                found.append(played if wants_games else _points_of(played))
    except Withdrawn as error:
        return TaskFailed(str(error))
    return _Answer(found, now() - begun)


def _points_of(pair: PlayedPair | PairPoints) -> PairPoints:
    if not isinstance(pair, PlayedPair):
        return pair
    first, second = pair.records
    return _points(first, Outcome.FIRST_WINS), _points(second, Outcome.SECOND_WINS)


def _points(record: GameRecord, win: Outcome) -> int:
    """Return the player's doubled points."""
    return 1 if record.outcome == Outcome.DRAW else 2 * (record.outcome == win)
