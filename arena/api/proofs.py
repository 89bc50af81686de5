"""Prove instead of sampling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import compress
from typing import Any

from arena.api.common import (
    DEFAULT_GAME,
    GameLike,
    IsolationLike,
    OpeningsLike,
    PlayerLike,
    get_openings,
    get_player,
    get_ruled_game,
    guarded,
    meetings_of,
    open_catalogue,
)
from arena.errors import CannotEnumerate, PlayerFault, Spoilt, UsageError
from arena.fights import schedule, standings
from arena.fights.engines import CallsEngine
from arena.fights.openings import Openings
from arena.fights.pairing import Pairing
from arena.game import Game
from arena.plugin.catalogue import Catalogue
from arena.proof.certificate import GAMES, Trial
from arena.proof.losing import losing_lines
from arena.proof.outcome import MAX_POSITIONS, exact_result
from arena.proof.policy import Policy
from arena.proof.witness import Table, Witness
from arena.records.fights import FightResult
from arena.records.proofs import Certificate, CheckedFight, ExactResult, ExactTournament
from arena.rng import fresh_seed
from arena.sandbox.cores import shared_with
from arena.stats.goodness import goodness_of_fit
from arena.store.real_fights import fight_for_real, random_opponent

#: Pairs that two players play for their exact result, if one of them is watched.
PAIRS = 100


def exact(
    a: PlayerLike,
    b: PlayerLike,
    *,
    game: GameLike = DEFAULT_GAME,
    max_positions: int = MAX_POSITIONS,
    openings: OpeningsLike | None = None,
    isolation: IsolationLike | None = None,
    catalogue: Catalogue | None = None,
) -> ExactResult:
    """Return the exact probabilities of win, draw and loss of one stateless player against another.

    With ``openings``, as for :func:`arena.fight`, the mean over all of them. A player that is not
    trusted, or declares its ``distribution``, plays 100 pairs of the pairing. Raises PlayerFault if
    a move there is not in its table. Raises CannotEnumerate if a player's moves cannot be
    enumerated, or more than ``max_positions`` positions can be reached.

    >>> str(exact("tictactoe3", "monkey").total.loss)
    '0'
    """
    catalogue = open_catalogue(catalogue, isolation)
    return guarded(partial(_exact, (a, b), game, max_positions, openings, catalogue), a, b)


def _exact(
    players: Sequence[PlayerLike],
    game: GameLike,
    max_positions: int,
    openings: OpeningsLike | None,
    catalogue: Catalogue,
) -> ExactResult:
    the_game = get_ruled_game(game, catalogue)
    policies = [Policy(get_player(player, catalogue), the_game) for player in players]
    with shared_with(*(policy.player for policy in policies)):
        return _exact_results(policies, the_game, max_positions, openings, has_lines=True)[0]


def exact_tournament(
    players: Sequence[PlayerLike] = (),
    *,
    game: GameLike = DEFAULT_GAME,
    max_positions: int = MAX_POSITIONS,
    openings: OpeningsLike | None = None,
    isolation: IsolationLike | None = None,
    catalogue: Catalogue | None = None,
) -> ExactTournament:
    """Return the exact results of a round robin; without players, of all that can be enumerated.

    One that nobody named and whose moves cannot be, in any position that is reached, is left out
    with the reason.
    """
    catalogue = open_catalogue(catalogue, isolation)
    work = partial(_exact_tournament, players, game, max_positions, openings, catalogue)
    return guarded(work, *players)


def _exact_tournament(
    players: Sequence[PlayerLike],
    game: GameLike,
    max_positions: int,
    openings: OpeningsLike | None,
    catalogue: Catalogue,
) -> ExactTournament:
    the_game = get_ruled_game(game, catalogue)
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
            results = _exact_results(policies, the_game, max_positions, openings)
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


def certify(
    player: PlayerLike,
    *,
    game: GameLike = DEFAULT_GAME,
    max_positions: int = MAX_POSITIONS,
    games: int = GAMES,
    seed: int | None = None,
    isolation: IsolationLike | None = None,
    catalogue: Catalogue | None = None,
) -> Certificate:
    """Return whether a player never loses, by walking every line against any opponent.

    The proof is about the table of the player's moves. The player then plays so many ``games``
    under the seed; a move that the table does not have refutes that the table is the player's.

    >>> certify("triples").never_loses
    True
    >>> [step.move for step in certify("tictactoe2").second.losing_line]
    ['1', '3', '4', '7', '5', '6', '9']
    """
    catalogue = open_catalogue(catalogue, isolation)
    if games < 0:
        raise UsageError(f"there cannot be {games} games")
    trial = Trial(fresh_seed() if seed is None else seed, games)
    return guarded(partial(_certify, player, game, max_positions, trial, catalogue), player)


def _certify(
    player: PlayerLike, game: GameLike, max_positions: int, trial: Trial, catalogue: Catalogue
) -> Certificate:
    from arena.proof import certificate

    the_game = get_ruled_game(game, catalogue)
    info = get_player(player, catalogue)
    trial = trial._replace(elsewhere=random_opponent(info, the_game, trial.seed))
    with shared_with(info):
        return certificate.certify(info, the_game, max_positions, trial)


def _exact_results(
    policies: Sequence[Policy],
    game: Game,
    max_positions: int,
    named: OpeningsLike | None,
    has_lines: bool = False,
) -> list[ExactResult]:
    openings = get_openings(named, game)
    chances = None if openings is None else openings.chances(game, max_positions)
    name = openings.name if openings else ""
    results = [
        replace(exact_result(a, b, max_positions, chances), openings=name, **_watch(a, b, openings))
        for a, b in schedule.round_robin(policies)
    ]
    if has_lines:
        [(a, b)], [result] = schedule.round_robin(policies), results
        results = [replace(result, losing_lines=tuple(losing_lines(a, b, result, chances or ())))]
    for policy in policies:
        policy.confirm()
    return results


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
