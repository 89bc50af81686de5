"""Lay out the answer to a question that a tournament was played for."""

from __future__ import annotations

from arena.errors import counted
from arena.records.answers import CAP, INTERRUPTED, Answered, Valued
from arena.reports.page import Page, Rows, flat, page

#: The most pairings that a line names.
MAX_NAMED_PAIRINGS = 5


@page.register
def _answer_page(answered: Answered) -> Page:
    return [*answer_lines(answered), *answer_facts(answered)]


@flat.register
def _answer_rows(answered: Answered) -> Rows:
    groups = {name: n for n, group in enumerate(answered.groups, start=1) for name in group}
    rows = [[row.player, row.value, groups.get(row.player)] for row in answered.players]
    return [["player", "value", "group"], *rows]


def answer_lines(answered: Answered) -> list[str]:
    """Return the answer and how sure it is, or what is known so far and why not more."""
    answer = _order(answered) if answered.top is None else _best(answered)
    if not answered.is_decided:
        return [f"undecided: {answer}", *_told_apart(answered), _why(answered)]
    sure = f"wrong with a probability of at most {100 * answered.alpha:g} %"
    return [answer, *_ties(answered), sure]


def _ties(answered: Answered) -> list[str]:
    """Return the entrants that cannot be told apart, and how far apart these may be."""
    within = f"within ±{answered.margin:g} points per game"
    if answered.top is None:
        has_ties = any(len(group) > 1 for group in answered.groups)
        if has_ties and answered.has_chain:
            return [*_told_apart(answered), f"all others cannot be told apart {within}"]
        return [f"players with = between them cannot be told apart {within}"] * has_ties
    named, tied, _ = answered.groups
    if not tied:
        return []
    them = "it" if len(named) == 1 else "these"
    return [f"{', '.join(tied)} cannot be told apart from {them} {within}"]


def answer_facts(answered: Answered) -> list[str]:
    """Say what the values are, and how many games the answer took."""
    extent = f"{counted(answered.games, 'game')} in {counted(answered.rounds, 'round')}"
    lines = [
        "value: the mean of a player's scores against each other player",
        f"until {answered.rule}: {extent}, at most {answered.cap} pairs per pairing,"
        f" margin {answered.margin:g} points per game",
    ]
    if answered.out:
        lines.append(f"not in the field: {', '.join(answered.out)}")
    return lines


def _best(answered: Answered) -> str:
    """Return the best entrants, or those among the best, in words."""
    named, tied, _ = answered.groups
    top = answered.top or 1
    what = "best" if top == 1 else f"best {top}"
    if answered.is_decided or not tied:
        return f"{what}: {', '.join(named)}"
    places = top - len(named)
    among = f"{'one' if places == 1 else places} of {', '.join(tied)}"
    return f"{what}: {', '.join(named)} and {among}" if named else f"{what}: {among}"


def _order(answered: Answered) -> str:
    """Return the order in one line.

    An equals sign stands between those of a group only if the question is decided and no two of the
    group are told apart. Otherwise each has the ranks that the games leave it.
    """
    if answered.is_decided and not answered.has_chain:
        return f"order: {' > '.join(' = '.join(group) for group in answered.groups)}"
    placed = (row for row in answered.players if row.value is not None)
    return f"order: {', '.join(f'{row.player} {_ranks(row)}' for row in placed)}"


def _ranks(row: Valued) -> str:
    if row.rank_low is None:  # a result of an arena that did not keep them
        return "at an unknown rank"
    return (
        f"{row.rank_low}" if row.rank_low == row.rank_high else f"{row.rank_low} to {row.rank_high}"
    )


def _told_apart(answered: Answered) -> list[str]:
    """Return which pairs of an order are told apart, and of how many."""
    if answered.top is not None:
        return []
    distinct_pairs = answered.told_apart
    size = sum(row.value is not None for row in answered.players)
    pairs = counted(size * (size - 1) // 2, "pair")
    if not distinct_pairs:
        return [f"told apart: none of {pairs}"]
    more = len(distinct_pairs) - MAX_NAMED_PAIRINGS
    names = ", ".join(f"{a} above {b}" for a, b in distinct_pairs[:MAX_NAMED_PAIRINGS])
    return [
        f"told apart: {len(distinct_pairs)} of {pairs}: {names}{f' and {more} more' * (more > 0)}"
    ]


def _why(answered: Answered) -> str:
    """Return why a question is not answered, and what would help."""
    if answered.reason == INTERRUPTED:
        return "the tournament was interrupted"
    if answered.reason == CAP:
        return f"{answered.cap} pairs per pairing are played: a larger -n or --margin would help"
    pairings = [f"{a} against {b}" for a, b in answered.repeating]
    if not pairings:
        return "the openings are through: more of them would help"
    more = len(pairings) - MAX_NAMED_PAIRINGS
    names = ", ".join(pairings[:MAX_NAMED_PAIRINGS]) + f" and {more} more" * (more > 0)
    return f"these pairings repeat the same games: {names}; --openings would help"
