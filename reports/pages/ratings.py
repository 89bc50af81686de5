"""Lay out ratings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from arena.errors import counted
from arena.model.columns import flat_rows
from arena.records.ranks import RankIntervals
from arena.records.ratings import Estimated, RatedPlayer, RatingTable
from arena.reports.cells import ends, nearest, percent
from arena.reports.columns.ratings import RATING
from arena.reports.page import Block, Fine, Note, Page, Rows, Table, declared_table, flat, page

#: The columns of a player's results.
_RESULTS = ("wins", "draws", "losses")

#: One scale does not fit if chance alone misses it as far in fewer tables than this share.
MISFIT = 0.05

#: Method of the intervals, by its name.
METHODS = {
    "profile": "95 % intervals are profiles of the penalised likelihood",
    "simulated": "95 % intervals are profiles, cut where simulated tournaments by the schedule say",
    "wald": "95 % intervals are Wald's: profiles take too long for so many players or games",
}


@page.register
def _rating_page(ratings: RatingTable) -> Page:
    return [
        *rating_blocks(ratings),
        *rank_facts(ratings.rank_intervals),
        *rating_facts(ratings),
        *scale_facts(ratings, fits=True),
        *scale_facts(ratings, fits=False),
        *map(Fine, _comparisons(ratings)),
    ]


def _comparisons(ratings: RatingTable) -> Iterator[str]:
    """Yield the numbers behind the ranks and the test of one scale, and each player's games."""
    ranks, scale = ratings.rank_intervals, ratings.scale
    games = ", ".join(f"{row.player} {row.tally.games}" for row in ratings.players)
    yield f"games that count: {games}"
    if ranks is not None:
        yield (
            f"ranks: {ranks.decided} of {counted(ranks.comparisons, 'comparison')} sure, by"
            f" {ratings.compared_by}, from {ranks.observations:g} independent observations"
        )
        yield f"a difference is sure from {ranks.critical_value:.2f} standard errors on"
    if scale is not None:
        residuals = f"squared residuals of the pairings add up to {scale.chi_square:.2f}"
        yield f"one scale: {residuals}, {counted(scale.freedom, 'degree')} of freedom"


@flat.register
def _rating_rows(ratings: RatingTable) -> Rows:
    return flat_rows(RATING, ratings.players)


def rating_blocks(
    ratings: RatingTable, results: Sequence[str] = _RESULTS
) -> list[str | Table | Block]:
    """Return a table for each group, ordered by rating, and what a reader of them has to know.

    The tables have these columns of results.
    """
    rated = [row for row in ratings.players if row.elo.value is not None]
    unrated = [row for row in ratings.players if row.elo.value is None]
    sizes = Counter(row.group for row in ratings.players)
    alone = [row for row in rated if sizes[row.group] == 1]
    groups = sorted({row.group for row in rated if sizes[row.group] > 1})
    without_elo = ["player", *results]
    without_ranks = [*without_elo, "elo", *["interval"] * _has_intervals(ratings)]
    keys = ["rank", *without_ranks, *["ranks"] * (ratings.rank_intervals is not None)]
    blocks: list[str | Table | Block] = []
    for group in groups:
        blocks += [f"Group {group}, whose ratings compare only with each other:"] * (
            len(groups) > 1
        )
        blocks.append(_table(keys, [row for row in rated if row.group == group]))
    if alone:
        only_prior = "Rated by the prior alone, so not to be compared:"
        blocks += [only_prior, _table(without_ranks, alone)]
    if unrated:
        blocks += ["Without a rating:", _table(without_elo, unrated)]
    return [*blocks, *map(Note, ratings.statements)]


def _table(keys: Sequence[str], rows: Sequence[RatedPlayer]) -> Table:
    """Return a table of these columns of ratings."""
    columns = {column.key: column for column in RATING}
    return declared_table([columns[key] for key in keys], rows)


def rating_facts(ratings: RatingTable) -> list[str]:
    """Return what else the ratings tell, line by line."""
    first, draws = ratings.advantage, ratings.draws
    lines: list[str] = []
    if first.value is not None:
        worth = f"moving first is worth {nearest(first.value)} Elo{_within(first, nearest)}"
        lines.append(_because(worth, first.reason))
    else:
        lines.append(f"the worth of moving first is not known: {first.reason}")
    if draws.value is not None:
        drawn_share = f"even players draw {_draw_share(draws.value)} of their games"
        lines.append(_because(f"{drawn_share}{_within(draws, _draw_share)}", draws.reason))
        how = METHODS.get(ratings.method, f"95 % intervals are {ratings.method}")  # of a file
        lines += [how] * _has_intervals(ratings)
    return [*lines, *_prior(ratings)]


def rank_facts(ranks: RankIntervals | None) -> list[str]:
    """Say what the ranks of a table promise."""
    if ranks is None:
        return []
    sure = f"{100 * (1 - ranks.error):g} %"
    return [f"ranks: every player's rank lies in its span, all at once, with {sure} confidence"]


def _prior(ratings: RatingTable) -> list[str]:
    if not ratings.prior:
        return []
    games = f"{ratings.prior:g} drawn game{'s' * (ratings.prior != 1)}"
    return [f"prior: {games} of each player against an average player"]


def scale_facts(ratings: RatingTable, fits: bool) -> list[str]:
    """Say that one scale fits if it ``fits``, or else how much it leaves."""
    scale = ratings.scale
    if scale is None or fits != (scale.p_value >= MISFIT):
        return []
    chance = f"p = {scale.p_value:.2g}"
    if fits:
        return [f"one scale explains the scores: the pairings miss it by chance ({chance})"]
    share = "" if scale.unexplained is None else f"{percent(scale.unexplained)} of "
    words = f"one scale leaves {share}the variance between pairings, more than chance does"
    return [Note(f"{words} ({chance})")]


def _because(line: str, reason: str) -> str:
    return f"{line}: {reason}" if reason else line


def _draw_share(nu: float) -> str:
    return percent(nu / (2 + nu))


def _within(number: Estimated, form: Callable[[float], str]) -> str:
    """Return the interval in parentheses, if the number has one."""
    return f" ({ends(number.low, number.high, form)})" if _is_bounded(number) else ""


def _is_bounded(number: Estimated) -> bool:
    return number.low is not None or number.high is not None


def _has_intervals(ratings: RatingTable) -> bool:
    """Return whether the ratings have intervals: not where the results chose the games."""
    return any(_is_bounded(row.elo) for row in ratings.players)
