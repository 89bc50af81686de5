"""Lay out tournaments: the tables, then a line for each player with an incident."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from arena.errors import counted
from arena.model.columns import flat_rows
from arena.records.cycles import Cycles
from arena.records.entrants import PlayerResult
from arena.records.fights import FightResult
from arena.records.tournaments import TournamentResult
from arena.reports.cells import Cell, balanced, payoff_cell, percent
from arena.reports.columns.fights import paired_rows, pairing_columns
from arena.reports.columns.standings import standing_tables
from arena.reports.cross import CrossCell, cross_cells
from arena.reports.page import Detail, Note, Page, Rows, Table, declared_table, flat, page
from arena.reports.pages.answers import answer_facts, answer_lines
from arena.reports.pages.fights import (
    certified,
    isolated_players,
    memory,
    repeated,
    sampling,
    settings,
    shared,
    troubles,
)
from arena.reports.pages.forfeits import seen_with
from arena.reports.pages.left_out import left_out
from arena.reports.pages.ratings import rank_facts, rating_blocks, rating_facts, scale_facts
from arena.reports.pages.spending import spending_of
from arena.reports.pages.times import time_tables
from arena.reports.rounds import bracket_block, round_facts, rounds_table
from arena.rng import MIN_FRESH_SEED

#: The warning at the ratings of a tournament that was stopped.
STOPPED_EARLY = (
    "the ratings' intervals are for games that are all played: do not stop by them; those of"
    " --table pairings may be watched"
)


@page.register
def _tournament_result_page(tournament: TournamentResult) -> Page:
    fights = tournament.fights
    engines = ", ".join(sorted({sampling(fight) for fight in fights}))
    facts = [
        *_extent(tournament),
        f"seed {tournament.seed}, engine {engines}",
    ]
    repeating = [fight for fight in fights if fight.repeats]
    details = [
        *rating_facts(tournament.ratings),
        *scale_facts(tournament.ratings, fits=True),
        *isolated_players(fights),
        *shared([fight for fight in fights if not fight.repeats]),
        *map(repeated, repeating),
        *(line for fight in fights for line in troubles(fight)),
    ]
    return [
        *([] if tournament.until is None else answer_lines(tournament.until)),
        *_standings(tournament),
        *_pairings(tournament),
        *_ratings(tournament),
        *time_tables(fights),
        *facts,
        *spending_of(fights),
        *([] if tournament.until is None else answer_facts(tournament.until)),
        *_rank_facts(tournament),
        *_cycles(tournament.cycles),
        *scale_facts(tournament.ratings, fits=False),
        *settings(fights[0]),
        *_guessable(tournament),
        *_repeating(repeating, len(fights)),
        *_unranked(tournament),
        *_not_played(tournament),
        *map(left_out, tournament.left_out),
        *certified(fights),
        *memory(fights),
        *_forfeits(tournament),
        *map(Detail, details),
    ]


def _extent(tournament: TournamentResult) -> list[str]:
    """Say what was played."""
    schedule, game, state = tournament.schedule, tournament.game, tournament.state
    if state is not None:
        fault = [f"stopped early: {tournament.fault}"] if tournament.fault else []
        return [*round_facts(schedule, state, game), *fault]
    size, pairs = len(tournament.standings), _pairs(tournament)
    noun = "pair" if pairs == "1" else "pairs"
    return [f"{schedule} of {size} players at {game}, {pairs} {noun} per pairing"]


def _pairings(tournament: TournamentResult) -> Page:
    """Return the results of the pairings: by rounds, or in a cross table."""
    state = tournament.state
    if state is None:
        unit = tournament.unit.capitalize()
        title = f"{unit} per game" if unit else "Wins-draws-losses"
        return [f"{title} of the row's player:", _cross(tournament)]
    bracket = bracket_block(state) if tournament.schedule == "knockout" else []
    return [*bracket, "Rounds, with the points of both:", rounds_table(state)]


def _pairs(tournament: TournamentResult) -> str:
    """Return how many pairs the pairings were to have."""
    planned = [fight.planned for fight in tournament.fights]
    least, most = min(planned), max(planned)
    return f"{least}" if least == most else f"{least} to {most}"


def _standings(tournament: TournamentResult) -> Page:
    """Return the standings, with the line above each table that has one."""
    parts: list[str | Table] = []
    for table in standing_tables(tournament):
        parts += [table.lead] if table.lead else []
        parts.append(declared_table(table.columns, table.rows))
    return parts


def _ratings(tournament: TournamentResult) -> Page:
    """Return the ratings, which games with payoffs of their own do not have."""
    if tournament.unit:
        return []
    lead = "Ratings, from the games that count:"
    return [lead, *rating_blocks(tournament.ratings, ["games"])]


def _cross(tournament: TournamentResult) -> Table:
    """Return the cross table: what each row's player won, or was paid, against each other."""
    names = [standing.player for standing in tournament.standings]
    write = _payoff if tournament.unit else _results
    written = {pair: write(cell) for pair, cell in cross_cells(tournament).items()}
    rows: list[list[Cell]] = [
        [place, row, *(written.get((row, column), "") for column in names)]
        for place, row in enumerate(names, start=1)
    ]
    headers = ["", "player", *(str(place) for place in range(1, len(names) + 1))]
    return Table(headers, rows, keys=2, names=1)


def _payoff(cell: CrossCell) -> Cell:
    return "" if cell.mean is None else payoff_cell(float(cell.mean), cell.may_cost)


def _results(cell: CrossCell) -> Cell:
    tally = cell.tally
    text = f"{tally.wins}-{tally.draws}-{tally.losses}"
    return balanced(text, tally.wins, tally.losses) if tally.games else ""


def _cycles(cycles: Cycles | None) -> list[str]:
    """Describe the strongest cycle, and count the others."""
    if cycles is None or not cycles.strongest:
        return []
    cycle = cycles.strongest[0]
    followed = zip(cycle.players, cycle.players[1:] + cycle.players[:1], cycle.scores, strict=True)
    one, two, three = (f"{a} beats {b} ({percent(score)})" for a, b, score in followed)
    more = f"; so do {counted(cycles.count - 1, 'more triple')}" * (cycles.count > 1)
    words = f"a cycle beyond chance: {one}, {two}, and {three}{more}"
    return [Note(words)]


def _guessable(tournament: TournamentResult) -> list[str]:
    """Warn that a stranger's player can predict the draws of a short seed."""
    strangers = {player.isolation for fight in tournament.fights for player in fight.both} - {
        "none"
    }
    if not strangers or tournament.seed >= MIN_FRESH_SEED:
        return []
    return [f"seed {tournament.seed} is short: a player can guess it, and all draws (SECURITY.md)"]


def _repeating(repeating: Sequence[FightResult], fights: int) -> list[str]:
    """Count the pairings that play the same games every time."""
    if not repeating:
        return []
    verb = "repeats its" if len(repeating) == 1 else "repeat their"
    return [f"{len(repeating)} of {fights} pairings {verb} games: all pairs count as one"]


def _rank_facts(tournament: TournamentResult) -> list[str]:
    """Say what the ranks promise, if any player has one."""
    if all(row.shown_rank is None for row in tournament.standings):
        return []
    return rank_facts(tournament.rank_intervals or tournament.ratings.rank_intervals)


def _unranked(tournament: TournamentResult) -> list[str]:
    """Name the players without a rank: their scores do not compare with those of the others."""
    rows = tournament.standings
    lacking = {row.player: row.missing for row in rows if row.missing and row.shown_rank is None}
    if not lacking:
        return []
    if len(lacking) == len(tournament.standings):
        least, most = min(lacking.values()), max(lacking.values())
        pairs = f"{least}" if least == most else f"{least} to {most}"
        return [f"no ranks yet: every player lacks pairs ({pairs})"]
    named = ", ".join(f"{name} ({pairs})" for name, pairs in lacking.items())
    return [f"no rank, for lack of pairs that others played: {named}"]


def _not_played(tournament: TournamentResult) -> list[str]:
    """Count the missing games, and name withdrawn players and fights that do not count."""
    fights = tournament.fights
    lines = []
    for name, problem in tournament.withdrawn.items():
        games = sum(fight.not_played for fight in fights if name in fight.players)
        gap = f"; not played: {counted(games, 'game')}" * bool(games)
        lines.append(f"withdrawn: {name}, it cannot be started: {problem}{gap}")
    missing = sum(fight.not_played for fight in fights if not fight.is_someone_withdrawn)
    if missing:
        planned = 2 * sum(fight.planned for fight in fights)
        lines.append(f"not complete: {planned - missing} of {planned} games played")
        elos = [row.elo for row in tournament.ratings.players]
        if any(elo.low is not None or elo.high is not None for elo in elos):
            lines.append(STOPPED_EARLY)
    if void := sum(fight.void for fight in fights):
        lines.append(f"void: {counted(void, 'game')}, not counted")
    for fight in fights:
        if fight.killed_workers:
            a, b = fight.players
            lines.append(f"{a} against {b} is not in the standings: {fight.unfinished}")
    return lines


def _forfeits(tournament: TournamentResult) -> Iterable[str]:
    """Yield a line for each player that forfeited games, with the first one."""
    forfeiters: dict[str, list[tuple[FightResult, PlayerResult]]] = {}
    for fight in tournament.fights:
        for player in filter(lambda player: player.forfeits, fight.both):
            forfeiters.setdefault(player.name, []).append((fight, player))
    for row in tournament.standings:
        forfeits_of_player = forfeiters.get(row.player, [])
        if not forfeits_of_player:
            continue
        reasons: Counter[str] = Counter()
        for _, player in forfeits_of_player:
            reasons.update(player.forfeits)
        named = ", ".join(f"{reason} {count}" for reason, count in reasons.items())
        fight, first = forfeits_of_player[0][0], forfeits_of_player[0][1].first_forfeit
        forfeits, games = sum(reasons.values()), row.tally.games
        words = f"{row.player} forfeited {forfeits} of {counted(games, 'game')} ({named})"
        if first is None:
            yield words
        else:
            yield seen_with(f"{words}: {first.placed}", fight.replay_of(first.game_id))


@flat.register
def _tournament_rows(tournament: TournamentResult) -> Rows:
    return flat_rows(pairing_columns(tournament.fights), paired_rows(tournament.fights))
