"""Fixed records of evaluations."""

from __future__ import annotations

from arena.features.evaluate.record import (
    EvaluatedPairing,
    EvaluatedPlayer,
    EvaluatedTask,
    Evaluation,
    MatrixCycle,
    Orders,
    Ranged,
    RankSpan,
    TaskScore,
)
from arena.records.base import Record

_THIRD = Ranged(0.3333, 0.2, 0.5)
_ALL, _NOTHING = Ranged(1.0, 1.0, 1.0), Ranged(0.0, 0.0, 0.0)
_METHODS = ("nash", "against_nash", "alpha_rank", "lottery", "ranked_pairs")

EVALUATED: dict[str, Record] = {
    "evaluated": Evaluation(
        by="player",
        games=("tictactoe",),
        players=(
            *(
                EvaluatedPlayer(
                    name,
                    nash=_THIRD,
                    against_nash=Ranged(0.5, 0.5, 0.5),
                    alpha_rank=Ranged(0.3333, 0.3, 0.4),
                    lottery=Ranged(0.3333, 0.3333, 0.3334),
                    ranked_pairs=RankSpan(1, 1, 3),
                )
                for name in ("anna", "bert", "cleo")
            ),
            EvaluatedPlayer(
                "dora",
                nash=_NOTHING,
                against_nash=Ranged(0.25, 0.0714, 0.4001),
                alpha_rank=_NOTHING,
                lottery=_NOTHING,
                ranked_pairs=RankSpan(4, 4, 4),
            ),
        ),
        pairings=(
            EvaluatedPairing("anna", "bert", 0.8, 0.7, 0.9),
            EvaluatedPairing("anna", "cleo", 0.2, 0.1, 0.3),
            EvaluatedPairing("anna", "dora", 0.75, 0.6, 0.9),
            EvaluatedPairing("bert", "cleo", 0.8, 0.7, 0.9),
            EvaluatedPairing("bert", "dora", 0.75, 0.6, 0.9),
            EvaluatedPairing("cleo", "dora", 0.5, 0.0, 1.0, is_played=False),
        ),
        tasks=(),
        scores=(),
        told_apart=tuple(
            Orders(method, (("anna", "dora"), ("bert", "dora"), ("cleo", "dora")))
            for method in _METHODS
        ),
        cycles=(
            MatrixCycle(("anna", "bert", "cleo"), (0.8, 0.8, 0.8), is_sure=True),
            MatrixCycle(("anna", "bert", "cleo", "dora"), (0.8, 0.8, 0.6, 0.51), is_sure=False),
        ),
        error=0.05,
        entries=5,
        critical_value=2.5758,
        statements=("1 pairing was never played (cleo and dora): the estimates take 1/2",),
    ),
    "evaluated-by-game": Evaluation(
        by="game",
        games=("tictactoe", "mnk-4-4-3"),
        players=(
            EvaluatedPlayer("anna", _ALL, Ranged(0.75, 0.7, 0.8), _ALL, _ALL, RankSpan(1, 1, 1)),
            EvaluatedPlayer(
                "bert", _NOTHING, Ranged(0.25, 0.2, 0.3), _NOTHING, _NOTHING, RankSpan(2, 2, 2)
            ),
        ),
        pairings=(EvaluatedPairing("anna", "bert", 1.0, 0.5, 1.0),),
        tasks=(
            EvaluatedTask("tictactoe", Ranged(0.0, 0.0, 0.25)),
            EvaluatedTask("mnk-4-4-3", Ranged(1.0, 0.75, 1.0)),
        ),
        scores=(
            TaskScore("anna", "tictactoe", 0.9, 0.85, 0.95),
            TaskScore("anna", "mnk-4-4-3", 0.75, 0.7, 0.8),
            TaskScore("bert", "tictactoe", 0.1, 0.05, 0.15),
            TaskScore("bert", "mnk-4-4-3", 0.25, 0.2, 0.3),
        ),
        told_apart=tuple(Orders(method, (("anna", "bert"),)) for method in _METHODS),
        cycles=(),
        error=0.05,
        entries=4,
        critical_value=2.4977,
        statements=(),
    ),
}
