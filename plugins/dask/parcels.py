"""Pack work for another machine, with the files that its players need.

Pickled data names files by their paths here. On the worker they stand below a folder, under the
same paths, so that modules next to a player are found next to it there too.
"""

from __future__ import annotations

import io
import os
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from hashlib import blake2b
from operator import attrgetter
from pathlib import Path
from types import BuiltinFunctionType, FunctionType
from typing import Any

from arena.errors import PluginError, UsageError, describe
from arena.executors.decoding import decode
from arena.executors.encoding import encode
from arena.files import read_bytes
from arena.player_file import FilePlayerInfo, load_file_player
from arena.player_file.plugin import dumps, files_in, load_plugin_file
from arena.sandbox.settings import PlayerLimits, Spec
from arena.sandbox.side_modules import find_side_modules

#: Packages that every worker has, or whose things are sent as they are.
_EVERYWHERE = {*sys.stdlib_module_names, "", "cloudpickle", "__main__"}

#: Most bytes of the files of a run: others are for a disk that all machines share.
MAX_FILES_BYTES = 1 << 28

#: The folder of the files that this process was sent; None where nothing was.
_root: Path | None = None


@dataclass(frozen=True)
class Parcel:
    """Work for other machines, and what must be the same there."""

    #: The data that :func:`lay_out` reads.
    data: bytes
    #: Names it by its content.
    digest: str
    #: Modules that are imported there, outside of Python itself.
    modules: tuple[str, ...]
    #: Programs and their files, which are not sent.
    programs: tuple[str, ...]
    #: The tiers that isolate the players.
    tiers: tuple[str, ...]


def pack(work: Any) -> Parcel:
    """Return the parcel. Raises PluginError for work that cannot be pickled."""
    notes = _Notes()
    try:
        pickled = _pickled(work, notes)
    except UsageError:
        raise
    except Exception as error:
        problem = f"a player or a game cannot be sent to other machines: {describe(error)}"
        raise PluginError(problem) from error
    plugins = files_in(pickled)
    files = _contents([*notes.files, *(path for path, _ in plugins)])
    data = encode((pickled, list(plugins), files))
    digest = blake2b(data, digest_size=16).hexdigest()
    modules = sorted(notes.modules - {name for _, name in plugins})
    return Parcel(data, digest, tuple(modules), tuple(notes.programs), tuple(notes.tiers))


def _pickled(work: Any, notes: _Notes) -> bytes:
    from cloudpickle import Pickler  # only machines with Dask have it

    class Packer(Pickler):  # type: ignore[misc]  # the package has no types
        def reducer_override(self, thing: Any) -> Any:
            reduced = notes.reduced(thing)
            return super().reducer_override(thing) if reduced is None else reduced

    buffer = io.BytesIO()
    Packer(buffer).dump(work)
    return buffer.getvalue()


class _Notes:
    """The files, programs, tiers and modules that are met where work is pickled."""

    def __init__(self) -> None:
        self.files: dict[str, None] = {}
        self.programs: dict[str, None] = {}
        self.tiers: dict[str, None] = {}
        self.modules: set[str] = set()

    def reduced(self, value: Any) -> tuple[Any, ...] | None:
        """Note a thing. Return how to make it there, or None if that is nothing special."""
        if isinstance(value, (type, FunctionType, BuiltinFunctionType)):
            self._note_module(value)
        elif type(value) is Spec:
            self._note_files([value.path] if value.path else [])
            self.files.update(dict.fromkeys(value.files))
            self.programs.update(dict.fromkeys(filter(os.path.isabs, value.argv)))
            if value.installed:  # pickled before: what is in it is noted alone
                _pickled(pickle.loads(value.installed), self)  # noqa: S301  (arena has pickled it)
            return _spec_there, (_fields(value),)
        elif type(value) is PlayerLimits:
            self.tiers[value.tier] = None
            self.files.update(dict.fromkeys(value.readable))
            return _limits_there, (_fields(value),)
        elif type(value) is FilePlayerInfo:
            path, function = split(value.file)
            self._note_files([path])
            return _player_there, (value.name, path, function)
        return None

    def _note_files(self, paths: Iterable[str]) -> None:
        """Note the files of players, with the modules next to them."""
        for path in paths:
            self.files.update(dict.fromkeys((path, *find_side_modules(Path(path)))))

    def _note_module(self, value: Any) -> None:
        name = getattr(value, "__module__", None) or ""
        top = name.partition(".")[0]
        if top not in _EVERYWHERE and _object_named(name, value.__qualname__) is value:
            self.modules.add(name)


def _object_named(module: str, name: str) -> Any:
    """Return what has that name in a module. An object without one is sent whole."""
    try:
        return attrgetter(name)(sys.modules[module])
    except (KeyError, AttributeError):
        return None


def _fields(record: Any) -> dict[str, Any]:
    return {field.name: getattr(record, field.name) for field in fields(record)}


def split(file: str) -> tuple[str, str]:
    """Return the path and ``:function`` of a player's file."""
    path, colon, function = file.rpartition(":")
    return (path, colon + function) if colon and function.isidentifier() else (file, "")


def _contents(paths: Iterable[str]) -> dict[str, bytes]:
    """Return the files of these paths, and those in folders. Raises UsageError for too many."""
    contents: dict[str, bytes] = {}
    bytes_left = MAX_FILES_BYTES
    for path in paths:
        for file in _files(path):
            if file not in contents:
                contents[file] = read_bytes(file, bytes_left)
                bytes_left -= len(contents[file])
    return contents


def _files(path: str) -> Iterator[str]:
    if os.path.isdir(path):
        for folder, _, names in os.walk(path):
            yield from (os.path.join(folder, name) for name in names)
    elif os.path.isfile(path):
        yield path


def lay_out(data: bytes, folder: Path) -> None:
    """Write a parcel into a folder."""
    _, _, files = decode(data)
    folder.mkdir(parents=True, exist_ok=True)
    for path, content in files.items():
        file = below(folder, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    (folder / "parcel").write_bytes(data)


def below(folder: Path, path: str) -> Path:
    """Return where the file of that path stands below a folder."""
    return folder / "files" / path.lstrip(os.sep)


def unpack(folder: Path) -> Callable[[Any], Any]:
    """Return the work in a folder. Its files stay there."""
    global _root
    _root = folder
    pickled, plugins, _ = decode((folder / "parcel").read_bytes())
    for path, module in plugins:
        load_plugin_file(str(below(folder, path)), module)
    work: Callable[[Any], Any] = pickle.loads(pickled)  # noqa: S301  (arena has pickled it)
    return work


def _path_on_worker(path: str) -> str:
    """Return the path of a file that was sent. Another is where it was."""
    assert _root is not None
    place = below(_root, path)
    return str(place) if path and place.exists() else path


def _spec_there(values: dict[str, Any]) -> Spec:
    path, function = split(values["file"])
    values["file"] = _path_on_worker(path) + function
    values["files"] = tuple(map(_path_on_worker, values["files"]))
    if values["installed"]:  # it may name plugins in files, which are elsewhere here
        values["installed"] = dumps(pickle.loads(values["installed"]))  # noqa: S301
    return Spec(**values)


def _limits_there(values: dict[str, Any]) -> PlayerLimits:
    return PlayerLimits(**{**values, "readable": tuple(map(_path_on_worker, values["readable"]))})


def _player_there(name: str, path: str, function: str) -> Any:
    return load_file_player(name, _path_on_worker(path) + function)
