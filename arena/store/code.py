"""What code a player is made of, as a digest: changed code is another player."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from types import ModuleType
from typing import Any

from arena.player import PlayerInfo


def code_digest(player: PlayerInfo) -> str:
    """A digest of the files with the player's code; empty if it has none.

    Its own file, and the modules that this one uses from the same folder or below. What it uses
    from elsewhere is another project's, with a version of its own.
    """
    files: dict[str, Path] = {}
    for thing in (player.player, player.distribution):
        module = _module_of(thing)
        path = module and _file_of(module)
        if module is not None and path is not None:
            for found in _used(module, path.parent, set()):
                files[found.relative_to(path.parent).as_posix()] = found
    if not files:
        return ""
    digest = blake2b(digest_size=16)
    for name, file in sorted(files.items()):
        content = file.read_bytes()
        digest.update(f"{name}\0{len(content)}\0".encode(errors="surrogateescape"))
        digest.update(content)
    return digest.hexdigest()


def _used(module: ModuleType, folder: Path, seen: set[str]) -> Iterator[Path]:
    path = _file_of(module)
    if module.__name__ in seen or path is None or not path.is_relative_to(folder):
        return
    seen.add(module.__name__)
    yield path
    for value in list(vars(module).values()):
        used = value if isinstance(value, ModuleType) else _module_of(value)
        if used is not None:
            yield from _used(used, folder, seen)


def _module_of(thing: Any) -> ModuleType | None:
    try:
        name = getattr(thing, "__module__", None) or type(thing).__module__
    except Exception:  # whatever else a player's file imports, as it likes to be asked
        return None
    module = sys.modules.get(name) if isinstance(name, str) else None
    return module if isinstance(module, ModuleType) else None


def _file_of(module: ModuleType) -> Path | None:
    file = getattr(module, "__file__", None)
    path = Path(file).resolve() if isinstance(file, str) else None
    return path if path is not None and path.is_file() else None
