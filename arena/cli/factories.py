"""``--as FACTORY``: files of a training run as players."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from arena.errors import UsageError, quoted
from arena.player.names import NamedSpec, read_named
from arena.plugin.catalogue import Catalogue

#: The protocol that calls the factory, and its option.
_SPEC = "checkpoint,by={factory}:{file}"

#: What an option's value may have as it is.
_PLAIN = "/._-"


def add_factory(parser: ArgumentParser) -> None:
    """Add the option."""
    parser.add_argument(
        "--as",
        dest="factory",
        metavar="FACTORY",
        help="the players are files, which the function ./net.py:make is called with;"
        " a file has its name without the ending, an installed player stays as it is",
    )


def with_factory(players: Sequence[str], factory: str | None, catalogue: Catalogue) -> list[str]:
    """Return the players, those that are files as what a factory makes of them.

    Raises UsageError for a file that is not there, and for two with one name.
    """
    if factory is None:
        return list(players)
    where, _, function = factory.rpartition(":")
    if not where or not function.isidentifier():
        raise UsageError(f"--as {quoted(factory)}: name a file and its function, as ./net.py:make")
    words = [_file_player(player, factory, catalogue) for player in players]
    files = [word for word in words if isinstance(word, NamedSpec)]
    if not files:
        raise UsageError(f"--as {quoted(factory)}: no player here is a file")
    twice = [name for name, count in Counter(each.name for each in files).items() if count > 1]
    if twice:
        raise UsageError(f"two files are named {quoted(twice[0])}: write NAME=FILE for one")
    return [str(word) for word in words]


def _file_player(player: str, factory: str, catalogue: Catalogue) -> NamedSpec | str:
    """Return what the factory makes of a file, or the word of another player as it is."""
    name, equals, file = player.partition("=")
    file = file if equals else player
    if not os.path.isfile(file):
        if _is_player(player, catalogue):
            return player
        raise UsageError(f"player {quoted(player)} is neither a file for --as nor a player")
    path = file if os.path.isabs(file) else f".{os.sep}{os.path.normpath(file)}"
    spec = _SPEC.format(factory=quote(factory, safe=_PLAIN), file=path)
    return read_named(f"{name if equals else Path(file).stem}={spec}")


def _is_player(player: str, catalogue: Catalogue) -> bool:
    """Return whether a word names an installed player, or one with a protocol."""
    spec = read_named(player).spec
    name = spec.partition(":")[0]
    is_installed = any(name == installed for installed, _ in catalogue.players)
    return is_installed or catalogue.protocol_of(spec) is not None
