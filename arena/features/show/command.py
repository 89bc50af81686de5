"""``arena show RUN``: a stored run, as its command showed it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import arena
from arena import escape
from arena.cli.fields import add_fields, fields_of
from arena.cli.output import Output, add_output
from arena.cli.sheets import add_sheet
from arena.cli.stores import add_stored, run_of, store_of
from arena.features.methods.explanation import add_explain, explain
from arena.inputs.stored_options import RecountOption
from arena.plugin.catalogue import Catalogue
from arena.signatures import declared


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    add_stored(parser, "a run (default: the last)")
    add_fields(parser, fields_of(declared(RecountOption)))
    parser.add_argument(
        "--contest", action="store_true", help="print the contest file that the run was played from"
    )
    add_sheet(parser)
    add_explain(parser)
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the tables of a run. Players play nothing."""
    output = Output(arguments, catalogue)
    explain(arguments, output)
    if arguments.contest:
        for line in arena.plugin.contest_of(store_of(arguments), run_of(arguments)).splitlines():
            print(escape.line(line))
        return 0
    counted = arguments.count_forfeits
    store, number = store_of(arguments), run_of(arguments)
    if arguments.table is not None:
        output.write(arena.plugin.stored_sheet(store, arguments.table, number, catalogue, counted))
    else:
        output.write_games(arena.show(store, number, catalogue, counted))
    return 0
