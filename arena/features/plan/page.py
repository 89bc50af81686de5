"""Lay out plans: the games that a fight or a tournament needs."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil

from arena.errors import counted
from arena.model.columns import CSV, Column, flat_rows
from arena.player.purse import money
from arena.records.answers import AuditShare, TournamentPlan, VolunteerPlan
from arena.records.ratings import Plan, PlannedTest
from arena.reports.cells import Cell, percent
from arena.reports.page import Page, Rows, Table, declared_table, flat, page


def _duration(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    for unit, size in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return counted(round(seconds), "second") if seconds >= 1 else "under a second"


def _chance_cell(chance: float | None) -> str:
    return "" if chance is None else percent(chance)


#: The columns of what the user wants to know.
AIM: tuple[Column[PlannedTest], ...] = (
    Column("aim", title="to know"),
    Column("pairs", formats=CSV),
    Column("games", formats=CSV),
    Column("games", lambda row: row.reason or "-" if row.games is None else row.games, ("page",)),
    Column("seconds", cell=_duration, title="time"),
    Column("accepts_h1", cell=_chance_cell, title="accepts H1"),
    Column("reason", formats=CSV),
)


#: The same where a player has a price.
PRICED_AIM: tuple[Column[PlannedTest], ...] = (
    *AIM[:5],
    Column("cost", lambda row: "-" if row.cost is None else money(row.cost)),
    *AIM[5:],
)


def _columns(plan: Plan) -> tuple[Column[PlannedTest], ...]:
    return AIM if plan.cost is None else PRICED_AIM


@page.register
def _plan_page(plan: Plan) -> Page:
    a, b = plan.players or ("A", "B")
    settings = plan.settings
    speed = "" if plan.rate is None else f", {plan.rate:.0f} games per second"
    pairs, elo = sum(plan.counts), "Elo" if plan.scale is None else "nElo"
    warning = "a single pair shows little: use a longer trial, or players with more chance"
    return [
        f"Games that {a} against {b} needs at {plan.game}:",
        declared_table(_columns(plan), plan.tests),
        *([warning] if pairs == 1 else []),
        f"by a trial of {counted(pairs, 'pair')} with {_score(plan)}{speed}",
        *_planned_ranks(settings),
        f"test of {settings['elo0']:g} against {settings['elo1']:g} {elo} at risks of"
        f" {settings['alpha']:g} and {settings['beta']:g}; its length is an expectation",
    ]


def _score(plan: Plan) -> str:
    """Return the score of A in the trial, or what the games paid it."""
    if plan.scale is None:
        return f"a score of {percent(plan.score)}"
    return f"{float(plan.scale.payoff(Fraction(plan.score))):+.3f} {plan.scale.unit} per game"


def _planned_ranks(settings: Mapping[str, float]) -> list[str]:
    if "entrants" not in settings:
        return []
    chance = percent(settings["power"])
    return [f"ranks of a round robin: all distinct with a chance of {chance} or more"]


@flat.register
def _plan_rows(plan: Plan) -> Rows:
    return flat_rows(_columns(plan), plan.tests)


@page.register
def _tournament_plan_page(plan: TournamentPlan) -> Page:
    games = f"{plan.games} ({plan.games_low} to {plan.games_high})"
    row: list[Cell] = [
        plan.rule,
        len(plan.elos),
        games,
        plan.rounds,
        f"{plan.decided} of {plan.tournaments}",
    ]
    return [
        Table(["until", "players", "games (middle 80 %)", "rounds", "decided"], [row]),
        f"by {plan.tournaments} simulated tournaments, seed {plan.seed},"
        f" of players with Elo {', '.join(f'{elo:g}' for elo in plan.elos)};"
        f" equal ones draw {100 * plan.draws:g} %",
        f"at most {plan.cap} pairs per pairing, margin {plan.margin:g} points per game, wrong with"
        f" a probability of at most {100 * plan.alpha:g} %",
    ]


#: The columns of a plan of volunteers.
AUDIT: tuple[Column[AuditShare], ...] = (
    Column("parts", title="its parts"),
    Column("forged", title="of them forged"),
    Column("share", cell=lambda share: f"{ceil(10_000 * share) / 100:.2f} %", title="play again"),
)


@page.register
def _volunteer_plan_page(plan: VolunteerPlan) -> Page:
    caught, hour = f"{100 * plan.confidence:g} %", round(3600 / plan.part_seconds)
    return [
        f"To catch a volunteer that forges {100 * plan.forges:g} % of its parts with probability"
        f" {caught}:",
        declared_table(AUDIT, plan.shares),
        f"a part takes about {plan.part_seconds:g} s of a process: {hour} an hour; the share is"
        " for arena serve --audit",
    ]


@flat.register
def _volunteer_plan_rows(plan: VolunteerPlan) -> Rows:
    return flat_rows(AUDIT, plan.shares)


@flat.register
def _tournament_plan_rows(plan: TournamentPlan) -> Rows:
    record = plan.as_json()
    keys = [key for key in record if key not in ("schema", "elos")]
    return [keys, [record[key] for key in keys]]
