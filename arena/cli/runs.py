"""``arena runs``: what a store has."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from arena import api
from arena.cli.common.fields import add_fields, require_store, store
from arena.cli.common.output import Output, add_output
from arena.plugin.catalogue import Catalogue


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    add_fields(parser, {"store": store("the store")})
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the list of runs."""
    output = Output(arguments, catalogue)
    output.write(api.stored_runs(require_store(arguments)))
    return 0
