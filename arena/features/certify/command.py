"""``arena certify PLAYER``: proof that a player never loses, or how it does soonest."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace

import arena
from arena import files
from arena.cli.fields import add_fields, add_flags, field_of, fields_of, options_of
from arena.cli.isolation import add_isolation
from arena.cli.output import Output, add_format, data_target
from arena.errors import UsageError
from arena.features.certify.options import (
    WALK_POSITIONS,
    CertifyOptions,
    ExploitabilityOptions,
    WalkOptions,
)
from arena.files import write_atomically
from arena.inputs.resolve import get_ruled_game
from arena.model.defaults import MAX_POSITIONS
from arena.plugin.catalogue import Catalogue
from arena.proof import progress
from arena.records.proofs import Certificate
from arena.signatures import declared


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("player", nargs="?", metavar="PLAYER", help="the player to prove")
    parser.add_argument(
        "--check",
        metavar="FILE",
        help="verify a certificate by the rules; with PLAYER, also play games to see that it plays"
        " as certified",
    )
    options, walk_options = declared(CertifyOptions), declared(WalkOptions)
    most = f"give up after this many positions (default: {MAX_POSITIONS}, and {WALK_POSITIONS} ply"
    positions = field_of(options["max_positions"], default=None, help=f"{most} by ply)")
    add_fields(parser, fields_of(options) | {"max_positions": positions})
    more = declared(ExploitabilityOptions)
    add_flags(parser, fields_of({name: more[name] for name in ("at_most", "output")}))
    file_options = {name: walk_options[name] for name in ("certificate", "checkpoint")}
    add_flags(parser, fields_of(file_options))
    add_isolation(parser)
    add_format(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print what was proved. Return 0 if the player never loses, or no opponent can win more than
    the bound, else 1.
    """
    if arguments.check is not None:
        return _check(arguments, catalogue)
    if arguments.player is None:
        raise UsageError("certify needs a PLAYER, or --check FILE")
    if arguments.certificate is not None or arguments.checkpoint is not None:
        return _walk(arguments, catalogue)
    if get_ruled_game(arguments.game, catalogue).features:
        return _exploit(arguments, catalogue)
    if arguments.at_most is not None:
        raise UsageError(
            "--at-most is for games with luck or secrets: in others certify says who never loses"
        )
    target = data_target(arguments.output, "the certificate", catalogue)
    output = Output(arguments, catalogue, to_file=False)
    with progress.display():
        certificate = arena.certify(arguments.player, **options_of(arguments), catalogue=catalogue)
    if target is not None:
        write_atomically(target, _text(certificate))
    output.write(certificate)
    return 0 if certificate.never_loses else 1


def _exploit(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print how much an opponent can win. Return 1 if that is more than the bound."""
    output = Output(arguments, catalogue, to_file=False)
    given = {"at_most": arguments.at_most, "output": arguments.output}
    with progress.display():
        exploitability = arena.exploitability(
            arguments.player, **options_of(arguments), **given, catalogue=catalogue
        )
    output.write(exploitability)
    return 0 if exploitability.holds else 1


def _walk(arguments: Namespace, catalogue: Catalogue) -> int:
    """Walk a large game ply by ply. Return 0 if the player never loses, 1 if it can."""
    if arguments.output is not None:
        raise UsageError("--output writes format 1, and --certificate format 2: use one of them")
    output = Output(arguments, catalogue, to_file=False)
    options = options_of(arguments)
    for unused in ("games", "seed"):
        options.pop(unused, None)
    files = {"certificate": arguments.certificate, "checkpoint": arguments.checkpoint}
    with progress.display():
        theorem = arena.plugin.walk(arguments.player, **options, **files, catalogue=catalogue)
    output.write(theorem)
    return 0 if theorem.never_loses else 1


def _text(certificate: Certificate) -> str:
    text = json.dumps(certificate.with_moves(), indent=1) + "\n"
    if len(text) > files.MAX_FILE_BYTES:
        raise UsageError(
            f"the certificate has more than {files.MAX_FILE_BYTES >> 20} MiB, which --check refuses"
        )
    return text


def _check(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print what a certificate proves. Return 1 if the player does not keep to it."""
    output = Output(arguments, catalogue, to_file=False)
    options = {**options_of(arguments), "catalogue": catalogue}
    for unused in ("game", "max_seconds"):  # the file names the game, and has an end
        options.pop(unused, None)
    report = arena.check_certificate(arguments.check, arguments.player, **options)
    output.write(report)
    return 0 if report.holds else 1
