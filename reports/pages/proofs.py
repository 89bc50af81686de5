"""Lay out proofs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from arena.errors import counted, quoted
from arena.records.proofs import (
    Certificate,
    Chances,
    CheckedCertificate,
    CheckedFight,
    ExactResult,
    ExactTournament,
    MoveReport,
    SideCertificate,
)
from arena.records.theorems import PlayerTheorem, Theorem
from arena.reports.cells import Cell, Tone, Toned, cell, percent
from arena.reports.page import Block, Board, Fine, Page, Table, page
from arena.reports.steps import moves_of, steps

#: The assumption of a proof about a player.
ASSUMED = "assumed: it moves in games as it does when it is asked"


@page.register
def _(report: MoveReport) -> Page:
    zero = Fraction(0)
    chances = {move: report.moves.get(move, zero) for move in report.values or report.moves}
    rows = [
        [
            report.written.get(move, move),
            str(p),
            f"{float(p):.4f}",
            _value(report.values.get(move, "")),
        ]
        for move, p in chances.items()
    ]
    moves = Table(["move", "probability", "", "value" if report.values else ""], rows)
    account = [report.account][: bool(report.account)]
    picture = Board(report.picture)
    head = f"{report.player} at {report.position}:"
    return [head, picture, moves, *account, *map(Fine, _choice(report))]


def _choice(report: MoveReport) -> list[str]:
    """Say how much a player leaves to chance, and how often its move keeps the value."""
    made = counted(len(report.moves), "different move")
    if not report.values:
        return [f"it makes {made} here; what they are worth is not known"]
    outcomes = {move: value.partition(" ")[0] for move, value in report.values.items()}
    best = next((own for own in ("win", "draw", "loss") if own in outcomes.values()), None)
    if best is None:
        return [f"it makes {made} here"]
    keeping = [move for move, outcome in outcomes.items() if outcome == best]
    shown = ", ".join(report.written.get(move, move) for move in keeping)
    chance = sum((report.moves.get(move, Fraction(0)) for move in keeping), Fraction(0))
    moves = f"{len(keeping)} of {counted(len(outcomes), 'legal move')}"
    return [
        f"it makes {made} here",
        f"perfect play is worth a {best}, which {moves} keep: {shown}",
        f"probability that the player keeps it: {chance}",
    ]


@page.register
def _(checked: CheckedCertificate) -> Page:
    verdict = "never lose" if checked.never_loses else "can lose"
    lines = [f"the moves in this file {verdict} at {checked.game}"]
    for name, side in (("first", checked.first), ("second", checked.second)):
        loss = " ".join(side.written or side.losing_line or ())
        line = "no loss" if side.losing_line is None else f"a loss by {loss}"
        known = side.best_reply is not None
        score = f"; the best opponent scores {side.best_reply}" if known else ""
        lines.append(f"moving {name}: {line} in {counted(side.positions, 'position')}{score}")
    lines += _checked_by(checked)
    if checked.first.best_reply is None or checked.second.best_reply is None:
        lines.append("not checked: the scores (the file does not say how probable the moves are)")
    if checked.agreement is None:
        named = quoted(checked.named)
        lines.append(f"not checked: whose moves they are (the file names {named})")
    return lines + _keeping(checked)


def _checked_by(checked: CheckedCertificate | Theorem) -> list[str]:
    """Say what verified a file, and what the file says of itself."""
    lines = [f"checked against every reply by the rules alone: {checked.checked_by}"]
    if checked.source is not None:
        written = f", written by {quoted(checked.program)}" if checked.program is not None else ""
        source = f"the file says {quoted(checked.source)}{written}"
        lines.append(f"not checked: where the moves come from ({source})")
    if checked.assumes:
        lines.append(f"the file's writer assumed: {checked.assumes}")
    return lines


def _walked_by(program: str) -> str:
    return f"walked against every reply by {program}"


def _keeping(checked: CheckedCertificate | Theorem) -> list[str]:
    """Say whether the player keeps to the moves, if one was asked."""
    if checked.agreement is None:
        return []
    if checked.agreement.holds:
        games = counted(checked.agreement.games, "game")
        return [f"{checked.player} keeps to these moves in {games}"]
    return [f"{checked.player} does not keep to these moves: {checked.agreement.refutation}"]


@page.register
def _(theorem: Theorem) -> Page:
    claims = Table(
        ["proved", "positions", "recorded moves"],
        [[each.claim, each.positions, each.moves] for each in theorem.claims],
    )
    value = "" if theorem.value is None else f": a {theorem.value} for the side to move"
    return [
        f"the moves in this file prove it at {theorem.game}, version {theorem.game_version}, from"
        f" {theorem.start}{value}",
        claims,
        *_checked_by(theorem),
        *_keeping(theorem),
    ]


@page.register
def _(theorem: PlayerTheorem) -> Page:
    sides = {"first": theorem.first, "second": theorem.second}
    verdict = "never loses" if theorem.never_loses else "can lose"
    rows: list[list[Cell]] = [
        [f"moving {name}", "yes" if side.never_loses else "no", side.positions]
        for name, side in sides.items()
    ]
    lines = [
        f"moving {name} it loses by {' '.join(side.written or side.losing_line)}"
        for name, side in sides.items()
        if side.losing_line is not None
    ]
    written = [f"{theorem.certificate} proves: {each.claim}" for each in theorem.claims]
    return [
        f"{theorem.player} {verdict} at {theorem.game}, version {theorem.game_version}, as a"
        " function of the position",
        Table([theorem.player, "never loses", "positions"], rows),
        *lines,
        f"{_walked_by(theorem.proved_by)}; asked {theorem.account}",
        f"{ASSUMED}; no real game was looked up",
        *written,
    ]


@page.register
def _(exact: ExactResult) -> Page:
    a, b = exact.players
    total = exact.total
    views = {"moving first": exact.first, "moving second": exact.second, "total": total}
    fractions = Table(
        [a, "win", "draw", "loss"],
        [[name, str(c.win), str(c.draw), str(c.loss)] for name, c in views.items()],
    )
    rows: list[list[Cell]] = [[name, *_chances(chances)] for name, chances in views.items()]
    return [
        f"Exactly, at {exact.game}: draw {percent(total.draw)}, {a} wins {percent(total.win)},"
        f" {b} wins {percent(total.loss)}",
        *_mean([exact]),
        *watched_lines([exact]),
        Table([a, "win", "draw", "loss", "score"], rows),
        "As fractions:",
        fractions,
        *map(Fine, _exactly(exact)),
    ]


def _exactly(exact: ExactResult) -> Iterator[str]:
    """Yield the scores as fractions, how many positions were walked, and the shortest losses."""
    a, b = exact.players
    chances = (exact.first, exact.second, exact.total)
    first, second, total = (chance.score for chance in chances)
    yield f"score of {a}: {first} moving first, {second} moving second, {total} in all"
    if any(exact.positions):
        ours, theirs = exact.positions
        yield f"walked: {counted(ours, 'position')} with {a} first, {theirs} with {b} first"
    for line in exact.losing_lines:
        begun = f" from {line.opening}" if line.opening else ""
        shown = moves_of(line.moves)
        yield f"shortest loss of {line.player}, moving {line.side}{begun}: {shown}"


def _value(value: str) -> Toned:
    """Show what a move is worth: ``draw``, ``win in 3``."""
    outcome = value.partition(" ")[0]
    return Toned(value, {"win": Tone.GOOD, "loss": Tone.BAD}.get(outcome))


def _mean(results: Sequence[ExactResult]) -> list[str]:
    names = {result.openings for result in results} - {""}
    return [f"the mean over the openings {name}" for name in names]


def watched_lines(results: Sequence[ExactResult]) -> list[str]:
    """Say how the tables were found, and how many real games agree with them."""
    names = dict.fromkeys(name for result in results for name in result.watched)
    declared = {name for result in results for name in result.declared}
    kinds = {
        "as a function of the position": [name for name in names if name not in declared],
        "by its own declaration": [name for name in names if name in declared],
    }
    said = " and ".join(f"{', '.join(who)} {kind}" for kind, who in kinds.items() if who)
    games = sum(result.games for result in results)
    return [f"{said}; {games} real games agree"] if said else []


@page.register
def _(checked: CheckedFight) -> Page:
    parts = list(page(checked.fight))
    rows: list[list[Cell]] = []
    for name, tally, chances in (
        ("first", checked.fight.first, checked.exact.first),
        ("second", checked.fight.second, checked.exact.second),
    ):
        for result, n, chance in (
            ("won", tally.wins, chances.win),
            ("drawn", tally.draws, chances.draw),
            ("lost", tally.losses, chances.loss),
        ):
            expected = f"{float(chance * tally.games):.1f}"
            rows.append([f"moving {name}, {result}", n, expected, str(chance)])
    table = Table([checked.fight.players[0], "sampled", "expected", "probability"], rows)
    digits = ".4f" if checked.p_value >= 0.001 else ".1e"
    p_value = f"{checked.p_value_test} p-value {checked.p_value:{digits}}"
    return [*parts, table, p_value, *watched_lines([checked.exact])]


@page.register
def _(tournament: ExactTournament) -> Page:
    standings = Table(
        ["rank", "player", "score", ""],
        [[s.rank, s.player, percent(s.score), str(s.score)] for s in tournament.standings],
    )
    scores: dict[tuple[str, str], str] = {}
    for pairing in tournament.pairings:
        a, b = pairing.players
        scores[a, b] = percent(pairing.total.score)
        scores[b, a] = percent(pairing.total.reversed().score)
    names = [s.player for s in tournament.standings]
    rows: list[list[Cell]] = [
        [place, row, *(scores.get((row, column), "") for column in names)]
        for place, row in enumerate(names, start=1)
    ]
    cross = Table(
        ["", "player", *(str(place) for place in range(1, len(names) + 1))], rows, keys=2, names=1
    )
    return [
        standings,
        "Expected score of the row's player:",
        cross,
        f"exact round robin of {len(names)} players at {tournament.game}",
        *_mean(tournament.pairings),
        *watched_lines(tournament.pairings),
        *(f"left out: {reason}" for reason in tournament.left_out.values()),
    ]


@page.register
def _(certificate: Certificate) -> Page:
    sides = {"moving first": certificate.first, "moving second": certificate.second}
    rows: list[list[Cell]] = [
        [
            name,
            Toned(cell(side.never_loses), Tone.GOOD if side.never_loses else Tone.BAD),
            side.positions,
            percent(side.best_reply),
            str(side.best_reply),
        ]
        for name, side in sides.items()
    ]
    headers = [certificate.player, "never loses", "positions", "best opponent's score", ""]
    table = Table(headers, rows)
    parts: list[str | Table | Block] = [
        _verdict(certificate),
        table,
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


def _chances(chances: Chances) -> list[Cell]:
    return [percent(p) for p in (chances.win, chances.draw, chances.loss, chances.score)]
