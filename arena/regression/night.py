"""Run a regression check from the plan to the report: calculate first, then play the rest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

from arena.errors import ArenaError
from arena.executors.base import Executor
from arena.plugin.catalogue import Catalogue
from arena.records.regression import ClaimCheck, Comparison, RegressionReport, Verdict
from arena.regression.baseline import Baseline, Frozen, FrozenPolicy, GameBaseline
from arena.regression.claims import Bound
from arena.regression.contests import Contests
from arena.regression.nonregression import NonRegression
from arena.regression.plan import Plan, make_plan
from arena.regression.request import Request
from arena.regression.sampled import Recording, Replayed
from arena.regression.series import play_all
from arena.regression.study import Findings, Job, study_all


def run_night(
    request: Request, baseline: Baseline | None, catalogue: Catalogue, executor: Executor
) -> tuple[RegressionReport, Baseline]:
    """Return the report, and the baseline that an update would write."""
    # Before any work, so that a level or a margin that cannot be stops all of it.
    NonRegression(request.margin, request.level)
    plan = make_plan(request, baseline, catalogue)
    night = _Night(request, baseline or Baseline(), catalogue, plan, executor)
    night.study()
    night.play()
    return night.report(), night.new_baseline()


@dataclass
class _Night:
    """The growing findings of a run."""

    request: Request
    baseline: Baseline
    catalogue: Catalogue
    plan: Plan
    executor: Executor
    found: list[ClaimCheck | Comparison] = field(default_factory=list)
    #: What a new baseline would have, by player and game.
    frozen: dict[tuple[str, str], Frozen] = field(default_factory=dict)
    #: Claims that could not be proved.
    unproved: list[tuple[Job, ClaimCheck]] = field(default_factory=list)

    def study(self) -> None:
        """Do everything that needs no games."""
        self.found += [*self.plan.claims, *self.plan.comparisons]
        jobs = list(self.plan.jobs.values())
        for job, findings in zip(jobs, study_all(jobs, self.executor), strict=True):
            for check in findings.claims:
                if check.verdict == Verdict.UNDECIDED:
                    self.unproved.append((job, check))
                else:
                    self.found.append(check)
            if findings.comparison is not None:
                self.found.append(findings.comparison)
            if job.is_wanted and not findings.is_fault:
                self._freeze(job, findings)

    def _freeze(self, job: Job, findings: Findings) -> None:
        """Keep a policy for a new baseline, or have games played for it."""
        name, game = job.player.name, job.game.name
        if findings.policy is None:
            if name in self.plan.wanted[game]:
                self.plan.replayed.append((job.player, job.game))
            return
        self.frozen[name, game] = FrozenPolicy(job.player.version, findings.policy)
        if findings.comparison is None:
            message = f"the moves in {len(findings.policy)} positions were recorded"
            self.found.append(Comparison(name, game, Verdict.NEW, message, "policy"))

    def play(self) -> None:
        """Play what must be played."""
        alarm = self.request.level / max(1, len(self.plan.replayed))
        test = NonRegression(self.request.margin, alarm)
        contests = Contests(self.request, self.baseline, self.catalogue, self.plan, test)
        held: list[Bound | Replayed] = []
        for job, check in self.unproved:
            fault: ClaimCheck | Comparison = replace(check, verdict=Verdict.FAULT)
            held += self._held(partial(contests.bound, job, check.claim, check.message), fault)
        for player, game in self.plan.replayed:
            fault = Comparison(player.name, game.name, Verdict.FAULT, "", "games")
            held += self._held(partial(contests.rematch, player, game), fault)
        for contest, played in zip(held, play_all(held, self.executor), strict=True):
            self.found.append(contest.conclude(played))
            if isinstance(contest, Recording):
                self.frozen[contest.player, contest.game.name] = contest.recorded(played)

    def _held(
        self, make: Callable[[], Bound | Replayed], fault: ClaimCheck | Comparison
    ) -> list[Bound | Replayed]:
        """Return the contest, or nothing after noting a fault in its place."""
        try:
            return [make()]
        except ArenaError as error:
            self.found.append(replace(fault, message=str(error)))
            return []

    def report(self) -> RegressionReport:
        """Return the findings, in an order that depends on names alone."""
        found = sorted(self.found, key=lambda check: (check.game, check.player, check.what))
        is_named = bool(self.request.players)
        return RegressionReport(
            baseline=None,
            claims=tuple(check for check in found if isinstance(check, ClaimCheck)),
            comparisons=tuple(check for check in found if isinstance(check, Comparison)),
            broken=() if is_named else tuple(map(str, self.catalogue.broken)),
            notes=tuple(self.plan.notes),
            level=self.request.level,
            margin=self.request.margin,
            quick=self.request.is_quick,
        )

    def new_baseline(self) -> Baseline:
        """Return the old baseline with the new findings in their places."""
        baseline = self.baseline
        for name in self.plan.wanted:
            entry = baseline.games.get(name)
            players = dict(entry.players) if entry else {}
            players |= {p: frozen for (p, game), frozen in self.frozen.items() if game == name}
            for player, game in self.plan.gone:
                if game == name:
                    players.pop(player, None)
            new = GameBaseline(self.plan.games[name], self.plan.panels[name], players)
            baseline = baseline.with_game(new)
        return baseline
