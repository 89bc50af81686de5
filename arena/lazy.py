"""Import the public names of a package when they are used, and list what is installed.

The stub of a package, ``__init__.pyi``, is the one list of its names: type checkers read the lines
``from MODULE import NAME as NAME`` there, and so does :func:`attach`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType

#: The packages that have public names, in the order in which a user meets them.
DOORS = ("arena", "arena.records", "arena.plugin")


class MissingName(AttributeError):
    """An error that looks for the name when it is shown: an import catches most of them."""

    def __str__(self) -> str:
        from arena.errors import did_you_mean

        text, name = super().__str__(), self.name or ""
        for door in DOORS:
            if name in import_module(door).__all__:
                return f"{text}: it is {door}.{name}"
        return text + did_you_mean(name, dir(self.obj))


def attach(
    package: str, file: str
) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` of the package in a file.

    Python asks ``__getattr__`` for a name the first time. ``__all__`` leaves out the modules of
    the package that are public as a whole.
    """
    with open(f"{file}i", encoding="utf-8") as stub:
        homes = {words[-1]: words[1] for words in map(str.split, stub) if words[:1] == ["from"]}

    def get(name: str) -> object:
        home, module = homes.get(name), sys.modules[package]
        if home is None:
            message = f"module {package!r} has no attribute {name!r}"
            raise MissingName(message, name=name, obj=module)
        if home == package:
            return import_module(f"{home}.{name}")
        value = getattr(import_module(home), name)
        setattr(module, name, value)
        return value

    return get, lambda: sorted(homes), sorted(n for n, home in homes.items() if home != package)


class ListingPackage(ModuleType):
    """A package that lists what is installed when it is called, as ``arena.players()`` does."""

    def __call__(self, catalogue: object = None) -> object:
        """Return the list that ``arena.installed_players()`` returns, or that of its kind."""
        kind = self.__name__.rpartition(".")[2]
        return getattr(import_module("arena"), f"installed_{kind}")(catalogue)
