"""Prove that a player never loses, or show the shortest line in which it does."""

from __future__ import annotations

from functools import partial
from typing import Unpack

from arena.features.certify.options import CertifyOptions
from arena.features.exact.function import complete_open
from arena.games.line_game import has_keys
from arena.inputs.proof_options import ProofOptions
from arena.inputs.resolve import (
    PlayerLike,
    get_plain_game,
    get_player,
    guarded,
    open_catalogue,
)
from arena.proof.certificate import CertificateTrial
from arena.proof.limit import Limit
from arena.proof.work import require_few_to_certify
from arena.records.proofs import Certificate
from arena.rng import fresh_seed
from arena.sandbox.cores import shared_with
from arena.signatures import takes
from arena.store.real_fights import random_opponent

#: The advice for games of lines that are too large.
WALK_HINT = "; --certificate FILE walks ply by ply, and tells a loss as soon as it finds one"


def _limit(options: ProofOptions) -> Limit:
    """Return the limit of these complete options. Its time begins now."""
    return Limit(options["max_positions"], options["max_seconds"])


@takes(CertifyOptions)
def certify(
    player: PlayerLike,
    **options: Unpack[CertifyOptions],
) -> Certificate:
    """Return whether a player never loses, by walking every line against any opponent.

    The proof is about the table of the player's moves. The player then plays this many ``games``
    under the seed; a move that the table does not have refutes that the table is the player's.
    Raises Undecided as :func:`exact` does.

    >>> certify("triples").never_loses
    True
    >>> [step.move for step in certify("tictactoe2").second.losing_line]
    ['1', '3', '4', '7', '5', '6', '9']
    """
    options = complete_open(certify, options)
    seed = fresh_seed() if options["seed"] is None else options["seed"]
    trial = CertificateTrial(seed, options["games"])
    return guarded(partial(_certify, player, trial, options), player)


def _certify(player: PlayerLike, trial: CertificateTrial, options: ProofOptions) -> Certificate:
    from arena.proof import certificate

    catalogue, limit = open_catalogue(options["catalogue"], None), _limit(options)
    asker = "arena.certify, unlike arena.exploitability,"
    the_game = get_plain_game(options["game"], asker, catalogue)
    info = get_player(player, catalogue)
    trial = trial._replace(elsewhere=random_opponent(info, the_game, trial.seed))
    with shared_with(info):
        hint = WALK_HINT if has_keys(the_game) else ""
        require_few_to_certify(info, the_game, limit, hint)
        return certificate.certify(info, the_game, limit, trial)
