"""Prove what a player does at a large game, ply by ply."""

from __future__ import annotations

import os
from typing import Unpack

from arena.certificates.answer_folder import AnswerFolder
from arena.certificates.head import CertificateHead, Claim
from arena.certificates.index import index_of
from arena.certificates.key_rules import KeyRules, key_rules_of
from arena.certificates.queries import asker, query_method
from arena.certificates.tour import Tour, tour
from arena.certificates.writing import write_certificate
from arena.errors import Undecided, UsageError
from arena.features.certify.options import WalkOptions
from arena.files import check_target, real_path
from arena.game import Game, Side
from arena.games.display import written_line
from arena.inputs.resolve import PlayerLike, get_plain_game, get_player, open_catalogue
from arena.player import PlayerInfo
from arena.proof import progress
from arena.proof.distribution import require_stateless
from arena.proof.limit import Limit
from arena.proof.program import assumed, program
from arena.proof.work import require_few_to_walk
from arena.records.theorems import PlayerTheorem, ProvedClaim, WalkedSide
from arena.sandbox.cores import shared_with
from arena.signatures import complete, takes


@takes(WalkOptions)
def walk(
    player: PlayerLike,
    **options: Unpack[WalkOptions],
) -> PlayerTheorem:
    """Return whether a player never loses at a game of lines of at most 64 bits a position.

    It is asked as a function of the position, for all that occurs against any opponent: moving
    first, and then moving second. Its moves on the sides on which it never loses are written as a
    ``certificate`` of format 2. A ``checkpoint`` is a folder that keeps its answers, from which the
    next walk goes on. Raises CannotEnumerate if its moves cannot be found. Raises Undecided if
    there are more than ``max_positions`` positions, or it takes more than ``max_seconds``: before
    it begins where an estimate shows that, and no game of the estimate is lost. With a
    ``certificate`` the other side is walked and written before that.

    >>> theorem = walk("triples")
    >>> theorem.never_loses, theorem.second.positions
    (True, 568)
    """
    return _walk(player, complete(walk, options))


def _walk(player: PlayerLike, options: WalkOptions) -> PlayerTheorem:
    file, checkpoint = options["certificate"], options["checkpoint"]
    certificate = None if file is None else os.fspath(file)
    catalogue = open_catalogue(options["catalogue"], options["isolation"])
    limit = Limit(options["max_positions"], options["max_seconds"])
    the_game, info = (
        get_plain_game(options["game"], "arena certify", catalogue),
        get_player(player, catalogue),
    )
    info.require(the_game)
    require_stateless(info)
    rules = key_rules_of(the_game)
    if rules is None:
        raise UsageError(
            f"{the_game.name} is not a game of lines whose positions have 64 bits at most, which a"
            " certificate of format 2 about a player takes"
        )
    if certificate is not None:
        check_target(real_path(certificate))
    saved = None if checkpoint is None else AnswerFolder(checkpoint, _whose(info, the_game))
    tours: dict[Side, Tour] = {}
    undecided: list[Undecided] = []
    with shared_with(info):
        for side in Side:
            try:
                tours[side] = _walk_side(info, the_game, rules, side, limit, saved)
            except Undecided as error:
                undecided.append(error)
                if certificate is None:
                    break
    claims = _write(certificate, tours, info, the_game)
    if undecided:
        proved = (f"{certificate} proves: {each.claim}" for each in claims)
        raise Undecided("; ".join([str(undecided[0]), *proved]))
    first, second = (_side(tours[side], the_game) for side in Side)
    return PlayerTheorem(
        game=the_game.name,
        game_version=the_game.version,
        player=info.name,
        account=query_method(info),
        first=first,
        second=second,
        proved_by=program(),
        assumes=assumed("position"),
        certificate=certificate if claims else None,
        claims=claims,
    )


def _walk_side(
    player: PlayerInfo,
    game: Game,
    rules: KeyRules,
    side: Side,
    limit: Limit,
    saved: AnswerFolder | None,
) -> Tour:
    """Walk one side, and tell at once how it loses."""
    lost = require_few_to_walk(player, game, side, limit, _quicker(player))
    if lost is None:
        walked = tour(game, rules, side, asker(player, rules), limit, saved)
    else:
        walked = Tour(rules, side, positions=len(lost) + 1, losing=lost)
    line = _side(walked, game).losing_line
    if line is not None:
        moving = f"{player.name} moving {side.name.lower()}"
        progress.note(f"{moving} loses at {game.name} by {' '.join(line)}")
    return walked


def _whose(player: PlayerInfo, game: Game) -> str:
    return f"{player.name} {player.version} at {game.name} version {game.version}\n"


def _quicker(player: PlayerInfo) -> str:
    """Say what would be quicker than asking move by move."""
    if player.choose_batch is not None or player.distribution is not None:
        return ""
    return "; a player that offers choose_batch or a distribution is asked quicker"


def _write(
    file: str | None, tours: dict[Side, Tour], player: PlayerInfo, game: Game
) -> tuple[ProvedClaim, ...]:
    """Write the certificate of the sides that never lose, and return what that proves."""
    claims = [
        Claim(side, not walked.draws) for side, walked in tours.items() if walked.losing is None
    ]
    if file is None or not claims:
        return ()
    head = _own_head(player, game, tours)
    source = (
        f"the moves of {player.name}, asked {query_method(player)} as a function of the position;"
        " the first of several, and a win at once where there is one"
    )
    strategies = {claim: tours[claim.side].moves for claim in (head.claims if head else claims)}
    assumes = assumed("position")
    sizes = write_certificate(real_path(file), game.start(), strategies, source, assumes, head)
    return tuple(ProvedClaim(str(c), size.positions, size.recorded) for c, size in sizes.items())


def _own_head(player: PlayerInfo, game: Game, tours: dict[Side, Tour]) -> CertificateHead | None:
    """Return the head of the certificate that a player plays, if it proves that of the game."""
    index = index_of(player)
    if index is None or index.head.start != str(game.start()):
        return None
    holds = (claim.side in tours and tours[claim.side].holds(claim) for claim in index.head.claims)
    return index.head if all(holds) else None


def _side(walked: Tour, game: Game) -> WalkedSide:
    if walked.losing is None:
        return WalkedSide(walked.positions, None)
    line = tuple(map(game.format_move, walked.losing))
    return WalkedSide(walked.positions, line, written_line(game.start(), walked.losing))
