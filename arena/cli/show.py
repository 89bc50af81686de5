"""``arena show RUN``: a stored run, as its command showed it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from arena import api
from arena.cli.common.fields import add_fields, count_forfeits, require_store, store, whole
from arena.cli.common.output import Output, add_output
from arena.cli.common.sheets import add_sheet
from arena.plugin.catalogue import Catalogue


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "run",
        nargs="?",
        type=whole(1, 2**31),
        metavar="RUN",
        help="its number, as listed by: arena runs (default: the last)",
    )
    counted = count_forfeits(None)
    add_fields(parser, {"count_forfeits": counted, "store": store("the store")})
    add_sheet(parser)
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the tables of a run; nobody plays."""
    output = Output(arguments, catalogue)
    counted = arguments.count_forfeits
    store, number = require_store(arguments), arguments.run
    if arguments.table is not None:
        output.write(api.stored_sheet(store, arguments.table, number, catalogue, counted))
    else:
        output.write(api.show(store, number, catalogue, counted))
    return 0
