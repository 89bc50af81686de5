"""What is shown of games that were played."""

from __future__ import annotations

from collections.abc import Sequence

from arena.records.base import Tally
from arena.records.fights import FightResult, ForfeitedGame
from arena.records.proofs import CheckedFight
from arena.records.replays import ReplayReport
from arena.records.tournaments import Standing, TournamentResult
from arena.reports.cells import Cell
from arena.reports.page import Block, Page, Table, page, page_of
from arena.reports.pages.proofs import watched_lines
from arena.reports.pages.ratings import rating_blocks
from arena.rng import GUESSABLE_SEED
from arena.stats.binomial import tail_p
from arena.stats.interval import score_interval

#: Forfeits as lopsided as this, by a two-sided sign test of the pairs, are told.
LOPSIDED = 0.01

#: Void pairs that are named one by one.
NAMED = 5


@page_of.register
def _(fight: FightResult) -> Page:
    table = fight.observations
    return fight_page(fight, score_interval(table.counts, scores=table.scores))


def fight_page(fight: FightResult, interval: tuple[float, float] | None) -> Page:
    """Show a fight with this 95 % interval of A's score."""
    a, _b = fight.players
    table = Table(
        [a, "games", "wins", "draws", "losses", "score", "95 % interval"],
        [
            ["moving first", *_tally(fight.first), ""],
            ["moving second", *_tally(fight.second), ""],
            ["total", *_tally(fight.total), percentages(interval)],
        ],
    )
    begun = f" from {fight.different_openings} openings" if fight.openings else ""
    facts = (
        f"{fight.pairs} pairs of {fight.game}{begun}, {fight.distinct_games} distinct games,"
        f" seed {fight.seed}, engine {_engine(fight)}"
    )
    settings = _settings(fight)
    losses = [
        f"the first loss of {name}: arena replay {game_id}"
        for name, game_id in zip(fight.players, fight.first_lost, strict=True)
        if game_id
    ]
    repeated = [_repeated(fight)] if fight.repeats else _shared([fight])
    troubles = [*_withdrawn([fight]), *_troubles(fight)]
    apart = [*_apart([fight]), *_certified([fight]), *_memory([fight])]
    return [str(fight), table, facts, *settings, *apart, *repeated, *losses, *troubles]


@page_of.register
def _(tournament: TournamentResult) -> Page:
    forfeits = any(standing.forfeits for standing in tournament.standings)
    standings = Table(
        ["rank", "player", "wins", "draws", "losses", *["forfeits"][:forfeits], "score"],
        [_standing(standing, forfeits) for standing in tournament.standings],
    )
    fights = tournament.fights
    facts = [
        f"{tournament.schedule} of {len(tournament.standings)} players at {tournament.game},"
        f" {fights[0].planned} pairs a pairing",
        f"seed {tournament.seed}, engine {', '.join(sorted({_sampling(f) for f in fights}))}",
    ]
    repeated = [_repeated(fight) for fight in fights if fight.repeats]
    troubles = [*_withdrawn(fights), *(line for fight in fights for line in _troubles(fight))]
    return [
        standings,
        "Wins-draws-losses of the row's player:",
        _cross(tournament),
        "Ratings, from the games that count:",
        *rating_blocks(tournament.ratings),
        *_unranked(tournament),
        *facts,
        *_settings(fights[0]),
        *_apart(fights),
        *_certified(fights),
        *_memory(fights),
        *_guessable(tournament),
        *_shared([fight for fight in fights if not fight.repeats]),
        *repeated,
        *troubles,
    ]


@page_of.register
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


@page_of.register
def _(replay: ReplayReport) -> Page:
    parts: list[str | Table | Block] = [
        headline(replay),
        Block(replay.pictures[0]),
    ]
    for ply, (move, picture) in enumerate(zip(replay.moves, replay.pictures[1:], strict=True)):
        parts += [f"{ply + 1}. {replay.mover(ply)} plays {move}", Block(picture)]
    return [*parts, *ending(replay)]


def headline(replay: ReplayReport) -> str:
    """Say who played whom at what."""
    opening = f", from the opening {replay.opening}" * bool(replay.opening)
    first, second = replay.players
    return f"{first} (first) against {second} (second) at {replay.game}{opening}"


def ending(replay: ReplayReport) -> list[str]:
    """Say how a game ended."""
    forfeit = replay.forfeit
    parts = [f"{forfeit.player} forfeits ({forfeit.message})"] if forfeit else []
    if replay.outcome is None:
        return [*parts, "not over"]
    return [*parts, f"{replay.winner} wins" if replay.winner else "Draw"]


def _guessable(tournament: TournamentResult) -> list[str]:
    """Tell that strangers' players can find out what is drawn under a short seed."""
    strangers = {tier for fight in tournament.fights for tier in fight.isolation} - {"none"}
    if not strangers or tournament.seed >= GUESSABLE_SEED:
        return []
    return [f"seed {tournament.seed} is short: a player can guess it, and all draws (SECURITY.md)"]


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
    return [tally.games, tally.wins, tally.draws, tally.losses, _score(tally)]


def _standing(standing: Standing, forfeits: bool) -> list[Cell]:
    tally = standing.tally
    results = [tally.wins, tally.draws, tally.losses, *[standing.forfeits][:forfeits]]
    rank = "-" if standing.missing else standing.rank
    return [rank, standing.player, *results, _score(tally)]


def _unranked(tournament: TournamentResult) -> list[str]:
    """Tell who has no rank, for its score does not compare with those of the others."""
    lacking = [f"{s.player} ({s.missing})" for s in tournament.standings if s.missing]
    if not lacking:
        return []
    return [f"no rank for who lacks pairs that others played: {', '.join(lacking)}"]


def _score(tally: Tally) -> str:
    return "-" if tally.score is None else f"{100 * tally.score:.2f} %"


def _settings(fight: FightResult) -> list[str]:
    """Where games began, and what ended them early."""
    lines = []
    if fight.openings:
        lines.append(f"openings {fight.openings}, each from both sides")
    if fight.adjudicate == "draws":
        lines.append("games that could only be drawn were ended as draws")
    return lines


def _engine(fight: FightResult) -> str:
    """The engine, how it sampled if not game by game, and why it is not another."""
    called = f", {fight.called_pairs} pairs by calls" * (fight.engine == "table")
    return _sampling(fight) + called + f": {fight.engine_reason}" * bool(fight.engine_reason)


def _sampling(fight: FightResult) -> str:
    counted = " (results counted, not played one by one)" if fight.sampler == "counts" else ""
    return f"{fight.engine}{counted}"


def _apart(fights: Sequence[FightResult]) -> list[str]:
    """Who played in a process of its own, and how these were kept apart."""
    tiers = {name: t for f in fights for name, t in zip(f.players, f.isolation, strict=True)}
    return [
        f"in a process of its own ({tier}): {', '.join(n for n in tiers if tiers[n] == tier)}"
        for tier in sorted(set(tiers.values()) - {"none"})
    ]


def _certified(fights: Sequence[FightResult]) -> list[str]:
    """Whether the players whose moves were looked up play as certified."""
    lines = []
    for name in dict.fromkeys(name for fight in fights for name in fight.certified):
        own = [fight for fight in fights if name in fight.certified]
        found = [d for fight in own for d in fight.deviations if d.player == name]
        games = sum(fight.total.games for fight in own)
        kept = f"{name} played as certified in {games} games"
        lines.append(f"{name} played otherwise than certified: {found[0]}" if found else kept)
    return lines


def _memory(fights: Sequence[FightResult]) -> list[str]:
    """Name the players whose games need not be independent of the games before."""
    found = {n: why for f in fights for n, why in zip(f.players, f.remembers, strict=True) if why}
    return [f"{name} may remember earlier games: {why}" for name, why in sorted(found.items())]


def _shared(fights: Sequence[FightResult]) -> list[str]:
    """Return how pairs from the same openings count, for the fight with the most of them."""
    pairs, openings = max(
        ((sum(map(sum, fight.counted)), fight.different_openings) for fight in fights),
        default=(0, 0),
    )
    if openings <= 1 or pairs <= openings:
        return []
    lines = [f"each of the {openings} openings counts once, by the mean of its pairs"]
    if pairs > 2 * openings:
        few = f"{pairs} pairs from {openings} openings say little more than {2 * openings} would"
        lines.append(f"warning: {few}")
    return lines


def _repeated(fight: FightResult) -> str:
    a, b = fight.players
    pairs, openings = sum(map(sum, fight.counted)), fight.different_openings
    each, few = (" from an opening", f"{openings}") if openings > 1 else ("", "one")
    return (
        f"{a} and {b} play the same two games{each} every time: all {pairs} pairs say no more than"
        f" {few}"
    )


def percentages(interval: tuple[float, float] | None) -> str:
    """Return an interval of scores in per cent."""
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
    if fight.counted != fight.joint:
        lines.append(
            f"{a} against {b}: in the interval, tests and ratings who forfeited a game has lost its"
            " pair"
        )
    lines += _lopsided(fight)
    lines += _missing(fight)
    return lines


def _lopsided(fight: FightResult) -> list[str]:
    """Tell of forfeits that are too many on one side to be the machine's doing."""
    (less, other), (more, name) = sorted(zip(fight.forfeited_pairs, fight.players, strict=True))
    both = sum(fight.forfeited_pairs) - sum(map(sum, fight.forfeited_joint))
    if tail_p(less - both, less + more - 2 * both, 0.5) >= LOPSIDED:
        return []
    return [f"{name} forfeited {more} of its {fight.pairs} pairs, {other} {less or 'none'}"]


def _missing(fight: FightResult) -> list[str]:
    """What was asked for and is not in the counts."""
    a, b = fight.players
    lines = []
    if fight.unfinished:
        # Who is withdrawn is told once, with the reason.
        why = "" if any(fight.withdrawn) else f": {fight.unfinished}"
        lines.append(
            f"{a} against {b} is not complete, {fight.pairs} of {fight.planned} pairs{why}"
            + "; it is in no standings" * fight.killed_workers
        )
    if fight.void:
        numbers = [f"{p.first}" + f" to {p.last}" * (p.pairs > 1) for p in fight.void_pairs]
        more = f" and {len(numbers) - NAMED} more" * (len(numbers) > NAMED)
        named = f" (pair {', '.join(numbers[:NAMED])}{more})" * bool(numbers)
        lines.append(f"{fight.void} games are void and count for nobody{named}")
    if fight.unfinished and fight.not_played:
        lines.append(f"{fight.not_played} games were not played")
    return lines


def _withdrawn(fights: Sequence[FightResult]) -> list[str]:
    """Who plays no more, once each."""
    found = {
        f"withdrawn: {name}, it cannot be started: {problem}"
        for fight in fights
        for name, problem in zip(fight.players, fight.withdrawn, strict=True)
        if problem is not None
    }
    return sorted(found)


def _first(game: ForfeitedGame) -> str:
    return f"  the first: {game.message}; see it with: arena replay {game.game_id}"
