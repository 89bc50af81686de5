"""The second step: games, where nothing else decides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from arena.errors import ArenaError, UsageError
from arena.executors.base import Executor
from arena.features.regress.baseline import Frozen, FrozenGames
from arena.features.regress.claims import CLAIM_PAIRS, Bound
from arena.features.regress.nonregression import NonRegression
from arena.features.regress.options import (
    DEFAULT_UPDATE_SEED,
    ENOUGH_PAIRS,
    MIN_UPDATE_PAIRS,
)
from arena.features.regress.plan import PlayerExam, RegressionPlan
from arena.features.regress.policies import drawing
from arena.features.regress.record import Check, ClaimCheck, Comparison, RegressionVerdict
from arena.features.regress.rematches import PolicyRematch, Rematch
from arena.features.regress.request import QUICK_PART, Request
from arena.features.regress.series import Panel, Series, SeriesPairs
from arena.fights.pairing import Pairing
from arena.fights.play import Interrupted, play_by
from arena.game import Game
from arena.player import PlayerInfo
from arena.plugin.observers import Audience
from arena.runs.services import with_services

#: Games to play, and the check that follows from them.
CheckGames = Bound | Rematch | PolicyRematch


def play(
    plan: RegressionPlan,
    unproved: Sequence[tuple[PlayerExam, ClaimCheck]],
    unknown: Sequence[tuple[PlayerInfo, Game]],
    lost: Sequence[tuple[PlayerExam, Comparison]],
    executor: Executor,
    audience: Audience | None = None,
) -> tuple[list[Check], dict[tuple[str, str], Frozen]]:
    """Bound the claims that are not proved, and compare the players whose policy is not known.

    ``lost`` are those whose policy is in the baseline and cannot be enumerated now. Returns the
    checks, and the games for a new baseline, by player and game.
    """
    contests, checks = _contests(plan, unproved, unknown, lost)
    if contests and (work := plan.request.work) is not None:
        pairings = [pairing for contest in contests for pairing in contest.pairings]
        executor = with_services(executor, pairings, work, work["store"])
    results = _played(contests, executor, audience)
    frozen: dict[tuple[str, str], Frozen] = {}
    for contest, played in zip(contests, results, strict=True):
        check = contest.conclude(played)
        checks.append(replace(check, seconds=check.seconds + played.seconds))
        if isinstance(contest, Rematch) and contest.is_recording and not played.failure:
            frozen[contest.player.name, contest.game.name] = contest.recorded(played)
    return checks, frozen


def _contests(
    plan: RegressionPlan,
    unproved: Sequence[tuple[PlayerExam, ClaimCheck]],
    unknown: Sequence[tuple[PlayerInfo, Game]],
    lost: Sequence[tuple[PlayerExam, Comparison]],
) -> tuple[list[CheckGames], list[Check]]:
    """Return the games to play, and a check for each that cannot be held."""
    alarm = plan.request.level / max(1, len(unknown) + len(lost))
    test = NonRegression(plan.request.margin, alarm)
    wanted: list[tuple[Check, Callable[[], CheckGames]]] = [
        (replace(check, verdict=RegressionVerdict.FAULT), partial(_bound, plan, job, check))
        for job, check in unproved
    ]
    wanted += [
        (
            Comparison(player.name, game.name, RegressionVerdict.FAULT, "", "games"),
            partial(_rematch, plan, player, game, test),
        )
        for player, game in unknown
    ]
    wanted += [
        (comparison, partial(_policy_rematch, plan, job, comparison.message, test))
        for job, comparison in lost
    ]
    contests: list[CheckGames] = []
    checks: list[Check] = []
    for failed, make in wanted:
        try:
            contests.append(make())
        except ArenaError as error:
            checks.append(replace(failed, message=str(error)))
    return contests, checks


def _played(
    contests: Sequence[Series], executor: Executor, audience: Audience | None
) -> list[SeriesPairs]:
    """Play all series. Ctrl-C leaves nothing to show."""
    try:
        return play_by(Panel(contests, audience), executor) if contests else []
    except Interrupted as interrupted:
        raise interrupted.cause from None


def _bound(plan: RegressionPlan, job: PlayerExam, unproved: ClaimCheck) -> Bound:
    """Play as many games with each of the panel. Raises ArenaError if they cannot be held."""
    request, game_plan = plan.request, plan.game_plan(job.game)
    names = (game_plan and game_plan.panel) or [
        info.name for info in request.catalogue.players_of(job.game)
    ]
    opponents = _opponents(request, job.player, job.game, names)
    pairs = _shortened(request, -(-CLAIM_PAIRS // len(opponents)))
    seed = DEFAULT_UPDATE_SEED if request.seed is None else request.seed
    return Bound(unproved, tuple(_pairing(job.game, job.player, b, pairs, seed) for b in opponents))


def _pairing(game: Game, a: PlayerInfo, b: PlayerInfo, pairs: int, seed: int) -> Pairing:
    """Return the pairing of a player and an opponent, which has all other seats of a table."""
    return Pairing(game, a, b, pairs, seed, others=(b,) * (game.seats - 2))


def _rematch(plan: RegressionPlan, player: PlayerInfo, game: Game, test: NonRegression) -> Rematch:
    """Play the games of the baseline again, or those of the new one for an update.

    Raises ArenaError if they cannot be held.
    """
    request, game_plan = plan.request, plan.game_plan(game)
    assert game_plan is not None
    old = game_plan.entry.players.get(player.name)
    before = old.against if isinstance(old, FrozenGames) else {}
    if request.is_update:
        opponents = _opponents(request, player, game, game_plan.panel)
        most = max(
            (len(recorded.points) for recorded in before.values()),
            default=_enough_pairs(len(opponents)),
        )
        seeds = {recorded.seed for recorded in before.values()} or {DEFAULT_UPDATE_SEED}
        pairs = request.pairs or most
        seed = min(seeds) if request.seed is None else request.seed
        pairings = [_pairing(game, player, b, pairs, seed) for b in opponents]
    else:
        opponents = _opponents(request, player, game, [n for n in game_plan.panel if n in before])
        pairings = [
            _pairing(game, player, b, _shortened(request, len(recorded.points)), recorded.seed)
            for b in opponents
            for recorded in [before[b.name]]
        ]
    return Rematch(player, game, before, test, tuple(pairings), request.is_update)


def _policy_rematch(
    plan: RegressionPlan, job: PlayerExam, why: str, test: NonRegression
) -> PolicyRematch:
    """Play the player and its policy of the baseline against the same panel, as it is now.

    Raises ArenaError if the games cannot be held.
    """
    request, game, game_plan = plan.request, job.game, plan.game_plan(job.game)
    assert game_plan is not None
    assert job.before is not None
    opponents = _opponents(request, job.player, game, game_plan.panel)
    pairs = _shortened(request, request.pairs or _enough_pairs(len(opponents)))
    seed = DEFAULT_UPDATE_SEED if request.seed is None else request.seed
    pairings = tuple(_pairing(game, job.player, b, pairs, seed) for b in opponents)
    before = drawing(f"{job.player.name} of the baseline", game, job.before)
    old = tuple(replace(pairing, a=before) for pairing in pairings)
    rematch = Rematch(job.player, game, {}, test, pairings, False, more="-n")
    return PolicyRematch(rematch, old, why)


def _enough_pairs(opponents: int) -> int:
    """Return the pairs against each opponent that find a fall by the default margin."""
    return max(MIN_UPDATE_PAIRS, -(-ENOUGH_PAIRS // opponents))


def _shortened(request: Request, pairs: int) -> int:
    return -(-pairs // QUICK_PART) if request.is_quick else pairs


def _opponents(
    request: Request, player: PlayerInfo, game: Game, names: Iterable[str]
) -> list[PlayerInfo]:
    opponents = [request.player(name) for name in names if name != player.name]
    for opponent in opponents:
        opponent.require(game)
    if not opponents:
        raise UsageError(f"no other player is on the panel at {game.name} to play {player.name}")
    return opponents
