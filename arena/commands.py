"""The commands that plugins, arena's own among them, add to the command line."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.errors import PluginError

if TYPE_CHECKING:
    from arena.plugin import Catalogue


@dataclass(frozen=True)
class Command:
    """One command of the command line."""

    name: str
    #: One line for the list of commands.
    summary: str
    configure: Callable[[ArgumentParser], None]
    run: Callable[[Namespace, Catalogue], int]


class Commands(dict[str, Command]):
    """Commands by name, in the order in which they were added."""

    def add(
        self,
        name: str,
        summary: str,
        configure: Callable[[ArgumentParser], None],
        run: Callable[[Namespace, Catalogue], int],
    ) -> None:
        """Add a command; PluginError if there is one of that name."""
        if name in self:
            raise PluginError(f"there is already a command {name!r}")
        self[name] = Command(name, summary, configure, run)
