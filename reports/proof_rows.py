"""Lay out proofs as rows."""

from __future__ import annotations

from typing import Any

from arena.features.solve.record import SolveReport
from arena.records.proofs import (
    Certificate,
    Chances,
    CheckedCertificate,
    CheckedFight,
    ExactResult,
    ExactTournament,
    MoveReport,
)
from arena.records.theorems import PlayerTheorem, Theorem
from arena.reports.rows import Rows, flat

_CHANCES = ["a", "b", "win", "draw", "loss", "score"]


@flat.register
def _(exact: ExactResult) -> Rows:
    views = {"first": exact.first, "second": exact.second, "total": exact.total}
    return [
        ["a_moves", *_CHANCES],
        *([view, *_exact(exact.players, chances)] for view, chances in views.items()),
    ]


@flat.register
def _(tournament: ExactTournament) -> Rows:
    return [_CHANCES, *(_exact(p.players, p.total) for p in tournament.pairings)]


@flat.register
def _(checked: CheckedFight) -> Rows:
    header, *rows = flat(checked.fight)
    exact = checked.exact
    chances = (exact.first, exact.second, exact.total)
    return [
        [*header, "win", "draw", "loss", "p_value", "p_value_test"],
        *(
            [*row, c.win, c.draw, c.loss, checked.p_value, checked.p_value_test]
            for row, c in zip(rows, chances, strict=True)
        ),
    ]


@flat.register
def _(certificate: Certificate) -> Rows:
    return [
        ["player", "game", "moving", "never_loses", "positions", "best_reply", "losing_line"],
        *(
            [
                certificate.player,
                certificate.game,
                name,
                side.never_loses,
                side.positions,
                side.best_reply,
                " ".join(step.move for step in side.losing_line or ()),
            ]
            for name, side in (("first", certificate.first), ("second", certificate.second))
        ),
    ]


@flat.register
def _(theorem: PlayerTheorem) -> Rows:
    return [
        ["player", "game", "moving", "never_loses", "positions", "losing_line", "certificate"],
        *(
            [
                theorem.player,
                theorem.game,
                name,
                side.never_loses,
                side.positions,
                " ".join(side.losing_line or ()),
                theorem.certificate,
            ]
            for name, side in (("first", theorem.first), ("second", theorem.second))
        ),
    ]


@flat.register
def _(report: SolveReport) -> Rows:
    keys = report.KEYS.split()[:-2]  # the claims have a command of their own
    return [keys, [getattr(report, key) for key in keys]]


@flat.register
def _(theorem: Theorem) -> Rows:
    return [
        ["game", "game_version", "start", "value", "claim", "positions", "moves", "checked_by"],
        *(
            [
                theorem.game,
                theorem.game_version,
                theorem.start,
                theorem.value,
                each.claim,
                each.positions,
                each.moves,
                theorem.checked_by,
            ]
            for each in theorem.claims
        ),
    ]


@flat.register
def _(checked: CheckedCertificate) -> Rows:
    found = "" if checked.agreement is None else checked.agreement.refutation
    return [
        ["game", "named", "moving", "positions", "best_reply", "losing_line", "player", "refuted"],
        *(
            [
                checked.game,
                checked.named,
                name,
                side.positions,
                side.best_reply,
                " ".join(side.losing_line or ()),
                checked.player,
                found,
            ]
            for name, side in (("first", checked.first), ("second", checked.second))
        ),
    ]


@flat.register
def _(report: MoveReport) -> Rows:
    moves = report.moves
    return [
        ["player", "position", "move", "probability", "value"],
        *(
            [report.player, report.position, move, moves.get(move, 0), report.values.get(move)]
            for move in report.values or moves
        ),
    ]


def _exact(players: tuple[str, str], chances: Chances) -> list[Any]:
    return [*players, chances.win, chances.draw, chances.loss, chances.score]
