"""``arena explain ID``: one game with what every move was worth, and the better ones."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import arena
from arena.cli.fields import add_fields, fields_of, options_of
from arena.cli.isolation import add_isolation
from arena.cli.last import named_game
from arena.cli.output import Output, add_output
from arena.features.explain.options import ExplainOptions
from arena.features.replay.command import add_id
from arena.plugin.catalogue import Catalogue
from arena.proof import progress
from arena.signatures import declared


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    add_id(parser)
    add_fields(parser, fields_of(declared(ExplainOptions)))
    add_output(parser)
    add_isolation(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the game's moves with their values, and its boards."""
    output = Output(arguments, catalogue)
    game, players, catalogue = named_game(arguments.game, arguments, catalogue)
    options = {**options_of(arguments), "players": players, "catalogue": catalogue}
    with progress.display():
        report = arena.explain(game, **options)
    output.write(report)
    return 0
