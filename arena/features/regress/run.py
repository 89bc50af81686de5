"""Check for regressions in three steps: compare policies, play where these say nothing, report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from arena.executors.base import Executor
from arena.features.regress.baseline import Baseline, Frozen, FrozenPolicy, GameBaseline
from arena.features.regress.comparison import Findings, compare
from arena.features.regress.origins import origin_of
from arena.features.regress.plan import PlayerExam, RegressionPlan
from arena.features.regress.play import play
from arena.features.regress.record import (
    Check,
    ClaimCheck,
    Comparison,
    RegressionReport,
    RegressionVerdict,
)
from arena.plugin.observers import Audience
from arena.store.surroundings import commit


def run_regression(
    plan: RegressionPlan, executor: Executor, audience: Audience | None
) -> tuple[list[Check], Baseline]:
    """Return every check, in the order of names, and the baseline that an update would write."""
    results = list(zip(plan.jobs, compare(plan, executor), strict=True))
    claims = [(job, check) for job, findings in results for check in findings.claims]
    unproved = [
        (job, check) for job, check in claims if check.verdict == RegressionVerdict.UNDECIDED
    ]
    unknown = [
        (job.player, job.game) for job, findings in results if _needs_games(plan, job, findings)
    ]
    compared = [(job, c) for job, findings in results if (c := findings.comparison) is not None]
    lost = [each for each in compared if _is_left_to_games(plan, each[1])]
    played, games = play(plan, unproved, [*plan.replayed, *unknown], lost, executor, audience)
    checks: list[Check] = [
        check for _, check in claims if check.verdict != RegressionVerdict.UNDECIDED
    ]
    checks += [comparison for _, comparison in compared if not _is_left_to_games(plan, comparison)]
    policies = {
        (job.player.name, job.game.name): FrozenPolicy(job.player.version, findings.policy)
        for job, findings in results
        if findings.policy is not None
    }
    checks = [*plan.settled, *checks, *played]
    checks.sort(key=lambda check: (check.game, check.player, check.what))
    return checks, _new_baseline(plan, {**policies, **games})


def _is_left_to_games(plan: RegressionPlan, comparison: Comparison) -> bool:
    """Return whether games compare the player: its policy is only in the baseline."""
    is_open = (comparison.verdict, comparison.method) == (RegressionVerdict.UNDECIDED, "policy")
    return is_open and not plan.request.is_update


def _needs_games(plan: RegressionPlan, job: PlayerExam, findings: Findings) -> bool:
    """Return whether a new baseline has to hold games of the player, for there is no policy."""
    game_plan = plan.game_plan(job.game)
    is_compared = game_plan is not None and job.player.name in {
        player.name for player in game_plan.players
    }
    return job.is_wanted and is_compared and findings.policy is None and not findings.is_fault


def _new_baseline(plan: RegressionPlan, frozen: Mapping[tuple[str, str], Frozen]) -> Baseline:
    """Return the old one with the new entries in its place."""
    games = dict(plan.request.baseline.games) if plan.request.baseline else {}
    for game_plan in plan.game_plans:
        players = {
            name: old for name, old in game_plan.entry.players.items() if name not in game_plan.gone
        }
        players |= {
            name: new for (name, game), new in frozen.items() if game == game_plan.game.name
        }
        games[game_plan.game.name] = GameBaseline(game_plan.game, game_plan.panel, players)
    named = {name for entry in games.values() for name in (*entry.panel, *entry.players)}
    specs = {name: spec for name, spec in plan.request.specs.items() if name in named}
    return Baseline(games, specs)


def make_report(
    plan: RegressionPlan,
    checks: list[Check],
    baseline: str | None,
    written: bool,
    notes: tuple[str, ...],
) -> RegressionReport:
    """Report the checks, with the baseline's file and what became of it."""
    request = plan.request
    return RegressionReport(
        baseline=baseline,
        claims=tuple(check for check in checks if isinstance(check, ClaimCheck)),
        comparisons=tuple(check for check in checks if isinstance(check, Comparison)),
        broken=tuple(map(str, request.broken)),
        notes=(*plan.notes, *notes),
        written=written,
        level=request.level,
        margin=request.margin,
        quick=request.is_quick,
        scope=request.scope,
        players={
            name: replace(origin_of(player), spec=player.spec)
            for name, player in sorted(plan.players.items())
        },
        commit=commit(),
    )
