"""Calculate the exact results of a round robin: each pairing is a task of an executor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import compress
from typing import Any, NamedTuple

from arena.errors import CannotEnumerate, PlayerFault, VoidGame
from arena.executors.base import Executor, TaskFailed
from arena.executors.processes import ProcessExecutor
from arena.executors.serial import SerialExecutor
from arena.fights.engines import CallsEngine
from arena.fights.openings import Openings
from arena.fights.pairing import Pairing
from arena.fights.schedule import round_robin
from arena.game import Game, Position
from arena.games.line_game import has_keys
from arena.model.defaults import MAX_POSITIONS
from arena.player import PlayerInfo
from arena.proof.limit import Limit
from arena.proof.losing import losing_lines
from arena.proof.outcome import exact_result
from arena.proof.policy import Policy
from arena.proof.witness import TableLookup, Witness
from arena.proof.work import require_few_between
from arena.records.proofs import ExactResult
from arena.rng import fresh_seed
from arena.sandbox.cores import shared_with
from arena.store.real_fights import fight_for_real

#: Pairs that two players play for their exact result, if one of them is watched.
WATCHED_PAIRS = 100

#: Two players by their places.
IndexPair = tuple[int, int]

#: Whether the work of a pairing is estimated, and whether its result is calculated.
Steps = tuple[bool, bool]
ESTIMATED, CALCULATED = (True, False), (False, True)


class Task(NamedTuple):
    """A pairing, whose work is estimated, or its result calculated, or first one and then both."""

    players: IndexPair
    #: Seconds that are left for everything; None without a limit.
    seconds: float | None
    is_estimated: bool
    is_calculated: bool


class ExactRefusal(NamedTuple):
    """Why a pairing does not have a result, and the places of the players whose moves are why."""

    error: CannotEnumerate
    players: tuple[int, ...]


@dataclass
class ExactPairings:
    """The work of an executor: calculates pairings of players.

    A worker uses what it finds out about a player for all pairings that it calculates.
    """

    game: Game
    players: Sequence[PlayerInfo]
    openings: Openings | None
    max_positions: int
    max_seconds: float | None
    #: Whether a result shows the shortest games that a player loses.
    has_lines: bool = False
    _policies: dict[int, Policy] = field(default_factory=dict)

    def __call__(self, task: Task) -> ExactResult | ExactRefusal | None:
        """Return the exact result of a pairing, or why it has none. Return None for an estimate."""
        a, b = policies = [self._policy(place) for place in task.players]
        limit = Limit(self.max_positions, self.max_seconds, task.seconds)
        try:
            with shared_with(a.player, b.player):
                if task.is_estimated:
                    merges = not self.is_in_arrays(task.players)
                    hint = self._hint(task.players)
                    require_few_between(a, b, limit, self._chances, merges, hint)
                return self._result(task.players, limit) if task.is_calculated else None
        except CannotEnumerate as error:
            refused = (policy.refusal is not None for policy in policies)
            return ExactRefusal(error, tuple(compress(task.players, refused)))

    def _policy(self, place: int) -> Policy:
        if place not in self._policies:
            self._policies[place] = Policy(self.players[place], self.game)
        self._policies[place].refusal = None
        return self._policies[place]

    @cached_property
    def _chances(self) -> Mapping[Position, Fraction] | None:
        """The probability of each opening."""
        if self.openings is None:
            return None
        return self.openings.chances(self.game, self.max_positions)

    def is_in_arrays(self, players: IndexPair) -> bool:
        """Return whether a pairing is calculated in arrays: all positions, symmetric ones too."""
        is_large = self.max_positions > MAX_POSITIONS and self.openings is None
        return is_large and fits_arrays(self.game, [self.players[place] for place in players])

    def _hint(self, players: IndexPair) -> str:
        """Say what would do where a pairing takes more than the limit."""
        sampled = "arena fight samples it"
        of_lines = has_keys(self.game) and self.openings is None
        if not of_lines or self.is_in_arrays(players):
            return f"; {sampled}"
        arrays = f"--max-positions above {MAX_POSITIONS:,} calculates in arrays"
        if fits_arrays(self.game, [self.players[place] for place in players]):
            return f"; {arrays}, some ten million positions in minutes; {sampled}"
        return f"; {arrays} for players that offer choose_batch or a distribution; {sampled}"

    def _result(self, players: IndexPair, limit: Limit) -> ExactResult:
        a, b = map(self._policy, players)
        if self.is_in_arrays(players):
            from arena.certificates.outcomes import exact_result as exact_in_arrays

            result = exact_in_arrays(self.game, a.player, b.player, limit)
        else:
            result = exact_result(a, b, limit, self._chances)
        name = self.openings.name if self.openings else ""
        result = replace(result, openings=name, **_watch(a, b, self.openings))
        if self.has_lines and not self.game.features:
            lines = losing_lines(a, b, result, self._chances or ())
            result = replace(result, losing_lines=tuple(lines))
        a.confirm()
        b.confirm()
        return result


def calculate(
    work: ExactPairings, executor: Executor, leaves_out: bool = False
) -> tuple[list[ExactResult], dict[int, str]]:
    """Return the results of all pairings, and the reasons of players left out, by their places.

    All pairings are estimated before the first one of several is calculated. Raises CannotEnumerate
    for the first one that does not have a result, unless a player is why and it may be left out.
    """
    limit = Limit(work.max_positions, work.max_seconds)
    remaining = round_robin(range(len(work.players)))
    out: dict[int, str] = {}
    results: dict[IndexPair, ExactResult | ExactRefusal | None] = {}
    for steps, crew in _steps(work, remaining, executor):
        results = _done(work, crew, _Queue(remaining, limit, steps, stops=not leaves_out))
        for pair in remaining:
            answer = results.get(pair)
            if isinstance(answer, ExactRefusal) and out.keys().isdisjoint(pair):
                if not leaves_out or not answer.players:
                    raise answer.error
                out |= dict.fromkeys(answer.players, str(answer.error))
        remaining = [pair for pair in remaining if out.keys().isdisjoint(pair)]
    answers = (results[pair] for pair in remaining)
    return [answer for answer in answers if isinstance(answer, ExactResult)], out


def _steps(
    work: ExactPairings, pairs: Sequence[IndexPair], executor: Executor
) -> list[tuple[Steps, Executor]]:
    """Return what is done with all pairings before the next is done, and by whom.

    A single pairing in arrays is calculated here: it asks players in processes of its own. Those
    that play real games besides do so in a worker, for they may end it.
    """
    if len(pairs) > 1:
        return [(ESTIMATED, executor), (CALCULATED, executor)]
    is_parallel = isinstance(executor, ProcessExecutor) and executor.workers > 1
    plays = any(player.is_watched for player in work.players)
    if is_parallel and not plays and all(map(work.is_in_arrays, pairs)):
        return [(ESTIMATED, executor), (CALCULATED, SerialExecutor())]
    return [((True, True), executor)]


class _Queue:
    """The pairings as tasks, up to the first without a result if it ``stops``."""

    def __init__(self, pairs: Sequence[IndexPair], limit: Limit, steps: Steps, stops: bool) -> None:
        self._pairs: Iterator[IndexPair] = iter(pairs)
        self._limit, self._steps, self._stops = limit, steps, stops

    def next_task(self) -> Task | None:
        """See Tasks.next_task."""
        pair = next(self._pairs, None)
        return None if pair is None else Task(pair, self._limit.seconds_left, *self._steps)

    def refuse(self) -> None:
        """Note that a pairing does not have a result."""
        if self._stops:
            self._pairs = iter(())


def _done(
    work: ExactPairings, executor: Executor, queue: _Queue
) -> dict[IndexPair, ExactResult | ExactRefusal | None]:
    """Return what became of the tasks of a queue."""
    results: dict[IndexPair, ExactResult | ExactRefusal | None] = {}
    with closing(executor.run(work, queue)) as answers:
        for task, answer in answers:
            if isinstance(answer, TaskFailed):
                ended = f"a player ended the process that it was run in: {answer.reason}"
                answer = ExactRefusal(PlayerFault(ended), ())
            if isinstance(answer, ExactRefusal):
                queue.refuse()
            results[task.players] = answer
    return results


def _watch(a: Policy, b: Policy, openings: Openings | None) -> dict[str, Any]:
    """Play real games of a pairing if one of its players is watched, and look its moves up.

    Returns the fields of the exact result that tell of it. Raises PlayerFault if a player does not
    play by its table. The seed is fresh: a player that knew it could tell these games from others.
    """
    policies = (a, b)
    is_watched = [policy.player.is_watched for policy in policies]
    if not any(is_watched):
        return {}
    pairing = Pairing(a.game, a.player, b.player, WATCHED_PAIRS, fresh_seed(), openings=openings)
    tables = [_look_up(policy) if policy.player.is_watched else None for policy in policies]
    witness = Witness(a.game, pairing.names, tables)
    real = fight_for_real(pairing)
    for played in CallsEngine(pairing).pairs(1, WATCHED_PAIRS + 1) if real is None else real:
        if played.void:
            raise VoidGame(played.void)
        if played.withdrawn is not None:
            raise PlayerFault(f"{pairing.names[played.withdrawn[0]]}: {played.withdrawn[1]}")
        for half, record in enumerate(played.records):
            name, start = pairing.game_id(played.pair, bool(half)), pairing.begin(played.pair)
            witness.see(name, record, bool(half), start)
    for place, policy in enumerate(policies):
        agreement = witness.agreement(place, pairing.seed)
        if not agreement.holds:
            message = (
                f"{pairing.names[place]} did not play as its table says: {agreement.refutation}"
            )
            policy.refusal = PlayerFault(message)
            raise policy.refusal
    return {
        "watched": tuple(compress(pairing.names, is_watched)),
        "declared": tuple(compress(pairing.names, [p.player.distribution for p in policies])),
        "games": witness.games,
    }


def _look_up(policy: Policy) -> TableLookup:
    return lambda position, _: policy.at(position)


def fits_arrays(game: Game, players: Sequence[PlayerInfo]) -> bool:
    """Return whether arrays can have the positions and what the players answer.

    Others than these are asked once more when all is known, which takes the memory of a policy.
    """
    return has_keys(game) and all(
        p.shows_batches or p.distribution is not None or p.is_trusted for p in players
    )
