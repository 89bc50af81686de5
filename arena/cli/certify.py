"""``arena certify PLAYER``: proof that a player never loses, or how it does soonest."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from functools import partial
from pathlib import Path

from arena import api, escape, files
from arena.cli.common.fields import add_game, add_max_positions, add_seed, whole
from arena.cli.common.isolation import add_isolation
from arena.cli.common.output import Output, add_format
from arena.errors import UsageError, quoted
from arena.files import check_target, real_path, write_atomically
from arena.plugin.catalogue import Catalogue
from arena.proof.certificate import GAMES
from arena.proof.certificate_file import CertificateFile, read_certificate
from arena.proof.checker import check_certificate
from arena.records.proofs import Certificate


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("player", nargs="?", metavar="PLAYER", help="whose play is proved")
    parser.add_argument(
        "--check",
        metavar="FILE",
        help="verify a certificate by the rules; with PLAYER also that it keeps to it, in games",
    )
    add_game(parser)
    add_max_positions(parser)
    parser.add_argument(
        "--games",
        type=whole(0, 10**9),
        default=GAMES,
        metavar="N",
        help=f"real games in which the player keeps to what was proved (default: {GAMES})",
    )
    add_seed(parser)
    add_isolation(parser)
    add_format(parser)
    parser.add_argument("--output", metavar="FILE", help="write the certificate, with all moves")


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print what was proved; 0 if the player never loses, 1 if it can."""
    from arena.executors.apart import run_apart

    if arguments.check is not None:
        return _check(arguments, catalogue)
    if arguments.player is None:
        raise UsageError("certify needs a PLAYER, or --check FILE")
    target = None if arguments.output is None else real_path(arguments.output)
    if target is not None:
        check_target(target)
    output = Output(arguments, catalogue, to_file=False)
    certificate = run_apart(
        partial(
            api.certify,
            arguments.player,
            game=arguments.game,
            max_positions=arguments.max_positions,
            games=arguments.games,
            seed=arguments.seed,
            catalogue=catalogue,
        )
    )
    if target is not None:
        write_atomically(target, _text(certificate))
    output.write(certificate)
    return 0 if certificate.never_loses else 1


def _text(certificate: Certificate) -> str:
    text = json.dumps(certificate.with_moves(), indent=1) + "\n"
    if len(text) > files.MAX_BYTES:
        raise UsageError(
            f"the certificate has more than {files.MAX_BYTES >> 20} MiB, which --check refuses"
        )
    return text


def _check(arguments: Namespace, catalogue: Catalogue) -> int:
    path = Path(arguments.check)
    certificate = _verified(path, catalogue, arguments.max_positions)
    if certificate is None:
        raise UsageError(f"certificate {quoted(str(path))}: needs more memory than there is")
    verdict = "never lose" if certificate.never_loses else "can lose"
    print(f"the moves in this file {verdict} at {certificate.game.name}")
    for name, side in zip(("first", "second"), certificate.sides, strict=True):
        line = escape.line(" ".join(side.losing_line or ()))
        by = "no loss" if side.losing_line is None else f"a loss by {line}"
        score = f"; the best opponent scores {side.best_reply}" if side.has_chances else ""
        print(f"moving {name}: {by} in {side.positions} positions{score}")
    if not certificate.has_chances:
        print("not checked: the scores (the file does not say how probable the moves are)")
    if arguments.player is None:
        print(f"not checked: whose moves they are (the file names {quoted(certificate.player)})")
        return 0
    return _check_player(certificate, arguments, catalogue)


def _check_player(certificate: CertificateFile, arguments: Namespace, catalogue: Catalogue) -> int:
    """Print whether the player keeps to the certificate in games; 1 if it does not."""
    from arena.executors.apart import run_apart

    options = {"games": arguments.games, "seed": arguments.seed, "catalogue": catalogue}
    agreement = run_apart(partial(api.keeps_to, certificate, arguments.player, **options))
    if agreement.holds:
        print(escape.line(f"{arguments.player} keeps to these moves in {agreement.games} games"))
        return 0
    print(escape.line(f"{arguments.player} does not keep to these moves: {agreement.refutation}"))
    return 1


def _verified(path: Path, catalogue: Catalogue, max_positions: int) -> CertificateFile | None:
    """Read and check a certificate; None if that takes more memory than there is."""
    try:
        certificate = read_certificate(path, catalogue.game)
        check_certificate(certificate, max_positions)
    except MemoryError:
        return None  # there is no memory for a message before the frames of this error are gone
    return certificate
