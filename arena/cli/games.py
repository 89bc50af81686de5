"""``arena games``: what can be played."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from arena.cli.common.output import Output, add_output
from arena.games.lines import FILE
from arena.plugin.catalogue import Catalogue
from arena.records.listings import Listing

#: What no plugin offers, and is played all the same.
IN_A_FILE = (f"{FILE}FILE", "the size of the board and the winning lines are in a file")


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the families of games."""
    output = Output(arguments, catalogue)
    families = ((name, family.summary) for name, family in catalogue.families)
    rows = [{"name": name, "summary": summary} for name, summary in (*families, IN_A_FILE)]
    output.write(Listing("games", tuple(rows), ("name", "summary")))
    return 0
