"""``arena check PLAYER`` and ``arena check game GAME``: whether they keep their contracts."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

import arena
from arena.cli.fields import add_fields, add_flags, fields_of, options_of, without_defaults
from arena.cli.isolation import add_isolation
from arena.cli.output import Output, add_output
from arena.errors import UsageError
from arena.features.check.options import CheckGameOptions, CheckOptions
from arena.features.check.record import CheckReport
from arena.player.faults import where
from arena.plugin.catalogue import Catalogue
from arena.proof import progress
from arena.records.commands import command_line, with_plugins
from arena.rng import fresh_seed
from arena.signatures import declared

#: The word before the name of a game.
_GAME = "game"


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "player",
        metavar="PLAYER",
        help="a player, as listed by: arena players; ./bot.py, cmd:./bot; or the word game",
    )
    parser.add_argument("of", nargs="?", metavar="GAME", help="after the word game: its name")
    add_fields(parser, without_defaults(fields_of(declared(CheckOptions))))
    add_flags(parser, without_defaults(fields_of(declared(CheckGameOptions))))
    add_isolation(parser)
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the findings. Return 0 if everything holds that must, 1 if not."""
    output = Output(arguments, catalogue)
    with progress.display():
        examine = _check_game if arguments.player == _GAME else _check_player
        report = examine(arguments, catalogue)
    output.write(report)
    return 0 if report.conforms else 1


def _check_player(arguments: Namespace, catalogue: Catalogue) -> CheckReport:
    if arguments.of is not None:
        player = command_line("check", arguments.player, game=arguments.of)
        commands = (player, command_line("check", _GAME, arguments.of))
        one, other = (with_plugins(command, arguments.p) for command in commands)
        raise UsageError(f"ask one: {one}, or {other}")
    if arguments.histories is not None:
        raise UsageError("--histories is about a game, not about a player")
    return arena.check(arguments.player, **options_of(arguments), catalogue=catalogue)


def _check_game(arguments: Namespace, catalogue: Catalogue) -> CheckReport:
    if arguments.of is None:
        raise UsageError("name the game to check, as listed by: arena games")
    for name in ("positions", "timed"):
        if getattr(arguments, name):
            flag = declared(CheckOptions)[name].flag
            raise UsageError(f"{flag} is about a player, not about a game")
    seed, histories = arguments.seed, arguments.histories
    try:
        return arena.check_game(
            arguments.of,
            seed=fresh_seed() if seed is None else seed,
            catalogue=catalogue,
            **({} if histories is None else {"histories": histories}),
        )
    except KeyboardInterrupt as error:  # perhaps since a method of the game does not return
        if place := where(error):
            print(f"arena: the check was at {place}", file=sys.stderr)
        raise
