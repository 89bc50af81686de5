"""What is shown of each record: lines and tables, whatever they are printed as."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch

from arena.results import (
    FightResult,
    ForfeitedGame,
    Listing,
    MoveReport,
    Record,
    ReplayReport,
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
        f" seed {fight.seed}, engine {fight.engine}"
    )
    return [str(fight), table, facts, *_troubles(fight)]


@page.register
def _(tournament: TournamentResult) -> Page:
    standings = Table(
        ["rank", "player", "games", "wins", "draws", "losses", "score"],
        [[s.rank, s.player, *_tally(s.tally)] for s in tournament.standings],
    )
    fights = tournament.fights
    facts = (
        f"{tournament.schedule} of {len(tournament.standings)} players at {tournament.game},"
        f" {fights[0].planned} pairs a pairing, seed {tournament.seed}, engine {tournament.engine}"
    )
    troubles = [line for fight in fights for line in _troubles(fight)]
    return [
        standings,
        "Wins-draws-losses of the row's player:",
        _cross(tournament),
        facts,
        *troubles,
    ]


@page.register
def _(report: MoveReport) -> Page:
    moves = Table(
        ["move", "probability", ""],
        [[move, str(p), f"{float(p):.4f}"] for move, p in report.moves.items()],
    )
    return [f"{report.player} at {report.position}:", Block(report.picture), moves]


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


def _tally(tally: Tally) -> list[Cell]:
    score = "-" if tally.score is None else f"{100 * tally.score:.2f} %"
    return [tally.games, tally.wins, tally.draws, tally.losses, score]


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
            f" {fight.unfinished}"
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
