"""Hold the evaluation of players by the matrix of their results, as a frozen record."""

from __future__ import annotations

from arena.dataclass import dataclass
from arena.records.base import Record


@dataclass(frozen=True)
class Ranged(Record):
    """A number of the estimated matrix, and its ends over all matrices in the band."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class RankSpan(Record):
    """A rank of the estimated matrix, and the best and worst over all matrices in the band."""

    value: int
    low: int
    high: int


@dataclass(frozen=True)
class EvaluatedPlayer(Record):
    """One player, by each method."""

    player: str
    #: Its weight in the Nash equilibrium of greatest entropy.
    nash: Ranged
    #: Its mean score against that equilibrium; with tasks its mean score at the tasks' weights.
    against_nash: Ranged
    #: The share of time that a population which evolves spends at it.
    alpha_rank: Ranged
    #: Its chance in the maximal lottery.
    lottery: Ranged
    #: Its rank by ranked pairs.
    ranked_pairs: RankSpan


@dataclass(frozen=True)
class EvaluatedPairing(Record):
    """The score of a against b: of two players, or of two agents by the votes of tasks."""

    a: str
    b: str
    #: The mean score of a, from 0 to 1. With tasks it is the share of them that place a above b.
    score: float
    low: float
    high: float
    #: Whether it is known. A pairing that was never played has the score 1/2, from 0 to 1.
    is_played: bool = True


@dataclass(frozen=True)
class EvaluatedTask(Record):
    """A game as a task, and its weight."""

    game: str
    #: Its weight in the equilibrium of the side that names tasks.
    weight: Ranged


@dataclass(frozen=True)
class TaskScore(Record):
    """The mean score of an agent at a game against the opponents that all agents met."""

    player: str
    game: str
    score: float
    low: float
    high: float


@dataclass(frozen=True)
class Orders(Record):
    """The pairs of players that a method tells apart."""

    #: The key of the method.
    method: str
    #: Two players each, of which the first is better by all matrices in the band.
    above: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class MatrixCycle(Record):
    """Players, each of which beats the next one, and the last the first."""

    players: tuple[str, ...]
    #: The score of each against the next one.
    scores: tuple[float, ...]
    #: Whether each of these scores is above 1/2 in the whole band. Else it is an estimate.
    is_sure: bool


@dataclass(frozen=True)
class Evaluation(Record):
    """The players of a store by every method, with intervals that hold together."""

    SCHEMA = "arena.evaluate/1"
    KEYS = (
        "by games players pairings tasks scores told_apart cycles error entries critical_value"
        " statements"
    )

    #: ``player`` if players meet each other, ``game`` if each game is a task.
    by: str
    games: tuple[str, ...]
    #: By ranked pairs, the best first.
    players: tuple[EvaluatedPlayer, ...]
    #: Each two players once, in the order of the players.
    pairings: tuple[EvaluatedPairing, ...]
    #: The games as tasks; empty by player.
    tasks: tuple[EvaluatedTask, ...]
    #: The scores of the agents at the tasks; empty by player.
    scores: tuple[TaskScore, ...]
    #: By method, the pairs of players whose order is sure.
    told_apart: tuple[Orders, ...]
    #: A shortest cycle of each group of players that beat each other.
    cycles: tuple[MatrixCycle, ...]
    #: The chance that a single entry of the matrix lies outside its interval is at most this.
    error: float
    #: The number of entries whose intervals share that.
    entries: int
    #: Standard errors between an entry and its ends.
    critical_value: float
    #: Sentences that a reader has to know.
    statements: tuple[str, ...]
