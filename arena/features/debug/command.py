"""``arena debug PLAYER ID``: one game again, with pdb where the player raises.

The player plays in arena's own process, without isolation and without limits.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from contextlib import redirect_stdout

import arena
from arena.cli.fields import add_fields, fields_of, options_of
from arena.cli.last import named_game
from arena.cli.output import Output, add_output
from arena.features.debug.options import DebugOptions
from arena.features.replay.command import SHORT_IDS
from arena.plugin.catalogue import Catalogue
from arena.signatures import declared


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "player",
        metavar="PLAYER",
        help="the player to debug, as in the id; it plays in arena's own process, without limits",
    )
    parser.add_argument(
        "game",
        metavar="ID",
        help=f"the game: {SHORT_IDS} by that player; or GAME/A/B/SEED/PAIR.1 or .2",
    )
    add_fields(parser, fields_of(declared(DebugOptions)))
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Play the game and print it, unless the human leaves the debugger."""
    from arena.features.debug.debugger import LeftDebugger

    output = Output(arguments, catalogue)
    player = arguments.player
    game, players, catalogue = named_game(arguments.game, arguments, catalogue, player)
    options = {**options_of(arguments), "players": players, "catalogue": catalogue}
    # The dialogue is not the output that a program reads.
    dialogue = sys.stdout if arguments.format in (None, "table") else sys.stderr
    try:
        with redirect_stdout(dialogue):
            played = arena.debug(player, game, **options)
    except LeftDebugger:
        return 0
    output.write(played)
    return 0
