"""A plugin in a file of the user's own, ``./corner.py``, loaded because the user names it.

No other process finds such a module by its name. A value that is pickled for one by :func:`dumps`,
or as :class:`PluginParcel`, has that process load the files that it needs before it reads the rest.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Sequence
from hashlib import blake2b
from types import ModuleType
from typing import Any

from arena.dataclass import dataclass
from arena.errors import PluginError, UsageError, quoted
from arena.files import GONE, MAX_FILE_BYTES, naming, read_bytes
from arena.player_file import where_raised
from arena.player_file.places import ModulePlace, make_importable

#: The files that this process has loaded, and the modules that they are here, by absolute path.
_loaded: dict[str, ModuleType] = {}


def loaded_files() -> tuple[str, ...]:
    """Return the absolute paths of the plugin files that this process has loaded and can find."""
    return tuple(filter(os.path.isfile, _loaded))


def load_plugin_file(name: str, module: str = "") -> ModuleType:
    """Return the module in a file, executed once in a process.

    It has the name that ``module`` says: on another machine the file stands elsewhere, and what was
    pickled here names it as it is here. Raises UsageError if the file cannot be read, and
    PluginError if it cannot be executed.
    """
    try:
        path = os.path.abspath(name)
    except FileNotFoundError as error:
        raise UsageError(f"plugin {quoted(name)}: {GONE}") from error
    private = module or f"arena_plugin_{blake2b(os.fsencode(path), digest_size=8).hexdigest()}"
    modules = {loaded.__name__: loaded for loaded in _loaded.values()}
    if private not in modules:
        _loaded[path] = _execute(name, path, private)
        return _loaded[path]
    return modules[private]


def _execute(name: str, path: str, private: str) -> ModuleType:
    with naming("plugin", name):
        source = read_bytes(path, MAX_FILE_BYTES)
    module = sys.modules[private] = ModuleType(private)
    module.__file__ = path
    try:
        # Compiled here and not by an importer, which would leave bytecode next to the file.
        exec(compile(source, path, "exec"), vars(module))  # noqa: S102 (the user asks for it)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        del sys.modules[private]
        raise PluginError(f"plugin {quoted(name)}: {where_raised(error, path)}") from error
    return module


@dataclass(frozen=True)
class PluginParcel:
    """A value that multiprocessing sends to a process which then loads the plugin files."""

    value: Any

    def __reduce__(self) -> tuple[Any, ...]:
        from multiprocessing.reduction import ForkingPickler

        pickled = bytes(ForkingPickler.dumps(self.value))
        return _restore, (files_in(pickled), (), pickled)


@dataclass(frozen=True)
class _PlayerParcel:
    files: tuple[tuple[str, str], ...]
    places: tuple[ModulePlace, ...]
    pickled: bytes

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.files, self.places, self.pickled)


def dumps(value: Any, places: Sequence[ModulePlace] = ()) -> bytes:
    """Pickle a value for a process that may not have loaded the plugin files.

    That process finds modules at these ``places``, too.
    """
    pickled = pickle.dumps(value)
    files = files_in(pickled)
    if not (files or places):
        return pickled
    return pickle.dumps(_PlayerParcel(files, tuple(places), pickled))


def files_for(value: Any) -> tuple[str, ...]:
    """Return the plugin files that another process needs for a value, or none if it is not sent."""
    try:
        return tuple(path for path, _ in files_in(pickle.dumps(value)))
    except Exception:
        return ()


def files_in(pickled: bytes) -> tuple[tuple[str, str], ...]:
    """Return the files whose modules are named in a pickle, each with the name of its module.

    No other is missed where the pickle is read.
    """
    names = ((path, module.__name__) for path, module in _loaded.items())
    return tuple((path, name) for path, name in names if name.encode() in pickled)


def _restore(
    files: tuple[tuple[str, str], ...], places: tuple[ModulePlace, ...], pickled: bytes
) -> Any:
    if places:
        make_importable(places)
    for file, module in files:
        load_plugin_file(file, module)
    return pickle.loads(pickled)  # noqa: S301 (arena has pickled it)
