"""A plugin in a file of the user's own, ``./corner.py``, loaded because the user names it.

No other process finds such a module by its name. A thing that is pickled for one by :func:`dumps`,
or as :class:`Carried`, has that process load the files that it needs before it reads the rest.
"""

from __future__ import annotations

import os
import pickle
import sys
from dataclasses import dataclass
from hashlib import blake2b
from types import ModuleType
from typing import Any

from arena.errors import PluginError, UsageError, quoted
from arena.files import GONE, MAX_BYTES, read_bytes
from arena.player_file import where_raised

#: The files that this process has loaded, and the modules that they are here, by absolute path.
_loaded: dict[str, ModuleType] = {}


def loaded_files() -> tuple[str, ...]:
    """Return the absolute paths of the plugin files that this process has loaded and can find."""
    return tuple(filter(os.path.isfile, _loaded))


def load_plugin_file(name: str) -> ModuleType:
    """Return the module in a file, executed once in a process.

    Raises UsageError if the file cannot be read, and PluginError if it cannot be executed.
    """
    try:
        path = os.path.abspath(name)
    except FileNotFoundError as error:
        raise UsageError(f"plugin {quoted(name)}: {GONE}") from error
    if path not in _loaded:
        _loaded[path] = _execute(name, path)
    return _loaded[path]


def _execute(name: str, path: str) -> ModuleType:
    try:
        source = read_bytes(path, MAX_BYTES)
    except UsageError as error:
        raise UsageError(f"plugin {quoted(name)}: {error}") from error
    private = f"arena_plugin_{blake2b(os.fsencode(path), digest_size=8).hexdigest()}"
    module = sys.modules[private] = ModuleType(private)
    module.__file__ = path
    try:
        # Compiled here and not by an importer, which would leave bytecode beside the file.
        exec(compile(source, path, "exec"), vars(module))  # noqa: S102 (the user asks for it)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        del sys.modules[private]
        raise PluginError(f"plugin {quoted(name)}: {where_raised(error, path)}") from error
    return module


@dataclass(frozen=True)
class Carried:
    """A thing that multiprocessing sends to a process which then loads the plugin files."""

    thing: Any

    def __reduce__(self) -> tuple[Any, ...]:
        from multiprocessing.reduction import ForkingPickler

        pickled = bytes(ForkingPickler.dumps(self.thing))
        return _restore, (_files_of(pickled), pickled)


@dataclass(frozen=True)
class _Pickled:
    files: tuple[str, ...]
    pickled: bytes

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.files, self.pickled)


def dumps(thing: Any) -> bytes:
    """Pickle a thing for a process that may not have loaded the plugin files."""
    pickled = pickle.dumps(thing)
    files = _files_of(pickled)
    return pickle.dumps(_Pickled(files, pickled)) if files else pickled


def files_for(thing: Any) -> tuple[str, ...]:
    """Return the plugin files that another process needs for a thing; none if it is not sent."""
    try:
        return _files_of(pickle.dumps(thing))
    except Exception:
        return ()


def _files_of(pickled: bytes) -> tuple[str, ...]:
    """Return the files whose modules are named in a pickle: no other is missed where it is read."""
    return tuple(path for path, module in _loaded.items() if module.__name__.encode() in pickled)


def _restore(files: tuple[str, ...], pickled: bytes) -> Any:
    for file in files:
        load_plugin_file(file)
    return pickle.loads(pickled)  # noqa: S301 (arena has pickled it)
