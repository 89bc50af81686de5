"""Find the modules next to a player's file that it imports: an isolated player may read these.

Nothing of the file is executed or parsed here, only searched for ``import`` lines. A file that is
a player itself is not a module of another: a contest's entrants may share a folder, and do not
read each other.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from arena.player.mistakes import NOT_BESIDE

#: Most files that are searched, and bytes of each.
MAX_SEARCHED_FILES = 50
MAX_SEARCHED_BYTES = 1 << 20

#: Most imported names that are looked for: a file of nothing but imports costs time, too.
MAX_NAMES = 1000

_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import\b|import[ \t]+([\w., \t]+))", re.MULTILINE
)

#: Something called ``choose`` that a file defines: the mark of a player.
_PLAYER = re.compile(r"^[ \t]*(?:async[ \t]+)?def[ \t]+choose\b|^choose\b[^=\n]*=", re.MULTILINE)

#: The files of all players that this process was asked for.
_players: set[str] = set()


def register_player(file: str) -> None:
    """Note that a file is a player's: it is not a module of another one any more."""
    _players.add(os.path.realpath(file))


def is_other_player(file: Path, player_file: str) -> bool:
    """Return whether a file is that of another player than ``player_file``."""
    real = os.path.realpath(file)
    return real in _players and real != os.path.realpath(player_file)


def find_side_modules(file: Path) -> tuple[str, ...]:
    """Return the modules in the folder of a file that it imports, and those that these import."""
    modules: dict[Path, None] = {}
    names: set[str] = set()
    waiting = [file]
    while waiting and len(modules) < MAX_SEARCHED_FILES:
        imported = imported_names(read_text(waiting.pop()))
        new = dict.fromkeys(name for name in imported if name not in names)
        for name in islice(new, MAX_NAMES - len(names)):
            names.add(name)
            for path in _modules(file.parent, name):
                if path not in modules and path.resolve() != file.resolve():
                    modules[path] = None
                    waiting.append(path)
    return tuple(map(str, list(modules)[:MAX_SEARCHED_FILES]))


#: How Python names a module that is missing.
_MISSING = re.compile(r"No module named '([^\W\d]\w*)[.']")


def with_folder_told(problem: str, file: Path) -> str:
    """Return why a player's file does not load, with the folder that it takes for a package.

    Python imports a folder without ``__init__.py`` too. An isolated player does not: arena lets it
    read the files of a package alone.
    """
    match = _MISSING.search(problem)
    folder = file.parent / match[1] if match else None
    if folder is None or not folder.is_dir() or (folder / "__init__.py").exists():
        return problem
    remedy = f"and the folder {folder.name} next to the file has no __init__.py: add an empty one"
    return problem.replace(NOT_BESIDE, remedy)


def imported_names(text: str) -> Iterator[str]:
    """Yield the first parts of the names that a text imports."""
    for one, several in _IMPORT.findall(text):
        for name in [one] if one else several.split(","):
            top = name.strip().partition(" ")[0].partition(".")[0]
            if top.isidentifier():
                yield top


def _modules(folder: Path, name: str) -> list[Path]:
    """Return the module of that name, or the files of the package, but none of a player's."""
    module, package = folder / f"{name}.py", folder / name
    files = [module]
    if (package / "__init__.py").is_file():
        files = sorted(islice(package.rglob("*.py"), MAX_SEARCHED_FILES + 1))
    if len(files) > MAX_SEARCHED_FILES or not all(_is_module(path, folder) for path in files):
        return []
    return [] if any(map(_is_player, files)) else files


def _is_module(path: Path, folder: Path) -> bool:
    """Return whether a module is there, and not a link to somewhere else or to other data."""
    try:
        real = path.resolve()
        is_module = path.is_file() and real.suffix == ".py"
        return is_module and real.is_relative_to(folder.resolve())
    except OSError:
        return False


def _is_player(path: Path) -> bool:
    return os.path.realpath(path) in _players or _PLAYER.search(read_text(path)) is not None


def read_text(path: Path) -> str:
    """Return the start of a file's text, or an empty text if the file cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(MAX_SEARCHED_BYTES).decode("utf-8", errors="replace")
    except OSError:
        return ""
