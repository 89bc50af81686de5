"""``arena explain ID``: one game with what every move was worth, and the better ones."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import arena
from arena.cli.fields import whole
from arena.cli.isolation import add_isolation
from arena.cli.last import named_game
from arena.cli.output import Output, add_output
from arena.features.explain.function import EXPLAIN_POSITIONS, SOLVER_POSITIONS
from arena.features.replay.command import add_id, add_store
from arena.plugin.catalogue import Catalogue
from arena.proof import progress


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    add_id(parser)
    add_store(parser)
    parser.add_argument(
        "--max-positions",
        type=whole(1, 10**9),
        default=EXPLAIN_POSITIONS,
        metavar="N",
        help="search this many positions for each move of a game that is too large to solve"
        " (default: %(default)s)",
    )
    parser.add_argument(
        "--certificate", metavar="FILE", help="rely on what this certificate proves"
    )
    parser.add_argument(
        "--solver-positions",
        type=whole(1, 10**12),
        default=SOLVER_POSITIONS,
        metavar="N",
        help="with --certificate at four in a row: solve over this many positions for each move"
        " that nothing else values (default: %(default)s)",
    )
    add_output(parser)
    add_isolation(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the game's moves with their values, and its boards."""
    output = Output(arguments, catalogue)
    named = named_game(arguments.game, arguments, catalogue)
    with progress.shown():
        report = arena.explain(
            named.game,
            players=named.players,
            store=arguments.store,
            max_positions=arguments.max_positions,
            certificate=arguments.certificate,
            solver_positions=arguments.solver_positions,
            catalogue=named.catalogue,
        )
    output.write(report)
    return 0
