"""``arena export``: runs with all their games."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from arena import api
from arena.cli.common.fields import add_fields, require_store, store, whole
from arena.cli.common.output import Output, add_output
from arena.plugin.catalogue import Catalogue


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "runs",
        nargs="*",
        type=whole(1, 2**31),
        metavar="RUN",
        help="their numbers, as listed by: arena runs (default: all)",
    )
    add_fields(parser, {"store": store("the store")})
    add_output(parser)
    parser.set_defaults(format="json")


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the runs as they are at one moment, whoever is writing."""
    output = Output(arguments, catalogue)
    output.write(api.export(require_store(arguments), arguments.runs))
    return 0
