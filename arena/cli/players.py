"""``arena players``: who can be asked to play."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import asdict

from arena.cli.common.output import Output, add_output
from arena.player import summary_of
from arena.plugin.catalogue import Catalogue
from arena.records.listings import Listing


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the players, and the plugins that were left out."""
    output = Output(arguments, catalogue)
    rows = tuple(
        {
            "name": info.name,
            "version": info.version,
            "distribution": info.package,
            "games": list(info.games),
            "deterministic": info.deterministic,
            "stateless": info.stateless,
            "claims": list(info.claims),
            "summary": info.summary,
            "options": None if info.options is None else summary_of(info.options),
        }
        for _, info in catalogue.players
    )
    broken = tuple(asdict(broken) for broken in catalogue.broken)
    output.write(Listing("players", rows, ("name", "games", "summary"), broken))
    return 0
