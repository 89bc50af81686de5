"""Answer with every method, for the estimated matrix and over its band."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, floor
from typing import NamedTuple

import numpy as np

from arena.arrays import Floats
from arena.features.evaluate.record import (
    EvaluatedPairing,
    EvaluatedPlayer,
    EvaluatedTask,
    MatrixCycle,
    Orders,
    Ranged,
    RankSpan,
    TaskScore,
)
from arena.stats.alpha_rank import alpha_rank, alpha_rank_spans
from arena.stats.band import Band, votes
from arena.stats.connectivity import reachable
from arena.stats.equilibrium import (
    against_tasks,
    equilibrium_of,
    intervals_of,
    task_intervals,
)
from arena.stats.polytope import EQUAL, Spans
from arena.stats.ranked_pairs import rank_spans, ranked_pairs, surely_above
from arena.stats.ranks import Two
from arena.stats.shortest_cycles import shortest_cycles

#: The numbers of an evaluation are rounded to this many parts of one, the ends outward.
_PARTS = 10_000


class MatrixResults(NamedTuple):
    """The parts of an evaluation that follow from a matrix."""

    players: tuple[EvaluatedPlayer, ...]
    pairings: tuple[EvaluatedPairing, ...]
    tasks: tuple[EvaluatedTask, ...]
    scores: tuple[TaskScore, ...]
    told_apart: tuple[Orders, ...]
    cycles: tuple[MatrixCycle, ...]


class _MethodResult(NamedTuple):
    """The numbers of one method, and their spans."""

    value: Floats
    spans: Spans


def by_player(names: Sequence[str], band: Band, played: frozenset[Two]) -> MatrixResults:
    """Return the answers where ``band`` has the scores of players against each other.

    The maximal lottery sees who beats whom, and not by how much: with the margins of all games it
    would be the equilibrium that Nash averaging has. ``played`` has the pairings that are known.
    """
    nash, spans = (
        equilibrium_of(band.score - 0.5),
        intervals_of(band.low - 0.5, band.high - 0.5),
    )
    half = Spans(spans.payoffs.low + 0.5, spans.payoffs.high + 0.5, spans.payoffs.above)
    answers = {
        "nash": _MethodResult(nash.weights, spans.weights),
        "against_nash": _MethodResult(nash.payoffs + 0.5, half),
        "alpha_rank": _alpha_ranked(band),
        "lottery": _lottery(_signs(band)),
    }
    return _answers(names, answers, band, played)


def by_game(names: Sequence[str], games: Sequence[str], scores: Band) -> MatrixResults:
    """Return the answers where ``scores`` has those of agents at games.

    Each game is a voter that places the agents by their scores. Nash averaging sees the scores
    themselves: one side names an agent, and the other a game.
    """
    band = votes(scores)
    nash, spans = against_tasks(scores.score), task_intervals(scores.low, scores.high)
    margins = Band(*(2 * each - 1 for each in band))
    answers = {
        "nash": _MethodResult(nash.agents, spans.agents),
        "against_nash": _MethodResult(nash.payoffs, spans.payoffs),
        "alpha_rank": _alpha_ranked(band),
        "lottery": _lottery(margins),
    }
    places = range(len(names))
    pairs = frozenset((i, j) for i in places for j in places)
    weights = _ranged(_MethodResult(nash.tasks, spans.tasks))
    answered = _answers(names, answers, band, pairs)
    order = [names.index(row.player) for row in answered.players]
    return answered._replace(
        tasks=tuple(map(EvaluatedTask, games, weights)),
        scores=tuple(
            TaskScore(names[i], game, *_rounded(*(float(each[i, task]) for each in scores)))
            for i in order
            for task, game in enumerate(games)
        ),
    )


def _answers(
    names: Sequence[str], answers: dict[str, _MethodResult], band: Band, played: frozenset[Two]
) -> MatrixResults:
    number = len(names)
    margins = Band(*(each - 0.5 for each in band))
    above = surely_above(margins.low, margins.high)
    ranks = map(
        RankSpan, ranked_pairs(margins.score), *zip(*rank_spans(number, above), strict=True)
    )
    ranged = {key: _ranged(answer) for key, answer in answers.items()}
    rows = [
        EvaluatedPlayer(
            names[i],
            nash=ranged["nash"][i],
            against_nash=ranged["against_nash"][i],
            alpha_rank=ranged["alpha_rank"][i],
            lottery=ranged["lottery"][i],
            ranked_pairs=rank,
        )
        for i, rank in enumerate(ranks)
    ]
    order = sorted(
        range(number), key=lambda i: (rows[i].ranked_pairs.value, -rows[i].against_nash.value)
    )
    above_of = {key: answer.spans.above for key, answer in answers.items()} | {
        "ranked_pairs": above
    }
    return MatrixResults(
        players=tuple(rows[i] for i in order),
        pairings=tuple(
            EvaluatedPairing(
                names[i], names[j], *_entry(band, i, j), (i, j) in played or (j, i) in played
            )
            for place, i in enumerate(order)
            for j in order[place + 1 :]
        ),
        tasks=(),
        scores=(),
        told_apart=tuple(
            Orders(key, _named(pairs, order, names)) for key, pairs in above_of.items()
        ),
        cycles=tuple(_cycles(names, band)),
    )


def _named(
    pairs: Iterable[Two], order: Sequence[int], names: Sequence[str]
) -> tuple[tuple[str, str], ...]:
    """Return the names of two players each, in the order of the players."""
    place = {player: at for at, player in enumerate(order)}
    ordered = sorted((place[i], place[j]) for i, j in pairs)
    return tuple((names[order[i]], names[order[j]]) for i, j in ordered)


def _alpha_ranked(band: Band) -> _MethodResult:
    return _MethodResult(alpha_rank(band.score), alpha_rank_spans(band.low, band.high))


def _lottery(margins: Band) -> _MethodResult:
    weights = equilibrium_of(margins.score).weights
    return _MethodResult(weights, intervals_of(margins.low, margins.high).weights)


def _signs(band: Band) -> Band:
    """Return 1 where a player beats another one, -1 where it is beaten, and the ends of that."""
    margins = [each - 0.5 for each in band]
    signs = [np.where(np.abs(each) > EQUAL, np.sign(each), 0.0) for each in margins]
    return Band(*signs)


def _cycles(names: Sequence[str], band: Band) -> Iterable[MatrixCycle]:
    """Yield a cycle of each group of players that beat each other, a sure one if there is one."""
    number = len(names)
    pairs = [(i, j) for i in range(number) for j in range(number) if i != j]
    wins = {two: float(band.score[two]) - 0.5 for two in pairs if band.score[two] > 0.5 + EQUAL}
    sure = {two: wins[two] for two in wins if band.low[two] > 0.5 + EQUAL}
    certain = shortest_cycles(number, sure)
    reach = reachable(number, wins)
    groups = [{i for i in range(number) if reach[a] >> i & reach[i] >> a & 1} for a, *_ in certain]
    seeming = [
        cycle
        for cycle in shortest_cycles(number, wins)
        if not any(cycle[0] in group for group in groups)
    ]
    for cycle in [*certain, *seeming]:
        steps = zip(cycle, cycle[1:] + cycle[:1], strict=True)
        scores = tuple(round(float(band.score[step]), 4) for step in steps)
        yield MatrixCycle(tuple(names[i] for i in cycle), scores, cycle in certain)


def _entry(band: Band, i: int, j: int) -> tuple[float, float, float]:
    return _rounded(*(float(each[i, j]) for each in band))


def _ranged(answer: _MethodResult) -> list[Ranged]:
    rows = zip(answer.value, answer.spans.low, answer.spans.high, strict=True)
    return [Ranged(*_rounded(*map(float, row))) for row in rows]


def _rounded(value: float, low: float, high: float) -> tuple[float, float, float]:
    """Round a number, and its ends outward but for the error of a linear program."""
    low, high = min(low, value), max(high, value)
    return (
        round(min(1.0, max(0.0, value)), 4) + 0.0,
        max(0.0, floor((low + EQUAL) * _PARTS) / _PARTS),
        min(1.0, ceil((high - EQUAL) * _PARTS) / _PARTS),
    )
