"""``arena rate``: ratings of all runs of stores, or of a CSV of results."""

from __future__ import annotations

import os
from argparse import ArgumentParser, ArgumentTypeError, Namespace

import arena
from arena.cli.fields import add_fields, count_forfeits, reader
from arena.cli.output import Output, add_output
from arena.errors import UsageError, quoted
from arena.features.methods.explained import add_explain, explain
from arena.kinds import FINITE
from arena.plugin.catalogue import Catalogue
from arena.urls import is_store


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "results",
        nargs="+",
        metavar="STORE|FILE.csv",
        help="stores, whose runs count together; or one CSV file with the columns"
        " a,b,wins,draws,losses, from a's point of view, and optionally a_moves, first or second;"
        " or, of games for more than two, with a row for each player and the columns"
        " game,player,place or game,player,payoff, and optionally seat and block;"
        " - reads standard input",
    )
    parser.add_argument("--game", metavar="GAME", help="count only the runs at this game")
    add_fields(parser, {"count_forfeits": count_forfeits()})
    parser.add_argument(
        "--prior",
        type=reader(FINITE),
        default=0.0,
        metavar="GAMES",
        help="add this many draws against an average player to each player's results: every"
        " player then has a rating, and groups that did not meet stay apart (default: 0; 2 is"
        " weak); not for games of more than two",
    )
    parser.add_argument(
        "--anchor",
        type=_anchor,
        metavar="PLAYER=ELO",
        help="put the ratings on a known scale: this player has this Elo, and the players that"
        " compare with it move with it",
    )
    add_explain(parser)
    add_output(parser)


def _anchor(text: str) -> tuple[str, float]:
    """Return a player and its Elo: the name may have an equals sign too."""
    player, equals, elo = text.rpartition("=")
    if not (equals and player):
        raise ArgumentTypeError(f"{quoted(text)} is not written PLAYER=ELO, as in stockfish=3600")
    return player, reader(FINITE)(elo)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print the ratings."""
    # NumPy's threads wait for each other on a busy machine, and the matrices are small.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    output = Output(arguments, catalogue)
    explain(arguments, output)
    files, game, counting = arguments.results, arguments.game, arguments.count_forfeits
    prior, anchor = arguments.prior, arguments.anchor
    if all(map(is_store, files)):
        output.write(arena.rate_stores(files, game, counting, catalogue, prior, anchor))
    elif len(files) > 1:
        raise UsageError("several files of results: rate stores, or one file")
    elif game is not None or counting is not None:
        raise UsageError("--game and --count-forfeits choose among the runs of stores")
    else:
        output.write(arena.rate(files[0], prior, anchor))
    return 0
