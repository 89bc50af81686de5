"""The commands that plugins, arena's own among them, add to the command line."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING

from arena.dataclass import dataclass
from arena.plugin.registers import Register

if TYPE_CHECKING:
    from arena.plugin.catalogue import Catalogue


@dataclass(frozen=True)
class Command:
    """One command of the command line."""

    name: str
    #: One line for the list of commands.
    summary: str
    configure: Callable[[ArgumentParser], None]
    run: Callable[[Namespace, Catalogue], int]


class Commands(Register[Command]):
    """Given to ``arena_add_command``."""

    def add(
        self,
        name: str,
        summary: str,
        configure: Callable[[ArgumentParser], None],
        run: Callable[[Namespace, Catalogue], int],
    ) -> None:
        """Add a command: ``configure(parser)`` adds arguments, ``run`` returns the exit code."""
        self._check_name(name)
        self._check_callable(f"what configures command {name!r}", configure, "parser")
        self._check_callable(f"what runs command {name!r}", run, "arguments", "catalogue")
        self._add(name, Command(name, summary, configure, run))
