"""``arena train lms``: a player that learns, its weights, and its learning curve."""

from __future__ import annotations

import json
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from functools import partial
from pathlib import Path

from arena import api
from arena.cli.common.fields import add_seed, whole
from arena.cli.common.isolation import add_isolation
from arena.cli.common.output import Output, add_format
from arena.errors import UsageError, quoted
from arena.files import check_target, real_path, write_atomically
from arena.plugin.catalogue import Catalogue
from arena.plugins.progress import is_watched
from arena.records.training import LEARNER, SELF, Training
from arena.reports.plots import STYLES, draw

#: More games than anybody trains; larger numbers are slips.
MOST_GAMES = 10**9


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("learner", metavar="LEARNER", help=f"what is trained: {LEARNER}")
    parser.add_argument(
        "--against",
        default=SELF,
        metavar="PLAYER",
        help="a stateless player, or self (the default)",
    )
    parser.add_argument(
        "--games",
        type=whole(1, MOST_GAMES),
        default=api.DEFAULT_GAMES,
        metavar="N",
        help=f"games to learn from (default: {api.DEFAULT_GAMES})",
    )
    parser.add_argument(
        "--features",
        default=",".join(api.DEFAULT_FEATURES),
        metavar="NAME[,..]",
        help="squares, counts, list, rules, and single ones; an unknown name lists all"
        f" (default: {','.join(api.DEFAULT_FEATURES)})",
    )
    parser.add_argument(
        "--start",
        default=api.DEFAULT_START,
        metavar="BOARD",
        help=f"where games begin: empty or random (default: {api.DEFAULT_START})",
    )
    parser.add_argument(
        "--rate",
        type=_number,
        default=api.DEFAULT_RATE,
        metavar="X",
        help=f"the learning rate (default: {api.DEFAULT_RATE})",
    )
    add_seed(parser)
    parser.add_argument(
        "--output", metavar="FILE", help=f"write the weights, for the player {LEARNER}:FILE"
    )
    parser.add_argument(
        "--curve", action="store_true", help="measure the exact strength as training goes on"
    )
    parser.add_argument("--plot", metavar="FILE", help="draw that curve, as .png or .svg")
    add_isolation(parser)
    add_format(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Train, write what is to be written, print what was learned."""
    from arena.executors.apart import run_apart

    target, plot = _target(arguments.output), _target(arguments.plot)
    if plot is not None and plot.suffix not in STYLES:
        styles = " or ".join(STYLES)
        raise UsageError(f"plot {quoted(arguments.plot)}: the name must end in {styles}")
    output = Output(arguments, catalogue, to_file=False)
    training = run_apart(partial(_train, arguments, catalogue))
    if target is not None:
        write_atomically(target, json.dumps(training.weights_as_json(), indent=1) + "\n")
    output.write(training)
    if plot is not None:
        write_atomically(plot, draw(training, plot.suffix))
    return 0


def _target(named: str | None) -> Path | None:
    """Where a file is to be written; UsageError if it cannot be."""
    if named is None:
        return None
    path = real_path(named)
    check_target(path)
    return path


def _train(arguments: Namespace, catalogue: Catalogue) -> Training:
    """Train with a bar if somebody watches."""
    train = partial(
        api.train,
        arguments.learner,
        against=arguments.against,
        games=arguments.games,
        features=arguments.features.split(","),
        start=arguments.start,
        rate=arguments.rate,
        seed=arguments.seed,
        curve=arguments.curve or arguments.plot is not None,
        catalogue=catalogue,
    )
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
