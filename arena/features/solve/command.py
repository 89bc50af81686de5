"""``arena solve GAME``: the value of a game under perfect play, with a certificate."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

import arena
from arena.cli.fields import OptionField, add_fields, fields_of, options_of
from arena.cli.output import Output, add_output
from arena.errors import UsageError
from arena.features.solve.options import SolveOptions
from arena.inputs.resolve import get_ruled_game
from arena.plugin.catalogue import Catalogue
from arena.proof import progress
from arena.signatures import declared


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("game", metavar="GAME", help="the game, as listed by: arena games")
    position = "solve this position (default: the start)"
    add_fields(parser, {"position": OptionField("--position", {"metavar": "P", "help": position})})
    add_fields(parser, fields_of(declared(SolveOptions)))
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the value. Return 3 if the game is too large to be solved."""
    output = Output(arguments, catalogue)
    options = {**options_of(arguments), "catalogue": catalogue}
    with progress.display():
        if get_ruled_game(arguments.game, catalogue).features:
            output.write(arena.game_value(arguments.game, **_of_a_game(options)))
        else:
            output.write(arena.solve(arguments.game, **options))
    return 0


def _of_a_game(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options without those of a game without luck and secrets."""
    plain = {"position": "--position", "checkpoint": "--checkpoint"}
    given = [flag for name, flag in plain.items() if name in options]
    if not options.pop("plies", True):
        given.append("--value-only")
    if given:
        raise UsageError(f"{given[0]} is for games without luck and secrets")
    return options
