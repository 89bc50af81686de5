"""``arena resume STORE``: continue a run that was interrupted, killed, or cut short."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import arena
from arena.cli.fields import add_fields, fields_of, options_of
from arena.cli.isolation import add_isolation
from arena.cli.output import Output, add_output
from arena.cli.playing import interruptible, show
from arena.cli.sheets import add_sheet
from arena.cli.stores import add_stored, run_of, store_of
from arena.features.resume.function import run_to_resume
from arena.features.resume.options import ResumeOptions
from arena.plugin.catalogue import Catalogue
from arena.signatures import declared


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    add_stored(parser, "a run (default: the last incomplete one, or the last)")
    add_fields(parser, fields_of(declared(ResumeOptions)))
    add_isolation(parser)
    add_sheet(parser)
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Play what is missing and print what the run's command would have printed."""
    options = {**options_of(arguments), "catalogue": catalogue}
    output = Output(arguments, catalogue)
    store = store_of(arguments)
    run, table = run_to_resume(store, run_of(arguments)), arguments.table
    if table is not None:
        output.present = lambda _: arena.plugin.stored_sheet(store, table, run, catalogue)
    with interruptible(output):
        played = arena.resume(store, run, **options)
    return show(output, played)
