"""``arena train lms``: a player that learns, its weights, and its learning curve."""

from __future__ import annotations

import json
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from dataclasses import replace
from functools import partial
from pathlib import Path

import arena
from arena.cli.fields import Field, add_fields, field, options_of, shared, whole
from arena.cli.isolation import add_isolation
from arena.cli.output import Output, add_format, data_target
from arena.errors import UsageError, quoted
from arena.features.train.function import (
    DEFAULT_FEATURES,
    DEFAULT_RATE,
    DEFAULT_START,
    DEFAULT_TRAINING_GAMES,
    MAX_GAMES_AT_ONCE,
)
from arena.files import check_target, real_path, write_atomically
from arena.plugin.catalogue import Catalogue
from arena.plugins.progress import is_watched
from arena.records.training import LEARNER, SELF, Training
from arena.reports.plots import STYLES, draw, require_matplotlib

#: More games than a user trains with; larger numbers are slips.
MAX_TRAINED_GAMES = 10**9


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("learner", metavar="LEARNER", help=f"the player to train: {LEARNER}")
    add_fields(parser, _training())
    parser.add_argument(
        "--output", metavar="FILE", help=f"write the weights, for use as {LEARNER}:FILE"
    )
    curve = field("--curve", action="store_true", help="measure the exact strength during training")
    add_fields(parser, {"curve": curve})
    parser.add_argument("--plot", metavar="FILE", help="draw that curve, as .png or .svg")
    add_isolation(parser)
    add_format(parser)


def _training() -> dict[str, Field]:
    """Return the options that say what is learned from what."""
    return {
        "against": field(
            "--against",
            default=SELF,
            metavar="PLAYER",
            help="a stateless player, or self (the default)",
        ),
        "games": field(
            "--games",
            type=whole(1, MAX_TRAINED_GAMES),
            default=DEFAULT_TRAINING_GAMES,
            metavar="N",
            help=f"number of games to learn from (default: {DEFAULT_TRAINING_GAMES})",
        ),
        "features": field(
            "--features",
            type=lambda names: names.split(","),
            default=DEFAULT_FEATURES,
            metavar="NAME[,..]",
            help="squares, counts, list, rules, and single ones; an unknown name lists all"
            f" (default: {','.join(DEFAULT_FEATURES)})",
        ),
        "start": field(
            "--start",
            default=DEFAULT_START,
            metavar="BOARD",
            help=f"where games begin: empty or random (default: {DEFAULT_START})",
        ),
        "rate": field(
            "--rate",
            type=_number,
            default=DEFAULT_RATE,
            metavar="X",
            help=f"the learning rate (default: {DEFAULT_RATE})",
        ),
        "at_once": field(
            "--at-once",
            type=whole(1, MAX_GAMES_AT_ONCE),
            default=1,
            metavar="N",
            help="number of games to play in lockstep with the same weights: several times faster"
            " (default: 1)",
        ),
        **shared("seed"),
    }


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
    """Train with a bar if somebody watches."""
    options = options_of(arguments)
    options["curve"] = arguments.curve or arguments.plot is not None
    train = partial(arena.train, arguments.learner, **options, catalogue=catalogue)
    if not is_watched():
        return train()
    from tqdm import tqdm

    with tqdm(total=arguments.games, unit=" games", leave=False) as bar:
        return train(on_progress=lambda games: bar.update(games - bar.n))


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ArgumentTypeError(f"must be a number above 0, not {quoted(text)}") from None
