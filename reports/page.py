"""What is shown of each record: lines and tables, whatever they are printed as."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import singledispatch

from arena.proved import (
    Certificate,
    Chances,
    CheckedFight,
    ExactResult,
    ExactTournament,
    MoveReport,
)
from arena.results import (
    FightResult,
    ForfeitedGame,
    Listing,
    Record,
    ReplayReport,
    SprtReport,
    Tally,
    TournamentResult,
)
from arena.stats.interval import score_interval

Cell = str | int


@dataclass(frozen=True)
class Table:
    """Cells under headers."""

    headers: Sequence[str]
    rows: Sequence[Sequence[Cell]]


@dataclass(frozen=True)
class Block:
    """Several lines whose columns matter, such as a board."""

    text: str


#: Lines of text, tables, and blocks, from top to bottom.
Page = Sequence[str | Table | Block]


@singledispatch
def page(record: Record) -> Page:
    """The page of a record."""
    raise TypeError(f"no page for a {type(record).__name__}")


@page.register
def _(fight: FightResult) -> Page:
    a, _b = fight.players
    table = Table(
        [a, "games", "wins", "draws", "losses", "score", "95 % interval"],
        [
            ["moving first", *_tally(fight.first), ""],
            ["moving second", *_tally(fight.second), ""],
            ["total", *_tally(fight.total), _interval(fight)],
        ],
    )
    facts = (
        f"{fight.pairs} pairs of {fight.game}, {fight.distinct_games} distinct games,"
        f" seed {fight.seed}, engine {_engine(fight)}"
    )
    losses = [
        f"the first loss of {name}: arena replay {game_id}"
        for name, game_id in zip(fight.players, fight.first_lost, strict=True)
        if game_id
    ]
    return [str(fight), table, facts, *losses, *_troubles(fight)]


@page.register
def _(tournament: TournamentResult) -> Page:
    standings = Table(
        ["rank", "player", "games", "wins", "draws", "losses", "score"],
        [[s.rank, s.player, *_tally(s.tally)] for s in tournament.standings],
    )
    fights = tournament.fights
    facts = [
        f"{tournament.schedule} of {len(tournament.standings)} players at {tournament.game},"
        f" {fights[0].planned} pairs a pairing",
        f"seed {tournament.seed}, engine {', '.join(sorted({_sampling(f) for f in fights}))}",
    ]
    troubles = [line for fight in fights for line in _troubles(fight)]
    return [
        standings,
        "Wins-draws-losses of the row's player:",
        _cross(tournament),
        *facts,
        *troubles,
    ]


@page.register
def _(report: MoveReport) -> Page:
    zero = Fraction(0)
    chances = {move: report.moves.get(move, zero) for move in report.values or report.moves}
    rows = [
        [move, str(p), f"{float(p):.4f}", report.values.get(move, "")]
        for move, p in chances.items()
    ]
    moves = Table(["move", "probability", "", "value" if report.values else ""], rows)
    return [f"{report.player} at {report.position}:", Block(report.picture), moves]


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
        f"Exactly, at {exact.game}: draw {_percent(total.draw)}, {a} wins {_percent(total.win)},"
        f" {b} wins {_percent(total.loss)}",
        Table([a, "win", "draw", "loss", "score"], rows),
        "As fractions:",
        fractions,
    ]


@page.register
def _(tournament: ExactTournament) -> Page:
    standings = Table(
        ["rank", "player", "score", ""],
        [[s.rank, s.player, _percent(s.score), str(s.score)] for s in tournament.standings],
    )
    scores: dict[tuple[str, str], str] = {}
    for pairing in tournament.pairings:
        a, b = pairing.players
        scores[a, b] = _percent(pairing.total.score)
        scores[b, a] = _percent(pairing.total.reversed().score)
    names = [s.player for s in tournament.standings]
    rows: list[list[Cell]] = [
        [place, row, *(scores.get((row, column), "") for column in names)]
        for place, row in enumerate(names, start=1)
    ]
    cross = Table(["", "player", *(str(place) for place in range(1, len(names) + 1))], rows)
    return [
        standings,
        "Expected score of the row's player:",
        cross,
        f"exact round robin of {len(names)} players at {tournament.game}",
        *(f"left out: {reason}" for reason in tournament.left_out.values()),
    ]


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
    return [*parts, table, f"chi-square p-value {checked.p_value:.4f}"]


@page.register
def _(certificate: Certificate) -> Page:
    verdict = "never loses" if certificate.never_loses else "can lose"
    sides = {"moving first": certificate.first, "moving second": certificate.second}
    rows: list[list[Cell]] = [
        [
            name,
            _cell(side.never_loses),
            side.positions,
            _percent(side.best_reply),
            str(side.best_reply),
        ]
        for name, side in sides.items()
    ]
    headers = [certificate.player, "never loses", "positions", "best opponent's score", ""]
    table = Table(headers, rows)
    parts: list[str | Table | Block] = [
        f"{certificate.player} {verdict} at {certificate.game}: every line was walked",
        table,
        f"exploitability {certificate.exploitability} points a game",
    ]
    for name, side in sides.items():
        if side.losing_line is not None:
            line = " ".join(step.move for step in side.losing_line)
            parts.append(f"The shortest loss when {name}: {line}")
            for ply, step in enumerate(side.losing_line, start=1):
                mover = certificate.player if step.by_player else "the opponent"
                mistake = f", which gives {step.gave_away} away" if step.gave_away else ""
                parts += [f"{ply}. {mover} plays {step.move}{mistake}", Block(step.picture)]
    return parts


@page.register
def _(replay: ReplayReport) -> Page:
    parts: list[str | Table | Block] = [
        f"{replay.players[0]} (first) against {replay.players[1]} (second) at {replay.game}",
        Block(replay.pictures[0]),
    ]
    for ply, (move, picture) in enumerate(zip(replay.moves, replay.pictures[1:], strict=True)):
        parts += [f"{ply + 1}. {replay.players[ply % 2]} plays {move}", Block(picture)]
    if replay.forfeit:
        parts.append(f"{replay.forfeit.player} forfeits ({replay.forfeit.message})")
    parts.append(f"{replay.winner} wins" if replay.winner else "Draw")
    return parts


@page.register
def _(test: SprtReport) -> Page:
    accepted = {"H0": (test.elo0, test.elo1), "H1": (test.elo1, test.elo0)}
    verdict = "undecided: more results are needed"
    if test.decision in accepted:
        is_, is_not = accepted[test.decision]
        verdict = (
            f"{test.decision} is accepted: the difference is {is_:g} Elo rather than {is_not:g}"
        )
    rows: list[list[Cell]] = [
        ["log-likelihood ratio", _number(test.llr), f"{test.lower:.3f} to {test.upper:.3f}"],
        ["score", "-" if test.score is None else f"{100 * test.score:.2f} %", ""],
        ["Elo", _number(test.elo), _margin(test.elo_error, test.reasons.get("elo"))],
        ["normalised Elo", _number(test.nelo), _margin(test.nelo_error, test.reasons.get("nelo"))],
        ["probably stronger", "-" if test.los is None else f"{100 * test.los:.2f} %", ""],
    ]
    kind = "pairs" if len(test.counts) == 5 else "games"
    facts = f"{test.model} model, {sum(test.counts)} {kind}, the view of the player counted"
    return [verdict, Table(["", "value", "bounds or error"], rows), facts]


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _margin(error: float | None, reason: str | None) -> str:
    return reason or ("-" if error is None else f"+- {error:.2f}")


@page.register
def _(listing: Listing) -> Page:
    rows = [[_cell(row[key]) for key in listing.columns] for row in listing.rows]
    parts: list[str | Table | Block] = [Table([c.replace("_", " ") for c in listing.columns], rows)]
    if listing.broken:
        broken = [[_cell(row["plugin"]), _cell(row["error"])] for row in listing.broken]
        parts += ["Left out:", Table(["plugin", "error"], broken)]
    return parts


def _cross(tournament: TournamentResult) -> Table:
    names = [standing.player for standing in tournament.standings]
    results: dict[tuple[str, str], Tally] = {}
    for fight in tournament.fights:
        a, b = fight.players
        results[a, b], results[b, a] = fight.total, fight.total.reversed()
    rows: list[list[Cell]] = []
    for place, row in enumerate(names, start=1):
        tallies = [results.get((row, column)) for column in names]
        cells = [f"{t.wins}-{t.draws}-{t.losses}" if t and t.games else "" for t in tallies]
        rows.append([place, row, *cells])
    return Table(["", "player", *(str(place) for place in range(1, len(names) + 1))], rows)


def _chances(chances: Chances) -> list[Cell]:
    return [_percent(p) for p in (chances.win, chances.draw, chances.loss, chances.score)]


def _percent(p: Fraction) -> str:
    return f"{100 * float(p):.2f} %"


def _tally(tally: Tally) -> list[Cell]:
    score = "-" if tally.score is None else f"{100 * tally.score:.2f} %"
    return [tally.games, tally.wins, tally.draws, tally.losses, score]


def _engine(fight: FightResult) -> str:
    """The engine, how it sampled if not game by game, and why it is not another."""
    return _sampling(fight) + (f": {fight.engine_reason}" * bool(fight.engine_reason))


def _sampling(fight: FightResult) -> str:
    counted = " (results counted, not played one by one)" if fight.sampler == "counts" else ""
    return f"{fight.engine}{counted}"


def _interval(fight: FightResult) -> str:
    interval = score_interval(fight.pentanomial)
    return "-" if interval is None else f"{100 * interval[0]:.2f} to {100 * interval[1]:.2f} %"


def _troubles(fight: FightResult) -> list[str]:
    """A line for each thing that the counts alone do not tell."""
    a, b = fight.players
    lines = []
    for name, forfeits in zip(fight.players, fight.forfeits, strict=True):
        if forfeits:
            reasons = ", ".join(f"{reason} {count}" for reason, count in forfeits.items())
            lines.append(f"{name} forfeited {sum(forfeits.values())} games ({reasons})")
            lines += [_first(game) for game in fight.forfeited if game.player == name]
    if fight.unfinished:
        lines.append(
            f"{a} against {b} is not complete, {fight.pairs} of {fight.planned} pairs:"
            f" {fight.unfinished}" + ("; it is in no standings" if fight.void else "")
        )
    return lines


def _first(game: ForfeitedGame) -> str:
    return f"  the first: {game.message}; see it with: arena replay {game.game_id}"


def _cell(value: object) -> Cell:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value))
    return value if isinstance(value, int) else str(value)
