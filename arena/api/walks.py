"""Prove what a player does at a large game, ply by ply."""

from __future__ import annotations

import os

from arena.api.common import (
    DEFAULT_GAME,
    GameLike,
    IsolationLike,
    PlayerLike,
    get_player,
    get_ruled_game,
    open_catalogue,
)
from arena.certificates.asking import asker, how
from arena.certificates.boards import boards_of
from arena.certificates.head import DRAW
from arena.certificates.saved import Saved
from arena.certificates.tour import Tour, tour
from arena.certificates.writing import program, write_certificate
from arena.errors import CannotEnumerate, UsageError
from arena.files import check_target, real_path
from arena.game import Game, Side
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.proof.distribution import require_stateless
from arena.records.theorems import PlayerTheorem, ProvedClaim, WalkedSide
from arena.sandbox.cores import shared_with

#: Positions that may occur by default: they take a gigabyte.
WALK_POSITIONS = 50_000_000

#: What the proof takes for granted.
ASSUMED = "the player moves in games as it does when it is asked for its move at a position"


def walk(
    player: PlayerLike,
    *,
    game: GameLike = DEFAULT_GAME,
    certificate: str | os.PathLike[str] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    max_positions: int = WALK_POSITIONS,
    isolation: IsolationLike | None = None,
    catalogue: Catalogue | None = None,
) -> PlayerTheorem:
    """Return whether a player never loses at a game of lines of at most 64 bits a position.

    It is asked as a function of the position, for all that occurs against any opponent. If it never
    loses, its moves are written as a ``certificate`` of format 2. A ``checkpoint`` is a folder that
    keeps its answers, from which the next walk goes on. Raises CannotEnumerate if its moves
    cannot be found, or there are more than ``max_positions`` positions.

    >>> found = walk("triples")
    >>> found.never_loses, found.second.positions
    (True, 568)
    """
    catalogue = open_catalogue(catalogue, isolation)
    target = None if certificate is None else os.fspath(certificate)
    return _walk(player, game, target, checkpoint, max_positions, catalogue)


def _walk(
    player: PlayerLike,
    game: GameLike,
    certificate: str | None,
    checkpoint: str | os.PathLike[str] | None,
    most: int,
    catalogue: Catalogue,
) -> PlayerTheorem:
    the_game, info = get_ruled_game(game, catalogue), get_player(player, catalogue)
    info.require(the_game)
    require_stateless(info)
    boards = boards_of(the_game)
    if boards is None:
        raise UsageError(
            f"{the_game.name} is not a game of lines whose positions have 64 bits at most, which a"
            " certificate of format 2 about a player takes"
        )
    if certificate is not None:
        check_target(real_path(certificate))
    saved = None if checkpoint is None else Saved(checkpoint, _whose(info, the_game))
    ask = asker(info, boards)
    tours: list[Tour] = []
    with shared_with(info):
        for side in Side:
            try:
                tours.append(tour(the_game, boards, side, ask, most, saved))
            except CannotEnumerate as error:
                raise type(error)(f"{error}{_quicker(info)}") from error
    claims = _write(certificate, tours, info, the_game)
    first, second = (_side(found, the_game) for found in tours)
    return PlayerTheorem(
        game=the_game.name,
        game_version=the_game.version,
        player=info.name,
        account=how(info),
        first=first,
        second=second,
        proved_by=program(),
        certificate=certificate if claims else None,
        claims=claims,
    )


def _whose(player: PlayerInfo, game: Game) -> str:
    return f"{player.name} {player.version} at {game.name} version {game.version}\n"


def _quicker(player: PlayerInfo) -> str:
    """Say what would be quicker than asking move by move."""
    if player.choose_batch is not None or player.distribution is not None:
        return ""
    return "; a player that offers choose_batch or a distribution is asked quicker"


def _write(
    file: str | None, tours: list[Tour], player: PlayerInfo, game: Game
) -> tuple[ProvedClaim, ...]:
    """Write the certificate of a player that never loses; return what that proves."""
    if file is None or any(found.losing is not None for found in tours):
        return ()
    source = (
        f"the moves of {player.name}, asked {how(player)} as a function of the position; the first"
        " of several, and a win at once where there is one"
    )
    strategies = {claim: found.moves for claim, found in zip(DRAW, tours, strict=True)}
    sizes = write_certificate(real_path(file), game.start(), strategies, source, ASSUMED)
    return tuple(ProvedClaim(str(c), size.positions, size.recorded) for c, size in sizes.items())


def _side(found: Tour, game: Game) -> WalkedSide:
    line = None if found.losing is None else tuple(map(game.format_move, found.losing))
    return WalkedSide(found.positions, line)
