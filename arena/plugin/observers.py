"""Observers: the hooks that tell plugins of a run, and the calls of these hooks.

An observer is called in the main process. One that raises is named and not called again in that
run, and so is one that holds the run up. Neither changes a result.
"""

from __future__ import annotations

import logging
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

from arena import escape
from arena.clock import now
from arena.dataclass import dataclass
from arena.errors import counted, describe, is_stop, quoted

if TYPE_CHECKING:
    from arena.records.base import Record
    from arena.records.observers import Progress, Run

#: The hooks of observers, in the order in which a run calls them.
HOOKS = (
    "arena_run_start",
    "arena_progress",
    "arena_game_end",
    "arena_fight_end",
    "arena_run_end",
)

#: Seconds between two calls of ``arena_progress``.
PROGRESS_SECONDS = 0.1

#: An observer is slow if its calls take more seconds than this in all, and a larger share of the
#: run's time than this.
MAX_OBSERVER_SECONDS = 5.0
MAX_OBSERVER_SHARE = 0.5

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Observer:
    """One plugin's implementation of one hook, with the names of its parameters."""

    plugin: str
    hook: str
    function: Callable[..., object]
    parameters: tuple[str, ...]


@dataclass(frozen=True)
class Observers:
    """Everything that observes, and the command line that observers may ask for options."""

    members: tuple[Observer, ...] = ()
    command: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    #: The plugins in files that were loaded, as ``arena -p`` names them.
    files: tuple[str, ...] = ()
    #: The options with which ``arena resume`` goes on in the same way, as a shell reads them.
    resume_options: tuple[str, ...] = ()
    #: The plugins that were dropped from a run.
    dropped: set[str] = field(default_factory=set)

    @property
    def plugins(self) -> set[str]:
        """The names of the plugins that observe."""
        return {observer.plugin for observer in self.members}


class Audience:
    """The observers of one run."""

    def __init__(self, observers: Observers, run: Run) -> None:
        self.run = replace(run, command=observers.command, arguments=observers.arguments)
        #: The plugins in files that were loaded.
        self.files = observers.files
        #: The options with which ``arena resume`` goes on in the same way, as a shell reads them.
        self.resume_options = observers.resume_options
        #: The finished record of the run, or the unfinished one after Ctrl-C.
        self.result: Record | None = None
        self._observers = observers
        self._by_hook = {hook: [o for o in observers.members if o.hook == hook] for hook in HOOKS}
        self._spent: defaultdict[str, float] = defaultdict(float)
        self._began = self._next_progress = now()
        games = 2 * sum(fight.pairs for fight in run.fights)
        what = f"{counted(len(run.fights), 'fight')}, {counted(games, 'game')} at most"
        logger.info("%s begins: %s", run.schedule, what, extra={"fault": ""})

    def wants(self, *hooks: str) -> bool:
        """Return whether an observer implements one of these hooks."""
        return any(self._by_hook[hook] for hook in hooks)

    def tell(self, hook: str, **values: object) -> None:
        """Call a hook of every observer."""
        for observer in tuple(self._by_hook[hook]):
            self._call(observer, {"run": self.run, **values})

    def show(self, state: Callable[[], Progress]) -> None:
        """Call ``arena_progress``, unless that was less than ``PROGRESS_SECONDS`` ago."""
        if self._by_hook["arena_progress"] and now() >= self._next_progress:
            self.tell("arena_progress", state=state())
            self._next_progress = now() + PROGRESS_SECONDS

    def note(self, hook: str, message: str) -> None:
        """Log one line that concerns the observers with that hook."""
        plugins = sorted({observer.plugin for observer in self._by_hook[hook]})
        logger.warning("%s", escape.line(f"arena: plugin {', '.join(plugins)}: {message}"))

    def _call(self, observer: Observer, values: Mapping[str, object]) -> None:
        start = now()
        try:
            with redirect_stdout(sys.stderr):  # standard output is the command's result
                observer.function(**{name: values[name] for name in observer.parameters})
        except BaseException as error:
            if is_stop(error):
                raise
            logger.info("plugin %s raised", observer.plugin, exc_info=error)
            self._drop(observer, f"raised {describe(error)}")
            return
        ended = now()
        self._spent[observer.plugin] += ended - start
        spent, passed = self._spent[observer.plugin], ended - self._began
        if (
            spent > max(MAX_OBSERVER_SECONDS, MAX_OBSERVER_SHARE * passed)
            and observer.hook != "arena_run_end"
        ):
            self._drop(observer, f"held the run up for {spent:.0f} of {passed:.0f} seconds")

    def _drop(self, observer: Observer, why: str) -> None:
        """Name an observer and have none of its hooks called again in this run."""
        name = observer.plugin
        for hook, observers in self._by_hook.items():
            self._by_hook[hook] = [other for other in observers if other.plugin != name]
        self._observers.dropped.add(name)
        line = f"arena: plugin {quoted(name)}: {observer.hook} {why}; this run calls it no more"
        logger.warning("%s", escape.line(line))


@contextmanager
def watching(audience: Audience) -> Iterator[Audience]:
    """Tell observers that the run begins, and that it has ended, in whatever way."""
    try:
        audience.tell("arena_run_start")
        yield audience
    finally:
        audience.tell("arena_run_end", result=audience.result)
