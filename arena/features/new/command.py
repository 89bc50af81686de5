"""``arena new KIND NAME``: a project that passes its tests at once."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import arena
from arena.cli.output import Output, add_output
from arena.plugin.catalogue import Catalogue


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "kind",
        metavar="KIND",
        help="player, game, plugin, tournament, contest for one in the browser, or league for one"
        " in a repository: a project in a new folder; ci: a nightly workflow for the project in"
        " this folder",
    )
    parser.add_argument("name", metavar="NAME", help="its name, such as my-bot")
    parser.add_argument(
        "--folder", default=".", metavar="DIR", help="the folder to write into (default: this one)"
    )
    parser.add_argument(
        "--hidden", action="store_true", help="with game: a game of cards, with luck and secrets"
    )
    parser.add_argument(
        "--wasm", metavar="LANGUAGE", default="", help="with player: a WebAssembly module in c"
    )
    add_output(parser)


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Write the files and print them with what to do next."""
    output = Output(arguments, catalogue)
    kind, name, folder = arguments.kind, arguments.name, arguments.folder
    variant = {"hidden": arguments.hidden, "wasm": arguments.wasm}
    output.write(arena.new(kind, name, folder, catalogue, **variant))
    return 0
