"""``arena fight A B``: n pairs of games between two players."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial

from arena import api
from arena.cli.common.fields import add_playing, options_of
from arena.cli.common.hypotheses import add_hypotheses, hypotheses_of, refuse_hypotheses
from arena.cli.common.isolation import add_isolation
from arena.cli.common.output import add_output
from arena.cli.common.playing import play_and_show
from arena.errors import UsageError
from arena.fights.engines import require_engine
from arena.plugin.catalogue import Catalogue


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("a", metavar="A", help="a player, as listed by: arena players; or ./bot.py")
    parser.add_argument("b", metavar="B", help="the opponent")
    parser.add_argument(
        "--exact", action="store_true", help="compare with the exact result of the pairing"
    )
    parser.add_argument(
        "--sprt",
        action="store_true",
        help="play until a sequential test decides between elo0 and elo1, A's Elo against B;"
        f" -n is then the most pairs (default: {api.DEFAULT_CAP})",
    )
    add_hypotheses(parser, 0, 10)
    add_playing(parser)
    add_isolation(parser)
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Play and print the result; 4 if it could not be completed, with --sprt 1 or 3 as that."""
    if arguments.sprt:
        return _until_decided(arguments, catalogue)
    refuse_hypotheses(arguments)
    a, b = (api.get_player(name, catalogue) for name in (arguments.a, arguments.b))
    game = api.get_game(arguments.game, catalogue)
    exact = None
    if arguments.exact:
        from arena.executors.apart import run_apart

        options = {"game": game, "openings": arguments.openings, "catalogue": catalogue}
        exact = run_apart(partial(api.exact, a, b, **options))
    return play_and_show(
        lambda: api.fight(a, b, **options_of(arguments), catalogue=catalogue),
        arguments,
        catalogue,
        (lambda played: api.compare(played, exact)) if exact else None,
    )


def _until_decided(arguments: Namespace, catalogue: Catalogue) -> int:
    options = options_of(arguments)
    if arguments.exact:
        raise UsageError("--exact needs no test: it takes the place of --sprt")
    engine = options.pop("engine")
    require_engine(engine)
    if engine == "table":
        raise UsageError("--sprt plays a few games at a time, and the engine 'table' many at once")
    return play_and_show(
        lambda: api.sprt_fight(
            arguments.a,
            arguments.b,
            **hypotheses_of(arguments),
            **options,
            catalogue=catalogue,
        ),
        arguments,
        catalogue,
    )
