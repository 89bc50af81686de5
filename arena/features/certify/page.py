"""Lay out certificates, and what checking them shows."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from arena.errors import counted, quoted
from arena.model.columns import CSV, Column, flat_rows
from arena.records.equilibria import CheckedStrategies, Exploitability
from arena.records.proofs import Certificate, CheckedCertificate, SideCertificate
from arena.records.theorems import PlayerTheorem, ProvedClaim, Theorem
from arena.reports.cells import Tone, TonedText, cell, mean_payoff, percent
from arena.reports.columns.fights import side_cell, titled
from arena.reports.columns.proofs import CLAIM
from arena.reports.page import Block, Fine, Page, Rows, Table, declared_table, flat, page
from arena.reports.steps import moves_of, steps

#: The assumption of a proof about a player.
ASSUMED = "assumed: it moves in games as it does when it is asked"


#: ``first`` or ``second``, and the part of a proof about that side.
_SideRow = tuple[str, Any]


def _sides(proof: Certificate | CheckedCertificate | PlayerTheorem) -> list[_SideRow]:
    return [("first", proof.first), ("second", proof.second)]


def _never_loses_cell(never_loses: bool) -> TonedText:
    return TonedText(cell(never_loses), Tone.GOOD if never_loses else Tone.BAD)


_SIDE: tuple[Column[_SideRow], ...] = (
    Column("moving", lambda row: row[0], cell=side_cell),
    Column("never_loses", lambda row: row[1].never_loses, cell=_never_loses_cell),
    Column("positions", lambda row: row[1].positions),
)

_BEST = "best opponent's score"

#: The columns of a certificate by side.
CERTIFIED: tuple[Column[_SideRow], ...] = (
    *_SIDE,
    Column("best_reply", lambda row: row[1].best_reply, cell=percent, title=_BEST),
    Column("exactly", lambda row: str(row[1].best_reply), ("page",), title=""),
    Column("losing_line", lambda row: " ".join(row[1].as_json()["losing_line"] or ()), CSV),
)

#: The columns of the best responses to a player, by its seat.
RESPONSES: tuple[Column[tuple[str, Fraction, int]], ...] = (
    Column("moving", lambda row: row[0], cell=side_cell),
    Column("best_response", lambda row: row[1], cell=mean_payoff, title="best opponent gets"),
    Column("exactly", lambda row: str(row[1]), ("page",), title=""),
    Column("histories", lambda row: row[2]),
)

#: The columns of a walk of a player by side.
WALKED: tuple[Column[_SideRow], ...] = (
    *_SIDE,
    Column("losing_line", lambda row: " ".join(row[1].losing_line or ()), CSV),
)


@page.register
def _certificate_page(certificate: Certificate) -> Page:
    sides = {"moving first": certificate.first, "moving second": certificate.second}
    parts: list[str | Table | Block] = [
        _verdict(certificate),
        declared_table(titled(CERTIFIED, moving=certificate.player), _sides(certificate)),
        f"exploitability {certificate.exploitability} points per game",
        *_agreement(certificate),
        _walked_by(certificate.proved_by),
        f"{ASSUMED} {certificate.how}",
        *(Fine(line) for name, side in sides.items() for line in _walked(name, side)),
    ]
    for name, side in sides.items():
        if side.losing_line is not None:
            parts.append(f"The shortest loss when {name}: {moves_of(side.losing_line)}")
            parts += steps(certificate.player, side.losing_line)
    return parts


@flat.register
def _certificate_rows(certificate: Certificate) -> Rows:
    named = {"player": certificate.player, "game": certificate.game}
    return flat_rows(CERTIFIED, _sides(certificate), **named)


def _walked(name: str, side: SideCertificate) -> Iterator[str]:
    """Yield the size of the walk of one side."""
    if side.by_ply:
        yield f"{name}, positions by ply: {' '.join(map(str, side.by_ply))}"
    turns = counted(len(side.moves), "turn")
    several = sum(len(moves) > 1 for moves in side.moves.values())
    yield f"{name}, it has {turns}, and leaves {several} of them to chance"


def _verdict(certificate: Certificate) -> str:
    """Return the theorem about the table of a player's moves, and where the table comes from."""
    player, game = certificate.player, certificate.game
    if certificate.agreement is not None and not certificate.agreement.holds:
        return f"{player} does not play at {game} as it was certified: nothing is proved about it"
    verdict = "never loses" if certificate.table_never_loses else "can lose"
    account = ", by its own declaration," if certificate.is_declared else ""
    return f"{player}{account} {verdict} at {game}, as a function of the {certificate.keyed_by}"


def _agreement(certificate: Certificate) -> list[str]:
    agreement = certificate.agreement
    if agreement is None:
        return ["every line of its table was walked; it did not play a real game"]
    if not agreement.holds:
        return [f"Did not play as certified: {agreement.refutation}"]
    games = counted(agreement.games, "real game")
    return [
        f"every line of its table was walked, and {games} followed it",
        f"at 95 %, it leaves the table in fewer than {percent(agreement.share)} of such games",
    ]


@page.register
def _checked_certificate_page(certificate: CheckedCertificate) -> Page:
    verdict = "never lose" if certificate.never_loses else "can lose"
    lines = [f"the moves in this file {verdict} at {certificate.game}"]
    for name, side in _sides(certificate):
        loss = " ".join(side.written or side.losing_line or ())
        line = "no loss" if side.losing_line is None else f"a loss by {loss}"
        has_score = side.best_reply is not None
        score = f"; the best opponent scores {side.best_reply}" if has_score else ""
        lines.append(f"moving {name}: {line} in {counted(side.positions, 'position')}{score}")
    lines += _checked_by(certificate)
    if certificate.first.best_reply is None or certificate.second.best_reply is None:
        lines.append("not checked: the scores (the file does not say how probable the moves are)")
    if certificate.agreement is None:
        named = quoted(certificate.named)
        lines.append(f"not checked: whose moves they are (the file names {named})")
    return lines + _keeping(certificate)


@flat.register
def _checked_certificate_rows(certificate: CheckedCertificate) -> Rows:
    agreement = certificate.agreement
    columns: list[Column[_SideRow]] = [
        Column("moving", lambda row: row[0]),
        Column("positions", lambda row: row[1].positions),
        Column("best_reply", lambda row: row[1].best_reply),
        Column("losing_line", lambda row: " ".join(row[1].losing_line or ())),
        Column("player", lambda _: certificate.player),
        Column("refuted", lambda _: agreement.refutation if agreement else ""),
    ]
    return flat_rows(columns, _sides(certificate), game=certificate.game, named=certificate.named)


def _checked_by(proof: CheckedCertificate | Theorem | CheckedStrategies) -> list[str]:
    """Say what verified a file, and what the file says of itself."""
    lines = [f"checked against every reply by the rules alone: {proof.checked_by}"]
    if proof.source is not None:
        written = f", written by {quoted(proof.program)}" if proof.program is not None else ""
        source = f"the file says {quoted(proof.source)}{written}"
        lines.append(f"not checked: where the moves come from ({source})")
    if not isinstance(proof, CheckedStrategies) and proof.assumes:
        lines.append(f"the file's writer assumed: {proof.assumes}")
    return lines


def _walked_by(program: str) -> str:
    return f"walked against every reply by {program}"


def _keeping(proof: CheckedCertificate | Theorem | CheckedStrategies) -> list[str]:
    """Say whether the player keeps to the moves, if one was asked."""
    if proof.agreement is None:
        return []
    if proof.agreement.holds:
        games = counted(proof.agreement.games, "game")
        return [f"{proof.player} keeps to these moves in {games}"]
    return [f"{proof.player} does not keep to these moves: {proof.agreement.refutation}"]


@page.register
def _theorem_page(theorem: Theorem) -> Page:
    value = "" if theorem.value is None else f": a {theorem.value} for the side to move"
    return [
        f"the moves in this file prove it at {theorem.game}, version {theorem.game_version}, from"
        f" {theorem.start}{value}",
        declared_table(CLAIM, theorem.claims),
        *_checked_by(theorem),
        *_keeping(theorem),
    ]


@flat.register
def _theorem_rows(theorem: Theorem) -> Rows:
    keys = ("game", "game_version", "start", "value")
    checked_by = Column[ProvedClaim]("checked_by", lambda _: theorem.checked_by, CSV)
    same = {key: getattr(theorem, key) for key in keys}
    return flat_rows([*CLAIM, checked_by], theorem.claims, **same)


@page.register
def _checked_strategies_page(strategies: CheckedStrategies) -> Page:
    first, second = strategies.sets
    value = (
        f"{strategies.value}"
        if strategies.value is not None
        else f"{strategies.low} to {strategies.high}"
    )
    return [
        f"the strategies in this file prove that {strategies.game}, version"
        f" {strategies.game_version}, pays its first seat {value} {strategies.unit} per game",
        f"{first} sets of the first seat, {second} of the second",
        *_checked_by(strategies),
        *_keeping(strategies),
    ]


@flat.register
def _checked_strategies_rows(strategies: CheckedStrategies) -> Rows:
    keys = ["game", "game_version", "unit", "low", "high", "checked_by", "player"]
    sets = ("first_sets", "second_sets")
    return [[*keys, *sets], [*(getattr(strategies, key) for key in keys), *strategies.sets]]


@page.register
def _exploitability_page(proof: Exploitability) -> Page:
    seats = [
        (name, payoff, histories)
        for name, payoff, histories in zip(
            ("first", "second"), proof.best_response, proof.histories, strict=True
        )
    ]
    bound = []
    if proof.at_most is not None:
        is_within = proof.exploitability <= proof.at_most
        verdict = "no more than" if is_within else "more than"
        bound = [f"that is {verdict} the {proof.at_most} allowed"]
    file = [] if proof.file is None else [f"best-response:{proof.file} plays what takes it"]
    return [
        _worst_case(proof),
        declared_table(titled(RESPONSES, moving=proof.player), seats),
        *bound,
        *_real_games(proof),
        _walked_by(proof.proved_by),
        f"assumed: {proof.assumes}",
        *file,
    ]


def _worst_case(proof: Exploitability) -> str:
    """Say how much the player loses at most, or that nothing is known of it."""
    if proof.real_games is not None and not proof.real_games.holds:
        return (
            f"{proof.player} does not play at {proof.game} as it was asked: nothing is proved about"
            " it"
        )
    account = ", by its own declaration," if proof.is_declared else ""
    if not proof.exploitability:
        return f"{proof.player}{account} loses nothing to any player at {proof.game}"
    return (
        f"{proof.player}{account} loses at most {proof.exploitability}"
        f" ({float(proof.exploitability):.4g}) {proof.unit} per game to any player at {proof.game}"
    )


def _real_games(proof: Exploitability) -> list[str]:
    if proof.real_games is None:
        return ["every history of its table was walked; it did not play a real game"]
    if not proof.real_games.holds:
        return [f"Did not play as it was asked: {proof.real_games.refutation}"]
    games = counted(proof.real_games.agreement.games, "real game")
    test, p_value = proof.real_games.paid_test, proof.real_games.paid_p_value
    return [
        f"in {games} against its best opponent it moved by its table, and they paid what that makes"
        f" them ({test} p-value {p_value:.4f})"
    ]


@flat.register
def _exploitability_rows(proof: Exploitability) -> Rows:
    keys = ["game", "player", "unit", "exploitability"]
    named = [getattr(proof, key) for key in keys]
    rows = zip(("first", "second"), proof.best_response, proof.histories, strict=True)
    return [[*keys, "moving", "best_response", "histories"], *([*named, *row] for row in rows)]


@page.register
def _player_theorem_page(theorem: PlayerTheorem) -> Page:
    verdict = "never loses" if theorem.never_loses else "can lose"
    lines = [
        f"moving {name} it loses by {' '.join(side.written or side.losing_line)}"
        for name, side in _sides(theorem)
        if side.losing_line is not None
    ]
    written = [f"{theorem.certificate} proves: {each.claim}" for each in theorem.claims]
    return [
        f"{theorem.player} {verdict} at {theorem.game}, version {theorem.game_version}, as a"
        " function of the position",
        declared_table(titled(WALKED, moving=theorem.player), _sides(theorem)),
        *lines,
        f"{_walked_by(theorem.proved_by)}; asked {theorem.account}",
        f"{ASSUMED}; no real game was looked up",
        *written,
    ]


@flat.register
def _player_theorem_rows(theorem: PlayerTheorem) -> Rows:
    certificate = Column[_SideRow]("certificate", lambda _: theorem.certificate, CSV)
    named = {"player": theorem.player, "game": theorem.game}
    return flat_rows([*WALKED, certificate], _sides(theorem), **named)
