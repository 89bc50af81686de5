"""Measure, and print one table: ``python -m benchmarks [--quick] [--only GROUP]``."""

from __future__ import annotations

import platform
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable

from arena.executors.base import usable_cores
from benchmarks import (
    batches,
    builds,
    calls,
    certificates,
    cluster,
    engines,
    exactly,
    fairness,
    isolation,
    keeping,
    mcts,
    models,
    modules,
    openspiel,
    pettingzoo,
    process,
    refereed,
    reports,
    rounds,
    searching,
    seats,
    tables,
    unseen,
    volunteering,
    watching,
    wire,
    workers,
)
from benchmarks.table import Row, render

#: Groups of measurements; each takes whether to be quick, and returns its rows.
GROUPS: dict[str, Callable[[bool], list[Row]]] = {
    "calls": calls.rows,
    "builds": builds.rows,
    "seats": seats.rows,
    "table": tables.rows,
    "batch": batches.rows,
    "openspiel": openspiel.rows,
    "pettingzoo": pettingzoo.rows,
    "unseen": unseen.rows,
    "exact": exactly.rows,
    "search": searching.rows,
    "mcts": mcts.rows,
    "engines": engines.rows,
    "process": process.rows,
    "workers": workers.rows,
    "cluster": cluster.rows,
    "volunteers": volunteering.rows,
    "store": keeping.rows,
    "refereed": refereed.rows,
    "models": models.rows,
    "wasm": modules.rows,
    "report": reports.rows,
    "watching": watching.rows,
    "rounds": rounds.rows,
    "certificates": certificates.rows,
    "isolation": isolation.rows,
    "wire": wire.rows,
    "fairness": fairness.rows,
}

NOTE = """\
Short batches of the two compared things alternate, and the ratio is that of the fastest batch of
each: processor time for what plays in one process, and wall-clock time for the rest.
Times are for orientation only: compare ratios between runs, not times."""

QUICK = "A quick run shows that every measurement works; its figures mean little."


def main() -> None:
    """Run the chosen groups and print their rows as one Markdown table."""
    arguments = _arguments()
    rows: list[Row] = []
    for name in [arguments.only] if arguments.only else GROUPS:
        print(f"measuring: {name}", file=sys.stderr)
        rows += GROUPS[name](arguments.quick)
    print(render(rows), NOTE, sep="\n\n")
    if arguments.quick:
        print(QUICK)
    print(f"{platform.python_implementation()} {platform.python_version()}", end=", ")
    print(f"usable cores: {usable_cores()}.")


def _arguments() -> Namespace:
    parser = ArgumentParser(prog="python -m benchmarks", description="Measure arena's speed.")
    parser.add_argument("--quick", action="store_true", help="a short run, to see that it works")
    parser.add_argument("--only", choices=GROUPS, help="one group of measurements")
    return parser.parse_args()


if __name__ == "__main__":
    main()
