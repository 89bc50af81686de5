"""``arena export``: runs with all their games."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from arena import api
from arena.cli.common.fields import add_runs, require_store
from arena.cli.common.output import Output, add_output
from arena.plugin.catalogue import Catalogue


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    add_runs(parser)
    add_output(parser)
    parser.set_defaults(format="json")


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the runs as they are at one moment, whoever is writing."""
    output = Output(arguments, catalogue)
    output.write(api.export(require_store(arguments), arguments.runs))
    return 0
