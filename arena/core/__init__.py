"""Load compiled twins of functions that games, streams and searches run again and again.

The functions in Python are complete, and they are what one reads. A twin does the same, to the
byte, and is optional: without Cython or a compiler when arena is installed, or with
``ARENA_PURE=1``, there are none. What a twin does not know, such as a board of more than 64
squares, it leaves to the function in Python.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, update_wrapper
from importlib import import_module
from types import ModuleType
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])
K = TypeVar("K", bound=type)

#: The start of the names of compiled files in tracebacks.
COMPILED = "arena/core/"

#: The environment variable by which arena runs without twins.
VARIABLE = "ARENA_PURE"


@cache
def compiled(room: str) -> ModuleType | None:
    """Return the compiled module of this name, or None where Python does its work.

    A name without a dot is one of this room. A plugin's has its package before it.
    """
    if is_switched_off():
        return None
    try:
        module = import_module(room if "." in room else f"{__name__}.{room}")
    except ImportError:
        return None
    return None if _is_older_than_its_source(module, room) else module


def is_switched_off() -> bool:
    """Return whether the user asked for Python alone."""
    return os.environ.get(VARIABLE, "0") not in ("", "0")


def _is_older_than_its_source(module: ModuleType, room: str) -> bool:
    """Return whether the sources of a module have changed since it was built.

    An installed arena has no sources there.
    """
    file = cast("str", module.__file__)
    source = f"{room.rpartition('.')[2]}.pyx"
    folder = os.path.dirname(file)
    with suppress(OSError):
        built = os.stat(file).st_mtime
        # Modules share what is in files of declarations.
        sources = [name for name in os.listdir(folder) if name == source or name.endswith(".pxd")]
        return any(os.stat(os.path.join(folder, name)).st_mtime > built for name in sources)
    return False


def build() -> str:
    """Say which build of arena runs: ``compiled``, or ``pure Python`` with the reason."""
    if compiled("lines") is not None:
        return "compiled"
    if is_switched_off():
        return f"pure Python, as {VARIABLE} says"
    try:
        import_module(f"{__name__}.lines")
    except ModuleNotFoundError:
        return "pure Python: pip compiled nothing, which takes a C compiler"
    except ImportError as error:
        return f"pure Python: the compiled core does not load: {error}"
    return "pure Python: the compiled core is older than its source; pip install it again"


def twin(path: str) -> Callable[[F], F]:
    """Return a decorator of the function whose compiled twin is ``module.function``.

    The twin is there only if its module was compiled. The module has a dict ``PURE``, in which the
    twin finds the function in Python by its own name, for what it leaves to it. Raises
    ImportError if another function has that twin, as in a copy of its module.

    >>> @twin("lines.no_such_function")
    ... def play():
    ...     return 1
    >>> play()
    1
    """
    room, _, name = path.rpartition(".")

    def decorate(function: F) -> F:
        module = compiled(room)
        native = getattr(module, name, None)
        if module is None or native is None:
            return function
        own = module.PURE.setdefault(name, function)
        if (own.__module__, own.__qualname__) != (function.__module__, function.__qualname__):
            home = f"{own.__module__}.{own.__qualname__}"
            raise ImportError(f"{path} is the twin of {home}: write no @twin({path!r}) elsewhere")
        module.PURE[name] = function  # a module that is reloaded has a new one
        _twins.add(native)
        _python[name] = function
        return cast("F", update_wrapper(native, function))

    return decorate


#: The functions in Python, by the names of their twins.
_python: dict[str, Callable[..., Any]] = {}


def in_python(complaint: str) -> str:
    """Return the words of Python for those of a compiled function that was called wrongly.

    >>> in_python("play() takes a while")
    'play() takes a while'
    """
    name, _, rest = complaint.partition("() ")
    function = _python.get(name)
    if function is None:
        return complaint
    given = re.search(r"\((\d+) given\)$", rest)
    if given is not None:
        import inspect  # few players call a method wrongly

        arguments = [None] * int(given[1])
        try:
            inspect.signature(function).bind(*arguments)
        except TypeError:  # so that Python complains before it runs the function
            try:
                function(*arguments)
            except TypeError as error:
                return str(error)
    return f"{function.__qualname__}() {rest}"


#: All functions that stand for one in Python.
_twins: set[Callable[..., Any]] = set()


def _is_twin(value: Any) -> bool:
    function = value.fget if isinstance(value, property) else value
    return isinstance(function, Hashable) and function in _twins


@contextmanager
def by_python(kind: type) -> Iterator[None]:
    """Let the methods of a class, and of its bases, answer in Python meanwhile."""
    swapped = [
        (base, name, value)
        for base in kind.__mro__
        for name, value in vars(base).items()
        if _is_twin(value)
    ]
    try:
        for base, name, value in swapped:
            getter = vars(value.fget)["__wrapped__"] if isinstance(value, property) else None
            setattr(base, name, property(getter) if getter else value.__wrapped__)
        yield
    finally:
        for base, name, value in swapped:
            setattr(base, name, value)


def words_of(game: object) -> object:
    """Return what the compiled core knows of a new game of lines, None where Python answers."""
    lines = compiled("lines")
    return None if lines is None else lines.words_of(game)


def register_class(room: str) -> Callable[[K], K]:
    """Return a decorator of a class that the compiled module is to know: it is the same class."""

    def decorate(kind: K) -> K:
        module = compiled(room)
        if module is not None:
            module.add_kind(kind)
        return kind

    return decorate
