"""``arena completion bash``: the script that completes commands, options, players and games."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from arena.cli.completing import SCRIPTS, completions
from arena.plugin.catalogue import Catalogue

#: In place of a shell: complete the command line on standard input, as the scripts do.
WORDS = "words"


def configure(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "shell",
        metavar="SHELL",
        choices=[*SCRIPTS, WORDS],
        help=f"{', '.join(SCRIPTS)}: print its script; {WORDS}: print what the last word of the"
        " command line on standard input may be",
    )


def run(arguments: Namespace, catalogue: Catalogue) -> int:
    """Print a script, or the words."""
    if arguments.shell == WORDS:
        words = completions(sys.stdin.readline(), arguments.commands, catalogue)
        print("".join(f"{word}\n" for word in words if word.isprintable()), end="")
    else:
        print(SCRIPTS[arguments.shell], end="")
    return 0
