"""Find the modules of a game or player that stand outside of the installed Python.

``pip install -e`` leaves a distribution in its project's folder, and ``PYTHONPATH`` and the user's
own site-packages are other such places. An isolated process sees none of them by itself. It may
read the modules that a game or an installed player is made of, and those that these import.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

from arena.game import Game
from arena.player_file.places import ModulePlace
from arena.sandbox.side_modules import MAX_SEARCHED_FILES, imported_names, read_text
from arena.sandbox.tiers.box import is_within
from arena.sandbox.tiers.orders import interpreter, system

#: Most modules of a game that are looked for.
MAX_OUTSIDE_MODULES = 200

_ARENA = "arena"

#: The library that a plugin's module imports with arena's marker of hooks.
_LIBRARY = "pluggy"

#: The class of a game, and its name with the parameters.
GameKey = tuple[type[Game], str]


#: The places of the modules of plugins' games.
_places: dict[GameKey, tuple[ModulePlace, ...]] = {}


def places_of_game(game: Game) -> tuple[ModulePlace, ...]:
    """Return the places of the modules that a game needs, none for a game of arena's own."""
    if is_own(game):
        return ()
    key = key_of(game)
    if key not in _places:
        _places[key] = places_of(game, game.modules)
    return _places[key]


def key_of(game: Game) -> GameKey:
    """Return what tells games apart, also those of a plugin whose games cannot be hashed."""
    return type(game), game.name


def is_own(game: Game) -> bool:
    """Return whether a game is one of arena's own, and made of no other modules."""
    return not game.modules and type(game).__module__.partition(".")[0] == _ARENA


def places_of(value: Any, modules: Iterable[str] = ()) -> tuple[ModulePlace, ...]:
    """Return the places of the modules that a value needs when another process unpickles it.

    ``modules`` has those that it imports later. The result is empty for a value that cannot be
    pickled.
    """
    try:
        pickled = pickle.dumps(value)
    except Exception:
        return ()
    shared = [*interpreter(), *system()]
    names = [*_named_in(pickled), *(name.partition(".")[0] for name in modules), _LIBRARY]
    seen: set[str] = {_ARENA, "__main__"}
    places: list[ModulePlace] = []
    while names and len(places) < MAX_OUTSIDE_MODULES:
        name = names.pop()
        if name in seen:
            continue
        seen.add(name)
        place = _place(name)
        if place is not None and not all(is_within(Path(p), shared) for p in place.paths):
            places.append(place)
            names += (imported for file in _sources(place) for imported in _imports(file))
    return tuple(places)


def _named_in(pickled: bytes) -> Iterator[str]:
    """Yield the first parts of the names of loaded modules that a pickle names."""
    from pickletools import genops  # most games are arena's own

    for _, text, _ in genops(pickled):
        if isinstance(text, str) and text in sys.modules:
            yield text.partition(".")[0]


def _place(name: str) -> ModulePlace | None:
    """Return where a module is, or None for one that is not made of files."""
    try:
        spec = find_spec(name)
    except (ImportError, ValueError, AttributeError):  # it has no specification, or a broken one
        return None
    if spec is None:
        return None
    folders = tuple(
        str(Path(folder).absolute())
        for folder in spec.submodule_search_locations or ()
        if Path(folder).is_dir()
    )
    file = str(Path(spec.origin).absolute()) if spec.origin and spec.has_location else ""
    return ModulePlace(name, file, folders) if file or folders else None


def _sources(place: ModulePlace) -> Iterable[Path]:
    """Return the Python files of a module, the first of a large package."""
    if not place.folders:
        return [Path(place.file)]
    files = (file for folder in place.folders for file in Path(folder).rglob("*.py"))
    return islice(files, MAX_SEARCHED_FILES)


def _imports(file: Path) -> list[str]:
    """Return the modules that a file imports and that do not come with Python."""
    names = set(imported_names(read_text(file)))
    return sorted(name for name in names if name not in sys.stdlib_module_names)
