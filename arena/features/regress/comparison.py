"""The first step: everything about a player at a game that needs no games, in a worker."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial

from arena.clock import now
from arena.dataclass import dataclass
from arena.errors import ArenaError, CannotEnumerate, PlayerFault
from arena.executors.base import Executor, TaskFailed, TaskList
from arena.features.regress import claims
from arena.features.regress.exact import compare_policies
from arena.features.regress.plan import PlayerExam, RegressionPlan
from arena.features.regress.policies import PolicyTable, frozen, tabulate
from arena.features.regress.record import ClaimCheck, Comparison, RegressionVerdict
from arena.game import Game, Position
from arena.player import MoveChances
from arena.proof.certificate import CertificateTrial, certify
from arena.proof.limit import MAX_CLAIM_POSITIONS, Limit
from arena.proof.policy import Policy
from arena.records.proofs import Certificate
from arena.rng import fresh_seed
from arena.store.real_fights import random_opponent

#: Policies of more positions, at the player's own turn, are not kept in a baseline.
MAX_POLICY_POSITIONS = 20_000

#: A player whose draws have more branches in all is compared by games. An isolated player answers
#: for about 3000 branches in a second.
MAX_POLICY_BRANCHES = 200_000


@dataclass(frozen=True)
class Findings:
    """The findings on a job."""

    #: Claims that only games can bound are ``undecided``.
    claims: tuple[ClaimCheck, ...] = ()
    #: None if there was no policy to compare with. One by ``policy`` that is ``undecided`` is left
    #: to games.
    comparison: Comparison | None = None
    #: The policy for a baseline, None if no baseline wants it or has games recorded instead.
    policy: PolicyTable | None = None
    is_fault: bool = False


def compare(plan: RegressionPlan, executor: Executor) -> list[Findings]:
    """Find out everything that needs no games, for each job of the plan.

    A player that ends its process is at fault at that job alone.
    """
    if not plan.jobs:
        return []
    results: dict[int, Findings] = {}
    work = partial(_compare, plan.jobs)
    with closing(executor.run(work, TaskList(range(len(plan.jobs))))) as answers:
        for index, answer in answers:
            job = plan.jobs[index]
            if isinstance(answer, TaskFailed):
                ended = f"it ended the process that it was run in: {answer.reason}"
                results[index] = _at_fault(job, ended)
            else:
                results[index] = _restored(job.game, *answer)
    return [results[index] for index in range(len(plan.jobs))]


def _at_fault(job: PlayerExam, reason: str) -> Findings:
    """Return the verdict on everything of a job that a fault stopped."""
    name, game = job.player.name, job.game.name
    return Findings(
        tuple(
            ClaimCheck(name, game, claim, RegressionVerdict.FAULT, reason) for claim in job.claims
        ),
        _compared(job, RegressionVerdict.FAULT, reason),
        is_fault=True,
    )


def _compared(job: PlayerExam, verdict: RegressionVerdict, reason: str) -> Comparison | None:
    """Return the verdict on the player's strength, or None if the job does not ask for that."""
    if job.before is None and not job.is_wanted:
        return None
    return Comparison(job.player.name, job.game.name, verdict, reason)


#: A policy by the texts of its positions: those of any game pass between processes so.
_MovesByText = dict[str, MoveChances] | None


def _compare(jobs: Sequence[PlayerExam], index: int) -> tuple[Findings, _MovesByText]:
    """Return the findings without the policy, and the policy: the work of the executor."""
    try:
        findings = compare_job(jobs[index])
    except ArenaError as error:
        return _at_fault(jobs[index], str(error)), None
    if findings.policy is None:
        return findings, None
    texts = {str(position): moves for position, moves in findings.policy.items()}
    return replace(findings, policy=None), texts


def _restored(game: Game, findings: Findings, texts: _MovesByText) -> Findings:
    """Return the findings with their policy."""
    if texts is None:
        return findings
    policy = {game.parse(text): moves for text, moves in texts.items()}
    return replace(findings, policy=policy)


def compare_job(job: PlayerExam) -> Findings:
    """Return the findings of a job. Raises PlayerFault or another ArenaError for a player at fault.

    A stateless player is asked once for each position; all else is calculated from its answers. A
    player that is watched then plays real games, which its answers have to explain.
    """
    started_at = now()
    job.player.require(job.game)
    table, reason = _table(job)
    tabled = now()
    certificate, unproved = _certificate(job, table, reason)
    return _timed(_findings(job, table, reason, certificate, unproved), started_at, now() - tabled)


def _timed(findings: Findings, started_at: float, proof: float) -> Findings:
    """Note the seconds: the proof's are shared by the claims, the rest is the comparison's.

    Without a comparison they share all.
    """
    total, comparison = now() - started_at, findings.comparison
    if comparison is not None:
        comparison = replace(comparison, seconds=total - proof if findings.claims else total)
    share = (total if comparison is None else proof) / max(1, len(findings.claims))
    checks = tuple(replace(check, seconds=share) for check in findings.claims)
    return replace(findings, claims=checks, comparison=comparison)


def _findings(
    job: PlayerExam,
    table: PolicyTable | None,
    reason: str,
    certificate: Certificate | None,
    unproved: str,
) -> Findings:
    """Judge the player by its table and its certificate, as far as there are any."""
    checks = tuple(_check(job, claim, certificate, unproved) for claim in job.claims)
    agreement = None if certificate is None else certificate.agreement
    if agreement is not None and not agreement.holds:
        refuted = _compared(job, RegressionVerdict.BROKEN, claims.otherwise(agreement))
        return Findings(checks, refuted, is_fault=True)
    if table is not None and len(table) > MAX_POLICY_POSITIONS:
        table, reason = (
            None,
            f"more than {MAX_POLICY_POSITIONS} positions of {job.game.name} can occur",
        )
    return Findings(checks, _comparison(job, table, reason), table if job.is_wanted else None)


def _table(job: PlayerExam) -> tuple[PolicyTable | None, str]:
    """Return the player's policy, or why there is none."""
    if job.game.features:
        return None, f"{job.game.name} has {' and '.join(job.game.features)}"
    try:
        policy = Policy(job.player, job.game)
        most = MAX_CLAIM_POSITIONS if job.claims else MAX_POLICY_POSITIONS
        table = tabulate(partial(_moves, policy), job.game, most)
        policy.confirm()
        return table, ""
    except PlayerFault:
        raise
    except CannotEnumerate as error:
        return None, str(error)


def _moves(policy: Policy, position: Position) -> MoveChances:
    """Return the moves at a position. Raises CannotEnumerate if the policy has too many branches.

    Their number is the limit, and not the time, so that every machine decides alike.
    """
    moves = policy(position)
    if policy.branches > MAX_POLICY_BRANCHES:
        most = f"{MAX_POLICY_BRANCHES:,}"
        raise CannotEnumerate(f"its draws have more than {most} results in all, which takes long")
    return moves


def _certificate(
    job: PlayerExam, table: PolicyTable | None, reason: str
) -> tuple[Certificate | None, str]:
    """Return the player's certificate, or why there is none.

    A player that is watched plays real games for it, whatever its table is used for. Their seed is
    fresh: a player that knew the seed could tell these games from others.
    """
    player = job.player
    seed = fresh_seed()
    elsewhere = random_opponent(player, job.game, seed)
    trial = (
        CertificateTrial(seed, player=player, elsewhere=elsewhere) if player.is_watched else None
    )
    if table is None and (player.stateless or not job.claims):
        return None, reason
    if not job.claims and trial is None:
        return None, ""
    certified = player if table is None else frozen(player.name, job.game, table)
    try:
        return certify(certified, job.game, Limit(MAX_CLAIM_POSITIONS), trial), ""
    except PlayerFault:
        raise
    except CannotEnumerate as error:
        return None, str(error)


def _check(job: PlayerExam, claim: str, certificate: Certificate | None, reason: str) -> ClaimCheck:
    """Prove or refute a claim. It is ``undecided`` if only games can bound it."""
    if certificate is not None:
        return claims.prove(certificate, job.game, claim)
    return ClaimCheck(job.player.name, job.game.name, claim, RegressionVerdict.UNDECIDED, reason)


def _comparison(job: PlayerExam, table: PolicyTable | None, reason: str) -> Comparison | None:
    name, game = job.player.name, job.game
    if job.before is None:
        if table is None or not job.is_wanted:
            return None
        message = f"the moves in {len(table)} positions were recorded"
        return Comparison(name, game.name, RegressionVerdict.NEW, message, "policy")
    message = f"its policy cannot be enumerated any more: {reason}"
    if table is not None:
        try:
            return compare_policies(name, game, job.before, table, job.panel)
        except CannotEnumerate as error:
            message = f"its exact score cannot be computed: {error}"
    return Comparison(name, game.name, RegressionVerdict.UNDECIDED, message, "policy")
