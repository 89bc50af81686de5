"""Watch a player during a trial, in its process."""

from __future__ import annotations

import io
import random
import signal
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from arena.clock import now
from arena.errors import Forfeited, class_name, quoted
from arena.faults import name_of
from arena.game import Game, Outcome, Position, Side
from arena.player import PlayerInfo, RemoteFactory

#: Verdicts on a player whose process was lost or ended.
LOST = ("timeout", "budget", "crash")

#: How a process ends that :func:`arm` has ended.
ALARMED = "killed by SIGALRM"


class Sighting(NamedTuple):
    """An observation, and where it was first made."""

    message: str
    position: str


@dataclass
class Watch:
    """A watch over a player that notes the first time of everything."""

    #: Limit of one answer in seconds; then the system ends the process.
    patience: float
    #: Sightings by the name of the check.
    sightings: dict[str, Sighting] = field(default_factory=dict)
    #: Seconds of every answer, and where.
    answers: list[tuple[float, str]] = field(default_factory=list)
    #: How an isolated player lost its process, if it did.
    lost: Forfeited | None = None

    def ask(self, choose: Callable[[Position], Any], position: Position) -> Any:
        """Return the answer at a position, whatever it is."""
        where = str(position)
        things = _things(position)
        before, mark = [_shape(thing) for thing in things], (where, hash(position))
        start = now()
        try:
            answer = self.call(where, choose, position)
        except Forfeited as error:
            if error.reason in LOST:
                self.lost = error
            raise
        finally:
            self.answers.append((now() - start, where))
            changed = [c for t, b in zip(things, before, strict=True) for c in _changes(t, b)]
            if (str(position), hash(position)) != mark:
                changed.append("its text or its hash")
            if changed:
                self._see("position", f"it changes {', '.join(changed)} at {where}", where)
        if type(answer) is not int and hasattr(type(answer), "__index__"):
            message = f"it answers with {class_name(answer)}, not int, at {where}"
            self._see("plain ints", message, where)
        return answer

    def call(self, where: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call the player; note its prints, and draws from generators that are not its own."""
        output = io.StringIO()
        states = _global_states()
        arm(self.patience)
        try:
            with redirect_stdout(output):
                return function(*arguments)
        finally:
            arm(0)
            for name, state in _global_states().items():
                if states.get(name, state) != state:
                    self._see("global random", f"it changes the state of {name} at {where}", where)
            if output.tell():
                text = quoted(output.getvalue().partition("\n")[0])
                self._see("output", f"it prints {text} at {where}", where)

    def _see(self, check: str, message: str, where: str) -> None:
        self.sightings.setdefault(check, Sighting(message, where))


def arm(seconds: float) -> None:
    """Have the system end this process after ``seconds``, whatever it does; 0 for never.

    Does nothing on systems without such timers.
    """
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, seconds)


def watched(player: PlayerInfo, watch: Watch) -> PlayerInfo:
    """Return the player with a watch at every call."""
    function, remote = player.player, player.remote
    if remote is not None:
        player = replace(player, remote=_WatchedRemote(remote, watch))
    if player.stateless:

        def choose(position: Position, rng: Any) -> Any:
            return watch.ask(lambda p: function(p, rng), position)

        choose.__name__ = name_of(function)  # messages tell it
        return replace(player, player=choose, fresh=None)
    return replace(player, player=lambda: _WatchedPlayer(function, watch), fresh=None)


@dataclass(frozen=True)
class _WatchedRemote:
    """A factory of watched instances."""

    remote: RemoteFactory
    watch: Watch

    @property
    def remembers(self) -> str:
        return self.remote.remembers

    @property
    def shares_core(self) -> bool:
        return self.remote.shares_core

    def __call__(self, anew: bool = True) -> _WatchedPlayer:
        return _WatchedPlayer(lambda: self.remote(anew), self.watch)

    def close(self) -> None:
        self.remote.close()


class _WatchedPlayer:
    """A watched instance of a stateful player."""

    def __init__(self, make: Callable[[], Any], watch: Watch) -> None:
        self._watch = watch
        self._player = watch.call("the start", make)

    def start(self, game: Game, side: Side, rng: random.Random) -> None:
        self._watch.call("the start", self._player.start, game, side, rng)

    def choose(self, position: Position) -> Any:
        return self._watch.ask(self._player.choose, position)

    def observe(self, move: int) -> None:
        if hasattr(self._player, "observe"):
            self._watch.call(f"the opponent's move {move}", self._player.observe, move)

    def finish(self, outcome: Outcome) -> None:
        if hasattr(self._player, "finish"):
            self._watch.call("the end", self._player.finish, outcome)


def _things(position: Position) -> tuple[object, ...]:
    """Return what a player could tamper with: the position, the rules, and their methods."""
    return position, position.game, type(position), type(position.game)


def _shape(thing: object) -> dict[str, Any]:
    """Return the attributes, with copies of those that can be changed in place."""
    slots = [name for cls in type(thing).__mro__ for name in _slots(cls)]
    shape = {name: getattr(thing, name) for name in slots if hasattr(thing, name)}
    shape |= getattr(thing, "__dict__", {})
    return {
        key: value.copy() if isinstance(value, (list, dict, set, bytearray)) else value
        for key, value in shape.items()
    }


def _slots(cls: type) -> tuple[str, ...]:
    slots = cls.__dict__.get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def _changes(thing: object, before: dict[str, Any]) -> list[str]:
    """Return the changed attributes, except those that the class itself caches."""
    after = _shape(thing)
    changed = [key for key in before if key not in after or _differ(before[key], after[key])]
    added = [key for key in after if key not in before and not hasattr(type(thing), key)]
    of = thing.__name__ if isinstance(thing, type) else class_name(thing)
    return [f"{of}.{key}" for key in (*changed, *added)]


def _differ(a: Any, b: Any) -> bool:
    return a is not b and bool(a != b)


def _global_states() -> dict[str, Any]:
    """Return the states of the global generators."""
    states: dict[str, Any] = {"the global random": random.getstate()}
    numpy = sys.modules.get("numpy.random")
    if numpy is not None:
        name, keys, *rest = numpy.get_state()
        states["numpy.random"] = (name, keys.tobytes(), rest)
    return states
