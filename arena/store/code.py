"""Compute a digest of a player's code: changed code is another player."""

from __future__ import annotations

import ast
import os
import sys
import warnings
from collections.abc import Iterator
from functools import partial
from hashlib import blake2b
from pathlib import Path
from types import ModuleType
from typing import Any

from arena.player import PlayerInfo
from arena.sandbox.words import WASM


def code_digest(player: PlayerInfo) -> str:
    """Return a digest of the files with the player's code. The result is empty if it does not have
    any.

    The files are its own file, and the modules that this one uses from the same folder or below.
    Code from elsewhere belongs to another project, with a version of its own. A folder that is
    moved has the same digest.
    """
    paths = [Path(path) for path in player.code if os.path.isfile(path)]
    files = {f"{place}/{file.name}": file for place, file in enumerate(paths)}
    for function in (
        (player.player, player.distribution, player.choose_batch) if player.remote is None else ()
    ):
        module = _module_of(function)
        path = module and _file_of(module)
        if module is not None and path is not None:
            for source in _used_files(module, path.parent, set()):
                files[source.relative_to(path.parent).as_posix()] = source
    if not files:
        return ""
    digest = blake2b(digest_size=16)
    if player.isolation == WASM:  # another engine may count fuel in another way
        digest.update(player.version.encode())
    for name, file in sorted(files.items()):
        with file.open("rb") as content:  # a program may be large
            size = os.fstat(content.fileno()).st_size
            digest.update(f"{name}\0{size}\0".encode(errors="surrogateescape"))
            while piece := content.read(1 << 20):
                digest.update(piece)
    return digest.hexdigest()


def _used_files(module: ModuleType, folder: Path, seen: set[str]) -> Iterator[Path]:
    path = _file_of(module)
    if module.__name__ in seen or path is None or not path.is_relative_to(folder):
        return
    seen.add(module.__name__)
    yield path
    for value in list(vars(module).values()):
        used = value if issubclass(type(value), ModuleType) else _module_of(value)
        if used is not None:
            yield from _used_files(used, folder, seen)
    for name in _imported_names(module, path):
        if isinstance(sys.modules.get(name), ModuleType):
            yield from _used_files(sys.modules[name], folder, seen)


def _imported_names(module: ModuleType, path: Path) -> Iterator[str]:
    """Yield the names of modules that a file imports from: a number does not show its origin.

    Names that are imported from them come too, for they may be modules.
    """
    with warnings.catch_warnings(action="ignore"):  # loading it showed them
        tree = ast.parse(path.read_bytes()) if path.suffix == ".py" else ast.Module([], [])
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            package = (module.__package__ or "").split(".")
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join(filter(None, [*above, node.module]))
            yield from (base, *(f"{base}.{alias.name}" for alias in node.names))
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def _module_of(value: Any) -> ModuleType | None:
    while issubclass(type(value), partial):
        value = value.func
    try:
        name = getattr(value, "__module__", None) or type(value).__module__
    except Exception:  # a player's file may import an object that raises here
        return None
    module = sys.modules.get(name) if isinstance(name, str) else None
    return module if isinstance(module, ModuleType) else None


def _file_of(module: ModuleType) -> Path | None:
    file = getattr(module, "__file__", None)
    path = Path(file).resolve() if isinstance(file, str) else None
    return path if path is not None and path.is_file() else None
