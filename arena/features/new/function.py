"""Begin projects."""

from __future__ import annotations

import os
from pathlib import Path

from arena.errors import UnknownName, UsageError, quoted
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
    "league": ("cd {name}", _TEST, "arena league play league.db"),
    "ci": ("arena regress --baseline arena-baseline.json --update",),
}

#: The commands to call next for variants: a game with secrets, and a player in C.
_NEXT_OF_VARIANT = {
    "hidden": ("cd {name}", _TEST, "arena fight cfr monkey --game {name} -n 1000"),
    "c": (
        "cd {name}",
        "pip install -e '.[test]' && python build.py && pytest",
        "arena fight ./{name}.wasm monkey -n 1000",
    ),
}

#: The languages of players that are WebAssembly modules.
LANGUAGES = ("c",)


def new(
    kind: str,
    name: str,
    folder: str | os.PathLike[str] = ".",
    catalogue: Catalogue | None = None,
    *,
    hidden: bool = False,
    wasm: str = "",
) -> Scaffold:
    """Write a project that passes its tests at once into a new folder of that name.

    ``kind`` is ``player``, ``game``, ``plugin``, ``tournament``, ``contest`` for one in the
    browser, or ``league`` for one in a repository. ``hidden`` makes a game with luck and secrets,
    and ``wasm="c"`` a player that is a WebAssembly module, in C. ``ci`` adds a nightly workflow to
    the project in ``folder``.

    Raises UsageError if something is there already, or for a name that cannot be one or that an
    installed player or game has.
    """
    from arena.features.new.scaffolds import begin, require_name

    for flag, given, of_kind in (("hidden", hidden, "game"), ("wasm", wasm, "player")):
        if given and kind != of_kind:
            right = f"arena new {of_kind} --{flag}{'' if given is True else f' {given}'} {name}"
            raise UsageError(f"--{flag} is for a {of_kind}, not for a {kind}: {right}")
    if wasm and wasm not in LANGUAGES:
        raise UnknownName("language of a module", wasm, LANGUAGES)
    require_name(kind, name)
    if kind == "player" and name in dict(open_catalogue(catalogue).players):
        raise UsageError(f"a player named {quoted(name)} is installed already")
    if kind == "game" and _is_game(name if hidden else f"{name}-21", open_catalogue(catalogue)):
        raise UsageError(f"a game named {quoted(name)} is installed already")
    where = Path(folder)
    variant = "hidden" if hidden else wasm
    written = begin(kind, name, where, variant)
    texts = tuple(path.relative_to(where).as_posix() for path in written)
    lines = _NEXT_OF_VARIANT[variant] if variant else _NEXT[kind]
    return Scaffold(kind, name, texts, tuple(line.format(name=name) for line in lines))


def _is_game(name: str, catalogue: Catalogue) -> bool:
    """Return whether a name is one of an installed game, or of a family of these."""
    try:
        catalogue.game(name)
    except UnknownName:
        return False
    except UsageError:  # a game of the family that cannot be, such as one with too large a board
        pass
    return True
