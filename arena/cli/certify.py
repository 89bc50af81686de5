"""``arena certify PLAYER``: proof that a player never loses, or how it does soonest."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from functools import partial
from pathlib import Path

from arena import api
from arena.cli.isolation import add_isolation
from arena.cli.options import add_game, add_max_positions, add_seed, whole
from arena.cli.output import Output, add_format
from arena.commands import Commands
from arena.errors import UsageError
from arena.markers import hookimpl
from arena.plugin import Catalogue
from arena.proof.certificate import GAMES
from arena.proof.checker import check_certificate
from arena.writing import check_target, real_path, write_atomically


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("player", nargs="?", metavar="PLAYER", help="whose play is proved")
    what.add_argument(
        "--check", metavar="FILE", help="verify a certificate by the rules, without the player"
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
        return _check(Path(arguments.check), catalogue)
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
        write_atomically(target, json.dumps(certificate.with_moves(), indent=1) + "\n")
    output.write(certificate)
    return 0 if certificate.never_loses else 1


def _check(path: Path, catalogue: Catalogue) -> int:
    try:
        certificate = json.loads(path.read_text(encoding="utf-8"))
        player, game = str(certificate["player"]), catalogue.game(certificate["game"])
    except OSError as error:
        raise UsageError(f"certificate {str(path)!r}: {error.strerror}") from error
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise UsageError(f"{str(path)!r} is not a certificate of arena's") from error
    check_certificate(certificate, game)
    verdict = "never loses" if certificate["never_loses"] else "can lose"
    print(f"verified: {player} {verdict} at {game.name}")
    return 0


@hookimpl
def arena_add_command(commands: Commands) -> None:
    commands.add("certify", "prove that a player never loses", configure, run)
