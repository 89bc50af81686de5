"""Name a store and its runs: a whole number is a run, and every other word a store.

``arena show contest.db 2`` and ``arena show 2 --store contest.db`` are the same.
"""

from __future__ import annotations

import os
from argparse import ArgumentParser, ArgumentTypeError, Namespace

from arena.cli.fields import reader
from arena.cli.help import set_topic
from arena.errors import UsageError, quoted
from arena.kinds import Whole
from arena.model.defaults import STORE
from arena.signatures import TOPIC_KEPT

#: Numbers of runs.
RUN_NUMBERS = Whole(1, 2**31)


def add_stored(parser: ArgumentParser, runs: str) -> None:
    """Add a store and its runs. ``runs`` is the help about these, empty if the command has none."""
    help_text = "the file or the URL that --store named"
    if runs:
        help_text += f", and {runs}, as listed by: arena runs; a whole number is a run"
    parser.add_argument(
        "words",
        nargs="*",
        type=stored_word,
        metavar="STORE|RUN" if runs else "STORE",
        help=f"{help_text} (default store: ${STORE}, if that is set)",
    )
    named = parser.add_argument(
        "--store", type=_store, metavar="STORE", help="the store, as the argument names it too"
    )
    set_topic(named, TOPIC_KEPT)


def stored_word(text: str) -> int | str:
    """Return the run or the store of a word. Raises ArgumentTypeError if it is empty."""
    return reader(RUN_NUMBERS)(text) if text.isascii() and text.isdigit() else _store(text)


def _store(text: str) -> str:
    if not text:
        raise ArgumentTypeError("is empty, not the name of a store")
    return text


def store_of(arguments: Namespace) -> str:
    """Return the store that is named. Raises UsageError if none is, or more than one."""
    named = [word for word in arguments.words if isinstance(word, str)]
    stores = list(dict.fromkeys([*named, *filter(None, [arguments.store])]))
    if len(stores) > 1:
        raise UsageError(f"one store at a time, not {quoted(stores[0])} and {quoted(stores[1])}")
    store = stores[0] if stores else os.environ.get(STORE)
    if not store:
        name = arguments.command.name
        raise UsageError(
            f"no store is named: write arena {name} STORE or use --store STORE, or set {STORE}"
        )
    return store


def runs_of(arguments: Namespace) -> list[int]:
    """Return the numbers of the runs that are named, in their order."""
    return [word for word in arguments.words if isinstance(word, int)]


def run_of(arguments: Namespace) -> int | None:
    """Return the number of the run that is named, None without one. Raises UsageError for two."""
    runs = runs_of(arguments)
    if len(runs) > 1:
        raise UsageError(f"one run at a time, not {runs[0]} and {runs[1]}")
    return runs[0] if runs else None


def refuse_runs(arguments: Namespace) -> None:
    """Raise UsageError if a run is named: the command is about all that the store has."""
    if runs := runs_of(arguments):
        raise UsageError(
            f"arena {arguments.command.name} takes no run: a store that is called {runs[0]} is"
            f" ./{runs[0]}"
        )
