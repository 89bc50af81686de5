"""``arena train lms``: a player that learns, its weights, and its learning curve."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from dataclasses import replace
from functools import partial
from pathlib import Path

import arena
from arena.cli.fields import add_fields, fields_of, options_of
from arena.cli.isolation import add_isolation
from arena.cli.output import Output, add_format, data_target
from arena.errors import UsageError, quoted
from arena.features.train.options import TrainOptions
from arena.files import check_target, real_path, write_atomically
from arena.plugin.catalogue import Catalogue
from arena.plugins.progress import is_watched
from arena.records.training import LEARNER, Training
from arena.reports.plots import STYLES, draw, require_matplotlib
from arena.signatures import declared


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("learner", metavar="LEARNER", help=f"the player to train: {LEARNER}")
    add_fields(parser, fields_of(declared(TrainOptions)))
    parser.add_argument(
        "--output", metavar="FILE", help=f"write the weights, for use as {LEARNER}:FILE"
    )
    parser.add_argument("--plot", metavar="FILE", help="draw that curve, as .png or .svg")
    add_isolation(parser)
    add_format(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Train, write the files, print what was learned."""
    target = data_target(arguments.output, "the weights", catalogue)
    plot = _target(arguments.plot)
    if plot is not None and plot.suffix not in STYLES:
        styles = " or ".join(STYLES)
        raise UsageError(f"plot {quoted(arguments.plot)}: the name must end in {styles}")
    if plot is not None:
        require_matplotlib()
    output = Output(arguments, catalogue, to_file=False)
    training = _train(arguments, catalogue)
    if target is not None:
        write_atomically(target, json.dumps(replace(training, curve=()).as_json(), indent=1) + "\n")
    output.write(training)
    if plot is not None:
        write_atomically(plot, draw(training, plot.suffix))
    return 0


def _target(named: str | None) -> Path | None:
    """Return where to write a file. Raises UsageError if arena cannot write there."""
    if named is None:
        return None
    path = real_path(named)
    check_target(path)
    return path


def _train(arguments: Namespace, catalogue: Catalogue) -> Training:
    """Train, with a bar in a terminal."""
    options = options_of(arguments)
    options["curve"] = arguments.curve or arguments.plot is not None
    train = partial(arena.train, arguments.learner, **options, catalogue=catalogue)
    if not is_watched():
        return train()
    from tqdm import tqdm

    with tqdm(total=arguments.games, unit=" games", leave=False) as bar:
        return train(on_progress=lambda games: bar.update(games - bar.n))
