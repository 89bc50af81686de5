"""Begin projects."""

from __future__ import annotations

import os
from pathlib import Path

from arena.errors import UsageError, quoted
from arena.features.new.record import Scaffold
from arena.inputs.resolve import open_catalogue
from arena.plugin.catalogue import Catalogue

_TEST = "pip install -e '.[test]' && pytest"

#: The commands to call next, for each kind.
_NEXT = {
    "player": ("cd {name}", _TEST, "arena fight {name} monkey -n 1000"),
    "game": ("cd {name}", _TEST, "arena play minimax --game {name}-21"),
    "plugin": ("cd {name}", _TEST, "arena {name} tictactoe1 triples"),
    "tournament": ("cd {name}", _TEST, "arena tournament tournament.toml"),
    "contest": (
        "cd {name}",
        _TEST,
        "arena serve --contest contest.toml --tokens names.txt --host 0.0.0.0",
    ),
    "ci": ("arena regress --baseline arena-baseline.json --update",),
}

#: The commands to call next for a game with secrets.
_NEXT_IF_HIDDEN = ("cd {name}", _TEST, "arena fight cfr monkey --game {name} -n 1000")


def new(
    kind: str,
    name: str,
    folder: str | os.PathLike[str] = ".",
    catalogue: Catalogue | None = None,
    *,
    hidden: bool = False,
) -> Scaffold:
    """Write a project that passes its tests at once into a new folder of that name.

    ``kind`` is ``player``, ``game``, ``plugin``, ``tournament`` or ``contest``, the last for a
    contest in the browser. ``hidden`` makes a game with luck and secrets. ``ci`` adds a nightly
    workflow to the project in ``folder``.

    Raises UsageError if something is there already, or for a name that cannot be one or that an
    installed player has.
    """
    from arena.features.new.scaffolds import begin

    if kind == "player" and name in dict(open_catalogue(catalogue).players):
        raise UsageError(f"a player named {quoted(name)} is installed already")
    where = Path(folder)
    written = begin(kind, name, where, hidden)
    texts = tuple(path.relative_to(where).as_posix() for path in written)
    lines = _NEXT_IF_HIDDEN if hidden else _NEXT[kind]
    return Scaffold(kind, name, texts, tuple(line.format(name=name) for line in lines))
