"""``arena exact A B``: the result of a pairing as probabilities, without sampling."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial

from arena import api
from arena.cli.common.fields import add_game, add_max_positions, add_openings
from arena.cli.common.isolation import add_isolation
from arena.cli.common.output import Output, add_output
from arena.plugin.catalogue import Catalogue


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "players",
        nargs="*",
        metavar="PLAYER",
        help="two for their pairing, more for a round robin (default: every stateless player)",
    )
    add_game(parser)
    add_openings(parser)
    add_max_positions(parser)
    add_output(parser)
    add_isolation(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the exact result of the pairing or of the round robin."""
    from arena.executors.apart import run_apart

    output = Output(arguments, catalogue)
    where = {
        "game": arguments.game,
        "max_positions": arguments.max_positions,
        "openings": arguments.openings,
        "catalogue": catalogue,
    }
    if len(arguments.players) == 2:
        output.write(run_apart(partial(api.exact, *arguments.players, **where)))
    else:
        output.write(run_apart(partial(api.exact_tournament, arguments.players, **where)))
    return 0
