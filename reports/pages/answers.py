"""Lay out the answer to a question that a tournament was played for, and its plan."""

from __future__ import annotations

from arena.errors import counted
from arena.records.answers import CAP, INTERRUPTED, Answered, TournamentPlan
from arena.reports.cells import Cell
from arena.reports.page import Page, Table, page

#: The most pairings that a line names.
MAX_NAMED_PAIRINGS = 5


@page.register
def _(answered: Answered) -> Page:
    return [*answer_lines(answered), *answer_facts(answered)]


@page.register
def _(plan: TournamentPlan) -> Page:
    games = f"{plan.games} ({plan.games_low} to {plan.games_high})"
    shown: list[Cell] = [
        plan.rule,
        len(plan.elos),
        games,
        plan.rounds,
        f"{plan.decided} of {plan.tournaments}",
    ]
    return [
        Table(["until", "players", "games (middle 80 %)", "rounds", "decided"], [shown]),
        f"by {plan.tournaments} simulated tournaments, seed {plan.seed},"
        f" of players with Elo {', '.join(f'{elo:g}' for elo in plan.elos)};"
        f" equal ones draw {100 * plan.draws:g} %",
        f"at most {plan.cap} pairs per pairing, margin {plan.margin:g} points per game, wrong with"
        f" a probability of at most {100 * plan.alpha:g} %",
    ]


def answer_lines(answered: Answered) -> list[str]:
    """Return the answer and how sure it is; if there is none, what is known, and why not more."""
    found = _order(answered) if answered.top is None else _best(answered)
    if not answered.is_decided:
        return [f"undecided: {found}", _why(answered)]
    sure = f"wrong with a probability of at most {100 * answered.alpha:g} %"
    return [found, *_ties(answered), sure]


def _ties(answered: Answered) -> list[str]:
    """Return the entrants that cannot be told apart, and how far apart these may be."""
    within = f"within ±{answered.margin:g} points per game"
    if answered.top is None:
        has_ties = any(len(group) > 1 for group in answered.groups)
        return [f"players with = between them cannot be told apart {within}"] * has_ties
    named, tied, _ = answered.groups
    if not tied:
        return []
    them = "it" if len(named) == 1 else "these"
    return [f"{', '.join(tied)} cannot be told apart from {them} {within}"]


def answer_facts(answered: Answered) -> list[str]:
    """Return what the values are, and what it took."""
    took = f"{counted(answered.games, 'game')} in {counted(answered.rounds, 'round')}"
    lines = [
        "value: the mean of a player's scores against each other player",
        f"until {answered.rule}: {took}, at most {answered.cap} pairs per pairing,"
        f" margin {answered.margin:g} points per game",
    ]
    if answered.out:
        lines.append(f"not in the field: {', '.join(answered.out)}")
    return lines


def _best(answered: Answered) -> str:
    """Return the best entrants, or those among the best, in words."""
    chosen, tied, _ = answered.groups
    top = answered.top or 1
    what = "best" if top == 1 else f"best {top}"
    if answered.is_decided or not tied:
        return f"{what}: {', '.join(chosen)}"
    places = top - len(chosen)
    among = f"{'one' if places == 1 else places} of {', '.join(tied)}"
    return f"{what}: {', '.join(chosen)} and {among}" if chosen else f"{what}: {among}"


def _order(answered: Answered) -> str:
    """Return the order in one line, with an equals sign between those of one group."""
    return f"order: {' > '.join(' = '.join(group) for group in answered.groups)}"


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
    named = ", ".join(pairings[:MAX_NAMED_PAIRINGS]) + f" and {more} more" * (more > 0)
    return f"these pairings repeat the same games: {named}; --openings would help"
