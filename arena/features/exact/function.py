"""Compute the exact results of pairings."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, Unpack

from arena.errors import CannotEnumerate
from arena.executors.base import Executor
from arena.features.exact.options import ExactOptions
from arena.features.exact.pairings import ExactPairings, calculate
from arena.fights import standings
from arena.game import Game
from arena.inputs.proof_options import ProofOptions
from arena.inputs.resolve import (
    PlayerLike,
    get_game_for_two,
    get_openings,
    get_player,
    matchups,
    open_catalogue,
    require_list,
)
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.proof.policy import Policy
from arena.records.fights import FightResult
from arena.records.proofs import CheckedFight, ExactResult, ExactTournament
from arena.runs.begin import open_executor
from arena.signatures import complete, takes
from arena.stats.goodness import goodness_of_fit, goodness_of_fit_of_each

Options = TypeVar("Options", bound=ProofOptions)


@takes(ExactOptions)
def exact(
    a: PlayerLike,
    b: PlayerLike,
    **options: Unpack[ExactOptions],
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
    options = complete_open(exact, options)
    catalogue = open_catalogue(options["catalogue"], None)
    the_game = get_game_for_two(options["game"], "arena exact", catalogue)
    infos = [get_player(player, catalogue) for player in (a, b)]
    work = _work(infos, the_game, options)
    work.has_lines = True
    [result], _ = calculate(work, _open_executor((a, b), catalogue, options))
    return result


def complete_open(function: Callable[..., Any], options: Options) -> Options:
    """Return the complete options of a function, with the catalogue open."""
    options = complete(function, options)
    options["catalogue"] = open_catalogue(options["catalogue"], options["isolation"])
    return options


def _work(
    players: Sequence[PlayerInfo],
    game: Game,
    options: ExactOptions,
) -> ExactPairings:
    """Return the work of these complete options. Raises CannotEnumerate for a stateful player."""
    for player in players:
        Policy(player, game)
    openings = get_openings(options["openings"], game)
    return ExactPairings(game, players, openings, options["max_positions"], options["max_seconds"])


def _open_executor(
    players: Sequence[PlayerLike], catalogue: Catalogue, options: ExactOptions
) -> Executor:
    """Return the executor that calculates.

    A function or a PlayerInfo is the caller's own: it is asked here, where its author can watch it,
    unless another executor is chosen. Within a worker everything is done in place.
    """
    name = options["executor"]
    is_own = bool(players) and not any(isinstance(player, str) for player in players)
    if name == "processes" and (is_own or multiprocessing.current_process().daemon):
        name = "serial"
    return open_executor(catalogue, name, options["workers"])


@takes(ExactOptions)
def exact_tournament(
    players: Sequence[PlayerLike] = (),
    **options: Unpack[ExactOptions],
) -> ExactTournament:
    """Return the exact results of a round robin, by default of all players that can be enumerated.

    One that the user did not name and whose moves cannot be enumerated somewhere is left out with
    the reason.
    """
    require_list(players, "a tournament")
    options = complete_open(exact_tournament, options)
    catalogue = open_catalogue(options["catalogue"], None)
    the_game = get_game_for_two(options["game"], "arena exact", catalogue)
    infos = [get_player(player, catalogue) for player in players]
    left_out: dict[str, str] = {}
    if not infos:
        for info in catalogue.players_of(the_game):
            try:
                infos.append(Policy(info, the_game).player)
            except CannotEnumerate as error:
                left_out[info.name] = str(error)
    matchups(infos, None, the_game)  # refuses too few, and one named twice
    executor = _open_executor(players, catalogue, options)
    work = _work(infos, the_game, options)
    results, out = calculate(work, executor, leaves_out=not players)
    matchups([info for place, info in enumerate(infos) if place not in out], None, the_game)
    left_out |= {infos[place].name: reason for place, reason in out.items()}
    return standings.exact_tournament_of(results, left_out)


def compare(fight: FightResult, exact: ExactResult) -> CheckedFight:
    """Compare a sampled result with the exact one, and test how well the two agree.

    :func:`arena.stats.goodness.goodness_of_fit` chooses the test. There is no p-value if the
    fight played some openings more often than others.
    """
    first, second = (
        ((tally.wins, tally.draws, tally.losses), (chances.win, chances.draw, chances.loss))
        for tally, chances in ((fight.first, exact.first), (fight.second, exact.second))
    )
    if not _has_fair_openings(fight):
        return CheckedFight(fight, exact, None, "")
    # The games of a pair share an opening.
    fit = (goodness_of_fit_of_each if fight.openings else goodness_of_fit)(first, second)
    return CheckedFight(fight, exact, fit.p_value, fit.test)


def _has_fair_openings(fight: FightResult) -> bool:
    """Return whether a fight played all openings equally often, or a random sample of them."""
    if not fight.listed:
        return True
    kind, _, number = fight.openings.rpartition(":")
    is_part_of_a_file = number.isdigit() and kind != "all"
    return not is_part_of_a_file and (fight.is_shuffled or fight.pairs % fight.listed == 0)
