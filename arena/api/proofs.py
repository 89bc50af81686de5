"""Prove instead of sampling."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import compress
from typing import Any, Unpack

from arena.api.common import (
    OpeningsLike,
    PlayerLike,
    get_openings,
    get_player,
    get_ruled_game,
    guarded,
    meetings_of,
    open_catalogue,
)
from arena.api.options import USUAL, ProofOptions
from arena.certificates.boards import boards_of
from arena.certificates.outcomes import exact_result as exact_in_arrays
from arena.certificates.outcomes import is_in_arrays
from arena.errors import CannotEnumerate, PlayerFault, Spoilt, UsageError
from arena.fights import schedule, standings
from arena.fights.engines import CallsEngine
from arena.fights.openings import Openings
from arena.fights.pairing import Pairing
from arena.game import Game, Position
from arena.proof.certificate import GAMES, Trial
from arena.proof.limit import MAX_POSITIONS, Limit
from arena.proof.losing import losing_lines
from arena.proof.outcome import exact_result
from arena.proof.policy import Policy
from arena.proof.witness import Table, Witness
from arena.proof.work import require_few_between, require_few_to_certify
from arena.records.fights import FightResult
from arena.records.proofs import Certificate, CheckedFight, ExactResult, ExactTournament
from arena.rng import fresh_seed
from arena.sandbox.cores import shared_with
from arena.signatures import complete, takes
from arena.stats.goodness import goodness_of_fit
from arena.store.real_fights import fight_for_real, random_opponent

#: What does for games of lines that are too large.
WALK_HINT = "; --certificate FILE walks ply by ply, and ends at the first loss"

#: Pairs that two players play for their exact result, if one of them is watched.
PAIRS = 100


@takes(ProofOptions, USUAL)
def exact(
    a: PlayerLike,
    b: PlayerLike,
    *,
    openings: OpeningsLike | None = None,
    **options: Unpack[ProofOptions],
) -> ExactResult:
    """Return the exact probabilities of win, draw and loss of one stateless player against another.

    With ``openings``, as for :func:`arena.fight`, the mean over all of them. A player that is not
    trusted, or declares its ``distribution``, plays 100 pairs of the pairing. Raises PlayerFault if
    a move there is not in its table. Raises CannotEnumerate if a player's moves cannot be
    enumerated. Raises Undecided if more than ``max_positions`` positions can be reached, or it
    takes more than ``max_seconds``: before it begins where an estimate shows that.

    >>> str(exact("tictactoe3", "monkey").total.loss)
    '0'
    """
    chosen = _chosen(exact, options)
    return guarded(partial(_exact, (a, b), openings, chosen), a, b)


def _chosen(function: Callable[..., Any], options: ProofOptions) -> ProofOptions:
    """Return the complete options of a function, its catalogue open."""
    chosen = complete(function, options)
    chosen["catalogue"] = open_catalogue(chosen["catalogue"], chosen["isolation"])
    return chosen


def _limit(options: ProofOptions) -> Limit:
    """Return the limit of these complete options; its time begins now."""
    return Limit(options["max_positions"], options["max_seconds"])


def _exact(
    players: Sequence[PlayerLike], openings: OpeningsLike | None, options: ProofOptions
) -> ExactResult:
    catalogue = open_catalogue(options["catalogue"], None)
    the_game = get_ruled_game(options["game"], catalogue)
    policies = [Policy(get_player(player, catalogue), the_game) for player in players]
    with shared_with(*(policy.player for policy in policies)):
        return _exact_results(policies, the_game, _limit(options), openings, has_lines=True)[0]


@takes(ProofOptions, USUAL)
def exact_tournament(
    players: Sequence[PlayerLike] = (),
    *,
    openings: OpeningsLike | None = None,
    **options: Unpack[ProofOptions],
) -> ExactTournament:
    """Return the exact results of a round robin; without players, of all that can be enumerated.

    One that nobody named and whose moves cannot be, in any position that is reached, is left out
    with the reason.
    """
    chosen = _chosen(exact_tournament, options)
    return guarded(partial(_exact_tournament, players, openings, chosen), *players)


def _exact_tournament(
    players: Sequence[PlayerLike], openings: OpeningsLike | None, options: ProofOptions
) -> ExactTournament:
    catalogue, limit = open_catalogue(options["catalogue"], None), _limit(options)
    the_game = get_ruled_game(options["game"], catalogue)
    infos = [get_player(player, catalogue) for player in players]
    policies = [Policy(info, the_game) for info in infos]
    left_out: dict[str, str] = {}
    if not infos:
        for info in catalogue.everybody(the_game):
            try:
                policies.append(Policy(info, the_game))
            except CannotEnumerate as error:
                left_out[info.name] = str(error)
    while True:
        # Refuses too few, and one named twice.
        meetings_of([policy.player for policy in policies], None, the_game)
        try:
            results = _exact_results(policies, the_game, limit, openings)
        except CannotEnumerate:
            refused = [policy for policy in policies if policy.refusal is not None]
            if infos or not refused:
                raise
            left_out |= {policy.player.name: str(policy.refusal) for policy in refused}
            policies = [policy for policy in policies if policy.refusal is None]
        else:
            return standings.exact_tournament_of(results, left_out)


def compare(fight: FightResult, exact: ExactResult) -> CheckedFight:
    """Put a sampled result beside the exact one, and test how well the two agree.

    :func:`arena.stats.goodness.goodness_of_fit` chooses the test.
    """
    first, second = (
        ((tally.wins, tally.draws, tally.losses), (chances.win, chances.draw, chances.loss))
        for tally, chances in ((fight.first, exact.first), (fight.second, exact.second))
    )
    fit = goodness_of_fit(first, second)
    return CheckedFight(fight, exact, fit.p_value, fit.test)


@takes(ProofOptions, USUAL)
def certify(
    player: PlayerLike,
    *,
    games: int = GAMES,
    seed: int | None = None,
    **options: Unpack[ProofOptions],
) -> Certificate:
    """Return whether a player never loses, by walking every line against any opponent.

    The proof is about the table of the player's moves. The player then plays so many ``games``
    under the seed; a move that the table does not have refutes that the table is the player's.
    Raises Undecided as :func:`exact` does.

    >>> certify("triples").never_loses
    True
    >>> [step.move for step in certify("tictactoe2").second.losing_line]
    ['1', '3', '4', '7', '5', '6', '9']
    """
    chosen = _chosen(certify, options)
    if games < 0:
        raise UsageError(f"there cannot be {games} games")
    trial = Trial(fresh_seed() if seed is None else seed, games)
    return guarded(partial(_certify, player, trial, chosen), player)


def _certify(player: PlayerLike, trial: Trial, options: ProofOptions) -> Certificate:
    from arena.proof import certificate

    catalogue, limit = open_catalogue(options["catalogue"], None), _limit(options)
    the_game = get_ruled_game(options["game"], catalogue)
    info = get_player(player, catalogue)
    trial = trial._replace(elsewhere=random_opponent(info, the_game, trial.seed))
    with shared_with(info):
        hint = "" if boards_of(the_game) is None else WALK_HINT
        require_few_to_certify(info, the_game, limit, hint)
        return certificate.certify(info, the_game, limit, trial)


def _exact_results(
    policies: Sequence[Policy],
    game: Game,
    limit: Limit,
    named: OpeningsLike | None,
    has_lines: bool = False,
) -> list[ExactResult]:
    openings = get_openings(named, game)
    chances = None if openings is None else openings.chances(game, limit.positions)
    name = openings.name if openings else ""
    pairs = list(schedule.round_robin(policies))
    for a, b in pairs:
        require_few_between(a, b, limit, chances, merges=not _is_in_arrays(a, b, limit, chances))
    results = [
        replace(_result(a, b, limit, chances), openings=name, **_watch(a, b, openings))
        for a, b in pairs
    ]
    if has_lines:
        [(a, b)], [result] = schedule.round_robin(policies), results
        results = [replace(result, losing_lines=tuple(losing_lines(a, b, result, chances or ())))]
    for policy in policies:
        policy.confirm()
    return results


def _is_in_arrays(
    a: Policy, b: Policy, limit: Limit, chances: Mapping[Position, Fraction] | None
) -> bool:
    """Return whether a pairing is calculated in arrays: all positions, symmetric ones too."""
    is_large = limit.positions > MAX_POSITIONS and chances is None
    return is_large and is_in_arrays(a.game, (a.player, b.player))


def _result(
    a: Policy, b: Policy, limit: Limit, chances: Mapping[Position, Fraction] | None
) -> ExactResult:
    if _is_in_arrays(a, b, limit, chances):
        return exact_in_arrays(a.game, a.player, b.player, limit)
    return exact_result(a, b, limit, chances)


def _watch(a: Policy, b: Policy, openings: Openings | None) -> dict[str, Any]:
    """Have a pairing play real games if one of its players is watched, and look its moves up.

    Returns the fields of the exact result that tell of it. Raises PlayerFault if a player does not
    play by its table. The seed is fresh: a player that knew it could tell these games from others.
    """
    policies = (a, b)
    watched = [policy.player.is_watched for policy in policies]
    if not any(watched):
        return {}
    pairing = Pairing(a.game, a.player, b.player, PAIRS, fresh_seed(), openings=openings)
    tables = [_look_up(policy) if policy.player.is_watched else None for policy in policies]
    witness = Witness(a.game, pairing.names, tables)
    real = fight_for_real(pairing)
    for played in CallsEngine(pairing).pairs(1, PAIRS + 1) if real is None else real:
        if played.void:
            raise Spoilt(played.void)
        if played.withdrawn is not None:
            raise PlayerFault(f"{pairing.names[played.withdrawn[0]]}: {played.withdrawn[1]}")
        for half, record in enumerate(played.records):
            name, start = pairing.game_id(played.pair, bool(half)), pairing.begin(played.pair)
            witness.see(name, record, bool(half), start)
    for place, policy in enumerate(policies):
        found = witness.agreement(place, pairing.seed)
        if not found.holds:
            said = f"{pairing.names[place]} did not play as its table says: {found.refutation}"
            policy.refusal = PlayerFault(said)
            raise policy.refusal
    return {
        "watched": tuple(compress(pairing.names, watched)),
        "declared": tuple(compress(pairing.names, [p.player.distribution for p in policies])),
        "games": witness.games,
    }


def _look_up(policy: Policy) -> Table:
    return lambda position, _: policy(position)
