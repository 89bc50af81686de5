"""``arena browse``: the games of a store, with their moves."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import arena
from arena.cli.fields import add_fields, fields_of, options_of
from arena.cli.output import Output, add_output
from arena.cli.stores import add_stored, runs_of, store_of, stored_word
from arena.features.browse.options import PLAYER_RESULTS, BrowseOptions
from arena.plugin.catalogue import Catalogue
from arena.signatures import declared

#: Stands for the player of --player after a result.
_OF_PLAYER = object()


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    add_stored(parser, "runs (default: all)")
    fields = fields_of(declared(BrowseOptions))
    add_fields(parser, {"player": fields.pop("player")})
    results = parser.add_mutually_exclusive_group()
    for result in PLAYER_RESULTS:
        results.add_argument(
            f"--{result}",
            nargs="?",
            const=_OF_PLAYER,
            metavar="NAME",
            help=f"only games that this player has {result}, or that of --player",
        )
    add_fields(parser, fields)
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the games, also while a run writes."""
    output = Output(arguments, catalogue)
    player, result = _player_result(arguments)
    options = {**options_of(arguments), "player": player, "result": result, "catalogue": catalogue}
    output.write_games(arena.browse(store_of(arguments), runs_of(arguments), **options))
    return 0


def _player_result(arguments: Namespace) -> tuple[str | None, str | None]:
    """Return the player and the result that are named.

    A word after the result is a store or a run, as elsewhere, if --player names the player.
    """
    for result in PLAYER_RESULTS:
        name = getattr(arguments, result)
        if name is None:
            continue
        if name is _OF_PLAYER:
            return arguments.player, result
        if arguments.player is None:
            return name, result
        arguments.words.append(stored_word(name))
        return arguments.player, result
    return arguments.player, None
