"""Watch a player during a trial: how long its answers take, and what it does besides."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import Any

from arena.clock import now
from arena.errors import Forfeited
from arena.games.info_state import InfoState
from arena.sandbox.side_effects import Sighting, Sightings

#: Verdicts on a player whose process was lost or ended.
LOST = ("timeout", "budget", "crash", "memory", "off-turn")

#: The signal by which :func:`arm` ends a process.
ALARM = "SIGALRM"


class TrialMonitor:
    """A watch over a player. ``is_local`` says that it plays in the process of the trial."""

    def __init__(self, patience: float, is_local: bool = True) -> None:
        #: Limit of one answer in seconds; then the system ends the process.
        self.patience = patience
        #: Seconds of every answer, and where.
        self.answers: list[tuple[float, str]] = []
        #: How an isolated player lost its process, if it did.
        self.lost: Forfeited | None = None
        self._sightings = Sightings() if is_local else None

    @property
    def sightings(self) -> dict[str, Sighting]:
        """Sightings by the name of the check."""
        return {} if self._sightings is None else self._sightings.sightings

    def ask(self, choose: Callable[[InfoState], Any], position: InfoState) -> Any:
        """Return the answer at a position, whatever it is."""

        def timed(question: InfoState) -> Any:
            start = now()
            arm(self.patience)
            try:
                return choose(question)
            except Forfeited as error:
                self.note(error)
                raise
            finally:
                arm(0)
                self.answers.append((now() - start, where))

        where = str(position)
        return timed(position) if self._sightings is None else self._sightings.ask(timed, position)

    def note(self, error: Forfeited) -> None:
        """Note an error if the player lost its process by it."""
        if error.reason in LOST:
            self.lost = error

    def call(self, where: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call the player in another matter."""
        arm(self.patience)
        try:
            if self._sightings is None:
                return function(*arguments)
            return self._sightings.call(where, function, *arguments)
        finally:
            arm(0)


def arm(seconds: float) -> None:
    """Ask the system to end this process after ``seconds``, whatever it does. Ask nothing for 0.

    Does nothing on systems without such timers.
    """
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, seconds)
