"""Lay out games that were played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from arena.errors import counted
from arena.model.columns import flat_rows
from arena.model.defaults import DEFAULT_ALPHA
from arena.records.deviations import Deviation
from arena.records.fights import FightResult
from arena.records.fought import Fought
from arena.records.intervals import ANYTIME, FIXED, ScoreInterval
from arena.reports.columns.fights import BY_SIDE, level, side_results, titled
from arena.reports.columns.payoffs import PAID, paid_rows
from arena.reports.page import Fine, Page, Rows, Table, declared_table, flat, page
from arena.reports.pages.forfeits import forfeits_of, replayed, shows_loss
from arena.reports.pages.payoffs import deal_facts, luck_facts, payoff_table
from arena.reports.pages.prints import prints_of
from arena.reports.pages.spending import spending_of
from arena.reports.pages.times import time_tables
from arena.rng import GLOBAL_RANDOM
from arena.stats.binomial import tail_p

#: Report forfeits as lopsided as this, by a two-sided sign test of the pairs.
LOPSIDED = 0.01

#: The use of an anytime-valid interval.
WATCHED = "the interval may be watched: it holds at every look, so stop when you like"

#: Largest number of void pairs to name one by one.
MAX_NAMED_PAIRS = 5


@page.register
def _fight_result_page(fight: FightResult) -> Page:
    return fight_page(fight, fight.interval)


def fight_page(
    fight: FightResult, interval: ScoreInterval | None, alpha: float = DEFAULT_ALPHA
) -> Page:
    """Show a fight with this interval of A's score, which is wrong with probability alpha."""
    kind = FIXED if interval is None else interval.kind
    origin = f" from {counted(fight.different_openings, 'opening')}" if fight.openings else ""
    facts = (
        f"{counted(fight.pairs, 'pair')} of {fight.game}{origin},"
        f" {counted(fight.distinct_games, 'distinct game')},"
        f" seed {fight.seed}, engine {_engine(fight)}"
    )
    losses = [
        line
        for player in fight.both
        if shows_loss(player)
        for line in replayed(f"{player.name}'s first loss", fight.replay_of(player.first_lost))
    ]
    is_watched = kind == ANYTIME
    few = [repeated(fight)] if fight.repeats else shared([fight], is_watched)
    incidents = [*losses, *prints_of(fight), *_withdrawn([fight]), *troubles(fight)]
    incidents += spending_of([fight])
    lines = [facts, *[WATCHED][: int(is_watched)], *settings(fight)]
    notes = [*isolated_players([fight]), *certified([fight]), *memory([fight]), *few, *incidents]
    return [
        fight.headline,
        *forfeits_of(fight),
        _table(fight, interval, alpha),
        *time_tables([fight]),
        *lines,
        *luck_facts(fight),
        *deal_facts(fight),
        *_points(fight),
        *notes,
    ]


def _table(fight: FightResult, interval: ScoreInterval | None, alpha: float) -> Table:
    """Return the results by whether A moved first."""
    if fight.paid is not None:
        return payoff_table(fight, fight.paid.in_unit(interval), alpha)
    kind = FIXED if interval is None else interval.kind
    columns = titled(BY_SIDE, a_moves=fight.players[0], interval=level(kind, alpha))
    return declared_table(columns, side_results(fight, interval), keys=1, spare=["games"])


def _points(fight: FightResult) -> list[Fine]:
    """Return the pairs by A's points in them, unless these are not what counts."""
    if fight.paid is not None:
        return []
    points = " ".join(map(str, fight.pentanomial))
    return [Fine(f"pairs by {fight.players[0]}'s points in them, from 0 to 2 by halves: {points}")]


def settings(fight: FightResult) -> list[str]:
    """Return where games began, and what ended them early."""
    lines = []
    if fight.openings:
        lines.append(f"openings {fight.openings}, each from both sides")
    if fight.adjudication.draws:
        lines.append("games that could only be drawn ended as draws")
    if rules := fight.adjudication.rules:
        words = ", ".join(f"{name} {rule}" for name, rule in rules.items())
        lines.append(f"games may end by the scores of engines: {words}")
    return lines


def _engine(fight: FightResult) -> str:
    """Return the engine, its sampler if not game by game, and why it is not another one."""
    called = f", {counted(fight.called_pairs, 'pair')} by calls" * (fight.engine == "table")
    return sampling(fight) + called + f": {fight.engine_reason}" * bool(fight.engine_reason)


def sampling(fight: FightResult) -> str:
    """Show the engine, and its sampler if it does not play game by game."""
    sampler = " (results counted, not played one by one)" if fight.sampler == "counts" else ""
    return f"{fight.engine}{sampler}"


def isolated_players(fights: Sequence[Fought]) -> list[str]:
    """Name the isolated players by their tier."""
    tiers = {player.name: player.isolation for fight in fights for player in fight.entrants}
    return [
        f"isolated ({tier}): {', '.join(n for n in tiers if tiers[n] == tier)}"
        for tier in sorted(set(tiers.values()) - {"none"})
    ]


def certified(fights: Sequence[FightResult]) -> list[str]:
    """Return whether the players whose moves were looked up play as certified."""
    games: Counter[str] = Counter()
    deviations: dict[str, Deviation] = {}
    for fight in fights:
        for player in fight.both:
            if player.certified:
                games[player.name] += fight.total.games
            if player.deviation is not None:
                deviations.setdefault(player.name, player.deviation)
    return [
        f"{name} did not play as certified: {deviations[name]}"
        if name in deviations
        else f"{name} played as certified in {counted(number, 'game')}"
        for name, number in games.items()
    ]


def memory(fights: Sequence[Fought]) -> list[str]:
    """Name the players whose games need not be independent of the games before."""
    players = [player for fight in fights for player in fight.entrants]
    reasons = {player.name: player.remembers for player in players if player.remembers}
    return [_remembers(name, why) for name, why in sorted(reasons.items())]


def _remembers(name: str, why: str) -> str:
    if why == GLOBAL_RANDOM:
        return f"{name} draws from the global random: this result cannot be reproduced (use rng)"
    return f"{name} may remember earlier games: {why}"


def shared(fights: Sequence[FightResult], is_watched: bool = False) -> list[str]:
    """Say how pairs from the same openings count, for the fight with the most of them."""
    pairs, openings = max(
        ((each.counted.pairs, each.different_openings) for each in fights if each.paid is None),
        default=(0, 0),
    )
    if openings <= 1 or pairs <= openings:
        return []
    by = "its first pair until all are met" if is_watched else "the mean of its pairs"
    lines = [f"each of the {openings} openings counts once, by {by}"]
    if pairs > 2 * openings:
        few = f"{pairs} pairs from {openings} openings carry little more information than"
        lines.append(f"warning: {few} {2 * openings} would")
    return lines


def repeated(fight: FightResult) -> str:
    """Say that a fight repeats two games."""
    a, b = fight.players
    pairs, openings = fight.counted.pairs, fight.different_openings
    each, few = (" from an opening", f"{openings}") if openings > 1 else ("", "one")
    return (
        f"{a} and {b} play the same two games{each} every time: all {pairs} pairs carry the"
        f" information of {few}"
    )


def troubles(fight: FightResult) -> list[str]:
    """Return a line for each fact that the counts do not show."""
    a, b = fight.players
    lines = []
    if fight.counted != fight.joint:
        lines.append(
            f"{a} against {b}: in the interval, tests and ratings a player that forfeits a game"
            " loses its pair"
        )
    lines += _lopsided(fight)
    lines += _missing(fight)
    return lines


def _lopsided(fight: FightResult) -> list[str]:
    """Report forfeits that are too lopsided to be the machine's fault."""
    (less, other), (more, name) = sorted(zip(fight.pairs_forfeited, fight.players, strict=True))
    both = sum(fight.pairs_forfeited) - fight.forfeited_pairs
    if tail_p(less - both, less + more - 2 * both, 0.5) >= LOPSIDED:
        return []
    of_all = f"{more} of its {counted(fight.pairs, 'pair')}"
    return [f"{name} forfeited {of_all}, {other} {less or 'none'}"]


def _missing(fight: FightResult) -> list[str]:
    """Return the planned games that are not in the counts."""
    a, b = fight.players
    lines = []
    if fight.unfinished:
        # `_withdrawn` reports the reason of a withdrawal.
        why = "" if fight.is_someone_withdrawn else f" ({fight.unfinished})"
        played = f"{fight.pairs} of {counted(fight.planned, 'pair')} played"
        lines.append(
            f"{a} against {b}: {played}{why}"
            + "; it is not in the standings" * fight.killed_workers
        )
    lines += void_games(fight, "pair")
    if fight.unfinished and fight.not_played:
        lines.append(f"not played: {counted(fight.not_played, 'game')}")
    return lines


def void_games(fight: Fought, unit: str) -> list[str]:
    """Count the void games, and number the pairs or blocks that they are of."""
    if not fight.void:
        return []
    numbers = [f"{p.first}" + f" to {p.last}" * (p.pairs > 1) for p in fight.void_pairs]
    more = f" and {len(numbers) - MAX_NAMED_PAIRS} more" * (len(numbers) > MAX_NAMED_PAIRS)
    named = f" ({unit} {', '.join(numbers[:MAX_NAMED_PAIRS])}{more})" * bool(numbers)
    return [f"void: {counted(fight.void, 'game')}{named}, not counted"]


def _withdrawn(fights: Sequence[Fought]) -> list[str]:
    """Name the withdrawn players, once each."""
    lines = {
        f"withdrawn: {player.name}, it cannot be started: {player.withdrawn}"
        for fight in fights
        for player in fight.entrants
        if player.withdrawn is not None
    }
    return sorted(lines)


@flat.register
def _fight_rows(fight: FightResult) -> Rows:
    if fight.paid is not None:
        return flat_rows(PAID, paid_rows(fight, fight.payoff))
    return flat_rows(BY_SIDE, side_results(fight))
