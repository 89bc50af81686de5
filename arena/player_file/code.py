"""Execute the code of a player in a file again for every game.

Then a global of the file, or of a module next to it, remembers nothing of earlier games: a player's
moves do not depend on the games that its process happened to play before.
"""

from __future__ import annotations

import builtins
import importlib.util
import math  # noqa: F401 (a player finds it in its process)
import os
import sys
from _thread import RLock  # to import threading would make every player start later
from collections.abc import Container, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from importlib.machinery import ModuleSpec, SourceFileLoader
from operator import is_
from pathlib import Path
from sys import getrefcount
from types import CodeType, ModuleType
from typing import Any

from arena.rng import GLOBAL_RANDOM, drawn_generators, shared_generators

#: Modules of one file that are kept to be cleared. The collector removes older ones.
MAX_IN_PLAY = 64


def hide_command_line() -> None:
    """Remove the command from this process's own lists: it names the players, perhaps the seed.

    The seed and the names together decide all draws.
    """
    sys.argv[:] = sys.orig_argv[:] = ["arena"]


#: The folders of players' files in this process.
_folders: set[str] = set()


def add_folder(folder: str) -> None:
    """Make modules in a folder importable, after all others: they hide no library.

    Those of other players' folders come last.
    """
    sides = [finder for finder in sys.meta_path if isinstance(finder, SideModuleFinder)]
    if not sides or sides[0].folder != folder:
        _folders.add(folder)
        libraries = [finder for finder in sys.meta_path if finder not in sides]
        others = [finder for finder in sides if finder.folder != folder]
        sys.meta_path[:] = [*libraries, SideModuleFinder(folder), *others]


class SideModuleFinder:
    """Find modules that a player may read in a folder that it may not list.

    Python's own finder lists a folder first, and takes one that it cannot list for empty.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def find_spec(self, name: str, path: object = None, target: object = None) -> Any:
        """See importlib.abc.MetaPathFinder."""
        if path is None:
            for file in (f"{name}.py", f"{name}/__init__.py"):
                whole = os.path.join(self.folder, file)
                with suppress(OSError), open(whole, "rb"):
                    return importlib.util.spec_from_file_location(name, whole)
        return None


class NotPython(Exception):
    """A file that Python cannot load."""


class PlayerCode:
    """A file, compiled once. Raises NotPython if Python cannot load such a file.

    Making one executes the file for the first time, and lets its exceptions out.
    """

    def __init__(self, path: Path, module_name: str) -> None:
        spec = importlib.util.spec_from_file_location(module_name, path)
        if spec is None or spec.loader is None:
            raise NotPython("only Python files (.py) and WebAssembly modules (.wasm) can be loaded")
        self.path = path
        self._spec, self._loader = spec, spec.loader
        self._code = _compile(spec)
        self._folder = os.path.join(os.path.dirname(os.path.abspath(path)), "")
        self._others = frozenset(sys.modules)
        self._modules = _CompiledModules()
        libraries, names = _attributes(self._others), set(os.environ)
        self.module = self._execute()
        #: Held from when the file is executed again until its player has been picked.
        self.lock = RLock()
        #: The modules of games that may go on, each with the references to its functions when it
        #: had just been executed.
        self._in_play: list[tuple[ModuleType, dict[str, int]]] = []
        patched = _patched(libraries, self._folder)
        self._why = self._state_in_c() or patched or _added_to_environment(names)
        self._before = _Surroundings()
        #: The process in which a game begins, and the state of its shared generators then. A file
        #: that seeds them has the same one at the begin of each game.
        self._begin = os.getpid(), shared_generators()

    @property
    def remembers(self) -> str:
        """Why something of it outlives a game. It is empty if this process has not seen anything.

        Another player in the same process may be the cause.
        """
        self._why = self._why or self._look_out().changed()
        return self._why

    def _look_out(self) -> _Surroundings:
        """Note the state around the player before its first game in this process."""
        if self._before.process != os.getpid():
            self._before = _Surroundings()
        return self._before

    def execute(self) -> ModuleType:
        """Return the module after executing the file, and the modules next to it, once more."""
        self._look_out()
        if self._code is None:
            return self.module
        for name in list(self._side_modules()):
            self._modules.take(name)
        self._clear_ended()
        self.module = self._execute()
        self._in_play.append((self.module, _references(self.module)))
        process, states = self._begin
        self._begin = os.getpid(), shared_generators()
        if process == self._begin[0] and drawn_generators(states, self._begin[1]):
            self._why = GLOBAL_RANDOM
        return self.module

    def _clear_ended(self) -> None:
        """Clear the modules of games that have ended.

        The functions of a module refer to it, so it would stay in memory until the collector runs.
        Two players of a game may be of one file, and several games may be played at a time.
        """
        recent = self._in_play[-MAX_IN_PLAY:]
        self._in_play = [(module, before) for module, before in recent if _in_use(module, before)]
        for module, _ in recent:
            if all(module is not other for other, _ in self._in_play):
                vars(module).clear()

    def _execute(self) -> ModuleType:
        add_folder(self._folder)
        name = self._spec.name
        module = sys.modules[name] = importlib.util.module_from_spec(self._spec)
        try:
            with self._modules:
                self._require_user_modules()
                if self._code is None:
                    self._loader.exec_module(module)
                else:
                    exec(self._code, module.__dict__)  # noqa: S102 (loading is executing)
                self._require_user_modules()
        except BaseException:
            del sys.modules[name]
            raise
        return module

    def _require_user_modules(self) -> None:
        """Raise NotPython if a module that the file imports is that of another player's folder."""
        for name in () if self._code is None else self._code.co_names:
            file = getattr(sys.modules.get(name), "__file__", None) or ""
            folder = os.path.join(os.path.dirname(file), "")
            others = folder in _folders and folder != self._folder
            if others and os.path.isfile(f"{self._folder}{name}.py"):
                problem = f"the module {name} is already that of another player, {file}"
                raise NotPython(f"{problem}: --isolation none has one module of a name")

    def _side_modules(self) -> Iterator[str]:
        """Yield the modules in the file's folder that it has imported."""
        elsewhere = [os.path.join(entry, "") for entry in sys.path if entry]
        inner = tuple(e for e in elsewhere if e.startswith(self._folder) and e != self._folder)
        for name in sys.modules.keys() - self._others - {self._spec.name}:
            file = getattr(sys.modules[name], "__file__", None) or ""
            if file.startswith(self._folder) and not file.startswith(inner or "\0"):
                yield name

    def _state_in_c(self) -> str:
        compiled = [self._spec, *(sys.modules[name].__spec__ for name in self._side_modules())]
        names = [s.name for s in compiled if s is not None and _compile(s) is None]
        if self._code is None:
            return "it is compiled code"
        return f"it imports compiled code: {min(names)}" if names else ""


def _references(module: ModuleType) -> dict[str, int]:
    """Return the number of references to a module's names and to each of its functions."""
    names = vars(module)
    counts = {name: getrefcount(value) for name, value in names.items() if callable(value)}
    return {**counts, "": getrefcount(names)}


def _in_use(module: ModuleType, before: Mapping[str, int]) -> bool:
    """Return whether more refers to a module's functions than when it had been executed.

    What a player makes while it plays, such as an object of a class, refers to one of them, and a
    new function refers to the names.
    """
    return any(count > before.get(name, 0) for name, count in _references(module).items())


class _CompiledModules:
    """A finder and loader that imports modules again from their compiled code."""

    def __init__(self) -> None:
        self._compiled: dict[str, tuple[ModuleSpec, CodeType]] = {}

    def take(self, name: str) -> None:
        """Forget a module, so that the next import executes it again."""
        spec = sys.modules[name].__spec__
        if name not in self._compiled and spec is not None:
            code = _compile(spec)
            if code is None:
                return  # an extension in C, for example, cannot be executed again
            self._compiled[name] = spec, code
        del sys.modules[name]

    def __enter__(self) -> None:
        if self not in sys.meta_path:
            sys.meta_path.insert(0, self)

    def __exit__(self, *_: object) -> None:
        """Stay: a player may import while it plays."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module that was executed before."""
        if fullname not in self._compiled:
            return None
        spec, _ = self._compiled[fullname]
        loader: Any = self  # to import importlib.abc would make every player start later
        return importlib.util.spec_from_file_location(
            fullname,
            spec.origin,
            loader=loader,
            submodule_search_locations=spec.submodule_search_locations,
        )

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave it to Python to make the module."""

    def exec_module(self, module: ModuleType) -> None:
        """Execute the module."""
        exec(self._compiled[module.__name__][1], module.__dict__)  # noqa: S102


def _compile(spec: ModuleSpec) -> CodeType | None:
    """Return the compiled source of a module, or None without source."""
    return spec.loader.get_code(spec.name) if isinstance(spec.loader, SourceFileLoader) else None


#: Attributes of each library module, by name.
_Attributes = dict[str, dict[str, object]]


#: Modules that every process has. A library keeps values in others by its own right.
_SHARED = frozenset({"builtins", "math", "os", "random", "sys"})


def _attributes(modules: Set[str]) -> _Attributes:
    return {
        name: dict(vars(module))
        for name in modules
        if isinstance(module := sys.modules.get(name), ModuleType)
    }


def _patched(before: _Attributes, folder: str = "") -> str:
    """Name a function or class of a library that was replaced or added. The result is empty if none
    was. While a file is loaded from its ``folder``, a library may replace functions of others.
    """
    for name in sorted(before):
        earlier, current = before[name], vars(sys.modules.get(name, builtins))
        if len(earlier) == len(current) and all(map(is_, earlier.values(), current.values())):
            continue
        for key, value in current.items():
            is_new = key in earlier and value is not earlier[key] and callable(value)
            if is_new and not (folder and _is_by_library(f"{name}.{key}", value, before, folder)):
                return f"{name}.{key} is changed"
            if key not in earlier and name in _SHARED and not key.startswith("_"):
                return f"{name}.{key} is added"
    return ""


def _is_by_library(name: str, value: object, before: Container[str], folder: str) -> bool:
    """Return whether a library that was loaded since, outside of a folder, says that it puts its
    function at a name, as PyTorch does at ``inspect.getfile``.
    """
    home = getattr(value, "__module__", None)
    file = getattr(sys.modules.get(home or ""), "__file__", None) or ""
    if home in before or not file.endswith(".py") or os.path.abspath(file).startswith(folder):
        return False
    try:
        with open(file, encoding="utf-8") as source:
            return f"{name} = " in source.read()
    except (OSError, ValueError):
        return False


def _added_to_environment(before: Set[str]) -> str:
    added = set(os.environ) - before
    return f"os.environ[{min(added)!r}] is added" if added else ""


class _Surroundings:
    """The objects in a process where a player could leave a note, when a game begins."""

    def __init__(self) -> None:
        self.process = os.getpid()
        self._modules, self._names = _attributes(_SHARED), set(os.environ)

    def changed(self) -> str:
        """Say what has changed since. The result is empty if nothing has."""
        return _patched(self._modules) or _added_to_environment(self._names)
