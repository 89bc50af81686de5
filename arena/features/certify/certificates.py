"""Certificates in files: what they prove, and whether a player keeps to them."""

from __future__ import annotations

import os
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Unpack

from arena.certificates.checking import check as check_moves
from arena.certificates.equilibrium import check_strategies
from arena.certificates.head import DRAW, CertificateHead
from arena.certificates.index import CertificateIndex, open_index
from arena.certificates.strategies import is_strategies, read_strategies
from arena.certificates.stream import is_format_2
from arena.errors import UsageError, quoted
from arena.features.certify.options import AgreementOptions, CertificateOptions
from arena.game import Game, Position
from arena.games.display import Line, written_line
from arena.inputs.resolve import PlayerLike, get_player, guarded, open_catalogue
from arena.plugin.catalogue import Catalogue
from arena.proof.certificate_file import CertificateFile, CertifiedSide, read_certificate
from arena.proof.checker import check_certificate as check_file
from arena.proof.lookup import CertifiedMoves
from arena.proof.program import program
from arena.proof.responses import RANDOM
from arena.proof.witness import TableLookup, watch_games
from arena.records.equilibria import CheckedStrategies
from arena.records.proofs import Agreement, CheckedCertificate, CheckedSide
from arena.records.theorems import ProvedClaim, Theorem
from arena.rng import fresh_seed
from arena.sandbox.cores import shared_with
from arena.signatures import complete, takes
from arena.store.real_fights import random_opponent


@takes(CertificateOptions)
def check_certificate(
    file: str | os.PathLike[str],
    player: PlayerLike | None = None,
    **options: Unpack[CertificateOptions],
) -> CheckedCertificate | Theorem | CheckedStrategies:
    """Verify a certificate in a file by the rules, and that a player, if given, keeps to it.

    The file has format 1, JSON, or format 2, of which the theorem says what it proves, or the
    strategies of a game with luck or secrets.

    The player plays ``games`` games under the seed, and its moves are looked up. Raises
    CertificateError if the file does not prove what it says.
    """
    options = complete(check_certificate, options)
    catalogue = open_catalogue(options["catalogue"], options["isolation"])
    max_positions, games = options["max_positions"], options["games"]
    root = fresh_seed() if options["seed"] is None else options["seed"]
    path = Path(file)
    if is_strategies(path):
        return _check_strategies(path, player, options)
    if is_format_2(path):
        theorem = _theorem(path, catalogue, max_positions)
        if player is None:
            return theorem
        work = partial(_keeps_to_moves, path, player, games, root, catalogue)
        return replace(theorem, player=_name_of(player, catalogue), agreement=guarded(work, player))
    certificate = _read_verified(path, catalogue, max_positions)
    if certificate is None:
        raise UsageError(f"certificate {quoted(str(path))}: needs more memory than there is")
    first, second = (_side(side, certificate.game) for side in certificate.sides)
    report = CheckedCertificate(
        game=certificate.game.name,
        named=certificate.player,
        first=first,
        second=second,
        checked_by=program(),
        source=certificate.source,
        program=certificate.program,
        assumes=certificate.assumes,
    )
    if player is None:
        return report
    agreement = keeps_to(certificate, player, games=games, seed=root, catalogue=catalogue)
    return replace(report, player=_name_of(player, catalogue), agreement=agreement)


def _check_strategies(
    path: Path, player: PlayerLike | None, options: CertificateOptions
) -> CheckedStrategies:
    """Verify the strategies of a game with luck or secrets."""
    catalogue = open_catalogue(options["catalogue"], options["isolation"])
    root = fresh_seed() if options["seed"] is None else options["seed"]
    file = read_strategies(path, catalogue.game)
    low, high = check_strategies(file, options["max_positions"])
    report = CheckedStrategies(
        game=file.game.name,
        game_version=file.game.version,
        unit=file.game.payoffs.unit,
        low=low,
        high=high,
        sets=(len(file.tables[0]), len(file.tables[1])),
        checked_by=program(),
        source=file.head.source,
        program=file.head.program,
    )
    if player is None:
        return report

    def table(position: Position, _: Line) -> dict[int, Fraction] | None:
        seat = position.to_move
        listed = file.tables[seat].get(str(position.observation(seat)))
        if listed is None:
            return None
        return {file.game.parse_move(name): share for name, share in listed.items()}

    work = partial(_compare_games, table, file.game, player, options["games"], root, catalogue)
    return replace(report, player=_name_of(player, catalogue), agreement=guarded(work, player))


def _name_of(player: PlayerLike, catalogue: Catalogue) -> str:
    """Return the name of a player. One in a file is not loaded for it."""
    if isinstance(player, str):
        return catalogue.read_named(player).name
    return get_player(player, catalogue).name


def open_certificate(
    file: str | os.PathLike[str], *, catalogue: Catalogue | None = None
) -> CertificateIndex:
    """Verify a certificate of format 2, and return its moves by position.

    Raises CertificateError if the file does not prove what it says.
    """
    return open_index(Path(file), open_catalogue(catalogue, None).game)


def certified(file: str | os.PathLike[str], game: Game, catalogue: Catalogue) -> CertificateIndex:
    """Open a certificate. Raises UsageError if it is not one of this game."""
    index = open_certificate(file, catalogue=catalogue)
    if index.game != game:
        name = quoted(os.fspath(file))
        raise UsageError(f"certificate {name} is one of {index.game.name}, not of {game.name}")
    return index


def _theorem(path: Path, catalogue: Catalogue, max_positions: int) -> Theorem:
    """Verify a certificate of format 2."""
    head, sizes = check_moves(path, catalogue.game, max_positions)
    return Theorem(
        game=head.game,
        game_version=head.version,
        start=head.start,
        value=_value(head, catalogue),
        claims=tuple(
            ProvedClaim(str(claim), size.positions, size.recorded) for claim, size in sizes.items()
        ),
        checked_by=program(),
        source=head.source,
        program=head.program,
        assumes=head.assumes,
    )


def _value(head: CertificateHead, catalogue: Catalogue) -> str | None:
    """Return what the claims make the start for the side to move, or None if they leave it open."""
    if head.claims == DRAW:
        return "draw"
    (claim,) = head.claims
    if not claim.wins:
        return None
    to_move = catalogue.game(head.game).parse(head.start).to_move
    return "win" if claim.side == to_move else "loss"


def _read_verified(path: Path, catalogue: Catalogue, max_positions: int) -> CertificateFile | None:
    """Read and check a certificate. Return None if that takes more memory than there is."""
    try:
        certificate = read_certificate(path, catalogue.game)
        check_file(certificate, max_positions)
    except MemoryError:
        return None  # there is no memory for a message before the frames of this error are gone
    return certificate


def _side(side: CertifiedSide, game: Game) -> CheckedSide:
    best_reply = side.best_reply if side.has_chances else None
    line = map(game.parse_move, side.losing_line or ())
    written = written_line(game.start(), line)
    return CheckedSide(side.positions, side.losing_line, best_reply, written)


@takes(AgreementOptions)
def keeps_to(
    certificate: CertificateFile,
    player: PlayerLike,
    **options: Unpack[AgreementOptions],
) -> Agreement:
    """Play this many games of a player against a random opponent, and look its moves up.

    Says whether the player keeps to the moves of a certificate that was read from a file.
    """
    options = complete(keeps_to, options)
    catalogue = open_catalogue(options["catalogue"], options["isolation"])
    root = fresh_seed() if options["seed"] is None else options["seed"]
    work = partial(_keeps_to, certificate, player, options["games"], root, catalogue)
    return guarded(work, player)


def _keeps_to(
    certificate: CertificateFile, player: PlayerLike, games: int, root: int, catalogue: Catalogue
) -> Agreement:
    moves = CertifiedMoves(certificate)
    agreement = _compare_games(moves, certificate.game, player, games, root, catalogue)
    return agreement if certificate.has_chances else replace(agreement, p_value=1.0)


def _keeps_to_moves(
    path: Path, player: PlayerLike, games: int, root: int, catalogue: Catalogue
) -> Agreement:
    """Do the same for a certificate of format 2, which does not have probabilities."""
    index = open_index(path, catalogue.game)

    def table(position: Position, _: Line) -> dict[int, Fraction]:
        return dict.fromkeys(index.moves_of(position), Fraction(1))

    return replace(_compare_games(table, index.game, player, games, root, catalogue), p_value=1.0)


def _compare_games(
    table: TableLookup, game: Game, player: PlayerLike, games: int, root: int, catalogue: Catalogue
) -> Agreement:
    """Play games of a player against a random opponent, and look its moves up in a table."""
    info, pairs = get_player(player, catalogue), max(1, games // 2)
    info.require(game)
    elsewhere = random_opponent(info, game, root)
    with shared_with(info):
        return watch_games(info, game, table, (RANDOM,), pairs, root, elsewhere)
